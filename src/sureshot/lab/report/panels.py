"""From flat rows to arrays in which runs stand side by side: what every statistic of the lab begins with.

A run counts when every contender of its world has played it to the end: all are compared on the same truths and labels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput, unknown_name

__all__ = [
    "MEASURES",
    "At",
    "ContenderName",
    "Measure",
    "Panel",
    "find_contender",
    "labels",
    "only",
    "panels",
    "who_played",
]

#: A number of trials, or ``"area"``: the mean over all of them (the area under the curve).
At: TypeAlias = int | Literal["area"]
KEYS = ["world", "policy", "belief", "run", "n"]


class ContenderName(NamedTuple):
    """Who plays: a policy with a belief."""

    policy: str
    belief: str

    def __str__(self) -> str:
        return f"{self.policy}/{self.belief}"


class Measure(NamedTuple):
    """A column that can be compared: its words, and whether more of it is better."""

    words: str
    more_is_better: bool


MEASURES = {
    "oc": Measure("opportunity cost", False),
    "oc_plugin": Measure("opportunity cost, choice by mean weights", False),
    "regret": Measure("cumulative regret", False),
    "seconds": Measure("seconds a trial", False),
    "successes": Measure("successes", True),
    "found_best": Measure("probability of having found the best", True),
}


@dataclass(frozen=True, eq=False)
class Panel:
    """One world: every contender on the same runs."""

    world: str
    contenders: tuple[ContenderName, ...]
    runs: NDArray[Any]  # (R,)
    steps: tuple[int, ...]  # the n of the curve
    values: Array  # (R, K, N)

    def at(self, when: Sequence[At], everyone: Sequence[ContenderName] | None = None) -> Array:
        """The values after so many trials, or their mean over all, of these contenders or of all: (R, K, A)."""
        picked = np.stack([self._at(one) for one in when], axis=2)
        return picked if everyone is None else np.asarray(picked[:, [self._position(one) for one in everyone]])

    def _at(self, when: At) -> Array:
        if when == "area":
            return np.asarray(self.values.mean(axis=2))
        if when not in self.steps:
            raise InvalidInput(
                f"`at` must be 'area' or a number of trials from {self.steps[0]} to {self.steps[-1]}", got=when
            )
        return np.asarray(self.values[:, :, self.steps.index(when)])

    def _position(self, contender: ContenderName) -> int:
        if contender not in self.contenders:
            raise InvalidInput(f"{str(contender)!r} has not played world {self.world!r}: leave one of the two out.")
        return self.contenders.index(contender)


def panels(rows: Any, value: str = "oc") -> list[Panel]:
    """The worlds of a study (a DataFrame of flat rows), in the order of the rows."""
    if value not in MEASURES:
        raise unknown_name("measure", value, MEASURES)
    if not len(rows):
        raise InvalidInput("the study has no rows yet: run it first (sureshot lab run).")
    if rows.duplicated(KEYS).any():
        raise InvalidInput(
            "two rows speak of the same world, policy, belief, run and n: are rows of two studies put together?"
        )
    return [_panel(str(world), part, value) for world, part in rows.groupby("world", sort=False, observed=True)]


def who_played(rows: Any) -> list[ContenderName]:
    """Who plays, in the order of the rows.

    >>> import pandas as pd
    >>> who_played(pd.DataFrame({"policy": ["kg", "kg", "random"], "belief": ["paper", "paper", "paper"]}))
    [ContenderName(policy='kg', belief='paper'), ContenderName(policy='random', belief='paper')]
    """
    pairs = rows[["policy", "belief"]].drop_duplicates()
    return [ContenderName(str(policy), str(belief)) for policy, belief in pairs.itertuples(index=False)]


def find_contender(name: str | ContenderName, known: Iterable[ContenderName]) -> ContenderName:
    """The contender named ``policy/belief``, or by its policy alone where that plays with one belief only."""
    everyone = list(known)
    for one in everyone:
        if name in (one, str(one)):
            return one
    same = [one for one in everyone if one.policy == name]
    if len(same) > 1:
        raise InvalidInput(
            f"policy {name!r} plays with several beliefs: choose one of {', '.join(repr(str(one)) for one in same)}."
        )
    if not same:
        raise unknown_name("contender", str(name), sorted({str(one) for one in everyone}))
    return same[0]


def only(rows: Any, names: Iterable[str]) -> Any:
    """The rows of these contenders, each named as in :func:`find_contender` or by a policy with all its beliefs."""
    known = who_played(rows)
    kept: set[ContenderName] = set()
    for name in names:
        kept |= {one for one in known if one.policy == name} or {find_contender(name, known)}
    number = rows.groupby(["policy", "belief"], sort=False, observed=True).ngroup()
    return rows[number.isin([i for i, one in enumerate(known) if one in kept])]


def labels(everyone: Sequence[ContenderName]) -> dict[ContenderName, str]:
    """Short names: the policy alone when all play with one belief."""
    alone = len({one.belief for one in everyone}) <= 1
    return {one: one.policy if alone else str(one) for one in everyone}


def _panel(world: str, part: Any, value: str) -> Panel:
    everyone = part.groupby(["policy", "belief"], sort=False, observed=True).ngroup().to_numpy()
    runs, run = np.unique(part["run"].to_numpy(), return_inverse=True)
    steps, step = np.unique(part["n"].to_numpy(), return_inverse=True)
    values = np.full((len(runs), everyone.max() + 1, len(steps)), np.nan)
    values[run, everyone, step] = part[value].to_numpy(dtype=np.float64)
    whole = ~np.isnan(values).any(axis=(1, 2))
    if whole.sum() < 2:
        raise InvalidInput(
            f"world {world!r} has {whole.sum()} runs that every contender has played to the end: an interval needs 2."
        )
    return Panel(
        world=world,
        contenders=tuple(who_played(part)),
        runs=runs[whole],
        steps=tuple(map(int, steps)),
        values=values[whole],
    )
