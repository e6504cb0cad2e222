"""A policy's step in a run: choosing, observing and judging, beside a plain NumPy implementation of the paper."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from benchmarks.report import markdown, milliseconds
from sureshot.lab.play.beliefs import AUTO, PAPER
from sureshot.lab.play.run import Rows, Staged, play, stage, stream
from sureshot.lab.worlds import get_world
from sureshot.policies import POLICIES, Objective, get_policy

BUDGET = 30
RUNS = 3
WORLDS = ({"d": 10}, {"d": 4, "M": 748})  # the sizes of Figure 4, about


def plain_run(staged: Staged) -> float:
    """A run of Algorithm 2 as the paper writes it, in vectorised NumPy: bisection for the updates, M x M arrays."""
    X, chance = staged.truth.X[0], staged.truth.at(0)[0]
    mean, precision = np.zeros(X.shape[1]), np.ones(X.shape[1])
    cost = 0.0
    for n in range(BUDGET):
        mu, s = X @ mean, (X * X) @ (1.0 / precision)
        p = special.expit(mu / np.sqrt(1.0 + np.pi * s / 8.0))
        value = np.zeros(len(X))
        for y, weight in ((1.0, p), (-1.0, 1.0 - p)):
            step, t = _root(mu, s, y)
            moved = mean + (y * step)[:, None] * X / precision  # (M, d)
            spread = 1.0 / (precision + t[:, None] * X * X)
            score = (moved @ X.T) / np.sqrt(1.0 + np.pi / 8.0 * (spread @ (X * X).T))
            value += weight * special.expit(score.max(axis=1))
        x = int(np.argmax(value))
        y = 1.0 if staged.uniforms[x, n] < chance[x] else -1.0
        step, t = _root(mu[x : x + 1], s[x : x + 1], y)
        mean = mean + y * step[0] * X[x] / precision
        precision = precision + t[0] * X[x] ** 2
        cost = chance.max() - chance[int(np.argmax(X @ mean))]
    return float(cost)


def _root(mu: np.ndarray, s: np.ndarray, y: float) -> tuple[np.ndarray, np.ndarray]:
    """The step p with p = σ(-(y·mu + p·s)), by bisection, and the curvature there."""
    low, high = np.zeros_like(mu), np.ones_like(mu)
    for _ in range(50):
        middle = 0.5 * (low + high)
        above = middle > special.expit(-(y * mu + middle * s))
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    return low, low * (1.0 - low)


def main(seed: int) -> None:
    os.environ["SURESHOT_THREADS"] = "1"
    rows, alone = [], []
    worlds = [get_world("synthetic", **one) for one in WORLDS]
    runs = [[stage(world, seed=seed, run=r, budget=BUDGET) for r in range(RUNS)] for world in worlds]
    plain = [_per_step(plain_run, staged)[0] for staged in runs]
    rows.append(["Algorithm 2 in plain NumPy", *(cell for s in plain for cell in (milliseconds(s), "1.0x", "-"))])
    for name in POLICIES:
        objective: Objective = "offline" if POLICIES[name].abilities.offline else "online"
        row, choosing = [f"`{name}`"], [f"`{name}`"]
        for k, staged in enumerate(runs):
            for recipe in (PAPER, AUTO):

                def once(one: Staged, name=name, recipe=recipe, objective=objective) -> Rows:  # type: ignore[no-untyped-def]
                    return play(
                        one, get_policy(name), recipe, rng=stream(seed, name), budget=BUDGET, objective=objective
                    )

                seconds, chosen = _per_step(once, staged)
                row.append(milliseconds(seconds))
                choosing.append(milliseconds(min(float(one.seconds.mean()) for one in chosen)))
                if recipe is PAPER:
                    row.append(f"{seconds / plain[k]:.2f}x")
        rows.append(row)
        alone.append(choosing)
    header, short = ["policy"], ["policy"]
    for world in WORLDS:
        size = f"M = {world.get('M', 200)}, d = {int(world['d']) + 1}"
        header += [size, "beside plain NumPy", "six priors"]
        short += [size, "six priors"]
    print(markdown("One step of a run: CPU time of one thread", header, rows))
    print()
    print(markdown("Choosing alone: wall time", short, alone))


def _per_step(call: Callable[[Staged], Any], staged: list[Staged]) -> tuple[float, list[Any]]:
    """CPU seconds of one step, the least over the runs, after one to warm up; and what the runs gave."""
    call(staged[0])
    times, made = [], []
    for one in staged:
        begun = time.process_time()
        made.append(call(one))
        times.append(time.process_time() - begun)
    return min(times) / BUDGET, made
