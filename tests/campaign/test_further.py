"""How far a campaign looks: one trial at first, several once eight outcomes are known."""

from __future__ import annotations

import numpy as np
import pytest

from sureshot.campaign import Campaign
from sureshot.campaign.suggest import suggest
from sureshot.core.lookahead import knowledge_gradient, knowledge_gradient_star
from sureshot.core.lookahead.several import knowledge_gradient_several
from sureshot.policies import Decision
from sureshot.space import Space
from sureshot.storage import Storage


def asked(campaign: Campaign, told: int, left: int | None = None, q: int = 1) -> list[Decision]:
    X = campaign.spec.pool.matrix()
    used = 0 if campaign.spec.budget is None or left is None else campaign.spec.budget - left
    rng = np.random.default_rng(1)
    return suggest(campaign.spec, campaign.belief, X, np.empty((0, X.shape[1])), q, rng=rng, used=used, told=told)


@pytest.fixture
def campaign(memory: Storage, space: Space) -> Campaign:
    made = Campaign.create("further", space, seed=1, budget=30, storage=memory)
    rng = np.random.default_rng(2)
    for row in rng.integers(32, size=9):
        made.tell_new(int(row), int(rng.random() < 0.5))
    return made


def test_several_trials_decide_from_the_eighth_outcome_on(campaign: Campaign) -> None:
    X, belief = campaign.spec.pool.matrix(), campaign.belief
    exact, several = knowledge_gradient(belief, X, lookahead="exact"), knowledge_gradient_several(belief, X, trials=4)
    (before,), (after,) = asked(campaign, told=7), asked(campaign, told=8)
    assert before.value == pytest.approx(exact.max())
    assert after.score == pytest.approx(several.max() / 4)
    assert several[after.alternative] == pytest.approx(several.max())


def test_the_value_shown_is_counted_out(campaign: Campaign) -> None:
    X = campaign.spec.pool.matrix()
    (decision,) = asked(campaign, told=9, left=20)
    star = knowledge_gradient_star(campaign.belief, X, trials_left=20)
    assert decision.value == pytest.approx(star.score[decision.alternative], rel=1e-6)


def test_the_last_trial_is_one_trial(campaign: Campaign) -> None:
    exact = knowledge_gradient(campaign.belief, campaign.spec.pool.matrix(), lookahead="exact")
    (decision,) = asked(campaign, told=9, left=1)
    assert decision.value == pytest.approx(exact.max())


def test_a_batch_does_not_ask_the_same_again_and_again(campaign: Campaign) -> None:
    assert len({d.alternative for d in asked(campaign, told=9, q=4)}) > 1


def test_an_online_campaign_weighs_the_success_itself(memory: Storage, space: Space) -> None:
    made = Campaign.create("online", space, seed=1, budget=30, objective="online", storage=memory)
    (decision,) = asked(made, told=9, left=10)
    assert decision.score == pytest.approx(decision.probability + 9 * decision.value)
