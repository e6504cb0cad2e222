"""A pool made ready for the compiled screen, and who it leaves: the decision of one logit or probit belief that looks
ahead through its own update.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sureshot.core.belief import Belief
from sureshot.core.compiled import code_of
from sureshot.core.links import LOGIT, PROBIT
from sureshot.core.stable import Array

if TYPE_CHECKING:
    from sureshot.core.compiled.screen import Alternatives, Candidates

__all__ = ["Screened", "screened", "settled"]


@dataclass(frozen=True, slots=True, eq=False)
class Screened:
    """What is known of every candidate's value, p sigma(best score after success) + (1 - p) sigma(after failure)."""

    form: int
    rows: Candidates
    columns: Alternatives
    most: Array  # (M,) upper bounds
    least: float  # a value that one of the candidates has, or exceeds


def screened(belief: Belief, X: Array, epsilon: float, threads: int) -> Screened:
    """Values by single precision: only candidates whose bound comes within ``epsilon`` of ``least`` can lead."""
    from sureshot.core.compiled.screen import promise, screen

    form, rows, columns = _prepared(belief, X)
    probit, most, incumbent = belief.link is PROBIT, np.empty(len(X)), np.full(1, -np.inf)
    promise(rows, columns, probit, most)
    order = np.argsort(-most)
    if threads == 1:
        screen(form, order, 0, 1, rows, columns, probit, epsilon, incumbent, most)
    else:
        with ThreadPoolExecutor(threads) as pool:
            jobs = [
                pool.submit(screen, form, order, n, threads, rows, columns, probit, epsilon, incumbent, most)
                for n in range(threads)
            ]
            for job in jobs:
                job.result()
    return Screened(form, rows, columns, most, float(incumbent[0]))


def settled(screen: Screened, who: NDArray[np.intp], budget: float) -> Array | None:
    """The largest squared score, with its sign, after a failure and a success of some candidates, (2, n): in double
    precision, one by one; None if that takes more than so many pairs.
    """
    from sureshot.core.compiled.screen import settle

    best = np.empty((2, len(who)))
    done = settle(screen.form, who, screen.rows, screen.columns, budget, best)
    return best if done == len(who) else None


def _prepared(belief: Belief, X: Array) -> tuple[int, Candidates, Alternatives]:
    """Candidates and alternatives as the screen wants them."""
    from sureshot.core.compiled.fold import learn_pool
    from sureshot.core.compiled.glance import ADF, FULL, LAPLACE
    from sureshot.core.compiled.prepare import candidates, now, own
    from sureshot.core.compiled.screen import Candidates

    code = code_of(belief.link)
    assert code is not None  # can_scan
    form = FULL if belief.covariance == "full" else LAPLACE if belief.method == "laplace" else ADF
    beta = np.pi / 8.0 if belief.link is LOGIT else 1.0
    half = belief.root(X)
    mu, s = X @ belief.mean, np.einsum("ij,ij->i", half, half)
    gain, t, k, kappa, push, reach, fuzz, top = np.empty((8, 2, len(X)))
    a, shrink, root = np.empty((3, len(X)))
    learn_pool(code, belief.method == "adf", mu, s, gain, t)
    unit = np.empty(half.shape, np.float32)
    typical, farthest = candidates(form, beta, half, s, gain, t, unit, k, kappa, push, reach, fuzz)
    own(form, beta, half, mu, s, gain, t, top)
    high = now(beta, mu, s, a, shrink, root)
    rows = Candidates(half, unit, gain, k, kappa, push, reach, fuzz, top, belief.link.probability(a))
    order = np.argsort(-(a + typical * root))
    farthest = max(farthest * (1.0 + 1e-12), 1e-300)
    return form, rows, _alternatives(form, beta, half, a, shrink, root, order, high, farthest)


def _alternatives(
    form: int,
    beta: float,
    half: Array,
    a: Array,
    shrink: Array,
    root: Array,
    order: NDArray[np.intp],
    high: float,
    farthest: float,
) -> Alternatives:
    """Alternatives in an order that lets candidates be given up early, and the table of their bounds."""
    from sureshot.core.compiled.bounds import KNOTS
    from sureshot.core.compiled.glance import FULL
    from sureshot.core.compiled.prepare import alternatives, tabulate
    from sureshot.core.compiled.screen import Alternatives
    from sureshot.core.compiled.tile import WIDTH32

    who = np.concatenate([order, np.repeat(order[-1:], -order.size % WIDTH32)])
    count, d = who.size, half.shape[1]
    high += 1e-15 * (high + farthest)  # so that what underflows in single precision is within its error
    scale, per_reach = 1.0 / max(high + farthest, 1e-100), (KNOTS - 1) / farthest
    panels = np.empty((count // WIDTH32, d, WIDTH32), np.float32)
    squares = np.empty((0 if form == FULL else len(panels), d, WIDTH32), np.float32)
    a32, rho32, least32 = np.empty((3, count), np.float32)
    alternatives(beta, scale, half, a, shrink, root, who, panels, squares, a32, rho32, least32)
    edges = _edges(count)
    rest, rho_rest = np.empty((edges.size - 1, KNOTS)), np.empty(edges.size - 1)
    tabulate(a, root, who, edges, high, per_reach, rest, rho_rest)
    return Alternatives(
        a, shrink, who, panels, squares, a32, rho32, least32, edges, rest, rho_rest, per_reach, high, scale, beta,
    )  # fmt: skip


def _edges(count: int) -> NDArray[np.int64]:
    """Where blocks of alternatives begin: small at first, where most candidates are given up."""
    edges = [0, 32, 128, *range(256, count, 256)]
    return np.array([*(edge for edge in edges if edge < count), count])
