"""Nothing that only failed is recommended while something else worked, unless the answer says why in numbers."""

from __future__ import annotations

from sureshot import core
from sureshot.campaign import Campaign
from sureshot.campaign.answers.wording import percent
from sureshot.space import Actions, Space
from sureshot.storage import Storage


def test_what_worked_may_lie_outside_the_pool(memory: Storage) -> None:
    space = Space.grid(T=[100, 120, 140, 160, 180, 200])
    made = Campaign.create("hot", space, shape="straight", seed=1, storage=memory)
    for _ in range(3):
        made.tell_new({"T": 260}, 2, of=2)
        made.tell_new({"T": 20}, 0, of=2)
    assert made.best().label == "T 200"
    assert made.best().not_most_successful is None  # never tried, and T 260 can't be chosen
    made.tell_new(5, "failure")
    best = made.best()
    assert (best.label, best.successes, best.of) == ("T 200", 0, 1)
    there = float(core.predictive(made.belief, made.spec.pool.design.matrix([{"T": 260}]))[0])
    assert best.not_most_successful == (
        f"It failed in its only try, but from all trials together its chance is {percent(best.probability)}; of those "
        f"that worked, the best is T 260 (6 of 6), which is not among the alternatives and whose chance is "
        f"{percent(there)}."
    )


def test_what_worked_in_the_pool_comes_before_what_worked_outside(memory: Storage) -> None:
    space = Space.grid(T=[100, 120, 140, 160, 180, 200])
    made = Campaign.create("hot", space, shape="straight", seed=1, storage=memory)
    made.tell_new({"T": 260}, 6, of=6)
    made.tell_new({"T": 20}, 0, of=6)
    made.tell_new(3, "success")
    made.tell_new(5, "failure")
    assert made.best().label == "T 200"
    assert "of those that worked, the best is T 160 (1 of 1), whose chance is" in str(made.best())


def desk(memory: Storage) -> Campaign:
    """Drug a works for the young; b failed in six cases, all different."""
    made = Campaign.create(
        "desk", Actions(drug=["a", "b", "c"]), context={"age": (18, 90)}, shape="straight", seed=1, storage=memory
    )
    for k in range(14):
        made.tell_new("a", 1, context={"age": 20 + k})
    for k in range(6):
        made.tell_new("b", 0, context={"age": 40 + k})
        made.tell_new("a", 0, context={"age": 80 - k})
    return made


def test_an_action_that_failed_in_every_case_so_far(memory: Storage) -> None:
    made = desk(memory)
    best = made.best({"age": 90})
    assert (best.label, best.successes, best.of) == ("drug b", 0, 6)
    a = float(core.predictive(made.belief, made.spec.pool.matrix({"age": 90}))[0])
    assert best.not_most_successful == (
        f"It failed in all 6 tries of its own over all cases, but from all trials together its chance here is "
        f"{percent(best.probability)}; of those that worked, the best here is drug a (14 of 20 over all cases), whose "
        f"chance is {percent(a)}."
    )
    assert made.best({"age": 20}).not_most_successful is None  # a, which works


def test_an_action_that_failed_in_this_case_while_another_worked_in_it(memory: Storage) -> None:
    made = desk(memory)
    made.tell_new("a", 0, context={"age": 25})
    assert made.best({"age": 25}).not_most_successful is None  # it worked as well
    made.tell_new("a", 0, context={"age": 33.5})
    assert made.best({"age": 33.5}).not_most_successful is None  # nothing worked in this very case
    made.tell_new("c", 1, context={"age": 20.5})
    made.tell_new("a", 0, context={"age": 20.5})
    best = made.best({"age": 20.5})
    assert best.label == "drug a"
    assert "It failed in its only try in this case, but from all trials" in str(best)
    assert "of those that worked in it, the best is drug c (1 of 1), whose chance is" in str(best)
