"""Narrowing a pool of 20,000: how good the pick is beside the best of all, and how long it takes."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from benchmarks.report import markdown
from sureshot import core
from sureshot.policies import Situation, decide, get_policy, narrow, scores, situation

SIZE, STATES = 20_000, 20
POLICIES = ("draw-then-kg", "kg-exact")


def state(seed: int) -> Situation:
    """A random situation: normal rows, rows with outliers, or a grid with copies, and up to 40 outcomes."""
    rng = np.random.default_rng(seed)
    d, n = int(rng.integers(3, 9)), int(rng.integers(0, 40))
    X = rng.normal(size=(SIZE, d))
    if seed % 3 == 1:
        X[: SIZE // 20] *= 4.0
    X = np.round(X) if seed % 3 == 2 else X
    X[:, 0] = 1.0
    rows = X[rng.integers(SIZE, size=n)]
    won = rng.random(n) < core.LOGIT.probability(rows @ rng.normal(size=d) * rng.uniform(0.3, 2.0))
    belief = core.auto_prior(d, pool=X)
    belief = core.observe_many(belief, rows, won)[0] if n else belief
    return situation(belief, X, rows=rows, outcomes=won.astype(int), trials_left=int(rng.integers(2, 60)))


def measured(name: str, now: Situation) -> tuple[float, float, float]:
    """The share of the best score that the pick has, and the seconds of both decisions."""
    begun = time.perf_counter()
    (few,) = decide(name, now, 1)
    quick = time.perf_counter() - begun
    kept, narrow.PAIRS = narrow.PAIRS, 10**12
    begun = time.perf_counter()
    (full,) = decide(name, now, 1)
    slow = time.perf_counter() - begun
    alone = replace(now, candidates=np.array([few.alternative]))
    found = scores(get_policy(name), alone, np.random.default_rng(1))[few.alternative]
    narrow.PAIRS = kept
    best = max(full.score, float(found))
    return float(found) / best if best > 0.0 else 1.0, quick, slow


def main(seed: int) -> None:
    rows = []
    for name in POLICIES:
        decide(name, state(seed), 1)  # compiled once
        found = np.array([measured(name, state(1000 * seed + i)) for i in range(STATES)])
        cells = [f"{x:.2f} s" for x in np.median(found[:, 1:], axis=0)]
        rows.append([f"`{name}`", f"{100 * found[:, 0].min():.1f} %", f"{100 * np.median(found[:, 0]):.1f} %", *cells])
    header = ["policy", "worst share of the best score", "median", "narrowed", "all of them"]
    print(markdown(f"The pick from {SIZE:,} alternatives, narrowed, over {STATES} random states", header, rows))
