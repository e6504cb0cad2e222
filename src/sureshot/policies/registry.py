"""One registry of policies: by name, with parameters; a policy of your own is one more entry.

A policy is written down as a name and parameters, in one way everywhere: ``{"name": "ucb", "alpha": 2.0}`` (as in a
study file and in a campaign's specification), or, where there is one line for it, ``ucb alpha=2``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any, cast

from sureshot.errors import InvalidInput, about, unknown_name
from sureshot.plugins import looked_up
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

__all__ = ["POLICIES", "default_policy", "get_policy", "parameters", "policy_of", "register_policy", "written"]

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


#: What stands for :func:`default_policy` where a campaign is made.
AUTO = "auto"


def default_policy(*, grid: bool) -> str:
    """What decides where nobody named a policy (:data:`AUTO`): over a grid KG(*); over a table of candidates
    ``draw-then-kg``, since which candidates somebody put into a table says where things are expected to work.
    docs/default.md has the measurements.

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
    return _made(name, given)


@about("policy", whole=True)
def policy_of(given: str | Mapping[str, Any] | Policy, *, default: str | None = None) -> Policy:
    """The policy that somebody means: one that is made already, its name, its name and parameters in one line, or a
    mapping of both. With a ``default``, ``"auto"`` stands for it.

    >>> policy_of("ucb alpha=2"), policy_of({"name": "thompson", "scale": 0.5})
    (Ucb(alpha=2), Thompson(scale=0.5))
    """
    if isinstance(given, Policy):
        if POLICIES.get(given.name) is not type(given):
            raise InvalidInput(
                f"policy {given.name!r} must be known by its name, got {given!r}",
                fix=f"register its class first, register_policy({type(given).__name__})",
            )
        return given
    if isinstance(given, str):
        first, *words = given.split() or [given]
        found: dict[str, Any] = {"name": first}
        for key, value in map(_said, words):
            if key in found:
                rule = "the name of a policy stands first" if key == "name" else "a parameter must be given once"
                raise InvalidInput(f"{rule}, got {key!r} again in {given!r}", value=key, fix="remove one")
            found[key] = value
    elif isinstance(given, Mapping) and isinstance(given.get("name"), str):
        found = dict(given)
    else:
        raise InvalidInput(
            "`policy` must be a name, a mapping with a name, or a policy", got=given, fix="write 'kg', for example"
        )
    name = found.pop("name")
    if default is not None and name == AUTO:
        if found:
            raise InvalidInput(
                f"policy {AUTO!r} has no parameters", got=next(iter(found)), fix=f"name the policy, {default!r} here"
            )
        name = default
    return _made(name, found, also=() if default is None else (AUTO,))


def _made(name: str, given: Mapping[str, Any], also: Sequence[str] = ()) -> Policy:
    """The policy of that name with these parameters; ``also`` are other words that would have been understood."""
    kind = looked_up("policy", name, POLICIES, also=also, field="policy")
    known = parameters(kind)
    for key in given:
        if key not in known:
            if not known:
                raise InvalidInput(f"policy {name!r} has no parameters, got {key!r}", value=key, fix="leave it out")
            raise unknown_name(f"parameter of policy {name!r}", key, known)
    try:
        return kind(**given)
    except TypeError as error:
        said = ", ".join(f"{key} = {value!r}" for key, value in given.items())
        rule = f"policy {name!r} can't be made with {said or 'no parameters'} ({error})"
        raise InvalidInput(rule, value=said, fix="fix its parameters") from error


def _said(word: str) -> tuple[str, Any]:
    """A parameter as it is written in a line: ``alpha=2``, ``repeats=false``, ``best=all``."""
    key, equals, value = word.partition("=")
    if not equals or not key.isidentifier():
        raise InvalidInput(
            f"a parameter of a policy must be written name=value, got {word!r}", value=word, fix="as in 'ucb alpha=2'"
        )
    import tomllib  # its patterns take a while to compile

    try:
        return key, tomllib.loads(f"it = {value}")["it"]
    except tomllib.TOMLDecodeError:
        return key, value


def written(policy: Policy) -> dict[str, Any]:
    """A policy as JSON and TOML hold it: its name and all its parameters. :func:`policy_of` reads it.

    >>> written(get_policy("thompson"))
    {'name': 'thompson', 'scale': 1.0}
    """
    found = {"name": policy.name, **{name: getattr(policy, name) for name in parameters(type(policy))}}
    for key, value in found.items():
        if not (value is None or isinstance(value, bool | int | float | str)):
            raise InvalidInput(
                f"parameter {key!r} of policy {policy.name!r} must be a number or text to be kept, got {value!r}",
                field="policy",
                value=value,
                fix="give another value",
            )
    return found


def parameters(kind: type[Policy]) -> Mapping[str, object]:
    """The parameters of a policy and their defaults.

    >>> parameters(Thompson)
    {'scale': 1.0}
    """
    return {one.name: None if one.default is MISSING else one.default for one in fields(cast(Any, kind))}


def register_policy(kind: type[Policy]) -> type[Policy]:
    """Make a policy of your own known by its name; may be used as a decorator."""
    if kind.name in POLICIES:
        raise InvalidInput(f"a policy named {kind.name!r} is already known", fix="choose another name")
    POLICIES[kind.name] = kind
    return kind
