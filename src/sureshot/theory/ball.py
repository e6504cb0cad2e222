"""How likely a standard normal vector lies in a ball round its mean: the paper's P_d(M), far into the tail."""

from __future__ import annotations

import math

import numpy as np

from sureshot.errors import InvalidInput, whole_number

__all__ = ["ball_probability", "log_ball_probability"]


def ball_probability(d: int, radius: float) -> float:
    """P_d(M): how likely ``d`` independent standard normal numbers lie in the ball of this ``radius``.

    The chi distribution function, the regularised incomplete gamma function P(d/2, M²/2). In 11 dimensions, with the
    radius 1/16 of the theorem at λ = 1, it is next to impossible:

    >>> ball_probability(2, 1.0), ball_probability(11, 1 / 16)
    (0.39346934028736..., 4.3559013818...e-18)
    """
    return math.exp(log_ball_probability(d, radius))


def log_ball_probability(d: int, radius: float) -> float:
    """The logarithm of P_d(M), accurate where the probability itself is below the smallest float.

    With a = d/2 and x = M²/2, left of x = a by the series P(a, x) = xᵃ e⁻ˣ/Γ(a + 1) · Σ_k xᵏ/((a + 1)...(a + k)), whose
    terms are all positive; right of it by log(1 - Q(a, x)).

    >>> log_ball_probability(200, 1e-3)
    -1814.60514990...
    """
    a = whole_number("d", d, of="weights") / 2.0
    if isinstance(radius, bool) or not isinstance(radius, int | float | np.number) or not radius >= 0:
        raise InvalidInput("`radius` must be a number of at least 0", got=radius, fix="take it from ball_radius")
    if radius == 0:
        return -math.inf
    if radius > 1e100:
        return 0.0
    x = 0.5 * float(radius) ** 2
    if x >= a:
        from scipy import special

        return float(np.log1p(-special.gammaincc(a, x)))
    term = total = 1.0
    k = a
    while term > 1e-17 * total:
        k += 1.0
        term *= x / k
        total += term
    log_x = 2.0 * math.log(radius) - math.log(2.0)  # the square may underflow
    return a * log_x - x - math.lgamma(a + 1.0) + math.log(total)
