"""Contextual worlds: new cases, other cases to be judged by, and a best action that depends on the case."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from sureshot.lab.worlds import get_world
from sureshot.lab.worlds.desks import Admissions, Desk, HealthCare, Loans

DESKS = [HealthCare, Loans, Admissions]
EACH = pytest.mark.parametrize("kind", DESKS, ids=lambda kind: kind.name)


@EACH
def test_shapes(kind: type[Desk]) -> None:
    found = kind().draw(np.random.default_rng(0), 30)
    size, d = len(kind.story.actions), len(kind.story.columns)
    assert found.X.shape == (70, size, d)
    assert found.probability.shape == (1, 70, size)
    assert found.contextual
    assert found.intercept
    assert list(found.arrivals) == list(range(30))
    assert list(found.judged) == list(range(30, 70))


@EACH
def test_rows_and_chances_by_hand(kind: type[Desk]) -> None:
    found = kind().draw(np.random.default_rng(4), 3)
    k, m = len(kind.story.context), len(kind.story.action)
    for case in (0, 2, 40):
        context = found.X[case, 0, 1 : 1 + k]
        for i, action in enumerate(kind.story.actions.values()):
            row = [1.0, *context, *action, *(c * a for c in context for a in action)]
            np.testing.assert_allclose(found.X[case, i], row)
            score = sum(x * w for x, w in zip(row, found.weights, strict=True))
            assert found.at(0)[case, i] == pytest.approx(special.expit(score), rel=1e-12)
    assert len(kind.story.columns) == 1 + k + m + k * m


@EACH
def test_cases_are_new_in_every_trial_and_run_and_of_the_promised_size(kind: type[Desk]) -> None:
    cases = kind().cases(np.random.default_rng(0), 20_000)
    assert cases.shape == (20_000, len(kind.story.context))
    np.testing.assert_allclose(cases.mean(axis=0), 0.0, atol=0.12)
    np.testing.assert_allclose(cases.std(axis=0), 1.0, atol=0.15)
    found, other = (kind().draw(np.random.default_rng(seed), 10) for seed in (0, 1))
    assert len(np.unique(found.X[:, 0, 1:3], axis=0)) == 50
    assert not np.isin(other.X[:, 0, 2], found.X[:, 0, 2]).any()


@EACH
def test_weights_lie_around_the_story(kind: type[Desk]) -> None:
    w = np.array([kind(noise=0.3, judged=1).draw(np.random.default_rng(run), 1).weights for run in range(300)])
    expected = [kind.story.effects.get(name, 0.0) for name in kind.story.columns]
    np.testing.assert_allclose(w.mean(axis=0), expected, atol=4 * 0.3 / np.sqrt(300))
    np.testing.assert_allclose(w.std(axis=0), 0.3, rtol=0.2)
    assert set(kind.story.effects) <= set(kind.story.columns)  # no effect by a wrong name


@EACH
def test_the_best_action_depends_on_the_case(kind: type[Desk]) -> None:
    losses = []
    for run in range(20):
        chance = kind().draw(np.random.default_rng(run), 300).at(0)
        losses.append(chance.max(axis=1).mean() - chance.mean(axis=0).max())
    assert np.mean(losses) > 0.05  # what the best action for everybody loses to the best for each


@EACH
def test_without_interactions_it_does_not(kind: type[Desk]) -> None:
    for run in range(5):
        found = kind(interactions=0).draw(np.random.default_rng(run), 50)
        assert len(set(found.at(0).argmax(axis=1))) == 1


@EACH
def test_no_action_is_useless(kind: type[Desk]) -> None:
    chosen: set[int] = set()
    for run in range(20):
        chosen |= set(kind().draw(np.random.default_rng(run), 50).at(0).argmax(axis=1).tolist())
    assert chosen == set(range(len(kind.story.actions)))


def test_the_judged_stay_the_same_when_the_budget_grows() -> None:
    world = get_world("loans", judged=7)
    short, long = (world.draw(np.random.default_rng(5), budget) for budget in (4, 9))
    np.testing.assert_array_equal(short.X[short.judged], long.X[long.judged])
    np.testing.assert_array_equal(short.probability[:, short.judged], long.probability[:, long.judged])
