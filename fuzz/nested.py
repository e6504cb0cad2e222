"""Changes inside a JSON document, which stays one: values of other kinds and sizes, lost keys, lists that grow."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from fuzz.mutating import mutated

__all__ = ["inside"]

_VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 2, 3, 0.5, -0.0, 1e-300, 1e49, 1e154, 1e308, 2**31, 2**53, 2**63, 10**300, "", " ",
    "a", "Fe", "1", "nan", "é", "\x00", "\u202e", "x" * 300, [], {}, [[]], [0], [None], [1, 2], ["a", "b"], {"a": 1},
    {"": None}, [1.0] * 40, "2026-03-01T12:00:00.000000Z", "told", "asked", "9999-99-99", 1.5, -7,
]  # fmt: skip
#: Another number, near one or far away.
_NEAR: list[Callable[[Any], Any]] = [
    lambda x: x + 1, lambda x: x - 1, lambda x: -x, lambda x: x * 2, lambda x: x / 3, float, str, lambda x: x * 1e60,
]  # fmt: skip


def inside(data: bytes, rng: random.Random) -> bytes:
    """The document after a few such changes; bytes that are not one are changed as bytes."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return mutated(data, rng)
    for _ in range(rng.choice((1, 1, 1, 2, 2, 4))):
        found = _changed(found, rng)
    return json.dumps(found, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _changed(value: Any, rng: random.Random) -> Any:
    """The value with a change in it, or another in its place."""
    nested = isinstance(value, dict | list) and value
    if nested and rng.random() < 0.85:
        keys = list(value) if isinstance(value, dict) else range(len(value))
        at = rng.choice(keys)
        kind = rng.randrange(12)
        if kind == 0:
            del value[at]
        elif kind == 1:
            value[at] = _copy(value[rng.choice(keys)])
        elif kind == 2 and isinstance(value, list):
            value.insert(at, _copy(value[rng.choice(keys)]))
        elif kind == 3 and isinstance(value, dict):
            value[rng.choice(["", "a", "version", "name", "levels", at + "x"])] = value.pop(at)
        elif kind == 4 and isinstance(value, list):
            rng.shuffle(value)
        else:
            value[at] = _changed(value[at], rng)
        return value
    if isinstance(value, bool) or value is None:
        return rng.choice([None, True, False, rng.choice(_VALUES)])
    if isinstance(value, int | float) and rng.random() < 0.7:
        with suppress(OverflowError):  # a whole number may have more digits than a float holds
            return rng.choice(_NEAR)(value)
    if isinstance(value, str) and rng.random() < 0.5:
        return mutated(value.encode("utf-8", "surrogatepass"), rng).decode("utf-8", "replace")
    return _copy(rng.choice(_VALUES))


def _copy(value: Any) -> Any:
    return json.loads(json.dumps(value))
