"""No policy sees the truth: all that can be reached from what a policy gets is searched for it."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import ClassVar

import numpy as np
import pytest

from sureshot.core import Link
from sureshot.core.lookahead.pending import EXACT, SAMPLED
from sureshot.lab import BeliefRecipe, World
from sureshot.lab.play.run import Staged, play, stage, stream
from sureshot.lab.play.world import Truth
from sureshot.policies import Policy, Situation
from tests.lab.worlds.data import some_worlds

BUDGET = 10

#: Code, not data: from any function all modules can be reached, and with them everything there is.
CODE = (ModuleType, FunctionType, BuiltinFunctionType, MethodType, type, Link)


def reachable(root: object) -> Iterator[object]:
    """Every object of data behind another, by references, attributes and the bases of arrays."""
    seen, waiting = {id(root)}, [root]
    while waiting:
        one = waiting.pop()
        yield one
        behind = list(gc.get_referents(one))
        behind += list(vars(one).values()) if hasattr(one, "__dict__") else []
        behind += [getattr(one, name) for name in getattr(type(one), "__slots__", ()) if hasattr(one, name)]
        if isinstance(one, np.ndarray):
            behind += [one.base, *(one.ravel() if one.dtype == object else ())]
        for other in behind:
            if id(other) not in seen and not isinstance(other, CODE):
                seen.add(id(other))
                waiting.append(other)


@dataclass(frozen=True, eq=False)
class Spy(Policy):
    """Takes the next alternative each time, and keeps what it was given."""

    name: ClassVar[str] = "spy"
    given: list[tuple[Situation, list[object]]] = field(default_factory=list)

    def scores(self, situation: Situation, rng: np.random.Generator) -> np.ndarray:  # noqa: ARG002
        self.given.append((situation, list(reachable(situation))))
        assert situation.trials_left is not None
        found = np.zeros(len(situation.X))
        found[situation.trials_left % len(found)] = 1.0
        return found


def spied(world: World) -> tuple[Staged, list[tuple[Situation, list[object]]]]:
    staged = stage(world, seed=11, run=3, budget=BUDGET)
    spy = Spy()
    play(staged, spy, BeliefRecipe("one", prior=1.0), rng=stream(11, "spy"), budget=BUDGET)
    assert len(spy.given) >= BUDGET
    return staged, spy.given


def secrets(staged: Staged) -> dict[str, np.ndarray]:
    found = {"probability": staged.truth.probability, "uniforms": staged.uniforms}
    if staged.truth.weights is not None:
        found["weights"] = staged.truth.weights
    return found


def telling(values: np.ndarray) -> np.ndarray:
    """The numbers that can't be there by chance."""
    flat = np.unique(np.asarray(values, dtype=float))
    return flat[(flat != 0) & (flat != 1) & (flat != 0.5)]


EACH = pytest.mark.parametrize("world", some_worlds(), ids=lambda world: world.label)


@EACH
def test_nothing_true_can_be_reached(world: World) -> None:
    staged, given = spied(world)
    hidden = secrets(staged)
    numbers = {name: telling(values) for name, values in hidden.items()}
    for _, objects in given:
        assert not any(isinstance(one, (Truth, World, Staged)) for one in objects)
        arrays = [one for one in objects if isinstance(one, np.ndarray) and one.dtype.kind in "fiub"]
        assert arrays
        scalars = np.array([float(one) for one in objects if isinstance(one, float | np.floating)])
        for name, secret in hidden.items():
            assert not any(np.shares_memory(one, secret) for one in arrays), name
        for name, values in numbers.items():
            for one in (*arrays, scalars):
                assert not np.isin(np.asarray(one, dtype=float), values).any(), name


@EACH
def test_only_outcomes_that_are_known_are_told(world: World) -> None:
    """What is outstanding is imagined both ways, each as often as the other: which way it went is not told."""
    staged, given = spied(world)
    delays = staged.truth.delays
    for n in range(BUDGET):
        told = [situation for situation, _ in given if situation.trials_left == BUDGET - n]
        known = sum(t + 1 + int(delays[t]) <= n for t in range(n))
        open_ones = n - known
        assert {len(situation.rows) for situation in told} == {n}
        assert len({situation.outcomes[:known].tobytes() for situation in told}) == 1
        if open_ones <= EXACT:
            assert len({situation.outcomes[known:].tobytes() for situation in told}) == len(told) == 2**open_ones
        else:
            assert len({situation.outcomes[known:].tobytes() for situation in told}) > SAMPLED / 2


@pytest.mark.parametrize("world", [one for one in some_worlds() if "loans" in one.label], ids=lambda world: world.label)
def test_cases_that_are_still_to_come_are_not_told(world: World) -> None:
    staged, given = spied(world)
    fact = staged.truth
    for situation, objects in given:
        assert situation.trials_left is not None
        n = BUDGET - situation.trials_left
        later = np.setdiff1d(np.arange(len(fact.X)), fact.arrivals[: n + 1])
        coming = telling(fact.X[later, 0, 1:3])  # what is known of each of them: two features of the context
        for one in objects:
            if isinstance(one, np.ndarray) and one.dtype.kind == "f":
                assert not np.isin(one, coming).any()


def test_the_search_finds_what_is_hidden() -> None:
    """The test above can fail: a truth is found in an attribute, in a list, behind a view, in a slot."""
    secret = np.arange(6.0)

    class Slotted:
        __slots__ = ("kept",)

    slotted = Slotted()
    slotted.kept = secret
    for hiding in ([{"a": (secret,)}], secret[2:4], slotted, Spy(given=[(None, [secret])])):  # type: ignore[list-item]
        assert any(one is secret for one in reachable(hiding))
