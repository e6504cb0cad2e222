"""The joint probability behind every knowledge gradient: success there, after an outcome here.

For a candidate ``x`` and an alternative ``x'`` let ``J_y(x, x') = P(outcome of x is y, and x' would succeed)``. Then

    KG(x) = max_x' J_1(x, x') + max_x' J_0(x, x') - max_x' p(x')

(docs/knowledge-gradient.md). The exact form takes the probabilities under the belief itself. The paper's Algorithms 2,
3 and 4 write ``J_y = P(y) p(x' | belief updated with (x, y))`` with the belief's own approximate update
(:mod:`sureshot.core.lookahead.update`). For a mixture of beliefs both are weighted sums over its members: the
reweighting by the outcome is already inside.

This is the definition, in NumPy, in blocks of candidates; never an M x M array.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sureshot.core.beliefs.belief import Belief
from sureshot.core.beliefs.mixture import Mixture, members
from sureshot.core.beliefs.predictive import predictive
from sureshot.core.lookahead import update
from sureshot.core.lookahead.compared import Compared
from sureshot.core.numerics.bivariate import bivariate_cdf
from sureshot.core.numerics.stable import Array
from sureshot.core.rows import places
from sureshot.errors import InvalidInput

__all__ = ["Lookahead", "joint", "predicted", "values"]

Lookahead = Literal["exact", "update"]

#: Pairs held at once: a few arrays of this many numbers.
PAIRS = 1 << 18


def predicted(belief: Belief | Mixture, X: Array, lookahead: Lookahead) -> Array:
    """The success probabilities that a look-ahead starts from, in the form that it uses."""
    if lookahead == "update":
        return update.now(belief, X)
    return predictive(belief, X, form="mixture" if all(one.link.probits for _, one in members(belief)) else None)


def joint(belief: Belief | Mixture, X: Array, Z: Array, lookahead: Lookahead) -> Iterator[tuple[slice, Array, Array]]:
    """Blocks of candidates, with J_1 and J_0 of each against all rows of ``Z``, which has no copies:
    (rows, (B, m), (B, m)).
    """
    twin = places(Z, X)
    size = max(1, PAIRS // len(Z))
    for start in range(0, len(X), size):
        rows = slice(start, min(start + size, len(X)))
        both = np.zeros((2, rows.stop - rows.start, len(Z)))
        if lookahead == "update":
            for part, y, chance, after in update.predicted_after(belief, X[rows], Z):
                both[y, part] = chance[:, None] * after
        else:
            for weight, one in members(belief):
                for y in (0, 1):
                    both[y] += weight * _exact(one, X[rows], Z, twin[rows], y)
        yield rows, both[1], both[0]


def values(belief: Belief | Mixture, task: Compared, lookahead: Lookahead) -> Array:
    """What one outcome of each candidate adds to the final choice, (M,)."""
    total = np.zeros(len(task.X))
    for group in task.groups:
        before = predicted(belief, group.rows, lookahead).max()
        for block, success, failure in joint(belief, task.X, group.rows, lookahead):
            total[block] += group.weight * (success.max(axis=1) + failure.max(axis=1) - before)
    return np.maximum(total, 0.0) if lookahead == "exact" else total


def _exact(belief: Belief, X: Array, Z: Array, twin: NDArray[np.intp], y: int) -> Array:
    """P(outcome of x is y, z succeeds) under the belief: Σ Σ weight·weight'·Φ₂ over the link's probits."""
    probits = belief.link.probits
    if probits is None:
        raise InvalidInput(
            f"the exact look-ahead needs the link as a mixture of probits, and {belief.link.name!r} has none: "
            "give its `probits`, or use lookahead='update'."
        )
    (mu, s, root, _), (mu_z, s_z, root_z, _) = belief.scores(X), belief.scores(Z)
    c = root @ root_z.T
    known = np.flatnonzero(twin >= 0)
    c[known, twin[known]] = s[known]
    sign = 1.0 if y else -1.0
    total = np.zeros_like(c)
    for w, b, h in zip(probits.weights, probits.shifts, probits.scales, strict=True):
        here = np.sqrt(h * h + s)
        a = sign * (mu - b) / here
        for w2, b2, h2 in zip(probits.weights, probits.shifts, probits.scales, strict=True):
            there = np.sqrt(h2 * h2 + s_z)
            rho = np.clip(sign * c / np.multiply.outer(here, there), -1.0, 1.0)
            total += w * w2 * bivariate_cdf(a[:, None], ((mu_z - b2) / there)[None, :], rho)
    return total
