"""Scores and picks: outstanding trials, refusals."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import numpy as np
import pytest

from sureshot import core
from sureshot.errors import InvalidInput
from sureshot.policies import Abilities, Policy, Situation, get_policy, scores, situation
from tests.policies.picks import pick

RNG = np.random.default_rng(3)
POOL = np.column_stack([np.ones(8), RNG.uniform(-3, 3, (8, 2))])
BELIEF, _ = core.observe_many(core.prior(3), POOL[[0, 5]], [1, 0])


@pytest.mark.parametrize("name", ["greedy", "ucb", "bald", "kg-exact", "disc", "expected-improvement"])
@pytest.mark.parametrize("waiting", [[2], [2, 4, 2]])
def test_scores_are_averaged_over_what_is_outstanding(name: str, waiting: list[int]) -> None:
    policy = get_policy(name)
    now = situation(BELIEF, POOL, rows=POOL[[0, 5]], outcomes=[1, 0], pending=POOL[waiting])
    want, mass = np.zeros(len(POOL)), 0.0
    for outcomes in product((0, 1), repeat=len(waiting)):
        after, info = core.observe_many(BELIEF, POOL[waiting], list(outcomes))
        weight = float(np.exp(info.evidence.sum()))
        then = situation(after, POOL, rows=POOL[[0, 5, *waiting]], outcomes=[1, 0, *outcomes])
        want += weight * policy.scores(then, np.random.default_rng(0))
        mass += weight
    # the two outcomes of a trial need not add up to 1 in the last digits of a quadrature
    assert scores(policy, now, np.random.default_rng(0)) == pytest.approx(want / mass, abs=1e-9)


@dataclass(frozen=True)
class Spy(Policy):
    """Draws; its scores show which outcomes it was told, and how often it was asked."""

    name: ClassVar[str] = "spy"
    randomised: ClassVar[bool] = True

    def scores(self, situation: Situation, rng: np.random.Generator) -> np.ndarray:  # noqa: ARG002
        assert situation.pending is None
        told = np.concatenate([situation.outcomes.astype(float), [situation.probability[2]]])
        return np.pad(told, (0, len(situation.X) - len(told)))


def test_a_policy_that_draws_is_asked_once_with_outcomes_drawn_by_their_probability() -> None:
    now = situation(BELIEF, POOL, pending=POOL[[2, 4]])
    rng = np.random.default_rng(1)
    counts, believed = np.zeros((2, 2)), np.zeros((2, 2))
    for pair in product((0, 1), repeat=2):
        after, _ = core.observe_many(BELIEF, POOL[[2, 4]], list(pair))
        believed[pair] = core.predictive(after, POOL[2:3])[0]
    for _ in range(1200):
        first, second, p = scores(Spy(), now, rng)[:3]
        assert {first, second} <= {0.0, 1.0}  # one scenario, not a mean of several
        counts[int(first), int(second)] += 1
        assert p == pytest.approx(believed[int(first), int(second)], abs=1e-12)
    for first, second in product((0, 1), repeat=2):
        _, info = core.observe_many(BELIEF, POOL[[2, 4]], [first, second])
        want = float(np.exp(info.evidence.sum()))
        assert counts[first, second] / 1200 == pytest.approx(want, abs=4 * np.sqrt(want * (1 - want) / 1200))


def test_many_outstanding_trials_are_sampled_and_too_many_refused() -> None:
    now = situation(BELIEF, POOL, pending=np.repeat(POOL[2:3], 8, axis=0))
    found = scores(get_policy("greedy"), now, np.random.default_rng(0))
    # predictions are a martingale but for Laplace's error and 64 draws
    assert found == pytest.approx(core.predictive(BELIEF, POOL), abs=0.12)
    assert not np.array_equal(found, scores(get_policy("greedy"), now, np.random.default_rng(1)))
    with pytest.raises(InvalidInput, match="at most 100 trials may be pending when one is chosen, got 101"):
        scores(get_policy("kg"), situation(BELIEF, POOL, pending=np.repeat(POOL[2:3], 101, axis=0)), RNG)


@dataclass(frozen=True)
class Unable(Policy):
    name: ClassVar[str] = "unable"
    abilities: ClassVar[Abilities] = Abilities(online=False, contextual=False, pending=False)

    def scores(self, situation: Situation, rng: np.random.Generator) -> np.ndarray:  # noqa: ARG002
        raise AssertionError("must not be asked")


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"objective": "online", "trials_left": 3}, "an online objective"),
        ({"contextual": True}, "contexts"),
        ({"pending": POOL[:1]}, "pending trials"),
        ({"cost": np.ones(8)}, "costs"),
        ({"cost": np.ones(8), "contextual": True}, "contexts and costs"),
    ],
)
def test_what_a_policy_cannot_do_is_refused_before_anything_is_computed(given: dict, word: str) -> None:
    with pytest.raises(InvalidInput, match=f"policy 'unable' can't deal with {word}"):
        scores(Unable(), situation(BELIEF, POOL, **given), RNG)


def test_ties_fall_at_random() -> None:
    now = situation(core.prior(3), POOL)
    picks = [pick(get_policy("greedy"), now, np.random.default_rng(seed)) for seed in range(400)]
    assert np.bincount(picks, minlength=8).min() > 20  # 50 expected; 20 is 4.5 standard deviations away
