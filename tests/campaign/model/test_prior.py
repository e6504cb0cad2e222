"""Priors: chosen by evidence, given, or what an earlier campaign came to believe."""

from __future__ import annotations

import json

import numpy as np
import pytest

from sureshot import core
from sureshot.campaign import Campaign, belief_to_dict
from sureshot.core import auto_prior
from sureshot.errors import InvalidInput
from sureshot.space import Actions, Space, begin
from sureshot.storage import Storage

OUTCOMES = [(3, 1), (17, 0), (3, 0), (30, 1), (8, 1), (21, 0)]


def test_a_chain_of_campaigns_is_nearly_one_long_one(memory: Storage, space: Space) -> None:
    options = {"prior": 0.5, "link": "cloglog", "storage": memory, "seed": 1}
    long = Campaign.create("long", space, **options)
    first = Campaign.create("first", space, **options)
    for row, y in OUTCOMES:
        long.tell_new(row, y)
    for row, y in OUTCOMES[:4]:
        first.tell_new(row, y)
    kept = json.loads(json.dumps(first.posterior()))
    second = Campaign.create("second", space, prior=kept, seed=1, storage=memory)
    assert second.spec.link == "cloglog"
    assert second.spec.prior_given == "posterior of first"
    for row, y in OUTCOMES[4:]:
        second.tell_new(row, y)
    chance = core.predictive(second.belief, second.spec.pool.matrix())  # in two goes, each fitted together: nearly so
    np.testing.assert_allclose(chance, core.predictive(long.belief, long.spec.pool.matrix()), atol=0.05)


def test_a_chain_from_a_mixture(memory: Storage, space: Space) -> None:
    long = Campaign.create("long", space, seed=1, storage=memory)
    first = Campaign.create("first", space, seed=1, storage=memory)
    for row, y in OUTCOMES:
        long.tell_new(row, y)
        first.tell_new(row, y)
    second = Campaign.create("second", space, prior=first.posterior(), seed=1, storage=memory)
    for made in (long, second):
        made.tell_new(5, 3, of=7)
    np.testing.assert_allclose(second.belief.weights, long.belief.weights, atol=0.02)
    assert second.best().probability == pytest.approx(long.best().probability, abs=0.02)


def test_another_pool_keeps_the_features_of_the_prior(memory: Storage, space: Space) -> None:
    first = Campaign.create("first", space, seed=1, storage=memory)
    first.tell_new(3, 1)
    wider = Space.grid(power=[6, 8, 16], ethylene=[5, 50], catalyst=["Co", "Fe"])
    second = Campaign.create("second", wider, prior=first.posterior(), storage=memory)
    assert second.spec.pool.design.to_dict() == first.spec.pool.design.to_dict()
    row = wider.find(power=8, ethylene=50, catalyst="Fe")
    x = first.spec.pool.design.matrix(wider.row(row))
    chance = core.predictive(second.belief, second.spec.pool.matrix()[[row]])
    assert chance == pytest.approx(core.predictive(first.belief, x), abs=1e-12)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"space": Space.grid(power=[8, 10])},
            "what campaign 'first' learned about power, ethylene, catalyst, got the parameters power: give this",
        ),
        (
            {"space": Space.grid(power=[8], ethylene=[10], catalyst=["Fe", "Ni"])},
            "the prior knows catalyst as Fe, Co, and nothing of Ni: leave that out, or leave `prior` out",
        ),
        (
            {"space": Space.grid(power=["a", "b"], ethylene=[10], catalyst=["Fe"])},
            "the prior knows power as a number, got a category",
        ),
        (
            {"space": Space.grid(power=[8], ethylene="10,20 slm", catalyst=["Fe"])},
            "the prior knows ethylene as a number in sccm, got a number in slm",
        ),
        ({"formula": "power"}, "with no formula, got 'power'"),
        ({"shape": "curved"}, "a shape and the prior of an earlier campaign both say what the features are"),
        ({"link": "probit"}, "learned with link='logit'"),
        ({"context": {"age": (1, 2)}}, "no contexts"),
    ],
)
def test_a_prior_that_does_not_fit(memory: Storage, space: Space, change: dict[str, object], message: str) -> None:
    first = Campaign.create("first", space, seed=1, storage=memory)
    with pytest.raises(InvalidInput, match=message):
        Campaign.create(**{"name": "second", "space": space, "prior": first.posterior(), "storage": memory, **change})
    assert len(memory.campaigns()) == 1


def test_a_contextual_prior(memory: Storage) -> None:
    first = Campaign.create("first", Actions(["a", "b"]), context={"age": (1, 9)}, seed=1, storage=memory)
    first.tell_new(0, 1, context={"age": 3})
    options = {"prior": first.posterior(), "storage": memory}
    second = Campaign.create("second", Actions(["a", "b"]), context={"age": (1, 9)}, **options)
    assert second.best({"age": 4}).probability == first.best({"age": 4}).probability
    with pytest.raises(InvalidInput, match="the contexts age: leave `prior` out, or make this one like it"):
        Campaign.create("third", Actions(["a", "b"]), **options)
    with pytest.raises(InvalidInput, match="contexts age, got weight"):
        Campaign.create("third", Actions(["a", "b"]), context={"weight": (1, 9)}, **options)


def test_the_default_does_not_depend_on_how_many_features_there_are() -> None:
    rng = np.random.default_rng(1)
    spread = []
    for d in (3, 30):
        X = np.column_stack([np.ones(4000), rng.standard_normal((4000, d - 1))])
        spread.append([b.moments(X)[1].mean() for b in auto_prior(d).beliefs])
    np.testing.assert_allclose(spread[0], spread[1], rtol=0.1)
    assert auto_prior(1).beliefs[0].variance == pytest.approx(1 / 0.3)
    assert len(auto_prior(1).beliefs) == 1
    assert auto_prior(3, intercept=False).beliefs[2].variance == pytest.approx([1 / 3] * 3)
    assert auto_prior(2, link="probit").beliefs[0].link is core.PROBIT


def test_the_prior_in_the_store_is_the_one_used(memory: Storage, space: Space) -> None:
    made = Campaign.create("kept", space, seed=1, storage=memory)
    stored = memory.campaign("kept").spec["prior"]
    assert stored["given"] == "auto"
    _, _, own = begin(space)
    assert belief_to_dict(own) == {k: stored[k] for k in ("beliefs", "log_weights")}
    assert belief_to_dict(Campaign.open(storage=memory).spec.prior) == belief_to_dict(made.spec.prior)


def test_a_formula_without_a_constant(memory: Storage, space: Space) -> None:
    made = Campaign.create("bare", space, formula="power + ethylene - 1", seed=1, storage=memory)
    assert made.belief.d == 2
    assert made.ask().number == 1
