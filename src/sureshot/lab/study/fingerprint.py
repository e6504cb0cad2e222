"""What made a row, written down: enough to tell whether two rows belong to one study."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from hashlib import blake2b
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from sureshot._version import __version__

if TYPE_CHECKING:
    from sureshot.lab.play.world import World
    from sureshot.lab.study.study import Contender, Study

__all__ = ["described", "difference", "fingerprint"]


def described(value: object, within: tuple[object, ...] = ()) -> Any:
    """A value as JSON holds it; arrays and tables by their digest, functions by name, code and what it names.

    ``within`` is what is being described: a thing that names itself is not gone into again.

    >>> from sureshot.policies import get_policy
    >>> described(get_policy("thompson", scale=2.0))
    {'kind': 'Thompson', 'scale': 2.0}
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        told = {one.name: getattr(value, one.name) for one in fields(value) if one.metadata.get("told", True)}
        return {"kind": type(value).__name__} | described(told, within)
    if isinstance(value, Mapping):
        return {str(key): described(one, within) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [described(one, within) for one in value]
    if isinstance(value, set | frozenset):
        return sorted((described(one, within) for one in value), key=repr)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return f"array {value.shape} {_digest(str(value.dtype).encode() + np.ascontiguousarray(value).tobytes())}"
    if hasattr(value, "to_csv"):
        return f"table {_digest(value.to_csv().encode())}"
    if callable(value) and not isinstance(value, type):
        return _called(value, within)
    return _without_address(value)


def _called(value: Any, within: tuple[object, ...]) -> Any:
    """What can be called: a function, a method, a function with some of its arguments, an object that acts as one."""
    if any(value is one for one in within):
        return f"{getattr(value, '__qualname__', type(value).__name__)}, itself"
    inner = (*within, value)
    if isinstance(value, FunctionType):
        closed = [cell.cell_contents for cell in value.__closure__ or ()]
        around = described([value.__defaults__, value.__kwdefaults__, *closed], inner)
        told = [_code(value.__code__), around, _outside(value, inner)]
        return f"function {value.__qualname__} {_digest(repr(told).encode())}"
    if isinstance(value, MethodType):
        return [described(value.__self__, inner), described(value.__func__, inner)]
    if isinstance(value, partial):
        return described([value.func, value.args, value.keywords], inner)
    act = type(value).__call__
    if isinstance(act, FunctionType):
        return [
            f"{type(value).__name__} object",
            described(getattr(value, "__dict__", {}), inner),
            described(act, inner),
        ]
    return _without_address(value)


def _code(code: CodeType) -> list[object]:
    """The code and its constants; of functions within it theirs, not where they lie in memory."""
    constants = [_code(one) if isinstance(one, CodeType) else described(one) for one in code.co_consts]
    return [code.co_code, code.co_names, constants]


def _outside(function: FunctionType, within: tuple[object, ...]) -> dict[str, object]:
    """What stands outside a function under the names that it uses: values, and functions of the same file."""
    found: dict[str, object] = {}
    for name in sorted(_names(function.__code__) & function.__globals__.keys()):
        value = function.__globals__[name]
        foreign = isinstance(value, FunctionType) and value.__globals__ is not function.__globals__
        if foreign or isinstance(value, type | ModuleType):
            found[name] = f"{value.__module__}.{name}" if hasattr(value, "__module__") else value.__name__
        else:
            found[name] = described(value, within)
    return found


def _names(code: CodeType) -> set[str]:
    """The names that code uses, and the code within it."""
    return set(code.co_names).union(*(_names(one) for one in code.co_consts if isinstance(one, CodeType)))


def _without_address(value: object) -> str:
    return re.sub(r" at 0x[0-9a-f]+", "", repr(value))


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=8).hexdigest()


def fingerprint(study: Study, world: World, contender: Contender) -> dict[str, Any]:
    """All that the rows of one contender in one world depend on, but for the numbers of the runs."""
    return {
        "study": study.name,
        "seed": study.seed,
        "budget": study.budget,
        "objective": study.objective,
        "max_kg": study.max_kg,
        "stopping": [{"name": one.name} | described(one) for one in study.stopping] or None,  # rows before had none
        "sureshot": __version__,
        "world": {"label": world.label} | _record(world),
        "policy": {"label": contender.label, "name": contender.policy.name} | described(contender.policy),
        "belief": described(contender.belief),
    }


def _record(world: World) -> dict[str, Any]:
    found = described(world)
    return found if isinstance(found, dict) else {"kind": type(world).__name__, "value": found}


def difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> str | None:
    """The first key of the new fingerprint at which the old one differs, in words; None if there is none.

    >>> difference({"seed": 1, "world": {"label": "a", "d": 2}}, {"seed": 1, "world": {"label": "a", "d": 3}})
    "d of world 'a' was 2, now 3"
    """
    for key in new:
        before, now = old.get(key), new[key]
        if isinstance(now, Mapping) and isinstance(before, Mapping):
            for part in {**before, **now}:
                if before.get(part) != now.get(part):
                    return f"{part} of {key} {now['label']!r} was {before.get(part)!r}, now {now.get(part)!r}"
        elif before != now:
            return f"{key} was {before!r}, now {now!r}"
    return None
