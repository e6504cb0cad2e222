"""How good the approximation is: what a campaign shows, beside the exact posterior of its model on its own outcomes.

A campaign's belief is a mixture of Gaussians, fitted by expectation propagation. The exact one is drawn
(:mod:`sureshot.core.reference`), for the recommended alternative and others of the pool; what the two differ by is told
in points, each number with its Monte Carlo standard error. Whether the *model* is right is another question, which no
exact posterior answers (:mod:`sureshot.campaign.answers.fit.checks`). What a campaign began with is taken as it is,
also where that is what an earlier one learned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sureshot.campaign.answers.recommend import leading
from sureshot.campaign.answers.wording import count, in_case, percents
from sureshot.campaign.document import Document
from sureshot.campaign.log.ledger import Ledger, counts
from sureshot.campaign.model.spec import Spec
from sureshot.core import LOGIT, Belief, Mixture, interval
from sureshot.core.beliefs.mixture import members
from sureshot.core.numerics.stable import Array
from sureshot.core.reference.polya_gamma import MISSING, installed
from sureshot.core.reference.posterior import DRAWS, Member, Posterior, Progress, drawn_exactly
from sureshot.core.rows import distinct
from sureshot.errors import InvalidInput, whole_number
from sureshot.said import Setting, Text
from sureshot.space.tables.column import Value

__all__ = ["FEWEST", "MOST", "Against", "Approximation", "Verdict", "approximation"]

#: Alternatives that are looked at, at most: of a larger pool half of them are the likeliest, the others at random.
MOST = 200
#: Different settings with outcomes, at most: what is drawn has as many dimensions.
MOST_TRIED = 1000
#: Draws that may be asked for, at least and at most: so many take a gigabyte for 200 alternatives.
FEWEST, MOST_DRAWS = 1_000, 200_000
#: The level of the intervals shown.
LEVEL, ENDS = 0.95, (0.025, 0.975)

Verdict = Literal["nothing to check", "good", "fair", "poor", "unclear"]

#: How far off a good approximation may be, and a fair one: the recommended chance, chances on average, the largest ...
CHANCE, MEAN, LARGEST = (0.01, 0.03), (0.01, 0.03), (0.03, 0.08)
#: ... the share of the recommended interval that is truly in it, and what is lost by the recommendation.
INSIDE, LOST = (0.02, 0.05), (0.005, 0.02)

#: A reference is too rough where a member of this weight has fewer effective draws, or chains that differ more.
HEAVY, EFFECTIVE, R_HAT = 0.02, 200.0, 1.1
#: Chances this close to 0 or 1 are rounded.
_NO_NARROWER = 1e-12
#: A difference of less than so many standard errors may be none.
CLEAR = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Against(Document):
    """One alternative, as it is shown and exactly; each ``error`` is a standard error of what is exact."""

    alternative: int
    label: str
    chance: float
    exact: float
    error: float
    interval: tuple[float, float]  # 95 %
    exact_interval: tuple[float, float]
    interval_errors: tuple[float, float]
    inside: float  # the exact probability that the true chance lies in the interval shown: 0.95 is meant
    inside_error: float

    @property
    def off(self) -> float:
        """By how much the chance shown is too high."""
        return self.chance - self.exact


@dataclass(frozen=True, slots=True, kw_only=True)
class Approximation(Document):
    """How far what is shown is off. ``str()`` is a sentence or two."""

    verdict: Verdict
    words: str
    context: dict[str, Value] | None
    outcomes: int
    alternatives: int  # in the pool
    looked: int  # of them, at so many
    recommended: Against | None = None  # None: nothing to check, and so are all others
    worst: Against | None = None  # whose chance is off by most
    mean_off: float | None = None  # of the chances, without their signs; errors of drawing make it rather too large
    mean_inside: float | None = None  # of all intervals shown
    better: Against | None = None  # what the exact chances recommend, where that is clearly another
    lost: float | None = None  # what that would add to the exact chance ...
    lost_error: float | None = None
    weights_off: float | None = None  # the largest error of the weight of a shape or strength; None: not comparable
    samplers: tuple[str, ...] = ()
    draws: int = 0
    effective: float | None = None  # the fewest of a member whose weight counts ...
    r_hat: float | None = None  # ... the largest: 1 where chains agree
    weighed: float | None = None  # effective draws for its weight, the fewest
    rough: tuple[str, ...] = ()  # why the reference can't judge
    notes: tuple[str, ...] = ()  # what would check it better

    def __str__(self) -> str:
        return self.words


def approximation(
    spec: Spec,
    ledger: Ledger,
    belief: Belief | Mixture,
    X: Array,
    context: dict[str, Value] | None,
    rng: np.random.Generator,
    *,
    draws: int | None = None,
    progress: Progress | None = None,
) -> Approximation:
    """What is shown of the alternatives ``X`` in a (checked) ``context``, beside what is exact."""
    size = DRAWS if draws is None else whole_number("draws", draws, FEWEST)
    if size > MOST_DRAWS:
        raise InvalidInput(f"`draws` must be {MOST_DRAWS:,} at most", got=draws, fix="fewer show what there is to see")
    told = ledger.counted()
    found = Approximation(
        verdict="nothing to check",
        words="No outcome was told yet: what is shown is the prior, which is exact.",
        context=context,
        outcomes=len(told),
        alternatives=len(X),
        looked=0,
    )
    if not told:
        return found
    tried, (won, of) = spec.pool.features(told), counts(told)
    different = len(distinct(tried)[0])
    if different > MOST_TRIED:
        raise InvalidInput(
            f"the exact posterior is drawn for up to {MOST_TRIED:,} different settings with outcomes, got "
            f"{different:,}: with so many, look at an earlier time with `rewind`."
        )
    lead = leading(spec, ledger, belief, X)
    rows = _looked_at(lead.p, lead.at, rng)
    exact = drawn_exactly(spec.prior, tried, won, of - won, X[rows], rng, draws=size, progress=progress)
    return _judged(found, spec, belief, X, rows, lead.p[rows], exact, size)


def _looked_at(p: Array, at: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """The rows that are looked at, what is recommended first."""
    order = np.argsort(-p, kind="stable")
    others = order[order != at]
    half = MOST // 2
    if len(p) > MOST:
        others = np.concatenate([others[: half - 1], rng.choice(others[half - 1 :], MOST - half, replace=False)])
    return np.concatenate([[at], others])


def _judged(
    found: Approximation,
    spec: Spec,
    belief: Belief | Mixture,
    X: Array,
    rows: NDArray[np.intp],
    shown: Array,
    exact: Posterior,
    size: int,
) -> Approximation:
    low, high = interval(belief, X[rows], level=LEVEL)
    chance, ends, inside = exact.chance(), exact.quantiles(ENDS), exact.inside(low, high)

    def against(i: int) -> Against:
        row = int(rows[i])
        return Against(
            alternative=row,
            label=spec.pool.space.label(row),
            chance=float(shown[i]),
            exact=float(chance.value[i]),
            error=float(chance.error[i]),
            interval=(float(low[i]), float(high[i])),
            exact_interval=(float(ends.value[0, i]), float(ends.value[1, i])),
            interval_errors=(float(ends.error[0, i]), float(ends.error[1, i])),
            inside=float(inside.value[i]),
            inside_error=float(inside.error[i]),
        )

    off = np.abs(shown - chance.value)
    worst, best = int(off.argmax()), int(chance.value.argmax())
    gain = exact.beyond(best, 0)
    lost, lost_error = max(float(gain.value), 0.0), float(gain.error)
    another = lost > CLEAR * lost_error and lost > 0.0
    first = against(0)
    grades = [
        _graded(abs(first.off), first.error, CHANCE),
        _graded(float(off.mean()), float(chance.error.mean()), MEAN),
        _graded(float(off[worst]), float(chance.error[worst]), LARGEST),
        _graded(_too_wide_or_narrow(first), first.inside_error, INSIDE),
        _graded(lost, lost_error, LOST) if another else (0, False),
    ]
    counts_from = min(HEAVY, max(one.weight for one in exact.members))
    heavy = [one for one in exact.members if one.weight >= counts_from and one.draws]
    rough = _too_rough(heavy)
    if any(open_yet for _, open_yet in grades):
        rough = (*rough, "its own errors are as large as what it is to judge")
    verdict: Verdict = "unclear" if rough else ("good", "fair", "poor")[max(grade for grade, _ in grades)]
    weights = [weight for weight, _ in members(belief)]
    exactly = [one.weight for one in exact.members]
    answer = replace(
        found,
        verdict=verdict,
        looked=len(rows),
        recommended=first,
        worst=against(worst),
        mean_off=float(off.mean()),
        mean_inside=float(inside.value.mean()),
        better=against(best) if another else None,
        lost=lost,
        lost_error=lost_error,
        weights_off=max(abs(a - b) for a, b in zip(weights, exactly, strict=True))
        if len(weights) == len(exactly)
        else None,
        samplers=("Polya-Gamma", "slices") if any(one.polya_gamma for one in exact.members) else ("slices",),
        draws=len(exact.p),
        effective=min(one.effective for one in heavy),
        r_hat=max(one.r_hat for one in heavy),
        weighed=min(one.weighed for one in heavy),
        rough=rough,
        notes=_missing(spec),
    )
    return replace(answer, words=_words(answer, first, size))


def _too_wide_or_narrow(one: Against) -> float:
    """How much more or less than 95 % the interval holds. One that ends where chances are rounded to 0 or 1 holds more,
    and must: there is no narrower one.
    """
    low, high = one.interval
    more = one.inside - LEVEL
    return max(-more, 0.0) if low < _NO_NARROWER or high > 1.0 - _NO_NARROWER else abs(more)


def _graded(off: float, error: float, limits: tuple[float, float]) -> tuple[int, bool]:
    """0 good, 1 fair, 2 poor; and whether another grade is as likely while the error is too large to tell.

    >>> _graded(0.004, 0.001, CHANCE), _graded(0.011, 0.001, CHANCE), _graded(0.009, 0.02, CHANCE)
    ((0, False), (1, False), (0, True))
    """
    least, grade, most = (sum(one > limit for limit in limits) for one in (off - 2 * error, off, off + 2 * error))
    return grade, least != most and 2.0 * error > limits[0]


def _too_rough(heavy: Sequence[Member]) -> tuple[str, ...]:
    """Why draws are not to be trusted; empty where they are."""
    found = []
    if max(one.r_hat for one in heavy) > R_HAT:
        found.append("its chains do not agree")
    if min(one.effective for one in heavy) < EFFECTIVE or min(one.weighed for one in heavy) < EFFECTIVE:
        found.append("too few of its draws are independent of each other")
    return tuple(found)


def _missing(spec: Spec) -> tuple[str, ...]:
    """What brings the chains that could have stood beside slices."""
    if installed() or all(one.link is not LOGIT for _, one in members(spec.prior)):
        return ()
    return (f"{MISSING} brings a second kind of chains, which must agree with these",)


_VERDICTS = {
    "good": "The approximation is good.",
    "fair": "The approximation is fair: read the chances to a few points, not to one.",
    "poor": "The approximation is poor: do not rely on the chances shown.",
}


def _words(found: Approximation, first: Against, size: int) -> str:
    """What is off, and what to think of it."""
    assert found.worst is not None
    assert found.mean_off is not None
    which = (
        count(found.looked, "alternative")
        if found.looked == found.alternatives
        else f"{found.looked:,} of {found.alternatives:,} alternatives"
    )
    told = (
        f"The chances shown{in_case(found.context)} are within {_points(abs(found.worst.off))} of the exact ones, "
        f"{_points(found.mean_off)} on average over {which} (recommended: {100 * first.chance:.1f} % shown, "
        f"{100 * first.exact:.1f} % +- {_error(first.error)} exact); its interval {_interval(first)}."
    )
    if found.better is not None and found.lost is not None:
        told += (
            f" Exactly, {found.better.label} is likelier to succeed, by {_points(found.lost)} +- "
            f"{_error(found.lost_error or 0.0)}."
        )
    if found.verdict != "unclear":
        return f"{told} {_VERDICTS[found.verdict]}"
    more = min(10 * size, MOST_DRAWS)
    more_draws = (". Try more, with ", Setting("draws", more)) if more > size else ()
    return Text(f"{told} Whether that is good is unclear: {' and '.join(found.rough)}", *more_draws, ".")


def _interval(one: Against) -> str:
    shown, exact = percents(*one.interval), percents(*one.exact_interval)
    if shown == exact:
        return f"is {shown}, as shown"
    return f"should be {exact} where {shown} is shown, which holds {100 * one.inside:.0f} % (95 % is meant)"


def _points(size: float) -> str:
    """A distance of chances, never as none.

    >>> _points(0.0061), _points(0.0001)
    ('0.6 points', '0.1 points')
    """
    return f"{_error(size)} points"


def _error(size: float) -> str:
    return f"{max(100 * size, 0.1):.1f}"
