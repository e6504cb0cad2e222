"""The knowledge gradient over a pool: all values by update and the exact form, as ratios to the floor that is measured
on the spot; and beside the peers. Wall time on all cores, unless a table says otherwise.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks import peer
from benchmarks.floor import floor_seconds
from benchmarks.peers.problem import history, pool
from benchmarks.report import markdown, milliseconds
from sureshot import core
from sureshot.core.lookahead import gradient, knowledge_gradient, knowledge_gradient_star, threads

FORMS = ("full", "diagonal")
OBSERVED = (0, 20, 50, 100)
#: Pools, features, and how often each is measured.
POOLS = (
    (100, 10, 20),
    (100, 60, 20),
    (1_000, 10, 10),
    (1_000, 60, 10),
    (10_000, 10, 3),
    (10_000, 60, 2),
    (100_000, 10, 1),
    (100_000, 60, 1),
)
#: Above this many pairs the exact form is measured at one state only.
LARGE = 10_000


def least(clock: Callable[[], float], call: Callable[[], object], repeats: int) -> float:
    """Least seconds of one call, by the given clock."""
    best = float("inf")
    for _ in range(repeats):
        start = clock()
        call()
        best = min(best, clock() - start)
    return best


wall, cpu = partial(least, time.perf_counter), partial(least, time.process_time)


def state(M: int, d: int, n: int, form: str, seed: int) -> tuple[core.Belief, np.ndarray]:
    X = pool(M, d, seed)
    rows, y = history(X, n, seed)
    return core.observe_many(core.prior(d, covariance=form), rows, y)[0], X


def one_row(M: int, d: int, n: int, repeats: int, seed: int) -> list[str]:
    """Floor and all values for both forms, and the exact form beside the full one."""
    cells = [f"{M:,} x {d}, n = {n}"]
    count = threads.threads_for(M)
    floor_full = values_full = 0.0
    for form in FORMS:
        belief, X = state(M, d, n, form, seed)
        floor = floor_seconds(M, d, form, count, repeats)
        values = wall(lambda b=belief, x=X: knowledge_gradient(b, x, lookahead="update"), repeats)
        floor = min(floor, floor_seconds(M, d, form, count, repeats))
        cells += [milliseconds(floor), f"{values / floor:.2f}"]
        floor_full, values_full = floor_full or floor, values_full or values
    if M <= LARGE:
        belief, X = state(M, d, n, "full", seed)
        exact = wall(lambda: knowledge_gradient(belief, X), max(1, repeats // 2))
        return [*cells, milliseconds(exact), f"{exact / floor_full:.1f}", f"{exact / values_full:.1f}"]
    return [*cells, "-", "-", "-"]


def plain_numpy(belief: core.Belief, X: np.ndarray) -> np.ndarray:
    """The same values by vectorised NumPy alone: the definition."""
    known, gradient.can_compile = gradient.can_compile, lambda _: False
    try:
        return knowledge_gradient(belief, X, lookahead="update")
    finally:
        gradient.can_compile = known


def peers(M: int, n: int, seed: int) -> list[str]:
    """CPU seconds of one thread: ours, NumPy and the peers."""
    belief, X = state(M, 10, n, "full", seed)
    ours = cpu(lambda: knowledge_gradient(belief, X, lookahead="update"), 10)
    exact = cpu(lambda: knowledge_gradient(belief, X), 5)
    numpy = cpu(lambda: plain_numpy(belief, X), 3)
    cells = [f"{M:,}, n = {n}", milliseconds(ours), milliseconds(exact), milliseconds(numpy)]
    for environment, script in ((".venv-peers-botorch", "botorch_kg.py"), (".venv-peers-aepsych", "aepsych_kg.py")):
        other = peer.measure(environment, script, M=M, d=10, n=n, seed=seed)
        cells.append("-" if other is None else milliseconds(other["seconds"]))
        cells.append("-" if other is None else f"{other['seconds'] / (ours if 'botorch' in script else exact):.0f}x")
    return cells


def decision(belief: core.Belief | core.Mixture, X: np.ndarray) -> object:
    """KG(*) as the policy asks for it."""
    return knowledge_gradient_star(belief, X, trials_left=30, rank=lambda values: values)


def several(M: int, d: int, n: int, seed: int) -> list[tuple[str, core.Belief | core.Mixture, np.ndarray]]:
    """One belief, and ten of different prior strength that are equally likely."""
    one, X = state(M, d, n, "full", seed)
    rows, y = history(X, n, seed)
    ten, _ = core.observe_many(core.prior_mixture(d, precisions=[4.0 ** (k / 3) for k in range(-5, 5)]), rows, y)
    return [("one", one, X), ("ten", core.mixture(ten.beliefs), X)]


def main(seed: int) -> None:
    belief, X = state(64, 10, 5, "full", seed)
    for form in FORMS:  # compile, or load from the cache
        knowledge_gradient(state(64, 10, 5, form, seed)[0], X, lookahead="update")
    knowledge_gradient(belief, X)
    rows = [one_row(M, d, n, repeats, seed) for M, d, repeats in POOLS for n in OBSERVED]
    header = ["pool x features", "floor, full", "values / floor", "floor, diagonal", "values / floor"]
    header += ["exact, full", "exact / floor", "exact / values"]
    print(
        markdown(f"Look-ahead over a pool, logit, {os.cpu_count()} cores from {threads.THREADED:,} on", header, rows),
        "\n",
    )
    for environment in (".venv-peers-botorch", ".venv-peers-aepsych"):
        if line := peer.missing(environment):
            print(line + "\n")
    header = ["pool, d = 10", "Algorithm 2, full", "exact", "NumPy", "BoTorch", "/ ours", "AEPsych", "/ exact"]
    rows = [peers(M, n, seed) for M in (100, 1_000) for n in (0, 50)]
    print(markdown("Beside the peers: CPU time of one thread", header, rows), "\n")
    star = [
        [f"{M:,} x {d}, n = {n}", name, milliseconds(wall(lambda b=b, X=X: decision(b, X), 2))]
        for M, d in ((100, 10), (1_000, 10), (1_000, 60))
        for n in (0, 20, 60)
        for name, b, X in several(M, d, n, seed)
    ]
    print(markdown("KG(*) for a decision, up to 16 repeats of 30 trials left", ["pool", "belief", "time"], star), "\n")
