"""Runs the parts one after the other, counts what came of each case, and says so in a table."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Literal, NamedTuple

__all__ = ["PARTS", "Case", "Table", "cases", "play"]

#: The parts: a file of soak/parts each.
PARTS = tuple(sorted(file.stem for file in (Path(__file__).parent / "parts").glob("*.py") if file.stem != "__init__"))

#: ``held``: all as if nothing had happened. ``refused``: words that say exactly what to do, and nothing lost that was
#: acknowledged. ``BROKEN``: anything else.
Verdict = Literal["held", "refused", "BROKEN"]


class Case(NamedTuple):
    """One fault, and what came of it."""

    what: str  # a row of the table: on what, in the midst of what, which fault
    verdict: Verdict
    told: str = ""  # if it is broken, all that is needed to see it again; if it is refused, the words


class Table:
    """How many of each."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()
        self.broken: list[Case] = []
        self.words: Counter[str] = Counter()  # of what was refused

    def add(self, case: Case) -> None:
        """One more."""
        self.counts[case.what, case.verdict] += 1
        if case.verdict == "BROKEN":
            self.broken.append(case)
        if case.verdict == "refused":
            self.words[case.told] += 1

    @property
    def total(self) -> Counter[str]:
        """By verdict, of all rows together."""
        found: Counter[str] = Counter()
        for (_, verdict), times in self.counts.items():
            found[verdict] += times
        return found

    def __str__(self) -> str:
        wide = max((len(what) for what, _ in self.counts), default=4)
        rows = [f"{'':{wide}}  {'held':>7} {'refused':>7} {'BROKEN':>7}"]
        for what in sorted({what for what, _ in self.counts}):
            times = [self.counts[what, verdict] for verdict in ("held", "refused", "BROKEN")]
            rows.append(f"{what:{wide}}  {times[0]:>7} {times[1]:>7} {times[2]:>7}")
        return "\n".join(rows)


def cases(name: str, seed: int, first: int = 0) -> Iterator[Case]:
    """The cases of a part (or of a module of that name with a dot in it), without end; from the ``first`` on, where a
    part can begin there.
    """
    module = import_module(name if "." in name else f"soak.parts.{name}")
    found: Iterator[Case] = module.run(seed, first) if first else module.run(seed)
    return found


def play(name: str, *, seed: int, most: int, until: float = float("inf"), first: int = 0) -> Iterator[Case]:
    """So many cases of a part, or as many as begin before a time of :func:`time.monotonic`.

    A part that fails itself is broken: its servers and files are gone all the same, for it is closed.
    """
    with closing(cases(name, seed, first)) as found:  # type: ignore[type-var]
        for case in islice(found, most):
            yield case
            if time.monotonic() > until:
                break
