"""Checks of a policy's parameters, at construction: the rule, the value, before anything is computed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Integral, Real

from sureshot.errors import InvalidInput, unknown_name

__all__ = ["choice", "flag", "number", "whole"]

_FIX = "leave it out for the default"


def number(policy: object, name: str, *, low: float = -math.inf, high: float = math.inf) -> None:
    """The parameter is a finite number in [low, high]."""
    value = getattr(policy, name)
    fine = isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)
    if not (fine and low <= float(value) <= high):
        raise InvalidInput(
            f"`{name}` of policy {_of(policy)} must be a finite number{_range(low, high)}", got=value, fix=_FIX
        )


def whole(policy: object, name: str, *, low: int, high: float = math.inf) -> None:
    """The parameter is a whole number in [low, high]."""
    value = getattr(policy, name)
    fine = isinstance(value, Integral) and not isinstance(value, bool)
    if not (fine and low <= int(value) <= high):
        raise InvalidInput(
            f"`{name}` of policy {_of(policy)} must be a whole number{_range(low, high)}", got=value, fix=_FIX
        )


def flag(policy: object, name: str) -> None:
    """The parameter is True or False."""
    value = getattr(policy, name)
    if not isinstance(value, bool):
        raise InvalidInput(f"`{name}` of policy {_of(policy)} must be true or false", got=value, fix=_FIX)


def choice(policy: object, name: str, choices: Sequence[str]) -> None:
    """The parameter is one of the words."""
    value = getattr(policy, name)
    if value not in choices:
        raise unknown_name(f"`{name}` of policy {_of(policy)}", value, choices)


def _of(policy: object) -> str:
    return repr(getattr(policy, "name", type(policy).__name__))


def _range(low: float, high: float) -> str:
    if high < math.inf:
        return f" between {low:g} and {high:g}"
    return f" of at least {low:g}" if low > -math.inf else ""
