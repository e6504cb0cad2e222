from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit

from sureshot.errors import InvalidInput
from sureshot.lab import PAPER, World, truth
from sureshot.lab.paper.replay import beliefs, coordinates, errors, film
from sureshot.lab.play.run import play, stage
from sureshot.policies import get_policy


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
    found = errors(staged, last, BUDGET)
    np.testing.assert_allclose(found, np.abs(predicted - staged.truth.at(BUDGET)[0]), atol=0.005)


def test_coordinates_leave_the_constant_out(staged):
    np.testing.assert_array_equal(coordinates(staged), staged.truth.X[0][:, 1:])


def test_rows_of_another_seed_are_refused(staged, played):
    flipped = [1 - one for one in played[1]]
    with pytest.raises(InvalidInput, match="trial 1 of the recorded run has outcome"):
        beliefs(staged, played[0], flipped)
