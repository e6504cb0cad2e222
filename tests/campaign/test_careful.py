"""What a campaign without contexts asks for its final choice: kg-careful, on pools of any size."""

from __future__ import annotations

import numpy as np
import pytest

from sureshot.campaign import Campaign
from sureshot.campaign.suggest import suggest
from sureshot.core.lookahead import knowledge_gradient, knowledge_gradient_star
from sureshot.policies import Decision, scores, situation
from sureshot.policies.kg_careful import KgCareful, unusual, usual
from sureshot.space import Space
from sureshot.storage import Storage

#: Levels of which one is far out.
OUTLYING = {"x": [*range(19), 400], "y": [*range(19), 400]}


def asked(campaign: Campaign, told: int, left: int | None = None, q: int = 1, seed: int = 1) -> list[Decision]:
    X = campaign.spec.pool.matrix()
    used = 0 if campaign.spec.budget is None or left is None else campaign.spec.budget - left
    return suggest(
        campaign.spec, campaign.belief, X, np.empty((0, X.shape[1])), q,
        rng=np.random.default_rng(seed), used=used, told=told, unfailing=campaign._log.ledger.unfailing(),
    )  # fmt: skip


@pytest.fixture(params=["grid", "outliers"])
def campaign(request: pytest.FixtureRequest, memory: Storage, space: Space) -> Campaign:
    some = space if request.param == "grid" else Space.grid(**OUTLYING)
    made = Campaign.create("careful", some, seed=1, budget=30, storage=memory)
    rng = np.random.default_rng(2)
    for row in rng.integers(32, size=9):
        made.tell_new(int(row), int(rng.random() < 0.8))
    return made


def test_a_campaign_begins_with_usual_alternatives_where_there_are_outliers(memory: Storage) -> None:
    made = Campaign.create("usual", Space.grid(**OUTLYING), seed=1, budget=30, storage=memory)
    X = made.spec.pool.matrix()
    common = usual(unusual(X))
    drawn = {one.alternative for seed in range(40) for one in asked(made, told=0, q=3, seed=seed)}
    assert common[list(drawn)].all()
    assert len(drawn) > 50
    decision, *_ = asked(made, told=0, q=3)
    assert decision.tied == common.sum()
    exact = knowledge_gradient(made.belief, X, lookahead="exact")
    assert decision.value == pytest.approx(exact[decision.alternative])
    assert asked(made, told=0, q=4)[3].tied < 10  # the fourth is chosen


def test_two_failures_end_the_drawing(memory: Storage) -> None:
    made = Campaign.create("failures", Space.grid(**OUTLYING), seed=1, budget=30, storage=memory)
    for row in (42, 63):
        made.tell_new(row, 0)
    assert made._log.ledger.failed() == 2
    made.ask()
    last = made._log.ledger.trials[3]
    star = knowledge_gradient_star(made.belief, made.spec.pool.matrix(), trials_left=28).score
    assert last.alternative is not None
    assert star[last.alternative] == pytest.approx(star.max())


def test_a_trial_failed_if_most_of_it_did(memory: Storage, space: Space) -> None:
    made = Campaign.create("several", space, seed=1, budget=30, storage=memory)
    for successes in (8, 5, 4, 0):
        made.tell_new(0, successes, of=10)
    assert made._log.ledger.failed() == 2


def test_a_grid_begins_with_what_teaches_most(memory: Storage, space: Space) -> None:
    made = Campaign.create("grid", space, seed=1, budget=30, storage=memory)
    star = knowledge_gradient_star(made.belief, made.spec.pool.matrix(), trials_left=30).score
    (decision,) = asked(made, told=0)
    assert decision.value == pytest.approx(star.max())


def test_the_cheapest_usual_alternative_is_drawn_first(memory: Storage) -> None:
    space = Space.grid(**OUTLYING)
    made = Campaign.create("cheap", space, seed=1, cost=np.arange(1.0, len(space) + 1.0), storage=memory)
    (decision,) = asked(made, told=0)
    assert decision.alternative == np.flatnonzero(usual(unusual(made.spec.pool.matrix())))[0]


@pytest.mark.parametrize("told", [3, 7, 8, 20])
def test_a_campaign_asks_what_the_policy_would(campaign: Campaign, told: int) -> None:
    X, entries = campaign.spec.pool.matrix(), campaign._log.ledger.counted()
    rows = X[[entry.alternative for entry in entries]]
    # as many outcomes as it is told that there are; the policy counts those it sees
    policy = KgCareful(proof_from=0) if told >= 8 else KgCareful(proof_from=100)
    now = situation(campaign.belief, X, rows=rows, outcomes=[entry.successes for entry in entries], trials_left=20)
    expected = scores(policy, now, np.random.default_rng(0))
    (decision,) = asked(campaign, told=told, left=20)
    assert decision.score == pytest.approx(expected.max(), rel=1e-6)
    assert expected[decision.alternative] == pytest.approx(expected.max(), rel=1e-6)


def test_a_large_pool_is_asked_with_the_same_care(memory: Storage) -> None:
    space = Space.grid(**OUTLYING, z=range(10))  # 4,000
    made = Campaign.create("large", space, seed=1, budget=30, storage=memory)
    common = usual(unusual(made.spec.pool.matrix()))
    for seed in range(5):
        assert common[asked(made, told=0, seed=seed)[0].alternative]
    for row in np.flatnonzero(common)[[5, 500, 900, 1500, 2000]]:
        made.tell_new(int(row), 1)
    (decision,) = asked(made, told=5)
    assert common[decision.alternative]


def test_the_value_shown_is_counted_out(campaign: Campaign) -> None:
    X = campaign.spec.pool.matrix()
    (decision,) = asked(campaign, told=9, left=20)
    star = knowledge_gradient_star(campaign.belief, X, trials_left=20)
    assert decision.value == pytest.approx(star.score[decision.alternative], rel=1e-6)


def test_the_last_trial_is_one_trial(campaign: Campaign) -> None:
    exact = knowledge_gradient(campaign.belief, campaign.spec.pool.matrix(), lookahead="exact")
    (decision,) = asked(campaign, told=9, left=1)
    assert decision.value == pytest.approx(exact.max())


@pytest.mark.parametrize("campaign", ["grid"], indirect=True)
def test_a_batch_does_not_ask_the_same_again_and_again(campaign: Campaign) -> None:
    assert len({d.alternative for d in asked(campaign, told=9, q=4)}) > 1


def test_an_online_campaign_weighs_the_success_itself(memory: Storage, space: Space) -> None:
    made = Campaign.create("online", space, seed=1, budget=30, objective="online", storage=memory)
    (decision,) = asked(made, told=9, left=10)
    assert decision.score == pytest.approx(decision.probability + 9 * decision.value)
