"""One registry of policies: by name, with parameters; a policy of your own is one more entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, cast

from sureshot.errors import InvalidInput, unknown_name
from sureshot.policies.bald import Bald
from sureshot.policies.disc import Disc
from sureshot.policies.epsilon_greedy import EpsilonGreedy
from sureshot.policies.expected_improvement import ExpectedImprovement
from sureshot.policies.glm_ucb import GlmUcb
from sureshot.policies.greedy import Greedy
from sureshot.policies.information_directed import InformationDirected
from sureshot.policies.kg import Kg
from sureshot.policies.kg_careful import KgCareful
from sureshot.policies.kg_exact import KgExact
from sureshot.policies.kg_several import KgSeveral
from sureshot.policies.kg_star import KgStar
from sureshot.policies.max_value_entropy import MaxValueEntropy
from sureshot.policies.most_uncertain import MostUncertain
from sureshot.policies.online_kg import OnlineKg
from sureshot.policies.policy import Policy
from sureshot.policies.random import Random
from sureshot.policies.thompson import Thompson
from sureshot.policies.top_two_thompson import TopTwoThompson
from sureshot.policies.ucb import Ucb

__all__ = ["POLICIES", "get_policy", "parameters", "register_policy"]

#: Every known policy by name, in the order in which the docs list them.
POLICIES: dict[str, type[Policy]] = {
    one.name: one
    for one in (
        Random,
        Greedy,
        EpsilonGreedy,
        MostUncertain,
        Disc,
        ExpectedImprovement,
        Thompson,
        TopTwoThompson,
        Ucb,
        GlmUcb,
        InformationDirected,
        Bald,
        MaxValueEntropy,
        Kg,
        KgExact,
        KgSeveral,
        KgStar,
        KgCareful,
        OnlineKg,
    )
}


def get_policy(name: str, **given: Any) -> Policy:
    """The policy of that name, with its parameters; those not given are the defaults.

    >>> get_policy("thompson", scale=2.0)
    Thompson(scale=2.0)
    """
    if name not in POLICIES:
        raise unknown_name("policy", name, POLICIES)
    kind = POLICIES[name]
    known = parameters(kind)
    for key in given:
        if key not in known:
            if not known:
                raise InvalidInput(f"policy {name!r} has no parameters, got {key!r}.")
            raise unknown_name(f"parameter of policy {name!r}", key, known)
    return kind(**given)


def parameters(kind: type[Policy]) -> Mapping[str, object]:
    """The parameters of a policy and their defaults.

    >>> parameters(Thompson)
    {'scale': 1.0}
    """
    return {one.name: None if one.default is MISSING else one.default for one in fields(cast(Any, kind))}


def register_policy(kind: type[Policy]) -> type[Policy]:
    """Make a policy of your own known by its name; may be used as a decorator."""
    if kind.name in POLICIES:
        raise InvalidInput(f"a policy named {kind.name!r} is already known: choose another name.")
    POLICIES[kind.name] = kind
    return kind
