"""Whether to go on: costs in money, trials ahead, and rules that end a campaign."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from sureshot import Campaign, Space
from sureshot.errors import Conflict, InvalidInput, UnknownName
from sureshot.space import Actions
from sureshot.storage import Storage

PAIR = Space.grid(gas=["Ar", "N2"])


def known(storage: Storage, name: str = "oven", **options: Any) -> Campaign:
    """Ar works, N2 does not: nothing is left to learn."""
    made = Campaign.create(name, PAIR, seed=1, storage=storage, **options)
    made.tell_new({"gas": "Ar"}, 18, of=20)
    made.tell_new({"gas": "N2"}, 1, of=20)
    return made


def open_yet(storage: Storage, name: str = "open", **options: Any) -> Campaign:
    made = Campaign.create(name, PAIR, seed=1, storage=storage, **options)
    made.tell_new({"gas": "Ar"}, 1)
    return made


def test_a_cost_in_money_is_the_share_of_what_a_success_is_worth(memory: Storage) -> None:
    money = open_yet(memory, cost=50, worth=20_000)
    share = open_yet(memory, "share", cost=0.0025)
    told, same = money.advice(), share.advice()
    assert told.cost == same.cost == 0.0025
    assert (told.go_on, told.value_per_trial, told.bound) == (same.go_on, same.value_per_trial, same.bound)
    assert "costs 50 (0.2 points)" in told.words  # 0.25, rounded to even
    assert money.advice(cost=100).cost == 0.005
    dear = money.advice(cost=19_000)
    assert not dear.go_on
    assert "and one trial costs 19,000 (95.0 points)" in dear.words


def test_costs_of_a_column_are_in_the_unit_of_the_worth(memory: Storage) -> None:
    space = Space.grid(gas=["Ar", "N2"], price=[10, 400])
    made = Campaign.create("priced", space, cost="price", worth=20_000, seed=1, storage=memory)
    assert made.spec.cost == 1 / 20_000
    made.tell_new({"gas": "Ar", "price": 10}, 1)
    assert made.advice().go_on


def test_costs_that_differ_are_each_weighed_with_what_is_learned_for_them(memory: Storage) -> None:
    """As if each were the only cost: the same price for all is the same advice."""
    plain = open_yet(memory, cost=50, worth=20_000).advice()
    column = open_yet(memory, "column", cost=[50, 50], worth=20_000).advice()
    assert (column.go_on, column.words, column.cost) == (plain.go_on, plain.words, plain.cost)
    dear = open_yet(memory, "dear", cost=[19_000, 50], worth=20_000)
    assert dear.advice().go_on
    assert dear.advice().cost == 0.0025
    by_rule = open_yet(memory, "rule", cost=[19_000, 50], worth=20_000, stopping="not-worth-it")
    assert by_rule.ask().alternative == 1
    none = open_yet(memory, "none", cost=[19_000, 18_000], worth=20_000)
    assert none.advice().words.endswith("and one trial costs 18,000 (90.0 points).")
    assert none.advice(cost=50).words == plain.words
    with pytest.raises(Conflict, match="no next trial is expected to add what it costs"):
        open_yet(memory, "end", cost=18_000, worth=20_000, stopping="not-worth-it").ask()


def test_a_rule_looks_as_far_ahead_as_it_always_does(memory: Storage) -> None:
    made = open_yet(memory, stopping="little-gain")
    least = made.advice(trials=1).up_to
    between = open_yet(memory, "between", stopping=f"little-gain least={(least + made.advice().up_to) / 2}")
    assert between.advice(trials=1).go_on
    assert between.advice(trials=1).trials == 1
    assert between.ask().number == 2


def test_a_rule_and_a_worth_can_be_taken_off(memory: Storage) -> None:
    made = known(memory, cost=50, worth=20_000, stopping="worked times=4")
    free = Campaign.create_from("free", made, stopping="none", cost=None, storage=memory)
    assert (free.spec.stopping, free.spec.worth, free.spec.cost) == (None, None, None)


def test_an_earlier_campaign_may_have_learned_enough(memory: Storage) -> None:
    learned = known(memory).posterior()
    made = Campaign.create("next", PAIR, prior=learned, stopping="sure", storage=memory)
    assert not made.advice().go_on
    with pytest.raises(Conflict, match="says stop"):
        made.ask()


def test_trials_ahead(memory: Storage) -> None:
    made = open_yet(memory, budget=30)
    five, ten = made.advice(trials=5), made.advice()
    assert (five.trials, ten.trials, made.advice(trials=99).trials) == (5, 10, 30)
    assert five.words.startswith("5 more trials are expected to add")
    assert 0.0 < five.one_more <= five.at_least <= ten.at_least <= ten.bound + 4 * ten.bound_error
    assert five.chance_best == made.best().chance_best
    assert json.dumps(five.to_dict())
    assert [what for what, _ in five.numbers][1] == "5 trials together"


@pytest.mark.parametrize(
    "bad", [{"trials": 0}, {"trials": 2.5}, {"cost": 0}, {"cost": 1}, {"cost": True}, {"cost": "1"}]
)
def test_bad_input_to_advice(memory: Storage, bad: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        open_yet(memory).advice(**bad)


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({"worth": 100}, "`worth` is set against what trials cost"),
        ({"cost": 5, "worth": 0}, "`worth` must be a number above 0"),
        ({"cost": 5, "worth": "much"}, "`worth` must be a number above 0"),
        ({"cost": 5, "worth": float("inf")}, "`worth` must be a number above 0"),
        ({"cost": 5, "worth": 4}, "`cost` must be above 0 and below what a success is worth, 4, got 5"),
        ({"cost": 5}, "give `worth` too if it is money"),
        ({"stopping": "sure", "objective": "online"}, "`stopping` is for campaigns that end in one choice, and online"),
        ({"stopping": "shure"}, "Did you mean 'sure'"),
    ],
)
def test_a_campaign_that_can_t_be_weighed_is_refused(memory: Storage, given: dict[str, Any], wrong: str) -> None:
    with pytest.raises((InvalidInput, UnknownName), match=wrong) as caught:
        Campaign.create("oven", PAIR, storage=memory, **given)
    assert caught.value.field in given
    assert memory.campaigns() == ()


def test_a_rule_needs_one_choice(memory: Storage) -> None:
    with pytest.raises(InvalidInput, match="with contexts every case is another choice"):
        Campaign.create("desk", Actions(["a", "b"]), context={"age": (18, 90)}, stopping="sure", storage=memory)


# -- rules that end a campaign


def test_a_stopping_rule_ends_a_campaign_and_may_be_overruled(memory: Storage) -> None:
    made = known(memory, stopping="sure chance=0.8")
    before = made.last_event()
    with pytest.raises(Conflict, match="the stopping rule 'sure' says stop, since the choice is very likely") as said:
        made.ask()
    assert said.value.field == "stopping"
    assert "beyond_budget=True" in str(said.value)
    assert made.last_event() == before
    advice = made.advice()
    assert not advice.go_on
    assert advice.rule == "sure"
    assert advice.words.startswith("stop: the choice is very likely the best of all (rule sure). 10 more trials are")
    assert made.ask(beyond_budget=True).number == 3
    assert "stopping rule sure chance=0.8" in str(made.status())
    assert made.status().stopping == {"name": "sure", "chance": 0.8}


def test_it_asks_as_long_as_the_rule_says_go_on(memory: Storage) -> None:
    made = open_yet(memory, stopping="sure chance=0.99")
    assert made.ask().number == 2
    assert made.advice().words.endswith("; the rule sure does not say stop yet.")
    nothing = Campaign.create("nothing", PAIR, stopping="little-regret most=0.01", storage=memory)
    assert nothing.ask().number == 1


def test_advice_and_ask_agree_after_every_outcome(memory: Storage) -> None:
    made = Campaign.create("sim", Space.grid(power=[8, 10, 12, 14]), stopping="little-gain", seed=3, storage=memory)
    nature, ended = np.random.default_rng(5), False
    for _ in range(60):
        if not made.advice().go_on:
            ended = True
            with pytest.raises(Conflict, match="little-gain"):
                made.ask()
            break
        trial = made.ask()
        made.tell(trial, bool(nature.random() < (0.9 if trial.levels["power"] == 12 else 0.1)))
    assert ended


def test_a_function_is_run_until_the_rule_says_stop(memory: Storage) -> None:
    made = Campaign.create("sim", PAIR, budget=40, stopping="worked times=2", seed=1, storage=memory)
    rows = made.run(lambda levels: levels["gas"] == "Ar")
    assert 2 <= len(rows) < 40
    assert made.run(lambda _: 1) == ()


def test_a_model_that_does_not_fit_ends_nothing(memory: Storage) -> None:
    bent = Space.grid(power=[1, 2, 3, 4, 5])
    made = Campaign.create("bent", bent, shape="straight", stopping="little-regret most=1", seed=1, storage=memory)
    made.tell_new({"power": 3}, 30, of=30)
    for power in (1, 5):
        made.tell_new({"power": power}, 0, of=30)
    advice = made.advice()
    assert advice.cautions
    assert advice.go_on
    assert advice.words.startswith("don't leave it at this yet")
    assert made.ask().number == 4


def test_what_it_is_made_with_is_kept_and_carried_on(memory: Storage) -> None:
    made = known(memory, cost=50, worth=20_000, stopping="worked times=4")
    there = Campaign.open("oven", memory)
    assert (there.spec.worth, there.spec.written_stopping) == (20_000.0, {"name": "worked", "times": 4})
    assert there.spec.to_dict() == made.spec.to_dict()
    other = Campaign.create_from("other", there, stopping="sure", storage=memory)
    assert (other.spec.worth, other.spec.cost) == (20_000.0, made.spec.cost)
    assert other.spec.written_stopping == {"name": "sure", "chance": 0.9}
    free = Campaign.create_from("free", there, stopping=None, storage=memory)
    assert free.spec.stopping is None
    assert free.ask().number == 3
    again = Campaign.import_export(made.export(), as_name="again", storage=memory)
    assert again.spec.to_dict() == made.spec.to_dict()
    with pytest.raises(Conflict, match=r"stopping \(there worked times=4, here none\)"):
        Campaign.open_or_create("oven", PAIR, stopping=None, storage=memory)
    with pytest.raises(Conflict, match=r"worth \(there 20000.0, here 10000.0\)"):
        Campaign.open_or_create("oven", PAIR, cost=25, worth=10_000, storage=memory)


def test_a_rule_that_is_not_known_here_is_said_when_it_is_needed(memory: Storage) -> None:
    made = known(memory, stopping="sure")
    kept = made.spec.to_dict() | {"stopping": {"name": "mine", "x": 1}}
    memory.create_campaign("theirs", kept, seed=1)
    there = Campaign.open("theirs", memory)
    assert there.status().stopping == {"name": "mine", "x": 1}
    with pytest.raises(UnknownName, match="this campaign stops by the stopping rule 'mine', which is not known here"):
        there.ask()
    assert str(there.advice()).endswith("(Its stopping rule 'mine' is not known here, and was not asked.)")
