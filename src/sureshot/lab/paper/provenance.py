"""What made a page: the command, the seed, the day and the kind of machine. No names of hosts, users or folders."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from datetime import UTC, datetime

from sureshot._version import __version__

__all__ = ["Provenance", "provenance"]


@dataclass(frozen=True)
class Provenance:
    """Enough to make it again."""

    command: str
    seed: int
    runs: int
    date: str
    machine: str


def provenance(command: str, *, seed: int, runs: int) -> Provenance:
    """Here and now."""
    import numpy
    import scipy

    machine = (
        f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}, Python {platform.python_version()}, "
        f"NumPy {numpy.__version__}, SciPy {scipy.__version__}, sureshot {__version__}"
    )
    return Provenance(command=command, seed=seed, runs=runs, date=datetime.now(UTC).date().isoformat(), machine=machine)
