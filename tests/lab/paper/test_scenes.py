from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from scipy.special import expit

from sureshot.core import LOGIT, observe_many, predictive, prior
from sureshot.errors import InvalidInput
from sureshot.lab import PAPER, World, truth
from sureshot.lab.paper.scenes import beliefs, errors, film, watch
from sureshot.lab.paper.setting import SCENES, Scene
from sureshot.lab.play.run import play, stage
from sureshot.policies import get_policy

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


def test_the_scenes_are_the_papers():
    assert [(one.figure, one.d, one.M, one.trials, one.found_after, one.error_after) for one in SCENES] == [
        (1, 2, 200, 4, 3, 6),
        (2, 3, 300, 10, 10, 10),
    ]


class Small(World):
    """Fourteen alternatives in two dimensions."""

    label = "small"

    def draw(self, rng, budget):
        X = np.column_stack([np.ones(14), rng.uniform(-3, 3, (14, 2))])
        return truth(X, expit(X @ rng.standard_normal(3)), budget=budget)


BUDGET = 5


@pytest.fixture(scope="module")
def staged():
    return stage(Small(), seed=4, run=1, budget=BUDGET)


@pytest.fixture(scope="module")
def played(staged):
    rows = play(staged, get_policy("kg"), PAPER, rng=np.random.default_rng(0), budget=BUDGET)
    return rows.pick.astype(int).tolist(), rows.outcome.astype(int).tolist(), rows


def after(mean, precision, x, y):
    """The Laplace step by a general optimiser: the maximum of the posterior, and the curvature there."""
    sign = 2 * y - 1

    def loss(w):
        return 0.5 * np.sum(precision * (w - mean) ** 2) + np.logaddexp(0, -sign * w @ x)

    w = minimize(loss, mean, method="BFGS", options={"gtol": 1e-9}).x
    p = expit(w @ x)
    return w, precision + p * (1 - p) * x**2


def chance(mean, precision, X):
    return expit(X @ mean / np.sqrt(1 + np.pi / 8 * (X**2 / precision).sum(axis=1)))


def algorithm_2(mean, precision, X):
    """The paper's Algorithm 2, line by line, minus the value of choosing now."""
    p = chance(mean, precision, X)
    values = np.empty(len(X))
    for i, x in enumerate(X):
        best = [chance(*after(mean, precision, x, y), X).max() for y in (1, 0)]
        values[i] = p[i] * best[0] + (1 - p[i]) * best[1] - p.max()
    return values


def test_the_film_shows_algorithm_2(staged, played):
    X = staged.truth.X[0]
    mean, precision = np.zeros(3), np.ones(3)
    for frame in film(staged, played[0], played[1]):
        expected = algorithm_2(mean, precision, X)
        np.testing.assert_allclose(frame.values, expected, atol=2e-6)
        assert expected[frame.pick] > expected.max() - 1e-5
        mean, precision = after(mean, precision, X[frame.pick], frame.outcome)
        assert frame.decision == (X @ mean).argmax()


def test_the_film_agrees_with_what_was_recorded(staged, played):
    picks, outcomes, rows = played
    true = staged.truth.at(0)[0]
    frames = film(staged, picks, outcomes)
    assert [frame.n for frame in frames] == [1, 2, 3, 4, 5]
    np.testing.assert_allclose([true.max() - true[frame.decision] for frame in frames], rows.oc_plugin, atol=1e-15)
    np.testing.assert_allclose([frame.values.max() for frame in frames], rows.max_kg, atol=1e-15)


def test_errors_are_distances_to_the_truth(staged, played):
    X = staged.truth.X[0]
    last = beliefs(staged, played[0], played[1])[-1]
    draws = np.random.default_rng(0).standard_normal((200_000, 3)) @ np.diag(last.variance**0.5) + last.mean
    predicted = expit(draws @ X.T).mean(axis=0)
    found = errors(staged, played[0], played[1])
    np.testing.assert_allclose(found, np.abs(predicted - staged.truth.at(BUDGET)[0]), atol=0.005)


def test_rows_of_another_seed_are_refused(staged, played):
    flipped = [1 - one for one in played[1]]
    with pytest.raises(InvalidInput, match="trial 1 of the recorded run has outcome"):
        beliefs(staged, played[0], flipped)
