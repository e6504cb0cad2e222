from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from sureshot.core import LOGIT, observe_many, predictive, prior
from sureshot.lab import World, truth
from sureshot.lab.paper.behaviour import Watched, near_boundary, watch
from sureshot.lab.paper.claims import scene_claims
from sureshot.lab.paper.setting import SCENES, Scene
from sureshot.lab.play.run import stage

SCENE = Scene(figure=1, d=2, M=6, trials=2, found_after=2, error_after=3)


class Corners(World):
    """Six alternatives, of which three lie near the boundary; the truth is another in each run."""

    label = "corners"
    points = np.array([[2.9, 0.0], [0.0, -2.6], [-2.51, 1.0], [2.5, -2.5], [0.1, 0.2], [-1.0, 1.5]])

    def draw(self, rng, budget):
        X = np.column_stack([np.ones(6), self.points])
        return truth(X, expit(X @ rng.standard_normal(3)), budget=budget)


def recorded(picks: list[list[int]], *, seed: int) -> pd.DataFrame:
    """Rows in which these alternatives were tried, with outcomes as drawn; the choice is the best in even trials."""
    rows = []
    for run, tried in enumerate(picks, start=1):
        staged = stage(Corners(), seed=seed, run=run, budget=3)
        for n, pick in enumerate(tried, start=1):
            outcome = int(staged.uniforms[pick, n - 1] < staged.truth.probability[0, 0, pick])
            rows.append({"run": run, "n": n, "pick": pick, "outcome": outcome, "oc_plugin": 0.0 if n == 2 else 0.25})
    return pd.DataFrame(rows)


def test_what_is_watched_of_known_runs():
    rows = recorded([[0, 4, 1], [3, 5, 2], [0, 1, 0]], seed=9)
    seen = watch(SCENE, Corners(), rows.sample(frac=1.0, random_state=1), seed=9, budget=3)
    assert seen.found.tolist() == [[False, True, False]] * 3
    assert seen.tried_near.tolist() == [0.5, 0.0, 1.0]  # over the two trials that the figure shows
    assert seen.pool_near.tolist() == [0.5] * 3
    for run in (1, 2, 3):
        fact = stage(Corners(), seed=9, run=run, budget=3).truth
        own = rows[rows["run"] == run]
        belief, _ = observe_many(prior(3, covariance="diagonal", link=LOGIT), fact.X[0][own["pick"]], own["outcome"])
        error = np.abs(predictive(belief, fact.X[0]) - fact.probability[0, 0])
        assert seen.error_best[run - 1] == pytest.approx(error[fact.probability[0, 0].argmax()], abs=1e-12)
        assert seen.error_mean[run - 1] == pytest.approx(error.mean(), abs=1e-12)


def test_the_boundary_is_beyond_two_and_a_half_in_any_coordinate():
    assert near_boundary(Corners.points).tolist() == [True, True, True, False, False, False]


def test_the_scenes_are_the_papers():
    assert [(one.figure, one.d, one.M, one.trials, one.found_after, one.error_after) for one in SCENES] == [
        (1, 2, 200, 4, 3, 6),
        (2, 3, 300, 10, 10, 10),
    ]


def test_claims_of_a_scene():
    """Twenty runs that always try the boundary, find the best in 18 of them, and err more at the best in all."""
    rng = np.random.default_rng(5)
    found = np.zeros((20, 3), dtype=bool)
    found[:18, 1] = True
    seen = Watched(
        found,
        tried_near=np.full(20, 1.0),
        pool_near=rng.uniform(0.25, 0.35, 20),
        error_best=rng.uniform(0.2, 0.3, 20),
        error_mean=rng.uniform(0.1, 0.2, 20),
    )
    claims = scene_claims(SCENE, seen, seed=1)
    assert {name: claim.verdict for name, claim in claims.items()} == {
        "found": "holds",
        "boundary": "holds",
        "error": "does not hold",
    }
    assert claims["found"].measured == "found in 90.0 % (69.9 to 97.2 %) of the runs"
    found[6:, 1] = False
    assert scene_claims(SCENE, seen, seed=1)["found"].verdict == "can't be told"  # 6 of 20: up to 52 %
    found[4:, 1] = False
    assert scene_claims(SCENE, seen, seed=1)["found"].verdict == "does not hold"  # 4 of 20: up to 42 %
