"""Checks of the parameters of policies and stopping rules, when they are made: the rule, the value, the fix."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any

from sureshot.errors import InvalidInput, unknown_name
from sureshot.policies.named import Named
from sureshot.schema import LARGEST, shown

__all__ = ["MOST_DRAWS", "choice", "flag", "number", "whole"]

#: Draws of the weights, each of which is looked at for every alternative at once.
MOST_DRAWS = 10_000


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
    if isinstance(value, kind) and value > LARGEST:
        high = min(high, LARGEST)  # larger ones can't be kept
    if not isinstance(value, kind) or isinstance(value, bool) or not low <= value <= high:
        limits = f"between {low:g} and {high:g}" if high < math.inf else f"of at least {low:g}"
        raise _refused(of, name, f"{words} {limits}")


def _refused(of: Named, name: str, rule: str) -> InvalidInput:
    text, value = f"`{name}` of {of.called} {of.name!r} must be {rule}", getattr(of, name)
    got = shown(value) if isinstance(value, int) and value > LARGEST else value
    return InvalidInput(text, got=got, fix="leave it out for the default")
