"""How far a long computation is, in a notebook: a bar that moves in its place, by what every notebook has (IPython).

On a terminal the command has a bar of its own (Rich); in a script nothing is shown.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from html import escape
from importlib import import_module
from typing import Any

__all__ = ["in_notebook", "notebook_bar"]

#: The bar moves at most so often, in seconds.
EVERY = 0.2

Clock = Callable[[], float]


def in_notebook() -> bool:
    """Whether this runs in a notebook, where HTML can be shown."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return shell is not None and getattr(shell, "kernel", None) is not None


def notebook_bar(noun: str, *, clock: Clock = time.monotonic) -> Callable[[int, int], None] | None:
    """In a notebook, a function that is called with what is done of how many ``noun``; None elsewhere."""
    return _Bar(noun, clock) if in_notebook() else None


class _Bar:
    """A bar in the output of a cell, which is shown with the first call and moved by the others."""

    def __init__(self, noun: str, clock: Clock) -> None:
        self.noun, self.clock = noun, clock
        self.handle: Any = None
        self.first = (0.0, 0)  # when the first call came, and what was done then
        self.last = 0.0

    def __call__(self, done: int, total: int) -> None:
        shown: Any = import_module("IPython.display")
        now = self.clock()
        if self.handle is None:
            self.first, self.last = (now, done), now
            self.handle = shown.display(shown.HTML(self._html(done, total, now)), display_id=True)
        elif done >= total or now - self.last >= EVERY:
            self.last = now
            self.handle.update(shown.HTML(self._html(done, total, now)))

    def _html(self, done: int, total: int, now: float) -> str:
        """The bar: what was finished before it began says nothing of the speed."""
        began, before = self.first
        left = ""
        if before < done < total:
            left = f", {_time((now - began) * (total - done) / (done - before))} left"
        words = f"{done:,} of {total:,} {escape(self.noun)}{left}"
        bar = f'<progress value="{done}" max="{max(total, 1)}" style="width:18em;accent-color:#0072B2"></progress>'
        return f'<div class="sureshot">{bar} <span>{words}</span></div>'


def _time(seconds: float) -> str:
    """As one says it.

    >>> _time(40), _time(200), _time(9000)
    ('40 s', '3 min', '2.5 h')
    """
    if seconds < 90:
        return f"{max(seconds, 1):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
