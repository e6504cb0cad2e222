"""The entropy of an outcome, in nats: of a probability, and expected over a Gaussian score."""

from __future__ import annotations

from functools import cache

import numpy as np

from sureshot.core.links import Link
from sureshot.core.numerics import special
from sureshot.core.numerics.quadrature import LINK_NODES, NORMAL_NODES, NORMAL_WEIGHTS, STEP
from sureshot.core.numerics.stable import Array

__all__ = ["expected_entropy", "outcome_entropy", "score_entropy"]

#: Rows of alternatives looked at together: bounds the memory at block x 321 numbers.
BLOCK = 4096


def outcome_entropy(p: Array) -> Array:
    """``-p log p - (1 - p) log(1 - p)``.

    >>> outcome_entropy(np.array([0.0, 0.5])).round(4)
    array([0.    , 0.6931])
    """
    return np.asarray(special.entr(p) + special.entr(1.0 - p))


def score_entropy(link: Link, f: Array) -> Array:
    """The entropy of an outcome whose score is known, from the log-likelihoods: no cancellation at either end."""
    total = np.zeros(np.shape(f))
    for terms in (link.success, link.failure):
        with np.errstate(under="ignore"):
            likelihood = terms.log_likelihood(f)
            p = np.exp(likelihood)
        total -= p * np.where(p > 0.0, likelihood, 0.0)
    return total


def expected_entropy(link: Link, mu: Array, s: Array) -> Array:
    """E[h(σ(f))] for ``f ~ N(mu, s)``, h the entropy of an outcome; (M,).

    By the trapezoid rule, as :mod:`sureshot.core.numerics.quadrature`: over the Gaussian where it is narrow (s < 1),
    over the score where it is wide. Absolute error below 1e-12 for the built-in links.
    """
    out = np.empty(len(mu))
    for start in range(0, len(mu), BLOCK):
        rows = slice(start, start + BLOCK)
        out[rows] = _expected(link, mu[rows], s[rows])
    return out


def _expected(link: Link, mu: Array, s: Array) -> Array:
    out, sd, narrow = np.empty(len(mu)), np.sqrt(s), s < 1.0
    wide = ~narrow
    with np.errstate(under="ignore"):
        if narrow.any():
            out[narrow] = score_entropy(link, mu[narrow, None] + sd[narrow, None] * NORMAL_NODES) @ NORMAL_WEIGHTS
        if wide.any():
            gap = (LINK_NODES - mu[wide, None]) / sd[wide, None]
            np.multiply(gap, gap, out=gap)
            gap *= -0.5
            out[wide] = np.exp(gap, out=gap) @ _over_nodes(link) / sd[wide]
    return out


@cache
def _over_nodes(link: Link) -> Array:
    return np.asarray(STEP / np.sqrt(2.0 * np.pi) * score_entropy(link, LINK_NODES))
