"""Results of studies that lie in a folder, to look at one after the other: which there are, and what each found.

A study is read and computed once, and again only when its files changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

from sureshot.errors import unknown_name
from sureshot.lab.report.plots import cost_curves
from sureshot.lab.report.reports import cost_table, score_table
from sureshot.lab.report.summary import Line, points_of, summary
from sureshot.lab.report.tables import Table
from sureshot.lab.study.parts import files_of, load_rows
from sureshot.viz.study import Curves

__all__ = ["Found", "Shelf", "Shelved"]


@dataclass(frozen=True, slots=True)
class Shelved:
    """A study that has rows: its name, how many files they are in, and when the last was written (seconds)."""

    name: str
    parts: int
    changed: float


class Found:
    """What one study found so far, each part computed when it is first wanted."""

    def __init__(self, name: str, rows: Any) -> None:
        self.name, self._rows = name, rows

    @cached_property
    def lines(self) -> list[Line]:
        """At a glance."""
        return summary(self._rows)

    @property
    def runs(self) -> int:
        """How often each contender played each world, at most."""
        return max(one.runs for one in self.lines)

    @property
    def budget(self) -> int:
        """Trials of a run."""
        return self.lines[0].n[-1]

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """Costs at the end with intervals, and all in one: as ``sureshot lab report`` shows them."""
        at = points_of(self.budget)[-1]
        return tuple(one for one in (cost_table(self._rows, at), score_table(self._rows)) if one.names)

    @cached_property
    def curves(self) -> Curves:
        """Costs against trials."""
        return cost_curves(self._rows)


class Shelf:
    """The studies in a folder: those in folders of it that hold rows."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._read = folder, dict[str, tuple[Shelved, Found]]()
        self._lock = Lock()

    def studies(self) -> list[Shelved]:
        """What there is, by name."""
        return sorted(self._studies(), key=lambda one: one.name)

    def _studies(self) -> Iterator[Shelved]:
        inside = self.folder.iterdir() if self.folder.is_dir() else ()
        for one in inside:
            if one.is_dir() and not one.is_symlink():
                times = [when for part in files_of(one) if (when := _written(part)) is not None]
                if times:
                    yield Shelved(one.name, len(times), max(times))

    def study(self, name: str) -> Found:
        """One of them: by a name of the list, and by nothing else."""
        every = {one.name: one for one in self.studies()}
        if name not in every:
            raise unknown_name("study", name, every, field="name", otherwise="see the list of studies")
        with self._lock:
            known = self._read.get(name)
            if known is None or known[0] != every[name]:
                known = self._read[name] = every[name], Found(name, load_rows(self.folder / name))
            return known[1]


def _written(part: Path) -> float | None:
    """When a file was written; None if it was deleted since it was listed."""
    try:
        return part.stat().st_mtime
    except FileNotFoundError:
        return None
