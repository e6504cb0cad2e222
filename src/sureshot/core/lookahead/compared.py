"""Candidates beside what the final choice is made from: no row twice, and who is the same alternative as whom.

Two scores vary together by what the belief says of their features; the score of one alternative also has a part of its
own, which it shares with itself alone. So every look-ahead asks where a candidate stands among the alternatives: its
``twin``, whose score is the candidate's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sureshot.core.beliefs.belief import Belief, Scores
from sureshot.core.beliefs.mixture import Mixture, members
from sureshot.core.learning import step
from sureshot.core.lookahead.finals import Finals, or_pool
from sureshot.core.numerics.stable import Array
from sureshot.core.rows import distinct, places

__all__ = ["Compared", "Group", "compared", "refuse_overflow", "stacked"]


class Group(NamedTuple):
    """Alternatives that the final choice is made from, and the weight of that choice."""

    weight: float
    rows: Array  # (m, d) no two alike
    twin: NDArray[np.intp]  # (M,) where each candidate stands in ``rows``; -1: nowhere


class Compared(NamedTuple):
    """Candidates, and the groups that they are looked at with."""

    X: Array  # (M, d) no two alike
    copies: NDArray[np.intp]  # where each row that was asked about stands in X
    groups: list[Group]


def compared(belief: Belief | Mixture, X: Array, finals: Finals | None) -> Compared:
    """The rows of ``X`` as candidates beside the finals, by default ``X`` itself; then ``groups[0].rows is X``."""
    after = or_pool(finals, X)
    once, copies = distinct(X)
    candidates = X if len(once) == len(X) else X[once]
    refuse_overflow(belief, candidates)
    if after.rows is X:
        return Compared(candidates, copies, [Group(1.0, candidates, np.arange(len(once)))])
    refuse_overflow(belief, after.rows)
    groups = []
    for begin, end, weight in zip(after.starts[:-1], after.starts[1:], after.weights.tolist(), strict=True):
        rows = after.rows if end - begin == len(after.rows) else after.rows[begin:end]
        first = distinct(rows)[0]
        rows = rows if len(first) == len(rows) else rows[first]
        groups.append(Group(weight, rows, places(rows, candidates)))
    return Compared(candidates, copies, groups)


def stacked(beliefs: Sequence[Belief], X: Array, order: NDArray[np.intp] | None = None) -> Scores:
    """The scores of all rows, or of those in ``order``, under K beliefs, in new arrays: each has K in front, and roots
    are as wide as the widest, filled up with zeros.
    """
    each = [one.scores(X) for one in beliefs]
    rows = np.arange(len(X)) if order is None else order
    root = np.zeros((len(each), len(rows), max(one.root.shape[1] for one in each)))
    for into, one in zip(root, each, strict=True):
        into[:, : one.root.shape[1]] = one.root if order is None else one.root[order]
    mu, s, extra = (np.stack([getattr(one, name)[rows] for one in each]) for name in ("mu", "s", "extra"))
    return Scores(mu, s, root, extra)


def refuse_overflow(belief: Belief | Mixture, X: Array) -> None:
    """Raise where mean or variance of a score are beyond what can be computed with, as an update would. Scores that are
    not kept for whoever asks next are not worked out where weights and features are small enough.
    """
    size = max(X.max(), -X.min())
    for _, one in members(belief):
        if not one.keeps(X) and size < 1e30 and np.abs(one.mean).max() < 1e30 and one.variance.max() < 1e30:
            continue  # d is far below what it would take
        with np.errstate(over="ignore", invalid="ignore"):
            mu, s = one.moments(X)
        step.refuse_overflow(mu, s)
