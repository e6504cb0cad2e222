"""Figures 1 to 3: many runs of the knowledge gradient in two small worlds, measured, and the first one looked into.

Rows hold what was tried and what came of it. Truth and labels follow from the seed, beliefs from the outcomes, so
nothing else needs to be kept; that the recorded outcomes are the drawn ones is checked on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from sureshot.core import Belief, observe, predictive
from sureshot.core.lookahead import knowledge_gradient
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput
from sureshot.lab.paper.setting import BOUNDARY, OWN, SCENES, Scene
from sureshot.lab.play.beliefs import PAPER
from sureshot.lab.play.judge import recommend
from sureshot.lab.play.run import Staged, stage
from sureshot.lab.play.world import World
from sureshot.lab.study.study import Study, contenders
from sureshot.lab.worlds import get_world

__all__ = ["SHOWN", "Frame", "SceneResult", "Watched", "beliefs", "errors", "film", "scene_result", "scenes_study"]

#: Trials of each run: what the longest of the figures needs.
WATCHED = max(max(one.trials, one.error_after) for one in SCENES)
#: The run that is drawn: the first, not a chosen one.
SHOWN = 1


@dataclass(frozen=True, eq=False)
class Watched:
    """What is measured of each run of a scene."""

    found: NDArray[np.bool_]  # (R, N) whether the implementation decision is the true best after 1, ..., N trials
    tried_near: Array  # (R,) share of the trials that lie near the boundary
    pool_near: Array  # (R,) share of the alternatives that do
    error_best: Array  # (R,) |predicted - true| at the true best alternative
    error_mean: Array  # (R,) ... on average over all alternatives


@dataclass(frozen=True, eq=False)
class Frame:
    """One panel of figures 1 and 2."""

    n: int  # the trial chosen here: 1, 2, ...
    values: Array  # (M,) the knowledge gradient of each alternative, by Algorithm 2, when it is chosen
    pick: int  # the alternative that is tried
    outcome: int
    decision: int  # the implementation decision if the budget ends with this trial: the largest m·x after its outcome


@dataclass(frozen=True, eq=False)
class SceneResult:
    """What was measured in one of the small worlds, and the run that is drawn."""

    scene: Scene
    seen: Watched
    points: Array  # (M, d) the alternatives, without the constant
    best: int  # the true best of them
    frames: list[Frame]
    error: Array  # (M,) what figure 3 shows


def scenes_study(scenes: Sequence[Scene], *, runs: int, seed: int) -> Study:
    """Algorithm 2 with the paper's belief in these worlds."""
    worlds = tuple(map(_world, scenes))
    return Study(f"behaviour-seed-{seed}", worlds, contenders([OWN], [PAPER]), seed=seed, runs=runs, budget=WATCHED)


def scene_result(scene: Scene, rows: Any, *, seed: int) -> SceneResult:
    """What the rows of that study say about one of its worlds."""
    world = _world(scene)
    own = rows[rows["world"] == world.label].sort_values("n")
    seen = watch(scene, world, own, seed=seed, budget=WATCHED)
    staged = stage(world, seed=seed, run=SHOWN, budget=WATCHED)
    shown = own[own["run"] == SHOWN]
    picks, outcomes = shown["pick"].to_list(), shown["outcome"].to_list()
    return SceneResult(
        scene=scene,
        seen=seen,
        points=staged.truth.X[0, :, 1:],
        best=int(staged.truth.at(0)[0].argmax()),
        frames=film(staged, picks[: scene.trials], outcomes[: scene.trials]),
        error=errors(staged, picks[: scene.error_after], outcomes[: scene.error_after]),
    )


def watch(scene: Scene, world: World, rows: Any, *, seed: int, budget: int) -> Watched:
    """Measure every run in ``rows`` (a DataFrame: one world, one policy), which were made with this seed and budget.

    Trials near the boundary are counted over those that the figure shows; the error is taken where figure 3 takes it.
    """
    found, tried, pool, at_best, on_average = [], [], [], [], []
    for run, part in rows.sort_values("n").groupby("run", sort=True):
        staged = stage(world, seed=seed, run=int(run), budget=budget)
        near = np.abs(staged.truth.X[0, :, 1:]).max(axis=1) > BOUNDARY
        picks, outcomes = part["pick"].to_list(), part["outcome"].to_list()
        found.append(part["oc_plugin"].to_numpy() == 0.0)
        tried.append(near[picks[: scene.trials]].mean())
        pool.append(near.mean())
        n = scene.error_after
        error = errors(staged, picks[:n], outcomes[:n])
        at_best.append(error[staged.truth.at(n)[0].argmax()])
        on_average.append(error.mean())
    return Watched(np.array(found), *(np.array(one, dtype=np.float64) for one in (tried, pool, at_best, on_average)))


def beliefs(staged: Staged, picks: Sequence[int], outcomes: Sequence[int]) -> list[Belief]:
    """The paper's belief before the first trial and after each, ``len(picks) + 1`` of them."""
    fact = staged.truth
    X = fact.X[0]
    found = [cast(Belief, PAPER.make(X, intercept=fact.intercept))]
    for n, (pick, outcome) in enumerate(zip(picks, outcomes, strict=True)):
        drawn = int(staged.uniforms[pick, n] < fact.at(n)[0, pick])
        if drawn != outcome:
            raise InvalidInput(
                f"trial {n + 1} of the recorded run has outcome {outcome}, and this world and seed give {drawn}: "
                "the rows belong to another seed, world or version; make them again in an empty folder."
            )
        found.append(observe(found[-1], X[pick], int(outcome))[0])
    return found


def film(staged: Staged, picks: Sequence[int], outcomes: Sequence[int]) -> list[Frame]:
    """What Algorithm 2 saw and did at each trial."""
    X = staged.truth.X[0]
    frames = []
    for n, (before, after) in enumerate(pairwise(beliefs(staged, picks, outcomes))):
        values = knowledge_gradient(before, X, lookahead="update")
        decision = int(recommend(after, X)[2].argmax())
        frames.append(Frame(n + 1, values, pick=int(picks[n]), outcome=int(outcomes[n]), decision=decision))
    return frames


def errors(staged: Staged, picks: Sequence[int], outcomes: Sequence[int]) -> Array:
    """``|predicted - true|`` for each alternative after these trials, (M,)."""
    fact, belief = staged.truth, beliefs(staged, picks, outcomes)[-1]
    return np.asarray(np.abs(predictive(belief, fact.X[0]) - fact.at(len(picks))[0]))


def _world(scene: Scene) -> World:
    """The world of a scene: alternatives from U[-3, 3]^d, weights from the prior."""
    return get_world("synthetic", d=scene.d, M=scene.M)
