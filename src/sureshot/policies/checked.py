"""Checks of the parameters of policies and stopping rules, when they are made: the rule, the value, the fix."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any

from sureshot.errors import InvalidInput, unknown_name
from sureshot.policies.named import Named

__all__ = ["choice", "flag", "number", "whole"]


def number(of: Named, name: str, *, low: float, high: float = math.inf) -> None:
    """The parameter is a finite number in [low, high]."""
    _within(of, name, Real, "a finite number", low, high)


def whole(of: Named, name: str, *, low: int, high: float = math.inf) -> None:
    """The parameter is a whole number in [low, high]."""
    _within(of, name, Integral, "a whole number", low, high)


def flag(of: Named, name: str) -> None:
    """The parameter is True or False."""
    if not isinstance(getattr(of, name), bool):
        raise _refused(of, name, "true or false")


def choice(of: Named, name: str, choices: Sequence[str]) -> None:
    """The parameter is one of the words."""
    value = getattr(of, name)
    if value not in choices:
        raise unknown_name(f"`{name}` of {of.called} {of.name!r}", value, choices)


def _within(of: Named, name: str, kind: Any, words: str, low: float, high: float) -> None:
    value = getattr(of, name)
    if not isinstance(value, kind) or isinstance(value, bool) or not low <= value <= high or value == math.inf:
        limits = f"between {low:g} and {high:g}" if high < math.inf else f"of at least {low:g}"
        raise _refused(of, name, f"{words} {limits}")


def _refused(of: Named, name: str, rule: str) -> InvalidInput:
    text = f"`{name}` of {of.called} {of.name!r} must be {rule}"
    return InvalidInput(text, got=getattr(of, name), fix="leave it out for the default")
