"""A run is told again by hand: from the picks and the labels alone follow all other columns."""

from dataclasses import dataclass, field, fields
from typing import ClassVar

import numpy as np
import pytest

from sureshot import core
from sureshot.errors import InvalidInput
from sureshot.lab import AUTO, PAPER, BeliefRecipe, World, truth
from sureshot.lab.play.run import Rows, play, stage, stream
from sureshot.policies import Policy, get_policy, knowledge_gradient
from tests.lab.little import Fixed, Little, TwoStarts

WORLDS = [Little(), Little(d=1, cases=4), Little(drift=0.4), Little(delay=3)]
BUDGET = 8


def played(world, policy, belief=PAPER, *, seed=5, run=1, **more):
    staged = stage(world, seed=seed, run=run, budget=BUDGET)
    return staged, play(staged, policy, belief, rng=stream(seed, "policy", run), budget=BUDGET, **more)


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.label)
@pytest.mark.parametrize("recipe", [PAPER, AUTO, BeliefRecipe("probit", link="probit", method="adf", prior=0.5)])
def test_told_again_by_hand(world, recipe):
    staged, rows = played(world, get_policy("thompson"), recipe)
    fact = staged.truth
    belief = start = recipe.make(fact.X.reshape(-1, fact.X.shape[2]), intercept=True, contextual=fact.contextual)
    successes, regret = 0, 0.0
    waiting, told = [], []
    for n in range(BUDGET):
        case, pick = fact.arrivals[n], rows.pick[n]
        chance = fact.probability[min(n, len(fact.probability) - 1), case]
        y = int(staged.uniforms[pick, n] < chance[pick])
        successes, regret = successes + y, regret + chance.max() - chance[pick]
        waiting.append((fact.X[case, pick], y))
        if n >= world.delay:
            told.append(waiting.pop(0))
            belief, _ = core.observe(belief, *told[-1])
            if recipe.method == "ep":
                belief = core.fit(start, *map(np.array, zip(*told, strict=True))).belief
        later = fact.probability[min(n + 1, len(fact.probability) - 1)]
        p = np.array([core.predictive(belief, X) for X in fact.X])
        each = np.arange(len(p))
        true = later[each, p.argmax(axis=1)]
        weights = (
            belief.mean
            if isinstance(belief, core.Belief)
            else sum(w * b.mean for w, b in zip(belief.weights, belief.beliefs, strict=True))
        )
        plugged = later[each, (fact.X @ weights).argmax(axis=1)]
        best = later.max(axis=1)
        assert (rows.outcome[n], rows.successes[n]) == (y, successes)
        kept = [rows.regret[n], rows.oc[n], rows.oc_plugin[n], rows.predicted[n], rows.true[n], rows.found_best[n]]
        expected = [regret, (best - true).mean(), (best - plugged).mean(), p.max(axis=1).mean(), true.mean()]
        np.testing.assert_allclose(kept, [*expected, (true == best).mean()], atol=1e-12)


def test_labels_and_truth_belong_to_the_world_and_the_run():
    first, again = (stage(Little(), seed=1, run=7, budget=BUDGET) for _ in range(2))
    np.testing.assert_array_equal(first.truth.probability, again.truth.probability)
    np.testing.assert_array_equal(first.uniforms, again.uniforms)
    for other in (
        stage(Little(), seed=2, run=7, budget=BUDGET),
        stage(Little(), seed=1, run=8, budget=BUDGET),
        stage(Little(d=3), seed=1, run=7, budget=BUDGET),
    ):
        assert not np.array_equal(first.uniforms, other.uniforms)
        assert not np.array_equal(first.truth.probability, other.truth.probability)


def test_labels_follow_the_truth():
    staged, rows = zip(*(played(Little(), Fixed(3), run=run) for run in range(1, 301)), strict=True)
    chance = np.array([one.truth.probability[0, 0, 3] for one in staged])
    spread = np.sqrt((chance * (1 - chance)).sum() * BUDGET)
    assert abs(sum(one.successes[-1] for one in rows) - BUDGET * chance.sum()) < 4 * spread


def test_streams_differ_by_every_name():
    drawn = {stream(*key).random() for key in [(1, "a"), (2, "a"), (1, "b"), (1, "a", 1), (1, "a", "b"), (1, "ab")]}
    assert len(drawn) == 6


def test_starts_are_random_and_counted():
    runs = [played(Little(), TwoStarts(), run=run)[1] for run in range(20)]
    assert all(rows.pick[2:].tolist() == [0] * (BUDGET - 2) for rows in runs)
    assert len({int(rows.pick[0]) for rows in runs}) > 5
    assert np.isfinite(runs[0].oc).all()


def test_the_largest_knowledge_gradient_of_the_kg_family():
    staged, rows = played(Little(), get_policy("kg-exact"), max_kg=False)
    belief, X = PAPER.make(staged.truth.X[0], intercept=True), staged.truth.X[0]
    for n in range(BUDGET):
        assert rows.max_kg[n] == pytest.approx(knowledge_gradient(belief, X).max(), abs=1e-12)
        belief, _ = core.observe(belief, X[rows.pick[n]], int(rows.outcome[n]))


@pytest.mark.parametrize(
    ("name", "objective"), [("random", "offline"), ("thompson", "offline"), ("kg-exact", "online")]
)
def test_the_largest_knowledge_gradient_of_others_only_when_asked_for(name, objective):
    _, rows = played(Little(), get_policy(name), objective=objective)
    assert np.isnan(rows.max_kg).all()
    staged, asked = played(Little(), get_policy(name), objective=objective, max_kg=True)
    np.testing.assert_array_equal(asked.pick, rows.pick)  # asking changes nothing else
    first = knowledge_gradient(PAPER.make(staged.truth.X[0], intercept=True), staged.truth.X[0]).max()
    assert asked.max_kg[0] == pytest.approx(first, abs=1e-12)
    assert np.isfinite(asked.max_kg).all()


@pytest.mark.parametrize("world", WORLDS[1:], ids=lambda world: world.label)
def test_the_largest_knowledge_gradient_in_every_kind_of_world(world):
    _, rows = played(world, get_policy("random"), max_kg=True)
    assert (rows.max_kg >= 0).all()
    assert rows.max_kg.max() > 0


@dataclass(frozen=True)
class Spy(Policy):
    """Keeps what it is shown, and does its worst with it."""

    seen: list = field(default_factory=list)
    name: ClassVar[str] = "spy"

    def scores(self, situation, rng):
        self.seen.append(situation)
        for one in fields(situation):
            value = getattr(situation, one.name)
            if isinstance(value, np.ndarray) and value.flags.writeable:
                value[...] = 0
        return rng.random(len(situation.X))


def reachable(value, depth=4):
    """All arrays that a policy could get at from a value, the buffers behind them too."""
    if isinstance(value, np.ndarray):
        yield value
        if value.base is not None and depth:
            yield from reachable(value.base, depth - 1)
    elif hasattr(value, "__dataclass_fields__") and depth:
        for one in fields(value):
            yield from reachable(getattr(value, one.name), depth - 1)
    elif isinstance(value, tuple | list):
        for one in value:
            yield from reachable(one, depth)


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.label)
def test_a_policy_sees_no_truth_and_can_spoil_nothing(world):
    spy = Spy()
    staged, rows = played(world, spy)
    hidden = [staged.truth.probability, staged.uniforms]
    for situation in spy.seen:
        for array in reachable(situation):
            assert not any(np.shares_memory(array, secret) for secret in hidden)
            numbers = array[np.isfinite(array)] if array.dtype.kind == "f" else array
            assert not np.isin(staged.uniforms, numbers).any()
            assert not np.isin(staged.truth.probability, numbers).any()
    _, again = played(world, get_policy("random"))
    np.testing.assert_array_equal(stage(world, seed=5, run=1, budget=BUDGET).truth.X, staged.truth.X)
    assert rows.outcome.shape == again.outcome.shape == (BUDGET,)


def test_a_world_with_a_feature_that_is_no_number_is_refused():
    class Broken(World):
        label = "broken"

        def draw(self, rng, budget):  # noqa: ARG002
            return truth(np.array([[1.0, np.nan]]), np.array([0.5]), budget=budget)

    with pytest.raises(InvalidInput, match=r"must be finite, got X\[0, 1\]=nan"):
        stage(Broken(), seed=1, run=1, budget=2)


def test_columns_have_their_types():
    _, rows = played(Little(), get_policy("random"))
    kinds = {one.name: getattr(rows, one.name).dtype.kind for one in fields(Rows)}
    assert {name for name, kind in kinds.items() if kind == "i"} == {"pick", "outcome", "successes"}
    assert (rows.seconds > 0).all()
