"""Claims 3, 4 and 5: what figures 1 to 3 show of one run, measured over many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sureshot.core.numerics.stable import Array
from sureshot.lab.paper.replay import beliefs, coordinates, errors
from sureshot.lab.paper.setting import BOUNDARY, Scene
from sureshot.lab.play.run import stage
from sureshot.lab.play.world import World

__all__ = ["Watched", "near_boundary", "watch"]


@dataclass(frozen=True, eq=False)
class Watched:
    """What is measured of each run of a scene."""

    found: NDArray[np.bool_]  # (R, N) whether the implementation decision is the true best after 1, ..., N trials
    tried_near: Array  # (R,) share of the trials that lie near the boundary
    pool_near: Array  # (R,) share of the alternatives that do
    error_best: Array  # (R,) |predicted - true| at the true best alternative
    error_mean: Array  # (R,) ... on average over all alternatives


def near_boundary(points: Array) -> NDArray[np.bool_]:
    """Which alternatives have a coordinate beyond 2.5.

    >>> near_boundary(np.array([[2.6, 0.0], [2.4, -2.4], [0.0, -3.0]]))
    array([ True, False,  True])
    """
    return np.asarray(np.abs(points).max(axis=1) > BOUNDARY)


def watch(scene: Scene, world: World, rows: Any, *, seed: int, budget: int) -> Watched:
    """Measure every run in ``rows`` (a DataFrame: one world, one policy), which were made with this seed and budget.

    Trials near the boundary are counted over those that the figure shows; the error is taken where figure 3 takes it.
    """
    found, tried, pool, at_best, on_average = [], [], [], [], []
    for run, part in rows.sort_values("n").groupby("run", sort=True):
        staged = stage(world, seed=seed, run=int(run), budget=budget)
        near = near_boundary(coordinates(staged))
        picks, outcomes = part["pick"].to_list(), part["outcome"].to_list()
        found.append(part["oc_plugin"].to_numpy() == 0.0)
        tried.append(near[picks[: scene.trials]].mean())
        pool.append(near.mean())
        n = scene.error_after
        error = errors(staged, beliefs(staged, picks[:n], outcomes[:n])[-1], n)
        at_best.append(error[staged.truth.at(n)[0].argmax()])
        on_average.append(error.mean())
    return Watched(np.array(found), *(np.array(one, dtype=np.float64) for one in (tried, pool, at_best, on_average)))
