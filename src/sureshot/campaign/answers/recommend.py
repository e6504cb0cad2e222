"""What to choose, how sure that is (by draws of the weights), and why it is not the one with most successes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sureshot.campaign.answers.checks import Caution
from sureshot.campaign.answers.results import Recommendation
from sureshot.campaign.answers.wording import percent
from sureshot.campaign.log.ledger import Entry, Ledger
from sureshot.campaign.model.spec import Spec
from sureshot.core import Belief, Mixture, interval, predictive
from sureshot.core.beliefs.mixture import sample_scores
from sureshot.core.numerics.stable import Array
from sureshot.space.tables.column import Value

__all__ = ["Draws", "drawn", "recommendation"]

#: Draws of the weights: a standard error of half a point at most, for "best of all with chance ...".
DRAWS = 10_000
#: Scores computed in all, at most: on very large pools there are fewer draws, and the error says so.
_SCORES, _FEWEST = 20_000_000, 400
#: Scores this close are equal: alternatives that differ in nothing that is a feature share the first place.
_EQUAL = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Draws:
    """What draws of the weights say about one alternative, each with its Monte Carlo standard error."""

    chance_best: float  # that no alternative is truly better
    chance_error: float
    evpi: float  # how much better, on average, the true best is: what perfect knowledge would add
    evpi_error: float
    size: int


def drawn(belief: Belief | Mixture, X: Array, row: int, rng: np.random.Generator, *, size: int = DRAWS) -> Draws:
    """Draws for alternative ``row``. EVPI = E[max σ] - max p, taken as E[max σ - σ(row)], which is never negative."""
    n = max(min(size, _SCORES // len(X)), _FEWEST)
    step = max(1, 4_000_000 // len(X))
    wins, gains = [], []
    for start in range(0, n, step):
        for link, scores in sample_scores(belief, X, rng, min(step, n - start)):
            top, own = scores.max(axis=1), scores[:, row]
            wins.append(own >= top - _EQUAL * np.maximum(1.0, np.abs(top)))
            gains.append(link.probability(top) - link.probability(own))
    won, gain = np.concatenate(wins), np.concatenate(gains)
    share = float(won.mean())
    error = math.sqrt(max(share * (1.0 - share), 1.0 / n) / n)
    return Draws(
        chance_best=share,
        chance_error=error,
        evpi=float(gain.mean()),
        evpi_error=float(gain.std() / math.sqrt(n)),
        size=n,
    )


def recommendation(
    spec: Spec,
    ledger: Ledger,
    belief: Belief | Mixture,
    X: Array,
    context: dict[str, Value] | None,
    rng: np.random.Generator,
    *,
    raised: Sequence[Caution],
    shape: str | None,
) -> Recommendation:
    """The alternative with the largest success probability, how sure that is, what is wrong with the model (``raised``)
    and what bends (``shape``).
    """
    counted = ledger.counted()
    p = predictive(belief, X)
    at = int(np.argmax(p))
    draws = drawn(belief, X, at, rng)
    low, high = interval(belief, X[at : at + 1])
    own = [e for e in counted if e.alternative == at]
    return Recommendation(
        alternative=at,
        label=spec.pool.label(at),
        levels=spec.pool.space.row(at),
        context=context,
        probability=float(p[at]),
        interval=(float(low[0]), float(high[0])),
        chance_best=draws.chance_best,
        chance_error=draws.chance_error,
        successes=sum(e.successes or 0 for e in own),
        of=sum(e.of or 0 for e in own),
        not_most_successful=_not_most_successful(spec, _alike(counted, context), at, p),
        outcomes=len(counted),
        cautions=(*map(str, raised), *spec.pool.unusual(context)),
        shape=shape,
    )


def _alike(counted: Sequence[Entry], context: dict[str, Value] | None) -> Sequence[Entry]:
    """The trials of the same case; all of them where there are no cases."""
    return counted if context is None else [entry for entry in counted if entry.context == context]


def _not_most_successful(spec: Spec, counted: Sequence[Entry], at: int, p: Array) -> str | None:
    top = _most_successful(counted)
    if top is None or top[0] == at:
        return None
    other, won, tries = top
    own = [e for e in counted if e.alternative == at]
    mine, of = sum(e.successes or 0 for e in own), sum(e.of or 0 for e in own)
    if of and not mine:
        return _only_failed(spec, counted, at, of, p)
    if spec.pool.contextual or (mine == won and mine * tries == won * of):
        return None
    tried = f"{mine} of {of}" if of else "never tried"
    chance = "is hardly less" if _close(p, at, other) else f"is {percent(p[other])}, against {percent(p[at])} here"
    return (
        f"It is not the one with most successes: {spec.pool.label(other)} has {won} of {tries} (this one: {tried}), "
        f"but from all trials together the chance of that one {chance}."
    )


def _only_failed(spec: Spec, counted: Sequence[Entry], at: int, of: int, p: Array) -> str:
    """Why an alternative that never worked is recommended, while others did work."""
    worked = {e.alternative for e in counted if e.alternative is not None and e.successes}
    other = max(sorted(worked), key=lambda row: p[row])
    trials = [e for e in counted if e.alternative == other]
    won, tries = sum(e.successes or 0 for e in trials), sum(e.of or 0 for e in trials)
    failed = "its only try" if of == 1 else f"all {of} tries of its own"
    less = "hardly less" if _close(p, at, other) else percent(p[other])
    return (
        f"It failed in {failed}, but from all trials together its chance is {percent(p[at])}; of those that worked, "
        f"the best is {spec.pool.label(other)} ({won} of {tries}), whose chance is {less}."
    )


def _close(p: Array, at: int, other: int) -> bool:
    return bool(p[at] - p[other] < 0.005 or percent(p[at]) == percent(p[other]))


def _most_successful(counted: Sequence[Entry]) -> tuple[int, int, int] | None:
    """The alternative of the pool with most successes, its successes and its tries; the higher share wins ties."""
    tally: dict[int, list[int]] = {}
    for entry in counted:
        if entry.alternative is not None and entry.successes is not None and entry.of is not None:
            one = tally.setdefault(entry.alternative, [0, 0])
            one[0] += entry.successes
            one[1] += entry.of
    best = max(tally.items(), key=lambda item: (item[1][0], item[1][0] / item[1][1], -item[0]), default=None)
    return None if best is None or best[1][0] == 0 else (best[0], best[1][0], best[1][1])
