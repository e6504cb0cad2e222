"""One registry of policies: by name, with parameters; a policy of your own is one more entry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sureshot.policies.named import Registry
from sureshot.policies.policy import Policy
from sureshot.policies.rules.bald import Bald
from sureshot.policies.rules.disc import Disc
from sureshot.policies.rules.draw_then_kg import DrawThenKg
from sureshot.policies.rules.epsilon_greedy import EpsilonGreedy
from sureshot.policies.rules.expected_improvement import ExpectedImprovement
from sureshot.policies.rules.glm_ucb import GlmUcb
from sureshot.policies.rules.greedy import Greedy
from sureshot.policies.rules.information_directed import InformationDirected
from sureshot.policies.rules.kg import Kg
from sureshot.policies.rules.kg_exact import KgExact
from sureshot.policies.rules.kg_star import KgStar
from sureshot.policies.rules.max_value_entropy import MaxValueEntropy
from sureshot.policies.rules.most_uncertain import MostUncertain
from sureshot.policies.rules.online_kg import OnlineKg
from sureshot.policies.rules.random import Random
from sureshot.policies.rules.thompson import Thompson
from sureshot.policies.rules.top_two_thompson import TopTwoThompson
from sureshot.policies.rules.ucb import Ucb

__all__ = ["POLICIES", "default_policy", "get_policy", "policy_of", "register_policy", "written"]

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
        KgStar,
        DrawThenKg,
        OnlineKg,
    )
}

_REGISTRY: Registry[Policy] = Registry(Policy, POLICIES, field="policy", example="kg", in_a_line="ucb alpha=2")


def default_policy(*, grid: bool) -> str:
    """What decides where nobody named a policy (:data:`~sureshot.policies.named.AUTO`): over a grid KG(*); over a table
    of candidates ``draw-then-kg``, since which candidates somebody put into a table says where things are expected to
    work. docs/default.md has the measurements.

    >>> default_policy(grid=True), default_policy(grid=False)
    ('kg-star', 'draw-then-kg')
    """
    return "kg-star" if grid else "draw-then-kg"


def get_policy(name: str, **given: Any) -> Policy:
    """The policy of that name, with its parameters; those not given are the defaults. It may be your own
    (:mod:`sureshot.plugins`).

    >>> get_policy("thompson", scale=2.0)
    Thompson(scale=2.0)
    """
    return _REGISTRY.made(name, given)


def policy_of(given: str | Mapping[str, Any] | Policy, *, default: str | None = None) -> Policy:
    """The policy that somebody means: one that is made already, its name, its name and parameters in one line, or a
    mapping of both. With a ``default``, ``"auto"`` stands for it.

    >>> policy_of("ucb alpha=2"), policy_of({"name": "thompson", "scale": 0.5})
    (Ucb(alpha=2), Thompson(scale=0.5))
    """
    return _REGISTRY.of(given, default=default)


def written(policy: Policy) -> dict[str, Any]:
    """A policy as JSON and TOML hold it: its name and all its parameters. :func:`policy_of` reads it.

    >>> written(get_policy("thompson"))
    {'name': 'thompson', 'scale': 1.0}
    """
    return _REGISTRY.written(policy)


def register_policy(kind: type[Policy]) -> type[Policy]:
    """Make a policy of your own known by its name; may be used as a decorator."""
    return _REGISTRY.register(kind)
