"""Success probabilities under a belief, and how sure it is of them.

With ``f = w·x ~ N(mu, s)`` the predictive probability is E[σ(f)]. Probit has it in closed form. For logit there are
two: the paper's kappa form (off by up to 0.015) and a mixture of probits (:mod:`sureshot.core.numerics.probits`), which
is closed under the Gaussian too and errs by 1e-10 at most. Other links take a quadrature
(:mod:`sureshot.core.numerics.quadrature`, absolute error 1e-13), or their mixture of probits where they have one.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from sureshot.core import check
from sureshot.core.beliefs.belief import Belief
from sureshot.core.beliefs.mixture import Mixture, members, sample_scores
from sureshot.core.links import LOGIT, PROBIT, Link
from sureshot.core.numerics import special
from sureshot.core.numerics.quadrature import outcome_probability
from sureshot.core.numerics.stable import Array
from sureshot.core.numerics.twins import available
from sureshot.errors import InvalidInput, unknown_name

__all__ = [
    "KAPPA",
    "Form",
    "chance_quantiles",
    "interval",
    "predictive",
    "sample_probabilities",
    "score_quantiles",
    "success_probability",
]

#: MacKay's κ² for logit: σ(mu/√(1 + KAPPA·s)), from Φ(αf) with α² = π/8 (erratum 1: α = π/8 as printed).
KAPPA = np.pi / 8.0

#: Φ⁻¹(0.975): half the width of the interval that is nearly always asked for, without loading SciPy.
_WIDTH_95 = 1.959963984540054

#: Alternatives whose chances under several beliefs are worked out in one go; of more, belief by belief.
_TOGETHER = 1 << 12

#: How close the quantile of a mixture's score is found, beside 1 or its own size.
CLOSE = 1e-12

Form = Literal["exact", "kappa", "mixture", "quadrature"]


def predictive(belief: Belief | Mixture, X: ArrayLike, *, form: Form | None = None) -> Array:
    """The probability of success of each alternative, (M,); of a mixture, the weighted mean of its beliefs'.

    ``form`` is by default the best for the link: ``"exact"`` for probit, ``"mixture"`` of probits for logit,
    ``"quadrature"`` for others. ``"kappa"`` is the paper's for logit, ``"quadrature"`` works for all.

    >>> from sureshot import core
    >>> belief, _ = core.observe(core.prior(2), [1.0, 1.0], 1)
    >>> predictive(belief, [[1.0, 1.0], [1.0, -1.0]]).round(3)
    array([0.629, 0.5  ])
    """
    rows = check.features(X, "X", belief.d)
    if isinstance(belief, Mixture):
        mixed = belief.weights @ _of_each(belief.beliefs, rows, form)
        return np.minimum(mixed, 1.0)  # weights sum to one but for the last bit
    return success_probability(belief.link, *belief.moments(rows), form=form)


def _of_each(beliefs: tuple[Belief, ...], rows: Array, form: Form | None) -> Array:
    """The same under each of several beliefs, (K, M)."""
    link, moments = beliefs[0].link, [one.moments(rows) for one in beliefs]
    if len(rows) > _TOGETHER or any(one.link is not link for one in beliefs):
        each = [success_probability(one.link, *seen, form=form) for one, seen in zip(beliefs, moments, strict=True)]
        return np.stack(each)
    mu, s = (np.stack(part) for part in zip(*moments, strict=True))
    return success_probability(link, mu, s, form=form)


def success_probability(link: Link, mu: Array, s: Array, *, form: Form | None = None) -> Array:
    """E[σ(f)] for ``f ~ N(mu, s)``.

    The paper's kappa form is σ(mu/√(1 + :data:`KAPPA` s)).
    """
    chosen = form or {PROBIT: "exact", LOGIT: "mixture"}.get(link, "quadrature")
    if chosen not in get_args(Form):
        raise unknown_name("form", chosen, get_args(Form))
    if chosen == "quadrature":
        return outcome_probability(link, mu, s)
    fits = {"exact": link is PROBIT, "kappa": link is LOGIT, "mixture": link.probits is not None}
    if not fits[chosen]:
        fitting = ", ".join(repr(known) for known in fits if fits[known])
        raise InvalidInput(
            f"form {chosen!r} does not fit the link {link.name!r}: "
            f"use {fitting + ' or ' if fitting else ''}'quadrature'."
        )
    if chosen == "kappa":
        return np.asarray(special.expit(mu / np.sqrt(1.0 + KAPPA * s)))
    probits = link.probits  # of the probit link, itself alone: that is the exact form
    assert probits is not None
    mu, s = np.broadcast_arrays(mu, s)
    total = np.zeros(mu.shape)
    if available():
        from sureshot.core.numerics.compiled.terms import add_probits

        # Copies: for an array that can't be written to, Numba would compile (and load) code of its own.
        mean, spread = (np.array(one, float, order="C").reshape(-1) for one in (mu, s))
        add_probits(probits.weights, probits.shifts, probits.scales, mean, spread, total.reshape(-1))
    else:
        for weight, shift, scale in zip(probits.weights, probits.shifts, probits.scales, strict=True):
            total += weight * special.ndtr((mu - shift) / np.sqrt(scale * scale + s))
    return np.minimum(total, 1.0)  # as above


def interval(belief: Belief | Mixture, X: ArrayLike, *, level: float = 0.95) -> tuple[Array, Array]:
    """Credible interval of each alternative's success probability: lower and upper ends, (M,) each.

    It is equal-tailed, and reaches to the chance itself (:func:`predictive`) where a long thin tail takes that beyond
    an end: a score of -50 ± 20 means a chance of 0.6 %, and a chance of 0.002 % at most in 97 of 100 cases. So what is
    shown as the chance is always in what is shown as its interval, which covers no less for it.

    >>> from sureshot import core
    >>> low, high = interval(core.prior(1), [[1.0]])
    >>> low.round(3), high.round(3)
    (array([0.123]), array([0.877]))
    """
    if not 0.0 < level < 1.0:
        raise InvalidInput(f"`level` must lie between 0 and 1, got level={level}: 0.95 is common.")
    rows = check.features(X, "X", belief.d)
    width = _WIDTH_95 if level == 0.95 else float(special.ndtri((1.0 + level) / 2.0))
    low, high = chance_quantiles(belief, rows, np.array([-width, width]))
    chance = predictive(belief, rows)
    return np.minimum(low, chance), np.maximum(high, chance)


def chance_quantiles(belief: Belief | Mixture, X: Array, ends: Array) -> Array:
    """The Φ(end) quantile of the success probability of each alternative, for each of the ends, (T, M): links are
    monotone, so it is the link at the quantile of the score.
    """
    return np.asarray(members(belief)[0][1].link.probability(score_quantiles(belief, X, ends)))


def score_quantiles(belief: Belief | Mixture, X: Array, ends: Array) -> Array:
    """The Φ(end) quantile of the score of each alternative, for each of the ends, (T, M).

    For one belief ``mu + end·√s``. A mixture has no formula for it: it lies between those of its beliefs, and is found
    by bisection. Where links differ between these, scores are not comparable, and it is the quantile of the success
    probability, put on the scale of the first link.
    """
    links = [one.link for _, one in members(belief)]
    mu, s = np.stack([one.moments(X) for _, one in members(belief)], axis=1)[:, :, None]  # (K, 1, M) each
    own = mu + ends[:, None] * np.sqrt(s)
    if isinstance(belief, Belief):
        return np.asarray(own[0])
    first, mixed = links[0], any(link is not links[0] for link in links)
    if mixed:
        own = np.stack([_read(first.inverse(link.probability(f))) for link, f in zip(links, own, strict=True)])
    low, high, sd, tails = own.min(axis=0), own.max(axis=0), np.sqrt(np.maximum(s, 1e-300)), special.ndtr(-ends)
    while (high - low > CLOSE * np.maximum(np.abs(low), 1.0)).any():
        middle = 0.5 * (low + high)
        at = np.stack([_read(link.inverse(first.probability(middle))) for link in links]) if mixed else middle
        above = np.tensordot(belief.weights, special.ndtr((mu - at) / sd), 1) > tails[:, None]
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return np.asarray(0.5 * (low + high))


def _read(score: Array) -> Array:
    """The score of a probability that was rounded to 0 or 1 is far out, not infinite."""
    return np.clip(score, -1e3, 1e3)


def sample_probabilities(belief: Belief | Mixture, X: ArrayLike, rng: np.random.Generator, *, size: int) -> Array:
    """Success probabilities of all alternatives under ``size`` draws of the weights, (size, M).

    From a mixture, the draws of one belief stand together.
    """
    rows = check.features(X, "X", belief.d)
    drawn = sample_scores(belief, rows, rng, size)
    return np.concatenate([link.probability(f) for link, f in drawn])
