"""The compiled twins of the numerics, and whether compiled code can be had: scalar code for Numba, cached on disk. Each
folder of the core has its twins beside it in a folder ``compiled``.

Nothing here is imported until it is needed (Numba takes a third of a second to load), and nothing here is the
definition: :mod:`sureshot.core` says what is computed in NumPy, and tests hold the two to each other. Where
Numba can't be had, or ``SURESHOT_NO_NUMBA=1`` is set, the NumPy path gives the same answers.
"""

from __future__ import annotations

import importlib.util
import os
from functools import cache
from pathlib import Path

from sureshot.core.links import CLOGLOG, LOGIT, LOGLOG, PROBIT, Link

#: The built-in links, by the number that compiled code knows them by. A user's own link has none.
CODES: dict[Link, int] = {LOGIT: 0, PROBIT: 1, CLOGLOG: 2, LOGLOG: 3}


def _drop_stale() -> None:
    """Remove compiled code that older sources made.

    Numba's cache on disk looks at a function's own file only; what it calls, and the constants it was compiled with,
    stand in others. So a stamp of all sources is kept beside it, and any change of one clears the whole.
    """
    core = Path(__file__).parents[2]
    stamp = "\n".join(f"{p.name} {p.stat().st_size} {p.stat().st_mtime_ns}" for p in sorted(core.rglob("*.py")))
    kept = Path(__file__).parent / "__pycache__" / "sources.stamp"
    try:
        if kept.read_text() == stamp:
            return
    except OSError:
        pass
    try:
        for old in [*core.rglob("*.nbi"), *core.rglob("*.nbc")]:
            old.unlink(missing_ok=True)
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(stamp)
    except OSError:
        pass  # a read-only installation: Numba keeps its cache elsewhere, and installs change every file


_drop_stale()


@cache
def available() -> bool:
    """Whether compiled code can be used in this process."""
    return os.environ.get("SURESHOT_NO_NUMBA") != "1" and importlib.util.find_spec("numba") is not None


def code_of(link: Link) -> int | None:
    """The number of a link that compiled code knows, or None: then the NumPy path is taken."""
    return CODES.get(link) if available() else None
