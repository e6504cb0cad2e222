"""KG(*) of a pool by compiled code: of every candidate, or only who has the most.

Few alternatives turn out best after any trials. For a decision some candidates are worked out, and the others quickly,
compared with the alternatives that led there, with themselves and with who leads after trials of theirs by a first
guess: the least that they are worth, and nearly all of it. Then the most promising are worked out, too, batch by batch;
how much more they turn out to be worth says how far down to go.
A measured rule, not a proven one: in 60 random states (own effects, copies, heavy tails) it was always that from all
values.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sureshot.core.beliefs.belief import Belief
from sureshot.core.beliefs.mixture import Mixture, members
from sureshot.core.links import Link
from sureshot.core.lookahead.compared import Compared, Group, stacked
from sureshot.core.lookahead.exact import Ready, probits_of, ready
from sureshot.core.lookahead.joint import predicted
from sureshot.core.lookahead.repeated import leading
from sureshot.core.lookahead.threads import share
from sureshot.core.numerics.probits import ProbitMixture
from sureshot.core.numerics.stable import Array

if TYPE_CHECKING:
    from sureshot.core.lookahead.compiled.star import Links, Outcomes, Roots

__all__ = ["FEW", "WIDEST", "all_values", "best_after", "best_values", "log_binomials", "widest"]

#: Repeats times the variance of the widest score, at most: the rule needs nodes like its square root, and the outcomes
#: of a score so wide hardly differ from trial to trial.
WIDEST = 1e5
#: Standard deviations that nodes lie across.
_ACROSS = 10.0

#: Candidates from which on a decision looks at the most promising only.
FEW = 60
#: Candidates worked out in one go: at first those with the widest scores, and the FIRST best predicted, whom all others
#: are compared with.
BATCH, FIRST = 16, 4
#: Probits to a link in the quick look.
QUICKLY = 5
#: Beliefs of a mixture that guess who leads after trials of a candidate, where costs or chances count beside scores:
#: then whoever leads may be no candidate itself, and what one belief does not see the other may.
GUESSES = 2
#: The quick look is taken again once so many times as many alternatives were seen to lead.
GROWN = 2.0
#: How much more than seen a candidate may be worth: this share of the largest value, or SAFETY times the largest
#: shortfall met.
SLACK, SAFETY = 0.05, 2.0


@dataclass(frozen=True, slots=True, eq=False)
class _Work:
    """Candidates and alternatives without copies."""

    links: Links
    quick: Links  # the same in fewer probits
    here: Roots
    there: Roots  # the best predicted first
    order: NDArray[np.intp]  # of the alternatives
    seat: NDArray[np.intp]  # where each candidate stands in ``here``
    twin: NDArray[np.intp]  # and among the alternatives; -1: nowhere
    outcomes: Outcomes


def widest(belief: Belief | Mixture, X: Array) -> float:
    """The variance of the widest score. Several beliefs are as wide as one that reaches over all their means: nodes may
    lie between them too.
    """
    most, low, high = 0.0, np.full(len(X), np.inf), np.full(len(X), -np.inf)
    for _, one in members(belief):
        mu, s = one.moments(X)
        most, low, high = max(most, float(s.max())), np.minimum(low, mu), np.maximum(high, mu)
    return max(most, (float((high - low).max()) / _ACROSS) ** 2)


def log_binomials(ms: NDArray[np.int64]) -> Array:
    """log(m choose k) for each m and k in turn."""
    logs = np.array([math.lgamma(n + 1.0) for n in range(int(ms[-1]) + 1)])
    return np.concatenate([logs[m] - logs[: m + 1] - logs[m::-1] for m in ms])


def all_values(belief: Belief | Mixture, task: Compared, ms: NDArray[np.int64]) -> Array:
    """KG_m of each candidate for each m, (M, L)."""
    total = np.zeros((len(task.X), len(ms)))
    for group in task.groups:
        work = _prepared(belief, task.X, group, ms)
        total += group.weight * _run(work, np.arange(len(total)))[0]
    return total


def best_values(
    belief: Belief | Mixture, task: Compared, ms: NDArray[np.int64], rank: Callable[[Array], Array]
) -> Array:
    """KG_m of each candidate for each m: in full for those whose score, max KG_m/m, may have the largest ``rank``; of
    the others about the least that they are worth.
    """
    work = _prepared(belief, task.X, task.groups[0], ms)
    M, shortfall, batch = len(task.X), 0.0, BATCH
    values, known = np.zeros((M, len(ms))), np.zeros(M, dtype=bool)
    wide = np.argsort(-(work.links.weights @ work.here.s)[work.seat], kind="stable")
    rows, most = task.X[work.order], int(ms[-1])
    plain = np.ptp(rank(np.ones(len(task.copies)))) == 0.0
    heaviest = sorted(members(belief), key=lambda pair: -pair[0])[: 1 if plain else GUESSES]
    guests = np.column_stack([work.twin, *(leading(one, task.X, rows, most) for _, one in heaviest)])
    finalists = np.arange(min(FIRST, M))
    compared = 0
    todo = np.union1d(work.order[:FIRST], wide[:BATCH])
    while todo.size:
        first, seen = not known.any(), _score(values[todo], ms)
        full, lead = _run(work, todo)
        values[todo], known[todo] = full[todo], True
        finalists, rest = np.union1d(finalists, lead[todo]), np.flatnonzero(~known)
        top = _score(values[known], ms).max()
        missed = 0.0 if first else float((_score(values[todo], ms) - seen).max()) / max(top, 1e-300)
        if rest.size and (first or (missed > SLACK / SAFETY and len(finalists) > GROWN * compared)):
            values[rest] = np.maximum(values[rest], _run(work, rest, finalists, guests)[0][rest])
            compared = len(finalists)
        shortfall = max(shortfall, missed)
        score = _score(values, ms)
        score[rest] += max(SLACK, SAFETY * shortfall) * top
        ranks = np.full(M, -np.inf)
        np.maximum.at(ranks, task.copies, rank(score[task.copies]))
        rest = rest[ranks[rest] > ranks[known].max()]
        todo = rest[np.argsort(-ranks[rest], kind="stable")][:batch]
        batch *= 2
    return values


def best_after(belief: Belief | Mixture, x: Array, Z: Array, at: int) -> tuple[Array, NDArray[np.intp]]:
    """The largest P(failure here, success there) and P(success here, success there) over the rows of ``Z``, (2,), for
    the candidate ``x``, (1, d), who is row ``at`` of them; and the rows where they are. For scores up to ``WIDEST``.
    """
    work = _prepared(belief, x, Group(1.0, Z, np.array([at])), np.array([1]))
    joint = np.empty((1, 2))
    _, lead = _run(work, np.arange(1), joint=joint)
    return joint[0], np.asarray(work.order[lead[0]])


def _score(values: Array, ms: NDArray[np.int64]) -> Array:
    return np.asarray((values / ms).max(axis=1))


def _prepared(belief: Belief | Mixture, X: Array, group: Group, ms: NDArray[np.int64]) -> _Work:
    from sureshot.core.lookahead.compiled.star import Links, Outcomes
    from sureshot.core.lookahead.compiled.star_screen import Rough

    state = ready(belief)
    order = np.argsort(-predicted(belief, group.rows, "exact"), kind="stable")
    there = _roots(state, group.rows, order)
    at = np.empty(len(order), dtype=np.intp)
    at[order] = np.arange(len(order))
    twin = np.where(group.twin < 0, -1, at[group.twin])
    even = all(one.link.symmetric and not one.mean.any() for one in state.beliefs)
    here, seat = (there, at) if group.rows is X else (_roots(state, X, None), np.arange(len(X)))
    kinds = tuple(one.link for one in state.beliefs)
    sizes, *rough = _in_probits(kinds, 3 if even else 2)
    links = Links(state.weights, state.constants, Rough(sizes, *(part.astype(np.float32) for part in rough)), even)
    terms, w, b, h = _in_probits(kinds, QUICKLY)
    quick = links._replace(con=state.constants._replace(terms=terms, w=w, b=b, h=h))
    return _Work(links, quick, here, there, order, seat, twin, Outcomes(ms, log_binomials(ms)))


def _run(
    work: _Work,
    who: NDArray[np.intp],
    finalists: NDArray[np.intp] | None = None,
    guests: NDArray[np.intp] | None = None,
    joint: Array | None = None,
) -> tuple[Array, NDArray[np.int64]]:
    """KG_m of the candidates ``who``, and the alternatives that lead after each outcome of theirs. ``joint``, (M, o),
    is filled with the probability of each outcome and a success of whoever leads then.

    With ``finalists`` quickly: only these are compared, and the ``guests`` of each candidate, itself first.
    """
    from sureshot.core.lookahead.compiled.star import Guests, Roots, star_rows

    M = len(work.seat)
    kept = np.empty((0, 0)) if joint is None else joint
    out = np.empty((M, len(work.outcomes.ms)))
    lead = np.empty((M, len(work.outcomes.choose)), dtype=np.int64)
    links, there, twin, extra = work.links, work.there, work.twin, np.empty((M, 0), dtype=np.intp)
    if finalists is not None and guests is not None:
        at = np.minimum(np.searchsorted(finalists, work.twin), len(finalists) - 1)
        twin, extra = np.where(finalists[at] == work.twin, at, -1), guests
        # contiguous, so that there is one kind of compiled code, and a quick one
        links, there = work.quick, Roots(*(part.take(np.append(finalists, guests[0]), axis=1) for part in work.there))

    def some(part: NDArray[np.intp]) -> None:
        cols = Roots(*(a.copy() for a in there)) if extra.size else there
        beside = Guests(work.there, extra)
        star_rows(links, work.here, work.seat, cols, twin, beside, work.outcomes, out, lead, kept, part)

    share(some, who, each=20)  # a candidate is far more work here than in one step
    return out, lead


def _roots(state: Ready, X: Array, order: NDArray[np.intp] | None) -> Roots:
    from sureshot.core.lookahead.compiled.star import Roots

    mu, s, unit, _ = stacked(state.beliefs, X, order)
    unit /= np.sqrt(np.maximum(s, 1e-300))[:, :, None]
    return Roots(mu, s, unit)


@cache
def _in_probits(links: tuple[Link, ...], size: int) -> tuple[NDArray[np.int64], Array, Array, Array]:
    """The links of several beliefs in few probits: how many, weights, shifts, scales, padded to the longest."""
    tables = [_fewer(link.probits, size) for link in links if link.probits is not None]
    return probits_of(tables)


def _fewer(table: ProbitMixture, size: int) -> ProbitMixture:
    """Gauss's rule for the distribution of log scales: for logit two probits are off by 1e-3, three by 1e-4, five by
    6e-6.
    """
    if len(table.weights) <= size or table.shifts.any():
        return table
    # Lanczos: the Jacobi matrix of the measure that puts ``weights`` on the log scales
    x, basis = np.log(table.scales), [np.sqrt(table.weights)]
    diagonal, beside = [], []
    for _ in range(size):
        rest = x * basis[-1]
        diagonal.append(float(rest @ basis[-1]))
        rest = rest - np.sum([(one @ rest) * one for one in basis], axis=0)
        beside.append(float(np.linalg.norm(rest)))
        basis.append(rest / beside[-1])
    at, vectors = np.linalg.eigh(np.diag(diagonal) + np.diag(beside[:-1], 1) + np.diag(beside[:-1], -1))
    return ProbitMixture(vectors[0] ** 2, np.zeros(size), np.exp(at), 1e-3)
