"""Integrals of a likelihood over a Gaussian score ``f ~ N(mu, s)``, where no closed form exists.

The trapezoid rule converges exponentially for analytic integrands that die out at both ends, provided the
step resolves the narrower of the two factors. So two regimes, with the same nodes for every alternative:

- ``s < 1``: E[σ(f)] = ∫ φ(v) σ(mu + √s v) dv, the link being smooth on the scale of the nodes;
- ``s >= 1``: by parts, E[σ(f)] = ∫ σ'(t) Φ((mu - t)/√s) dt, the Gaussian being smooth on that scale.

Absolute error 1e-13 for the links of the table, and for any link whose density σ' is no narrower than about one
unit. All terms are positive, so small probabilities are relatively accurate too: to 1e-9 at 1e-8, to 1e-6 at 1e-11.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from sureshot.core.links import LOGIT, Link
from sureshot.core.numerics import special
from sureshot.core.numerics.stable import Array

__all__ = ["binomial_moments", "log_outcome", "outcome_probability"]

STEP = 0.25
NORMAL_NODES = np.arange(-9.0, 9.0 + STEP / 2, STEP)  # (73,)
NORMAL_WEIGHTS = STEP * np.exp(-0.5 * NORMAL_NODES**2) / np.sqrt(2 * np.pi)
LINK_NODES = np.arange(-40.0, 40.0 + STEP / 2, STEP)  # (321,)

#: Below this the quadrature over σ' may miss mass beyond its nodes.
SMALLEST = 1e-8
#: Rows of alternatives looked at together: bounds the memory at block x 321 numbers.
BLOCK = 4096
#: The binomial integral ends where its integrand has fallen by exp(-40), and has so many nodes: eights, for compiled
#: code works on as many at once.
DROP, EIGHT, FEWEST_NODES, MOST_NODES = 40.0, 8, 40, 20_000
#: Where it is first looked for, in standard deviations at the top: a Gaussian has fallen so far there.
FIRST_LOOK = 9.0
#: Its step for the logistic, which is smoother than other links: as exact as with STEP, with fewer nodes.
LOGIT_STEP = 0.4
#: Beyond this depth (rounding moves the log integrand by 1e-6), or where it is narrower than this against its place,
#: nodes tell nothing apart; the integrand is Gaussian there, and Laplace's form right.
DEEPEST, NARROWEST = 1e10, 1e-8
#: Where s·of is below this, moments by quadrature differ from the prior's by rounding; Laplace's differ from the exact
#: ones by less.
SLIGHT = 1e-8


def outcome_probability(link: Link, mu: ArrayLike, s: ArrayLike, y: int = 1) -> Array:
    """P(outcome = y) for a score ``f ~ N(mu, s)``, by quadrature."""
    mu, s = np.broadcast_arrays(np.asarray(mu, float), np.asarray(s, float))
    result = np.empty(mu.shape)
    flat, m, v = result.reshape(-1), mu.reshape(-1), s.reshape(-1)
    for start in range(0, len(flat), BLOCK):
        rows = slice(start, start + BLOCK)
        flat[rows] = _outcome_block(link, m[rows], v[rows], y)
    return result[()]


def _outcome_block(link: Link, mu: Array, s: Array, y: int) -> Array:
    terms = link.success if y else link.failure
    sd = np.sqrt(s)
    out = np.empty_like(mu)
    narrow = s < 1.0
    with np.errstate(under="ignore", over="ignore"):
        scores = mu[narrow, None] + sd[narrow, None] * NORMAL_NODES
        out[narrow] = np.exp(terms.log_likelihood(scores)) @ NORMAL_WEIGHTS
        density = STEP * link.probability(LINK_NODES) * link.success.score(LINK_NODES)
        side = 1.0 if y else -1.0
        wide = ~narrow
        out[wide] = special.ndtr(side * (mu[wide, None] - LINK_NODES) / sd[wide, None]) @ density
    return np.minimum(out, 1.0)


def log_outcome(link: Link, mu: float, s: float, y: int, z: float, t: float) -> float:
    """Log P(outcome = y): by quadrature with fixed nodes, or, where that is below 1e-8, with nodes about the MAP
    score ``z``, at which the curvature is ``t``.
    """
    p = float(outcome_probability(link, mu, s, y))
    if p > SMALLEST:
        return float(np.log(p))
    return min(binomial_moments(link, mu, s, y, 1, z, t)[0], float(np.log(SMALLEST)))


def binomial_moments(
    link: Link, mu: float, s: float, y: float, of: float, z: float, t: float
) -> tuple[float, float, float]:
    """Log evidence of ``y`` successes ``of`` so many, and mean and variance of the score given them.

    The integrand ``exp(l(f)) N(f; mu, s)`` is log-concave with its top at ``z``: the rule runs over the interval
    where it is above exp(-40) of that top, with a step that resolves the prior, the link and 1/√of.
    """
    if s == 0.0:
        return float(link.log_likelihood(mu, y, of)), mu, 0.0

    def log_integrand(f: ArrayLike) -> Array:
        gap = np.asarray(f, float) - mu
        return np.asarray(link.log_likelihood(f, y, of) - gap * gap / (2.0 * s))

    top = float(log_integrand(z))
    reach = float(1.0 / np.sqrt(t + 1.0 / s))
    if not abs(top) < DEEPEST or reach < NARROWEST * (1.0 + abs(z)):
        return top - 0.5 * float(np.log1p(t * s)), z, reach * reach
    low, high = (_edge(log_integrand, z, side * FIRST_LOOK * reach, top - DROP) for side in (-1.0, 1.0))
    step = (LOGIT_STEP if link is LOGIT else STEP) * min(np.sqrt(s), 1.0, 2.0 / np.sqrt(of))
    count = -(-int(np.ceil((high - low) / step)) // EIGHT) * EIGHT
    nodes = np.linspace(low, high, min(max(count, FEWEST_NODES), MOST_NODES))
    with np.errstate(under="ignore", over="ignore"):
        weight = np.exp(log_integrand(nodes) - top)
    mass = weight.sum()
    mean = float(weight @ nodes / mass)
    variance = float(weight @ (nodes - mean) ** 2 / mass)
    spacing = nodes[1] - nodes[0]
    evidence = float(top + np.log(mass * spacing) - 0.5 * np.log(2.0 * np.pi * s))
    return min(evidence, 0.0), mean, variance


def _edge(log_integrand: Callable[[float], Array], z: float, reach: float, level: float) -> float:
    """A point on one side of the top where a concave function has fallen to ``level``, within a factor of two."""
    while not log_integrand(z + reach) < level:
        reach *= 1.5
    return z + reach
