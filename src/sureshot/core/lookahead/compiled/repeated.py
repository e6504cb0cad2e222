"""The value of several trials of one alternative, for every candidate: the twin of ``lookahead.repeated._outlooks``.

Each candidate asks for some thousand probabilities, so they are worked out several at a time, in single precision, and
the logit's by a rational form of tanh: values are within 1e-5 of the definition's.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from sureshot.core.numerics.compiled.terms import PROBIT, normal_cdf, squashed
from sureshot.core.numerics.compiled.tile import larger32


@njit(cache=True, nogil=True, fastmath=True, error_model="numpy")
def _add_logit(share, off, level, gain, chance):
    """Add share·sigma(2(level + gain·off)) to every chance."""
    for i in range(level.size):
        chance[i] += share * squashed(level[i] + gain[i] * off)


@njit(cache=True, nogil=True, fastmath=True, error_model="numpy")
def _measured(code, shrink, weights, mu, s, shared, mu_z, s_z, noise, x, level, gain):
    """Where the measured score of candidate x lies, and how wide; and, into ``level`` and ``gain``, how the scores of
    the finals go with it, by what is left of their variance.
    """
    double = 1.0 if code == PROBIT else 0.5
    centre, width = 0.0, 0.0
    for k in range(weights.size):
        centre += weights[k] * mu[k, x]
    for k in range(weights.size):
        width += weights[k] * (s[k, x] + noise[x] + (mu[k, x] - centre) ** 2)
        per = 1.0 / (s[k, x] + noise[x])
        for i in range(level.shape[1]):
            c = shared[k, x, i]
            factor = double / math.sqrt(1.0 + shrink * max(s_z[k, i] - c * c * per, 0.0))
            level[k, i], gain[k, i] = mu_z[k, i] * factor, c * per * factor
    return centre, math.sqrt(width)


@njit(cache=True, nogil=True, fastmath=True, error_model="numpy")
def _outlook(code, weights, mu, s, noise, x, f, level, gain, share, chance):
    """The probability of every final once the score of candidate x is measured as f; and how likely that is."""
    density = 0.0
    for k in range(weights.size):
        total = s[k, x] + noise[x]
        share[k] = weights[k] * math.exp(-0.5 * (f - mu[k, x]) ** 2 / total) / math.sqrt(total)
        density += share[k]
    chance[:] = 0.0
    for k in range(weights.size):
        part, off = np.float32(share[k] / density), np.float32(f - mu[k, x])
        if code == PROBIT:
            for i in range(chance.size):
                chance[i] += part * np.float32(normal_cdf(float(level[k, i] + gain[k, i] * off)))
        else:
            _add_logit(part, off, level[k], gain[k], chance)
    return density


@njit(cache=True, nogil=True, fastmath=True, error_model="numpy")
def several_rows(code, shrink, weights, mu, s, shared, mu_z, s_z, noise, nodes, today, out):
    """Expected best probability after the trials, minus that of row ``today`` of the finals, into ``out``.

    ``shared`` has the covariances of each member's candidates and finals.
    """
    members, finals = mu_z.shape
    level, gain = np.empty((members, finals), np.float32), np.empty((members, finals), np.float32)
    share, chance = np.empty(members), np.empty(finals, np.float32)
    for x in range(out.size):
        centre, width = _measured(code, shrink, weights, mu, s, shared, mu_z, s_z, noise, x, level, gain)
        value, mass = 0.0, 0.0
        for node in nodes:
            density = _outlook(code, weights, mu, s, noise, x, centre + width * node, level, gain, share, chance)
            best = chance[0]
            for i in range(1, finals):
                best = larger32(chance[i], best)
            value += density * (best - chance[today])
            mass += density
        out[x] = value / mass


@njit(cache=True, nogil=True, fastmath=True, error_model="numpy")
def leading_rows(code, shrink, weights, mu, s, shared, mu_z, s_z, noise, nodes, out):
    """Into ``out``, the final that leads at each node of each candidate."""
    members, finals = mu_z.shape
    level, gain = np.empty((members, finals), np.float32), np.empty((members, finals), np.float32)
    share, chance = np.empty(members), np.empty(finals, np.float32)
    for x in range(out.shape[0]):
        centre, width = _measured(code, shrink, weights, mu, s, shared, mu_z, s_z, noise, x, level, gain)
        for q in range(nodes.size):
            _outlook(code, weights, mu, s, noise, x, centre + width * nodes[q], level, gain, share, chance)
            out[x, q] = np.argmax(chance)
