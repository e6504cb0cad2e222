"""The value of several trials of one alternative, for every candidate: the twin of ``lookahead.several._plain``."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from sureshot.core.compiled.terms import PROBIT, normal_cdf


@njit(cache=True, nogil=True, fastmath=True)
def several_rows(code, shrink, weights, mu, s, root, mu_z, s_z, root_z, noise, nodes, today, out):
    """Expected best probability after the trials, minus that of row ``today`` of the finals, into ``out``."""
    members, size = mu.shape
    finals, d = root_z.shape[1], root_z.shape[2]
    gain = np.empty((members, finals))
    factor = np.empty((members, finals))
    share = np.empty(members)
    chance = np.empty(finals)
    for x in range(size):
        centre, width = 0.0, 0.0
        for k in range(members):
            centre += weights[k] * mu[k, x]
        for k in range(members):
            width += weights[k] * (s[k, x] + noise[x] + (mu[k, x] - centre) ** 2)
        width = math.sqrt(width)
        for k in range(members):
            total = s[k, x] + noise[x]
            for i in range(finals):
                c = 0.0
                for j in range(d):
                    c += root[k, x, j] * root_z[k, i, j]
                gain[k, i] = c / total
                factor[k, i] = 1.0 / math.sqrt(1.0 + shrink * max(s_z[k, i] - c * gain[k, i], 0.0))
        value, mass = 0.0, 0.0
        for q in range(len(nodes)):
            f = centre + width * nodes[q]
            density = 0.0
            for k in range(members):
                total = s[k, x] + noise[x]
                share[k] = weights[k] * math.exp(-0.5 * (f - mu[k, x]) ** 2 / total) / math.sqrt(total)
                density += share[k]
            chance[:] = 0.0
            for k in range(members):
                off = f - mu[k, x]
                if code == PROBIT:
                    for i in range(finals):
                        chance[i] += share[k] * normal_cdf((mu_z[k, i] + gain[k, i] * off) * factor[k, i])
                else:
                    for i in range(finals):
                        chance[i] += share[k] / (1.0 + math.exp(-(mu_z[k, i] + gain[k, i] * off) * factor[k, i]))
            best = chance[0]
            for i in range(1, finals):
                best = max(best, chance[i])
            value += best - chance[today]
            mass += density
        out[x] = value / mass
