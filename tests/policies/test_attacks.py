"""What an attack on the look-ahead and the decisions found once, and must not find again."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest

from sureshot import core, policies
from sureshot.core.lookahead import finals, knowledge_gradient, knowledge_gradient_star, outlook
from sureshot.errors import InvalidInput

PAIR = np.array([[1.0, -2.0], [1.0, 0.0], [1.0, 2.0]])


def test_groups_that_share_their_array_with_the_pool_are_still_groups() -> None:
    rng = np.random.default_rng(0)
    belief = core.prior(3)
    groups = finals([rng.normal(size=(4, 3)), rng.normal(size=(3, 3))], d=3)
    apart = groups.rows.copy()
    for lookahead in ("exact", "update"):
        assert np.array_equal(
            knowledge_gradient(belief, groups.rows, finals=groups, lookahead=lookahead),
            knowledge_gradient(belief, apart, finals=groups, lookahead=lookahead),
        )
    star = [knowledge_gradient_star(belief, X, finals=groups, trials_left=2).values for X in (groups.rows, apart)]
    assert np.array_equal(*star)


@pytest.mark.parametrize("lookahead", ["exact", "update"])
def test_scores_that_overflow_are_refused(lookahead: str) -> None:
    with pytest.raises(InvalidInput, match="must be below 1e\\+100"):
        knowledge_gradient(core.prior(2), [[1e155, 1.0], [1.0, 0.0]], lookahead=lookahead)
    with pytest.raises(InvalidInput, match="must be below 1e\\+100"):
        knowledge_gradient_star(core.prior(2), [[1e155, 1.0], [1.0, 0.0]])


def test_repeats_of_scores_too_wide_for_them_fall_back_on_one_step() -> None:
    belief = core.prior(2)
    for size in (1e7, 1e20, 1e45):
        X = np.array([[size, 1.0], [1.0, 0.0]])
        star = knowledge_gradient_star(belief, X)
        assert star.trials.tolist() == [1]
        assert np.array_equal(star.score, knowledge_gradient(belief, X))
        assert star.score.max() > 0.1


def test_the_unit_of_cost_changes_no_tie() -> None:
    for unit in (1e-8, 1.0, 1e9):
        now = policies.situation(core.prior(2), PAIR, cost=unit * np.array([1.0, 10.0, 1.0]))
        assert {policies.decide("kg-exact", now, seed)[0].alternative for seed in range(20)} == {0, 2}


def test_a_link_without_probits_can_decide_by_update() -> None:
    now = policies.situation(core.prior(2, link=replace(core.LOGIT, name="no-probits", probits=None)), np.eye(2))
    (decision,) = policies.decide("kg", now, 0)
    assert decision.alternative in (0, 1)
    assert decision.value == pytest.approx(decision.score)
    with pytest.raises(InvalidInput, match="'kg-exact' can't deal with a link without a mixture of probits"):
        policies.decide("kg-exact", now, 0)


@pytest.mark.parametrize("link", ["logit", "probit", "cloglog", "loglog"])
def test_what_follows_the_impossible_is_what_is_believed_now(link: str) -> None:
    belief = core.gaussian([40.0, 0.0], [1e-3, 1e-3], link=link)
    for index in (0, 1):
        for row, probability in outlook(belief, [[1.0, 0.0], [-1.0, 0.0]], index):
            assert row == 0
            assert probability == pytest.approx(1.0, abs=1e-6)


def test_small_refusals() -> None:
    with pytest.raises(InvalidInput, match="0 to 2, got -1"):
        outlook(core.prior(2), PAIR, -1)
    with pytest.raises(InvalidInput, match="array of numbers"):
        core.predictive(core.prior(2), [[10**400, 1]])
    with pytest.raises(InvalidInput, match="masked"):
        core.predictive(core.prior(2), np.ma.array([[1.0, 2.0]], mask=[[0, 1]]))
    with pytest.raises(InvalidInput, match="finite number"):
        policies.horizon(tau="3")
    with pytest.raises(InvalidInput, match="whole number of trials"):
        policies.horizon(trials_left=2.5)
    with pytest.raises(InvalidInput, match="between 1e-100 and 1e100"):
        policies.knowledge_gradient(core.prior(2), PAIR, cost=[1e-320, 1.0, 1.0])


def test_nothing_pending_may_be_an_empty_list() -> None:
    belief = core.prior(2)
    assert np.array_equal(
        policies.knowledge_gradient(belief, PAIR, pending=[]), policies.knowledge_gradient(belief, PAIR)
    )


@pytest.mark.parametrize("belief", [core.prior(2), core.prior(2, covariance="diagonal"), core.prior_mixture(2)])
def test_copies_of_a_belief_are_frozen_too(belief: core.Belief | core.Mixture) -> None:
    for again in (pickle.loads(pickle.dumps(belief)), copy.deepcopy(belief)):
        assert np.array_equal(core.predictive(again, PAIR), core.predictive(belief, PAIR))
        array = again.log_weights if isinstance(again, core.Mixture) else again.mean
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0
