"""A study at a glance: mean opportunity cost of each contender at a few points, with standard errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Line", "points_of", "summary"]


@dataclass(frozen=True)
class Line:
    """One contender in one world."""

    world: str
    policy: str
    belief: str
    runs: int
    n: tuple[int, ...]  # after so many trials
    oc: tuple[float, ...]  # mean opportunity cost of the choice by predicted probability
    error: tuple[float, ...]  # its standard error; NaN for a single run
    milliseconds: float  # to choose a trial, on average


def points_of(budget: int) -> tuple[int, ...]:
    """A third, two thirds and all of the budget.

    >>> points_of(30), points_of(2)
    ((10, 20, 30), (1, 2))
    """
    return tuple(sorted({max(1, round(budget * part / 3)) for part in (1, 2, 3)}))


def summary(rows: pd.DataFrame) -> list[Line]:
    """A line for each world, policy and belief, best last cost first within a world."""
    points = points_of(int(rows["n"].max()))
    lines = []
    for (world, policy, belief), own in rows.groupby(["world", "policy", "belief"], observed=True):
        found = own[own["n"].isin(points)].groupby("n")["oc"]
        lines.append(
            Line(
                *(str(world), str(policy), str(belief)),
                runs=int(own["run"].nunique()),
                n=points,
                oc=tuple(found.mean().tolist()),
                error=tuple(found.sem().tolist()),
                milliseconds=1e3 * float(own["seconds"].mean()),
            )
        )
    return sorted(lines, key=lambda one: (one.world, one.oc[-1], one.policy, one.belief))
