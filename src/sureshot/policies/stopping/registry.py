"""One registry of stopping rules: by name, with parameters; one of your own is one more entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import is_dataclass
from typing import Any

from sureshot.errors import InvalidInput
from sureshot.policies.named import Registry
from sureshot.policies.stopping.rule import StoppingRule
from sureshot.policies.stopping.rules import GoodEnough, LittleGain, LittleRegret, NotWorthIt, Sure, Worked

__all__ = ["STOPPING_RULES", "register_stopping", "stopping_of", "written_stopping"]

#: Every known rule by name, in the order in which the docs list them.
STOPPING_RULES: dict[str, type[StoppingRule]] = {
    one.name: one for one in (LittleGain, NotWorthIt, LittleRegret, Sure, GoodEnough, Worked)
}

_REGISTRY: Registry[StoppingRule] = Registry(
    StoppingRule, STOPPING_RULES, field="stopping", example="little-gain", in_a_line="little-gain least=0.02"
)


def stopping_of(given: str | Mapping[str, Any] | StoppingRule) -> StoppingRule:
    """The rule that somebody means: one that is made already, its name, its name and parameters in one line, or a
    mapping of both.

    >>> stopping_of("sure chance=0.8"), stopping_of({"name": "worked"})
    (Sure(chance=0.8), Worked(times=3))
    """
    return _REGISTRY.of(given)


def written_stopping(rule: StoppingRule) -> dict[str, Any]:
    """A rule as JSON and TOML hold it: its name and all its parameters. :func:`stopping_of` reads it."""
    return _REGISTRY.written(rule)


def register_stopping(kind: type[StoppingRule]) -> type[StoppingRule]:
    """Make a rule of your own known by its name; may be used as a decorator."""
    named = isinstance(kind, type) and issubclass(kind, StoppingRule) and is_dataclass(kind)
    if not named or not all(isinstance(getattr(kind, one, None), str) for one in ("name", "because")):
        raise InvalidInput(
            "a stopping rule must be a dataclass that is a StoppingRule, with a `name` and a `because`",
            got=kind,
            fix="see docs/stopping.md",
        )
    return _REGISTRY.register(kind)
