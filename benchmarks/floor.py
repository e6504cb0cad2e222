"""The floor of a look-ahead over a pool: its matrix products by BLAS in blocks that stay in cache, and one division and
one maximum a pair and outcome. Nothing that computes every pair is faster; only leaving pairs out is.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numba import njit

from sureshot.core.numerics.compiled.tile import larger

__all__ = ["PRODUCTS", "floor_seconds"]

#: Products a form needs: cov(x, x'); with a diagonal covariance also the new variances, one or both outcomes.
PRODUCTS = {"full": 1, "diagonal": 3, "diagonal adf": 2}
#: Pairs measured at most; larger pools are scaled up from these.
MOST_PAIRS = 4_000_000


@njit(nogil=True)
def _products(a, blocks, out, share, shares):  # type: ignore[no-untyped-def]
    rows = out.shape[0]
    for i in range(share * rows, a.shape[0] - rows + 1, rows * shares):
        for b in range(blocks.shape[0]):
            np.dot(a[i : i + rows], blocks[b], out)


@njit(nogil=True, error_model="numpy", fastmath={"contract"})
def _divisions(n, d, times):  # type: ignore[no-untyped-def]
    total = 0.0
    for _ in range(times):
        best = -1e300
        for j in range(n.size):
            best = larger(n[j] / d[j], best)
        total += best
    return total


def floor_seconds(M: int, d: int, form: str, threads: int, repeats: int) -> float:
    """Wall seconds of the floor for M x M pairs on so many threads: the least over repeats and block shapes."""
    side = min(M, int(MOST_PAIRS**0.5))
    size = -(-side // 256) * 256
    rng = np.random.default_rng(0)
    a = rng.standard_normal((size, d))
    numerator, denominator = rng.random(1024), rng.random(1024) + 1.0
    with ThreadPoolExecutor(threads) as pool:

        def together(work: Callable[[int], object]) -> float:
            start = time.perf_counter()
            for job in [pool.submit(work, k) for k in range(threads)]:
                job.result()
            return time.perf_counter() - start

        best = float("inf")
        for rows, cols in ((64, 256), (128, 128), (64, 128)):
            blocks = np.ascontiguousarray(a[: size // cols * cols].reshape(-1, cols, d).transpose(0, 2, 1))
            outs = [np.empty((rows, cols)) for _ in range(threads)]
            for _ in range(repeats + 1):
                seconds = together(lambda k, b=blocks, o=outs: _products(a, b, o[k], k, threads))
                best = min(best, seconds / (size // rows * rows) / (size // cols * cols))
        turns = 2 * side * side // 1024 // threads
        division = min(
            together(lambda _: _divisions(numerator, denominator, turns)) / (turns * 1024 * threads / 2)
            for _ in range(repeats + 1)
        )
    return M * M * (PRODUCTS[form] * best + division)
