"""Runs as somebody wrote them down: what was tried and what came of it, in a small world."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from sureshot.lab.play.world import World, truth
from sureshot.lab.theory.computing import Played

WEIGHTS = np.array([0.2, 1.0])


class Line(World):
    """Five alternatives on a line, the same in every run; the last is the best."""

    label = "line"

    def draw(self, rng, budget):  # noqa: ARG002
        X = np.column_stack([np.ones(5), np.linspace(-1.0, 1.0, 5)])
        return truth(X, expit(X @ WEIGHTS), budget=budget, weights=WEIGHTS)


def played(picks, *, seed: int = 3) -> Played:
    """Outcomes are those that world and seed give."""
    tried = np.array(picks, dtype=np.int64)
    empty = Played(Line(), seed, tried, np.zeros_like(tried))
    outcomes = []
    for run, row in enumerate(tried, start=1):
        staged = empty.staged(run)
        chance = staged.truth.at(0)[0]
        outcomes.append([int(staged.uniforms[pick, n] < chance[pick]) for n, pick in enumerate(row)])
    return Played(Line(), seed, tried, np.array(outcomes, dtype=np.int64))
