"""Rows of studies that never were: costs drawn with known means, in the shape that a study writes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd


def made_rows(
    shifts: Mapping[str, float],
    *,
    worlds: Mapping[str, float] | None = None,
    runs: int = 60,
    budget: int = 4,
    seed: int = 0,
    noise: float = 0.05,
) -> pd.DataFrame:
    """Contender ``p`` in world ``w`` costs worlds[w] + shifts[p] + what the run is like (shared) + noise of its own."""
    rng = np.random.default_rng(seed)
    run, n = np.divmod(np.arange(runs * budget), budget)
    parts = []
    for world, level in (worlds or {"one": 0.3}).items():
        shared = rng.exponential(0.2, size=runs)
        for policy, shift in shifts.items():
            cost = level + shift + shared[:, None] + rng.normal(0.0, noise, size=(runs, budget))
            columns = {
                "study": "made",
                "world": world,
                "policy": policy,
                "belief": "full",
                "run": run,
                "n": n + 1,
                "oc": cost.ravel(),
                "oc_plugin": cost.ravel() + 0.1,
                "successes": n,
                "regret": cost.cumsum(axis=1).ravel(),
                "found_best": (run % 4 == 0).astype(float),
                "seconds": 0.001 * (n + 1),
            }
            parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True)
