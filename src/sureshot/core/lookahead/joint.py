"""The joint probability behind every knowledge gradient: success there, after an outcome here.

For a candidate ``x`` and an alternative ``x'`` let ``J_y(x, x') = P(outcome of x is y, and x' would succeed)``. Then

    KG(x) = max_x' J_1(x, x') + max_x' J_0(x, x') - max_x' p(x')

(MATHS, section 5). The exact form takes the probabilities under the belief itself. The paper's Algorithms 2, 3 and 4
write ``J_y = P(y) p(x' | belief updated with (x, y))`` with the belief's own approximate update, Laplace or ADF. For a
mixture of beliefs both are weighted sums over its members: the reweighting by the outcome is already inside.

This is the definition, in NumPy, in blocks of candidates; never an M x M array.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np
from scipy import special

from sureshot.core.belief import Belief
from sureshot.core.bivariate import bivariate_cdf
from sureshot.core.fold import LARGEST, learn
from sureshot.core.links import LOGIT, Link
from sureshot.core.mixture import Mixture, members
from sureshot.core.predictive import Form, success_probability
from sureshot.core.quadrature import outcome_probability
from sureshot.core.stable import Array
from sureshot.errors import InvalidInput

__all__ = ["Lookahead", "joint", "members", "predicted", "refuse_overflow"]

Lookahead = Literal["exact", "update"]

#: Pairs held at once: a few arrays of this many numbers.
PAIRS = 1 << 18


def refuse_overflow(belief: Belief | Mixture, X: Array) -> None:
    """Raise where mean or variance of a score are beyond what can be computed with, as an update would."""
    size = max(X.max(), -X.min())
    for _, one in members(belief):
        if size < 1e30 and np.abs(one.mean).max() < 1e30 and one.variance.max() < 1e30:
            continue  # d is far below what it would take
        with np.errstate(over="ignore", invalid="ignore"):
            mu, s = one.moments(X)
        bad = np.flatnonzero(~((np.abs(mu) < LARGEST) & (s < LARGEST)))
        if bad.size:
            raise InvalidInput(
                f"mean and variance of a score must be below {LARGEST:g}, or they overflow, got {mu[bad[0]]:.3g} and "
                f"{s[bad[0]]:.3g} for row {bad[0]}: scale the features down or use a larger prior precision."
            )


def predicted(belief: Belief | Mixture, X: Array, lookahead: Lookahead) -> Array:
    """The success probabilities that a look-ahead starts from, in the form that it uses."""
    return np.asarray(
        sum(
            weight * success_probability(one.link, *one.moments(X), form=_form(one.link, lookahead))
            for weight, one in members(belief)
        )
    )


def joint(belief: Belief | Mixture, X: Array, Z: Array, lookahead: Lookahead) -> Iterator[tuple[slice, Array, Array]]:
    """Blocks of candidates, with J_1 and J_0 of each against all rows of ``Z``: (rows, (B, m), (B, m))."""
    size = max(1, PAIRS // len(Z))
    for start in range(0, len(X), size):
        rows = slice(start, min(start + size, len(X)))
        success = np.zeros((rows.stop - rows.start, len(Z)))
        failure = np.zeros_like(success)
        for weight, one in members(belief):
            for y, total in ((1, success), (0, failure)):
                if lookahead == "exact":
                    total += weight * _exact(one, X[rows], Z, y)
                else:
                    total += weight * _updated(one, X[rows], Z, y)
        yield rows, success, failure


def _form(link: Link, lookahead: Lookahead) -> Form | None:
    """Algorithm 2 predicts by the kappa form; everything else by the link's best closed form."""
    if link is LOGIT:
        return "kappa" if lookahead == "update" else "mixture"
    return None if link.probits is None else "mixture"


def _exact(belief: Belief, X: Array, Z: Array, y: int) -> Array:
    """P(outcome of x is y, z succeeds) under the belief: Σ Σ weight·weight'·Φ₂ over the link's probits."""
    probits = belief.link.probits
    if probits is None:
        raise InvalidInput(
            f"the exact look-ahead needs the link as a mixture of probits, and {belief.link.name!r} has none: "
            "give its `probits`, or use lookahead='update'."
        )
    (mu, s), (mu_z, s_z) = belief.moments(X), belief.moments(Z)
    c = belief.root(X) @ belief.root(Z).T
    side = 1.0 if y else -1.0
    total = np.zeros_like(c)
    for w, b, h in zip(probits.weights, probits.shifts, probits.scales, strict=True):
        here = np.sqrt(h * h + s)
        a = side * (mu - b) / here
        for w2, b2, h2 in zip(probits.weights, probits.shifts, probits.scales, strict=True):
            there = np.sqrt(h2 * h2 + s_z)
            rho = np.clip(side * c / np.multiply.outer(here, there), -1.0, 1.0)
            total += w * w2 * bivariate_cdf(a[:, None], ((mu_z - b2) / there)[None, :], rho)
    return total


def _updated(belief: Belief, X: Array, Z: Array, y: int) -> Array:
    """P(y) · p(z | belief updated with (x, y)): Algorithms 2, 3, 4 and their full-covariance forms."""
    (mu, s), (mu_z, s_z) = belief.moments(X), belief.moments(Z)
    r, t, _, _ = learn(belief.link, belief.method, mu, s, y)
    c = belief.root(X) @ belief.root(Z).T
    mean = mu_z + r[:, None] * c
    drop = (t / (1.0 + t * s))[:, None]
    if belief.covariance == "full":
        # c² <= s s_z, so no variance falls below s_z / (1 + t s): rounding must not take it there
        variance = np.maximum(s_z - drop * c * c, s_z / (1.0 + t * s)[:, None])
    elif belief.method == "laplace":
        variance = (1.0 / (1.0 / belief.spread + t[:, None] * X * X)) @ (Z * Z).T
    else:
        own = (belief.spread * X) ** 2 @ (Z * Z).T
        variance = np.maximum(s_z - drop * own, s_z / (1.0 + t * s)[:, None])
    form = _form(belief.link, "update")
    after = success_probability(belief.link, mean, variance, form=form)
    return np.asarray(_chance(belief.link, mu, s, y)[:, None] * after)


def _chance(link: Link, mu: Array, s: Array, y: int) -> Array:
    """P(outcome = y), in the form of the look-ahead by update."""
    if link is LOGIT:
        side = 1.0 if y else -1.0
        return np.asarray(special.expit(side * mu / np.sqrt(1.0 + np.pi / 8.0 * s)))
    if link.probits is None:
        return outcome_probability(link, mu, s, y)
    p = success_probability(link, mu, s, form="mixture")
    return p if y else 1.0 - p
