"""Peers are measured in environments of their own (``make bench-peers``), one script and one line of JSON each."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

__all__ = ["measure", "missing"]

ROOT = Path(__file__).parents[1]


def missing(environment: str) -> str | None:
    """A line that says why a peer is left out, or None when its environment is there."""
    if (ROOT / environment / ".installed").exists():
        return None
    return f"{environment} is not installed, so its peer is left out: `make bench-peers` installs it."


def measure(environment: str, script: str, timeout: float = 300.0, **arguments: int) -> dict[str, Any] | None:
    """What ``benchmarks/peers/<script>`` reports for ``--M``, ``--d``, ``--n``, ``--seed``; None if it can't."""
    if missing(environment):
        return None
    options = [word for key, value in arguments.items() for word in (f"--{key}", str(value))]
    command = [ROOT / environment / "bin/python", ROOT / "benchmarks/peers" / script, *options]
    try:
        with TemporaryDirectory() as folder:  # a peer may leave its logs where it runs
            done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=True, cwd=folder)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        print(f"{script} {' '.join(options)} was left out: {error}")
        return None
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result
