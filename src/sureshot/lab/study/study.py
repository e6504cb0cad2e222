"""A study: worlds x contenders x runs, each run with a budget of trials, all from one seed.

A contender is a policy with the belief that it learns by. What a study *is* stands here; how it is computed in
:mod:`sureshot.lab.study.runner`, how it is written down in :mod:`sureshot.lab.study.study_file`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import get_args

from sureshot.cards import card
from sureshot.errors import InvalidInput, unknown_name
from sureshot.lab.limits import MOST_RUNS, MOST_TRIALS
from sureshot.lab.play.beliefs import AUTO, BeliefRecipe
from sureshot.lab.play.world import World
from sureshot.lab.study.fingerprint import described
from sureshot.policies import Objective, Policy, policy_of
from sureshot.policies.named import Named, parameters
from sureshot.policies.stopping import StoppingRule, stopping_of
from sureshot.said import Setting

__all__ = ["Contender", "Study", "contenders", "label_of"]


@dataclass(frozen=True)
class Contender:
    """A policy and the belief that it learns by. Without a label it is called by its name and what is not default.

    >>> from sureshot.policies import get_policy
    >>> Contender(get_policy("thompson", scale=2.0), AUTO).label
    'thompson scale=2'
    """

    policy: Policy
    belief: BeliefRecipe = AUTO
    label: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.policy, Policy):
            raise InvalidInput("`policy` must be a policy", got=self.policy, fix="get_policy('kg') makes one")
        if not isinstance(self.label, str):
            raise InvalidInput("`label` of a policy must be text", got=self.label)
        object.__setattr__(self, "label", self.label.strip() or label_of(self.policy))


def label_of(policy: Named) -> str:
    """The name of a policy or a stopping rule, and those of its parameters that are not the default."""
    default = parameters(type(policy))
    given = {name: getattr(policy, name) for name in default}
    odd = [f"{name}={_short(one)}" for name, one in given.items() if described(one) != described(default[name])]
    return " ".join([policy.name, *odd])


def _short(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(described(value))


def contenders(
    policies: Iterable[str | Policy | tuple[str, Policy]], beliefs: Iterable[BeliefRecipe] = (AUTO,)
) -> tuple[Contender, ...]:
    """Every policy with every belief; a policy is a name (with parameters, ``"ucb alpha=2"``), a policy, or a
    pair of a label and a policy.

    >>> from sureshot.policies import get_policy
    >>> [one.label for one in contenders(["kg", get_policy("thompson", scale=2.0), ("TS", get_policy("thompson"))])]
    ['kg', 'thompson scale=2', 'TS']
    """
    made = []
    recipes = tuple(beliefs)
    for one in policies:
        label, policy = one if isinstance(one, tuple) else ("", one)
        chosen = policy_of(policy) if isinstance(policy, str) else policy
        made += [Contender(chosen, belief, label) for belief in recipes]
    return tuple(made)


@dataclass(frozen=True)
class Study:
    """What is to be compared, and how often.

    The runs of a study are numbered from 1. Truth and labels of a run depend on the seed, the world's label and the
    run's number alone, a contender's draws also on its labels: more runs, worlds or contenders leave the others as
    they were.

    A run is always played to the end of its budget. Stopping rules, given by name or made, are asked after each trial:
    what is recorded is where each would have ended the run, so that what it saves and what it loses can be told.
    """

    name: str
    worlds: tuple[World, ...]
    contenders: tuple[Contender, ...]
    seed: int = field(default=1, kw_only=True)
    runs: int = field(default=100, kw_only=True)
    budget: int = field(default=30, kw_only=True)
    objective: Objective = field(default="offline", kw_only=True)
    stopping: tuple[StoppingRule, ...] = field(default=(), kw_only=True)  # when would each of them have ended a run?
    max_kg: bool = field(default=False, kw_only=True)  # compute the exact knowledge gradient before every trial

    def __post_init__(self) -> None:
        object.__setattr__(self, "worlds", tuple(self.worlds))
        object.__setattr__(self, "contenders", tuple(self.contenders))
        named = isinstance(self.name, str) and self.name.strip() == self.name != ""
        if not named or any(c in self.name for c in "/\\\0") or self.name.startswith("."):
            raise InvalidInput(
                "`name` of a study must be a name that a folder can have", got=self.name, fix="use letters and digits"
            )
        for key, least, most in (("seed", 0, math.inf), ("runs", 1, MOST_RUNS), ("budget", 1, MOST_TRIALS)):
            value = getattr(self, key)
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
                within = f"of at least {least}" if most == math.inf else f"between {least} and {most:,}"
                raise InvalidInput(f"`{key}` must be a whole number {within}", got=Setting(key, value))
        if self.objective not in get_args(Objective):
            raise unknown_name("objective", self.objective, get_args(Objective))
        if not isinstance(self.max_kg, bool):
            raise InvalidInput("`max_kg` must be true or false", got=Setting("max_kg", self.max_kg))
        if not self.worlds or not self.contenders:
            raise InvalidInput("a study must have at least one world and one contender: add what is missing.")
        _kinds("worlds", self.worlds, World, "get_world('synthetic', d=3) makes one")
        _kinds("contenders", self.contenders, Contender, "contenders(['kg', 'random']) makes some")
        object.__setattr__(self, "stopping", tuple(stopping_of(one) for one in self.stopping))
        _once(
            "stopping rule", [label_of(one) for one in self.stopping], "give one of them another parameter, or drop it"
        )
        if self.stopping and self.objective == "online":
            raise InvalidInput("`stopping` is for the offline objective: online every trial counts for itself.")
        _once("world", [world.label for world in self.worlds], "give one of them another parameter, or drop it")
        _once("policy/belief", [f"{c.label}/{c.belief.label}" for c in self.contenders], "give one another label")
        _one_meaning("belief", [(one.belief.label, one.belief) for one in self.contenders])
        _one_meaning("policy", [(one.label, one.policy) for one in self.contenders])
        for one in self.contenders:
            if not getattr(one.policy.abilities, self.objective):
                raise InvalidInput(
                    f"policy {one.label!r} can't deal with objective {self.objective!r}: leave it out, or change one."
                )

    def _repr_html_(self) -> str:
        sizes = ((len(self.worlds), "world"), (len(self.contenders), "contender"), (self.runs, "run"))
        size = " x ".join(f"{n:,} {noun}{'s' * (n != 1)}" for n, noun in sizes)
        return card(
            f"Study {self.name}",
            [f"{size}, a budget of {self.budget}, {self.objective}, seed {self.seed}"],
            rows=[
                ("worlds", ", ".join(world.label for world in self.worlds)),
                ("contenders", ", ".join(f"{one.label}/{one.belief.label}" for one in self.contenders)),
            ],
        )


def _kinds(key: str, given: tuple[object, ...], kind: type, fix: str) -> None:
    for one in given:
        if not isinstance(one, kind):
            raise InvalidInput(f"`{key}` of a study must be of type {kind.__name__}", got=one, fix=fix)


def _once(kind: str, labels: list[str], fix: str) -> None:
    for label, times in Counter(labels).items():
        if times > 1:
            raise InvalidInput(f"each {kind} must occur once in a study, got {label!r} {times} times: {fix}.")


def _one_meaning(kind: str, pairs: list[tuple[str, object]]) -> None:
    meant = {label: described(value) for label, value in pairs}
    for label, value in pairs:
        if described(value) != meant[label]:
            raise InvalidInput(f"a label must mean one {kind}, got {label!r} for two of them: rename one.")
