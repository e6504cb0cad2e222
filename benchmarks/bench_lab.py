"""A policy's step in a run: choosing, observing and judging, beside a plain NumPy implementation of the paper."""

from __future__ import annotations

import os
import time

import numpy as np
from scipy import special

from benchmarks.report import markdown, milliseconds
from sureshot.lab.beliefs import AUTO, PAPER
from sureshot.lab.run import Staged, play, stage, stream
from sureshot.lab.worlds import get_world
from sureshot.policies import POLICIES, get_policy

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
    rows = []
    worlds = [get_world("synthetic", **one) for one in WORLDS]
    runs = [[stage(world, seed=seed, run=r, budget=BUDGET) for r in range(RUNS)] for world in worlds]
    plain = [_per_step(lambda one: plain_run(one), staged) for staged in runs]
    rows.append(["Algorithm 2 in plain NumPy", *(cell for s in plain for cell in (milliseconds(s), "1.0x", "-"))])
    for name in POLICIES:
        if name == "online-kg":  # for the online objective; its work is kg-exact's
            continue
        row = [f"`{name}`"]
        for k, staged in enumerate(runs):
            for recipe in (PAPER, AUTO):

                def once(one: Staged, name: str = name, recipe=recipe) -> object:  # type: ignore[no-untyped-def]
                    return play(one, get_policy(name), recipe, rng=stream(seed, name), budget=BUDGET)

                seconds = _per_step(once, staged)
                row.append(milliseconds(seconds))
                if recipe is PAPER:
                    row.append(f"{seconds / plain[k]:.2f}x")
        rows.append(row)
    header = ["policy"]
    for world in WORLDS:
        size = f"M = {world.get('M', 200)}, d = {int(world['d']) + 1}"
        header += [size, "beside plain NumPy", "five priors"]
    print(markdown("One step of a run: CPU time of one thread", header, rows))


def _per_step(call, staged: list[Staged]) -> float:  # type: ignore[no-untyped-def]
    """CPU seconds of one step: the least over the runs, after one to warm up."""
    call(staged[0])
    times = []
    for one in staged:
        begun = time.process_time()
        call(one)
        times.append(time.process_time() - begun)
    return min(times) / BUDGET
