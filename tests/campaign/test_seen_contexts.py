"""The value of a trial averaged over the cases seen, against the average worked out case by case."""

from __future__ import annotations

import numpy as np
import pytest

from sureshot import core
from sureshot.campaign import Campaign
from sureshot.errors import InvalidInput, UnknownName
from sureshot.space import Actions, Space
from sureshot.storage import Storage

AGES = (25, 60, 60, 85)


def desk(store: Storage, name: str = "desk", **options: object) -> Campaign:
    given: dict[str, object] = {"context": {"age": (18, 90)}, "prior": 1.0, "seed": 3, "storage": store, **options}
    made = Campaign.create(name, Actions(["wait", "pill", "surgery"]), **given)  # type: ignore[arg-type]
    for i, age in enumerate(AGES):
        made.tell_new(i % 3, i % 2, context={"age": age})
    return made


def worked_out(campaign: Campaign, case: dict[str, object], others: list[dict[str, object]]) -> np.ndarray:
    """E[max over actions, averaged over cases] after one outcome, less the same now: by draws of the weights."""
    pool, belief = campaign.spec.pool, campaign.belief
    X, cases = pool.matrix(case), [pool.matrix(other) for other in others]
    node, mass = np.polynomial.hermite_e.hermegauss(9)
    d = belief.d
    z = np.array(np.meshgrid(*[node] * d)).reshape(d, -1).T
    weight = np.prod(np.array(np.meshgrid(*[mass] * d)).reshape(d, -1), axis=0) / mass.sum() ** d
    w = belief.mean + z @ np.linalg.cholesky(belief.cov).T
    success = core.LOGIT.probability(w @ X.T)  # (draws, actions)
    chances = [core.LOGIT.probability(w @ other.T) for other in cases]

    def value(known: np.ndarray) -> float:
        return float(np.mean([(known @ chance).max() for chance in chances]))

    return np.array([value(weight * p) + value(weight * (1 - p)) for p in success.T]) - value(weight)


def test_the_value_is_the_average_over_the_cases_seen_and_this_one(memory: Storage) -> None:
    campaign, case = desk(memory, budget=1), {"age": 40}
    expected = worked_out(campaign, case, [*({"age": age} for age in AGES), case])
    trial = campaign.ask(context=case)
    assert trial.value == pytest.approx(expected.max(), abs=2e-4)
    assert trial.alternative == int(expected.argmax())
    assert "points over the cases seen" in str(trial)
    assert "points over the cases seen" in str(campaign.why())
    same = desk(memory, "same", value="same context", budget=1)
    alone = worked_out(same, case, [case])
    other = same.ask(context=case)
    assert other.value == pytest.approx(alone.max(), abs=2e-4)
    assert other.alternative == int(alone.argmax()) != trial.alternative  # another decision altogether


def test_it_is_kept_with_the_campaign_and_older_versions_refuse_it(memory: Storage) -> None:
    made = desk(memory, value="seen contexts")
    assert made.spec.to_dict()["version"] > 1
    again = Campaign.open(storage=memory)
    assert again.spec.value == "seen contexts"
    assert again.rewind(4).status().events == 4
    first, other = made.ask(context={"age": 33}), desk(memory, "other", value="seen contexts").ask(context={"age": 33})
    assert (first.alternative, first.value) == (other.alternative, other.value)
    assert desk(memory, "third").spec.value == "seen contexts"  # unless something else is said


def test_withdrawn_cases_are_not_seen_and_the_latest_are(memory: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    made = desk(memory, value="seen contexts")
    pool, entries = made.spec.pool, made._log.ledger.trials
    case = {"age": 40.0}
    assert pool.seen(entries.values(), case).weights.tolist() == [0.2, 0.4, 0.2, 0.2]
    made.withdraw(1)
    assert pool.seen(made._log.ledger.trials.values(), case).weights.tolist() == [0.5, 0.25, 0.25]
    monkeypatch.setattr("sureshot.policies.narrow.MOST_CONTEXTS", 2)
    last = pool.seen(made._log.ledger.trials.values(), case)
    np.testing.assert_array_equal(last.rows, np.concatenate([pool.matrix({"age": 85}), pool.matrix(case)]))
    monkeypatch.setattr("sureshot.policies.narrow.MOST_ROWS", 3)
    np.testing.assert_array_equal(pool.seen(made._log.ledger.trials.values(), case).rows, pool.matrix(case))


def test_where_one_step_sees_nothing_several_decide_over_the_cases(memory: Storage) -> None:
    made = desk(memory, value="seen contexts", objective="offline", budget=40)
    for age in (30, 60, 85):
        for action, won in ((0, 5), (1, 2), (2, 3)):
            made.tell_new(action, won, of=6, context={"age": age})
    pool, belief = made.spec.pool, made.belief
    X, seen = pool.matrix({"age": 60}), pool.seen(made._log.ledger.trials.values(), {"age": 60.0})
    assert core.lookahead.knowledge_gradient(belief, X, finals=seen).max() == 0.0
    star = core.lookahead.knowledge_gradient_star(belief, X, trials_left=40, finals=seen)
    trial = made.ask(context={"age": 60})
    assert trial.alternative == int(star.score.argmax())
    assert trial.value == pytest.approx(star.score.max(), rel=1e-6)
    assert trial.value > 0.0
    assert "Neither outcome alone" in str(made.why())


def test_on_a_large_pool_of_actions(memory: Storage) -> None:
    actions = Space.grid(dose=range(40), length=range(30))  # 1200
    made = Campaign.create("large", actions, context={"age": (18, 90)}, prior=1.0, seed=1, budget=1, storage=memory)
    for age in (30, 50, 70):
        made.tell_new(17 * age, 1, context={"age": age})
    trial = made.ask(context={"age": 40})
    pool = made.spec.pool
    X, seen = pool.matrix({"age": 40}), pool.seen(list(made._log.ledger.trials.values())[:3], {"age": 40.0})
    assert len(seen.weights) == 4
    values = core.lookahead.knowledge_gradient(made.rewind(3).belief, X[[trial.alternative, 0, 600]], finals=seen)
    assert trial.value == pytest.approx(values[0], abs=1e-9)
    assert values[0] >= values.max()


def test_it_is_for_campaigns_with_contexts(memory: Storage, space: Space) -> None:
    with pytest.raises(InvalidInput, match="value='seen contexts' is for campaigns with contexts: give `context`"):
        Campaign.create("x", space, value="seen contexts", storage=memory)
    with pytest.raises(UnknownName, match="Did you mean 'seen contexts'"):
        Campaign.create("x", space, value="sen contexts", storage=memory)  # type: ignore[arg-type]
    assert memory.campaigns() == ()
