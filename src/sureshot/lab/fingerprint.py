"""What made a row, written down: enough to tell whether two rows belong to one study."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from hashlib import blake2b
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from sureshot._version import __version__

if TYPE_CHECKING:
    from sureshot.lab.study import Contender, Study
    from sureshot.lab.world import World

__all__ = ["described", "difference", "fingerprint"]


def described(value: object) -> Any:
    """A value as JSON holds it; arrays and tables by their digest, functions by their name and code.

    >>> from sureshot.policies import get_policy
    >>> described(get_policy("thompson", scale=2.0))
    {'kind': 'Thompson', 'scale': 2.0}
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return {"kind": type(value).__name__} | {f.name: described(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): described(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [described(one) for one in value]
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return f"array {value.shape} {_digest(str(value.dtype).encode() + np.ascontiguousarray(value).tobytes())}"
    if hasattr(value, "to_csv"):
        return f"table {_digest(value.to_csv().encode())}"
    if isinstance(value, FunctionType):
        code = value.__code__
        around = described([value.__defaults__, *(cell.cell_contents for cell in value.__closure__ or ())])
        return f"function {value.__qualname__} {_digest(code.co_code + repr((_constants(code), around)).encode())}"
    return re.sub(r" at 0x[0-9a-f]+", "", repr(value))


def _constants(code: Any) -> list[object]:
    """The constants of a function; of those within it their code, not where it lies in memory."""
    return [(one.co_code, _constants(one)) if hasattr(one, "co_code") else one for one in code.co_consts]


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
