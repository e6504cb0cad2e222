"""Recommendations, advice and suggestions against brute force."""

from __future__ import annotations

import json
import re
import time
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from sureshot import core, policies
from sureshot.campaign import Campaign
from sureshot.campaign.answers.wording import added, percent, percents, points, when
from sureshot.core.lookahead import knowledge_gradient_star, outlook
from sureshot.errors import InvalidInput
from sureshot.space import Space
from sureshot.storage import Storage


def tried(space: Space, storage: Storage, n: int = 12, **options: object) -> Campaign:
    made = Campaign.create("nanotubes", space, seed=4, storage=storage, **options)  # type: ignore[arg-type]
    rng = np.random.default_rng(8)
    for row in rng.integers(32, size=n).tolist():
        made.tell_new(row, bool(rng.random() < 0.2 + 0.5 * (row % 2)))
    return made


def test_chance_of_best_and_perfect_knowledge_by_brute_force(memory: Storage, space: Space) -> None:
    campaign = tried(space, memory)
    X = campaign.spec.pool.matrix()
    p = core.predictive(campaign.belief, X)
    sampled = core.sample_probabilities(campaign.belief, X, np.random.default_rng(99), size=40_000)
    best, advice = campaign.best(), campaign.advice()
    assert best.alternative == np.argmax(p)
    share = (sampled.argmax(axis=1) == best.alternative).mean()
    assert abs(best.chance_best - share) < 4 * np.hypot(best.chance_error, np.sqrt(share * (1 - share) / 40_000))
    evpi = sampled.max(axis=1).mean() - p.max()
    noise = sampled.max(axis=1).std() / np.sqrt(40_000)
    assert abs(advice.bound - evpi) < 4 * np.hypot(advice.bound_error, noise)
    assert campaign.best() == best  # the draws are derived from the seed


def test_why_not_the_most_successful(memory: Storage, space: Space) -> None:
    campaign = Campaign.create("nanotubes", space, seed=4, storage=memory)
    campaign.tell_new(0, 9, of=60)
    for row in (26, 28, 30):
        campaign.tell_new(row, 2, of=2)
    best = campaign.best()
    assert best.alternative != 0
    assert best.not_most_successful is not None
    assert "power 8, ethylene 10 sccm, catalyst Fe has 9 of 60" in best.not_most_successful
    assert best.not_most_successful in str(best)
    one = Campaign.create("one", space, seed=4, prior=1.0, storage=memory)
    one.tell_new(31, 1)
    assert (one.best().alternative, one.best().not_most_successful) == (31, None)
    assert json.dumps(best.to_dict())


def test_the_suggestion_is_the_policy_s(memory: Storage, space: Space) -> None:
    campaign = tried(space, memory, n=4)
    X = campaign.spec.pool.matrix()
    trial = campaign.ask()
    values = knowledge_gradient_star(campaign.belief, X).score
    assert values[trial.alternative] == pytest.approx(values.max(), abs=1e-8)
    assert trial.value == pytest.approx(values[trial.alternative], abs=1e-8)
    again = campaign.ask()  # with one pending: averaged over its two outcomes
    after = [core.observe(campaign.belief, X[trial.alternative], y) for y in (0, 1)]
    pending = sum(np.exp(info.evidence) * knowledge_gradient_star(then, X).score for then, info in after)
    assert pending[again.alternative] == pytest.approx(pending.max(), abs=1e-8)
    why = campaign.why(again)
    assert why.pending == 1
    assert why.outcomes == 4
    assert f"Trial {again.number}, {again.label}: chance of success {percent(again.probability)}" in str(why)


def test_where_one_step_sees_nothing_several_decide(memory: Storage) -> None:
    space = Space.grid(catalyst=["Fe", "Co", "Ni"])
    campaign = Campaign.create("stuck", space, seed=1, storage=memory)
    for row, won in ((0, 27), (1, 12), (2, 14)):
        campaign.tell_new(row, won, of=30)
    X = campaign.spec.pool.matrix()
    assert policies.knowledge_gradient(campaign.belief, X).max() < 1e-9
    star = knowledge_gradient_star(campaign.belief, X)
    trial = campaign.ask()
    assert star.score[trial.alternative] == star.score.max() > 0.0
    assert "Neither outcome alone" in str(campaign.why())


def test_a_huge_pool_is_narrowed_and_says_so(memory: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sureshot.policies.narrow.PAIRS", 1_000**2)
    space = Space.grid(a=range(12), b=range(12), c=range(10))  # 1440
    campaign = Campaign.create("large", space, seed=1, storage=memory)
    rng = np.random.default_rng(5)
    X = campaign.spec.pool.matrix()
    for row in rng.integers(len(space), size=4).tolist():
        campaign.tell_new(row, bool(rng.random() < 0.5))
    trial = campaign.ask()
    (_, _), (then, chance) = outlook(campaign.belief, X, trial.alternative)
    assert trial.on_success.alternative == then
    assert trial.on_success.probability == pytest.approx(chance, abs=1e-5)
    assert trial.looked_at is not None
    said = f"Of 1,440 alternatives, the {trial.looked_at} most promising by a quick look were compared in full"
    assert said in str(trial)
    assert said in str(campaign.why())
    assert campaign.advice().go_on


def test_advice_by_brute_force(memory: Storage) -> None:
    space = Space.grid(power=[1, 2, 3])
    campaign = Campaign.create("small", space, seed=1, prior=1.0, budget=2, storage=memory)
    campaign.tell_new(0, 1)
    advice = campaign.advice()
    X, belief = campaign.spec.pool.matrix(), campaign.belief

    # the best plan of two trials, whose second may depend on the first, with the weights on a grid
    node, mass = np.polynomial.hermite_e.hermegauss(60)
    z = np.array(np.meshgrid(node, node)).reshape(2, -1).T
    weight = np.multiply.outer(mass, mass).ravel() / mass.sum() ** 2
    success = core.LOGIT.probability((belief.mean + z @ np.linalg.cholesky(belief.cov).T) @ X.T)  # (3600, 3)

    def value(known: np.ndarray, trials: int) -> float:
        """Of the best plan, times the probability of the outcomes that `known` is weighted by."""
        if not trials:
            return float((known @ success).max())
        plans = (success[:, j] for j in range(3))
        return max(value(known * p, trials - 1) + value(known * (1 - p), trials - 1) for p in plans)

    once, twice = (value(weight, n) - value(weight, 0) for n in (1, 2))
    assert advice.value_per_trial >= once - 1e-6
    assert advice.at_least <= twice + 1e-6
    assert twice <= advice.bound + 4 * advice.bound_error
    assert advice.trials == advice.left == 2
    assert advice.at_least <= advice.up_to <= max(advice.bound, advice.at_least)


def test_advice_in_words(memory: Storage, space: Space) -> None:
    campaign = tried(space, memory, n=3, cost=0.001)
    assert campaign.advice().go_on
    assert str(campaign.advice()).endswith("worth going on.")
    assert "even perfect knowledge" in str(campaign.advice(cost=0.9))
    assert not campaign.advice(cost=0.9).go_on
    middle = campaign.advice(cost=min(campaign.advice().value_per_trial * 1.1, 0.99))
    assert not middle.go_on
    assert middle.words.startswith("stop: the best next trial is worth")
    for row in range(32):
        campaign.tell_new(row, 400 if row == 5 else 3, of=400)
    sure = Campaign.create("sure", Space.grid(a=["x", "y"]), storage=memory, seed=1)
    sure.tell_new(0, 990, of=1000)
    sure.tell_new(1, 10, of=1000)
    assert str(sure.advice()).startswith("stop: 10 more trials are expected to add nothing, at best.")


def test_costs_choose_by_value_per_cost(memory: Storage) -> None:
    space = Space.grid(power=[1, 2, 3, 4], price=[1, 5])
    campaign = Campaign.create("dear", space, formula="power", cost="price", seed=3, storage=memory)
    assert campaign.ask().levels["price"] == 1
    listed = Campaign.create("listed", space, cost=[9.0] * 7 + [1.0], seed=3, storage=memory)
    assert listed.ask().alternative == 7
    assert Campaign.open("listed", memory).spec.costs.tolist() == [9.0] * 7 + [1.0]


def test_a_batch_takes_itself_into_account(memory: Storage, space: Space) -> None:
    campaign = Campaign.create("batch", space, seed=6, storage=memory)
    batch = campaign.ask_batch(4)
    assert [t.number for t in batch] == [1, 2, 3, 4]
    assert len({t.alternative for t in batch}) == 4
    many = campaign.ask_batch(4)  # eight pending: sampled
    assert many[-1].number == 8
    assert campaign.why(8).pending == 7
    with pytest.raises(InvalidInput, match="got 8 and 94 asked for at once: ask for fewer, or tell or withdraw some"):
        campaign.ask_batch(94)


@pytest.mark.parametrize("objective", ["offline", "online"])
def test_the_same_seed_suggests_the_same(memory: Storage, space: Space, objective: str) -> None:
    made = [
        Campaign.create(f"{seed} {i}", space, objective=objective, seed=seed, storage=memory)
        for i, seed in enumerate((1, 1, 2, 3, 4))
    ]
    asked = [[c.ask().alternative for _ in range(2)] for c in made]
    assert asked[0] == asked[1]
    assert len({tuple(a) for a in asked}) > 1


def test_numbers_for_people() -> None:
    assert [percent(p) for p in (0.0, 1.0, 0.123, 0.0049, 0.00011)] == ["0 %", "100 %", "12 %", "0.5 %", "<0.1 %"]
    assert [percent(p) for p in (0.9991, 0.9994, 0.99951, 1 - 1e-12)] == ["99.9 %", "99.9 %", ">99.9 %", ">99.9 %"]
    assert percents(0.00011, 0.99999) == "0-100 %"
    assert [points(g) for g in (0.0, 0.123, -0.002, 0.00004, 0.0006, 1e-9, -0.0001)] == [
        "0 points",
        "+12.3 points",
        "-0.2 points",
        "<0.1 points",
        "+0.1 points",
        "0 points",
        ">-0.1 points",
    ]
    for p in np.random.default_rng(3).beta(0.2, 0.2, 500):
        for text in (percent(p), percents(p, p), points(p), points(-p), added(p / 2, p)):
            assert all(len(number) <= 1 for number in re.findall(r"\.(\d+)", text)), text


def test_moments_are_written_as_people_do_by_the_local_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        now = datetime(2026, 11, 18, 1, 0, tzinfo=UTC)  # 10 o'clock in Tokyo
        assert when("2026-11-17T23:30:00.123456Z", now) == "today 08:30"
        assert when("2026-11-17T13:30:00+00:00", now) == "yesterday 22:30"
        assert when("2026-11-01T00:05:00+00:00", now) == "1 Nov 09:05"
        assert when("2025-11-18T00:05:00+00:00", now) == "18 Nov 2025"
    finally:
        monkeypatch.undo()
        time.tzset()


def test_without_outcomes_nothing_is_known_and_with_failures_alone_nothing_has_worked(memory: Storage) -> None:
    campaign = Campaign.create("new", Space.grid(power=[8, 10], catalyst=["Fe", "Co"]), seed=1, storage=memory)
    best = campaign.best()
    assert (best.known, best.outcomes, best.to_dict()["known"]) == ("nothing", 0, "nothing")
    assert str(best) == "Nothing is known yet: no trial has an outcome. Begin with ask()."
    assert str(campaign.advice()).startswith("10 trials are expected to add")  # not "more"
    trial = campaign.ask()
    assert "trial 1 is waiting for its outcome. Tell it with tell(1, ...)." in str(campaign.best())
    campaign.tell(trial, 0)
    assert campaign.best().known == "only failures"
    assert str(campaign.best()).startswith("Nothing has worked yet. The likeliest to work is power")
    assert str(replace(campaign.best(), chance_best=0.01, better_by=0.2)).count("likeliest") == 1
    campaign.tell_new(0, 1)
    assert campaign.best().known == "outcomes"
    assert str(campaign.best()).startswith("Choose ")
    next_one = Campaign.create("next", campaign.spec.pool.space, prior=campaign.posterior(), seed=1, storage=memory)
    assert next_one.best().known == "earlier campaign"
    assert str(next_one.best()).startswith("Choose ")


def test_what_worked_is_preferred_to_its_untried_twin(memory: Storage) -> None:
    space = Space.grid(batch=["a", "b", "c"], power=[1, 2])
    campaign = Campaign.create("twins", space, formula="power", seed=1, storage=memory)  # batch says nothing
    worked = space.find({"batch": "c", "power": 2})
    campaign.tell_new(worked, 1)
    campaign.tell_new({"batch": "b", "power": 2}, 0)
    for _ in range(3):
        campaign.tell_new(worked, 1)
    p = core.predictive(campaign.belief, campaign.spec.pool.matrix())
    assert (p == p.max()).sum() == 3
    best = campaign.best()
    assert best.alternative == worked
    assert best.not_most_successful is None


def test_stop_does_not_contradict_that_another_is_better(memory: Storage) -> None:
    """Many that were tried so often that none can be much better, and trials that can't find out which is."""
    space = Space.grid(a=["x", "y"], b=[f"b{i}" for i in range(25)])
    campaign = Campaign.create("many", space, shape="straight", budget=1, seed=1, storage=memory)
    for row in range(50):
        campaign.tell_new(row, 160 if space.row(row)["a"] == "y" else 60, of=200)
    best, advice = campaign.best(), campaign.advice()
    assert best.chance_best < 0.05
    assert 0.0 < best.better_by == advice.bound
    assert "another is probably better" in best.sureness
    assert not advice.go_on
    assert str(advice).endswith("at best. A better one would hardly be found by it.")
    campaign.tell(campaign.ask(), 0)
    assert campaign.best().chance_best < 0.05
    assert str(campaign.advice()).startswith("stop: the budget is used up, before the best of all was found.")


def test_a_heading_never_counts_beyond_the_budget(memory: Storage, space: Space) -> None:
    campaign = Campaign.create("over", space, budget=2, seed=1, storage=memory)
    for row in range(3):
        campaign.tell_new(row, 1)
    headings = [campaign.ask(beyond_budget=True).heading for _ in range(3)]
    assert headings == ["Trial 4 (1 of 2)", "Trial 5 (2 of 2)", "Trial 6 (beyond the budget of 2)"]
    assert "3 trials asked, 1 beyond the budget of 2, 3 pending; success in 3 of 3 tries" in str(campaign.status())


def test_why_does_not_claim_that_a_trial_teaches_most_where_none_teaches_anything(memory: Storage) -> None:
    equal = Campaign.create("equal", Space.grid(a=["x", "y", "z"]), seed=1, storage=memory)
    equal.ask()
    said = str(equal.why())
    assert "teach most" not in said
    assert said.endswith("All alternatives were as good to try; this one was drawn.")
    sure = Campaign.create("sure", Space.grid(a=["x", "y"]), storage=memory, seed=1)
    sure.tell_new(0, 9990, of=10000)
    sure.tell_new(1, 10, of=10000)
    sure.ask()
    assert "teach most" not in str(sure.why())
    assert "value 0 points" in str(sure.why())
