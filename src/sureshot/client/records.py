"""What a server sent, as the records that a campaign in this process gives; and tables, as they are sent."""

from __future__ import annotations

import math
import types
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from sureshot.campaign.answers.cases import Choices
from sureshot.campaign.answers.predictions import Predictions, levels_of
from sureshot.campaign.model.spec import Spec
from sureshot.campaign.settings import Settings
from sureshot.errors import InvalidInput
from sureshot.space.tables.cells import is_null
from sureshot.space.tables.frames import is_frame, is_other_frame
from sureshot.space.tables.read import cells_in

__all__ = ["read_choices", "read_predictions", "read_record", "sent_cell", "sent_rows", "sent_table"]

T = TypeVar("T")


def read_record(record: type[T], found: Mapping[str, Any]) -> T:
    """A record from its fields, by name. What a newer server says besides is passed over.

    >>> from sureshot.campaign import Prospect
    >>> read_record(Prospect, {"alternative": 3, "label": "power 14", "probability": 0.5, "words": "..."})
    Prospect(alternative=3, label='power 14', probability=0.5)
    """
    hints = _hints(record)  # type: ignore[arg-type]  # a class can be hashed
    return record(**{name: _value(hint, found[name]) for name, hint in hints.items() if name in found})


@cache
def _hints(record: Hashable) -> dict[str, Any]:
    hints = get_type_hints(record)
    return {one.name: hints[one.name] for one in fields(record) if one.init}  # type: ignore[arg-type]


def _value(hint: Any, found: Any) -> Any:
    if found is None:
        return None
    origin, inner = get_origin(hint), [one for one in get_args(hint) if one is not type(None)]
    if origin in (Union, types.UnionType):
        return _value(inner[0], found) if len(inner) == 1 else found
    if origin is tuple:
        kinds = [inner[0]] * len(found) if Ellipsis in inner else inner
        return tuple(_value(kind, one) for kind, one in zip(kinds, found, strict=True))
    return read_record(hint, found) if is_dataclass(hint) and isinstance(hint, type) else found


def read_predictions(spec: Spec, found: Mapping[str, Any], *, offset: int = 0) -> Predictions:
    """What is believed of alternatives, after the first ``offset`` of the pool."""
    every = found["predictions"]
    rows = np.array([-1 if one["alternative"] is None else one["alternative"] for one in every], dtype=np.intp)
    outside = {i: one["levels"] for i, one in enumerate(every) if one["alternative"] is None}
    asked = Settings(rows, outside)
    return Predictions(
        campaign=found["campaign"],
        success=found["success"],
        context=found["context"],
        total=found["total"],
        ranked=found["ranked"],
        units={one.name: one.unit for one in spec.pool.space.columns},
        alternative=rows,
        levels=levels_of(spec, asked),
        chance=_numbers(every, "chance"),
        low=_numbers(every, "low"),
        high=_numbers(every, "high"),
        value=_numbers(every, "value"),
        tries=np.array([one["tries"] for one in every], dtype=np.int64),
        successes=np.array([one["successes"] for one in every], dtype=np.int64),
        offset=offset,
        names=spec.pool.space.row_names,
        cautions=tuple(found["cautions"]),
        notes=tuple(found["notes"]),
    )


def read_choices(spec: Spec, found: Mapping[str, Any], cases: dict[str, list[object]]) -> Choices:
    """What to choose in each of the cases."""
    every = found["choices"]
    rows = np.array([one["alternative"] for one in every], dtype=np.intp)
    return Choices(
        campaign=found["campaign"],
        success=found["success"],
        cases=cases,
        contexts=[one["context"] for one in every],
        alternative=rows,
        labels=[one["label"] for one in every],
        levels={one.name: one.levels[one.codes[rows]] for one in spec.pool.space.columns},
        chance=_numbers(every, "chance"),
        low=_numbers(every, "low"),
        high=_numbers(every, "high"),
        cautions=tuple(found["cautions"]),
        notes=tuple(found["notes"]),
    )


def _numbers(every: Sequence[Mapping[str, Any]], name: str) -> Any:
    return np.array([math.nan if one[name] is None else one[name] for one in every], dtype=np.float64)


def sent_table(given: Any) -> dict[str, list[Any]]:
    """A file, a frame, columns or rows as columns of plain values, as JSON holds them."""
    table = list(given) if isinstance(given, Iterator) else given
    cells = cells_in(table)
    names = list(cells.names)
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InvalidInput(f"columns must have different names, got {twice!r} twice", fix="rename or remove one")
    return {name: [sent_cell(one) for one in cells.column(i)] for i, name in enumerate(names)}


def sent_rows(given: Any) -> Any:
    """Settings that somebody asks about, as they are sent: row numbers, names or levels, or a table."""
    if is_frame(given) or is_other_frame(given):
        return sent_table(given)
    if isinstance(given, Mapping):
        several = any(isinstance(one, list | tuple | np.ndarray) or is_frame(one) for one in given.values())
        return sent_table(given) if several else [{str(name): sent_cell(one) for name, one in given.items()}]
    listed = given.tolist() if hasattr(given, "tolist") else given
    if isinstance(listed, str) or not isinstance(listed, Sequence):
        listed = [listed]
    return [
        {str(name): sent_cell(cell) for name, cell in one.items()} if isinstance(one, Mapping) else sent_cell(one)
        for one in listed
    ]


def sent_cell(value: object) -> object:
    """One value as JSON holds it; what is missing is null."""
    item = value.item() if isinstance(value, np.generic) else value
    if is_null(item):
        return None
    return (
        item if isinstance(item, bool | int | str) or (isinstance(item, float) and math.isfinite(item)) else str(item)
    )
