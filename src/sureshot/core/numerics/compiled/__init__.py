"""The compiled twins of the numerics: scalar code for Numba, cached on disk. Each folder of the core has its twins
beside it in a folder ``compiled``, and all of them build on this one.

Nothing here is imported until it is needed (Numba takes a third of a second to load), and nothing here is the
definition: :mod:`sureshot.core` says what is computed in NumPy, and tests hold the two to each other.
"""

from __future__ import annotations

import logging
from pathlib import Path

from numba.core import event

log = logging.getLogger(__name__)


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


class _Telling(event.Listener):
    """Logs, once in a process, that code of ours is being compiled which no cache on disk has."""

    told = False

    def on_start(self, begun: event.Event) -> None:
        if not self.told and begun.data["dispatcher"].py_func.__module__.startswith("sureshot."):
            self.told = True
            log.info("Preparing the fast code for this machine: up to a minute, once.")

    def on_end(self, _ended: event.Event) -> None:
        pass


_drop_stale()
event.register("numba:compile", _Telling())
