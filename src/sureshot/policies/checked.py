"""Checks of a policy's parameters, at construction: the rule, the value, before anything is computed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any

from sureshot.errors import InvalidInput, unknown_name
from sureshot.policies.policy import Policy

__all__ = ["choice", "flag", "number", "whole"]


def number(policy: Policy, name: str, *, low: float, high: float = math.inf) -> None:
    """The parameter is a finite number in [low, high]."""
    _within(policy, name, Real, "a finite number", low, high)


def whole(policy: Policy, name: str, *, low: int, high: float = math.inf) -> None:
    """The parameter is a whole number in [low, high]."""
    _within(policy, name, Integral, "a whole number", low, high)


def flag(policy: Policy, name: str) -> None:
    """The parameter is True or False."""
    if not isinstance(getattr(policy, name), bool):
        raise _refused(policy, name, "true or false")


def choice(policy: Policy, name: str, choices: Sequence[str]) -> None:
    """The parameter is one of the words."""
    value = getattr(policy, name)
    if value not in choices:
        raise unknown_name(f"`{name}` of policy {policy.name!r}", value, choices)


def _within(policy: Policy, name: str, kind: Any, words: str, low: float, high: float) -> None:
    value = getattr(policy, name)
    if not isinstance(value, kind) or isinstance(value, bool) or not low <= value <= high or value == math.inf:
        limits = f"between {low:g} and {high:g}" if high < math.inf else f"of at least {low:g}"
        raise _refused(policy, name, f"{words} {limits}")


def _refused(policy: Policy, name: str, rule: str) -> InvalidInput:
    text = f"`{name}` of policy {policy.name!r} must be {rule}"
    return InvalidInput(text, got=getattr(policy, name), fix="leave it out for the default")
