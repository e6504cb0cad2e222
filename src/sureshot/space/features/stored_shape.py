"""What a stored shape must be: its axes, its parts, and the numbers that give their features."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from math import prod
from typing import Any, get_args

from sureshot.schema import (
    TEXT,
    by_name,
    different,
    listed,
    matrix,
    named_values,
    number,
    numbers,
    one_of,
    record,
    row,
    whole,
    wrong,
)
from sureshot.space.features.sizes import SHAPES, PartKind
from sureshot.space.features.stored import INPUT, SCALE, check_inputs

__all__ = ["check_shape"]

#: Over what part of a range a curve keeps its course; beyond these ends nothing bends, or nothing is like another.
_LENGTH = number(least=1e-6, most=1e6)
_STEPS = numbers(least=0.0, most=1.0)
#: What turns likeness to the knots into features: the inverse roots of what is at least a ten-thousandth of it.
_TURN = 1e12

_AXIS = record(
    {
        "input": INPUT,
        "centre": number(),
        "scale": SCALE,
        "values": numbers(),
        "steps": _STEPS,
        "knots": _STEPS,
        "turn": matrix(most=_TURN),
        "length": _LENGTH,
        "shared": number(least=0.0, below=1.0),
    }
)
_MARKS = record(
    {
        "places": matrix(most=_TURN),
        "reach": _LENGTH,
        "nugget": number(least=0.0, most=1.0),
        "residue": number(least=0.0, most=1.0),
    }
)
_SHAPE = record(
    {
        "shape": one_of(SHAPES),
        "axes": listed(_AXIS, least=1),
        "contexts": listed(TEXT),
        "parts": listed(row(one_of(get_args(PartKind)), listed(TEXT), whole(0), whole(1)), least=1),
        "centre": numbers(),
        "scale": listed(SCALE),
        "landmarks": named_values(_MARKS, one_of(("near", "far", "together"))),
        "notes": listed(TEXT),
    }
)


def check_shape(stored: Mapping[str, Any], at: str) -> None:
    """Refuse what no shape of the present version has written."""
    _SHAPE(stored, at)
    axes, marks = stored["axes"], stored["landmarks"]
    check_inputs([axis["input"] for axis in axes], f"{at}.axes")
    named = {axis["input"]["name"]: axis for axis in axes}
    different(stored["contexts"], f"{at}.contexts", "names")
    for i, name in enumerate(stored["contexts"]):
        by_name(f"{at}.contexts[{i}]", name, named, "axes")
    for i, axis in enumerate(axes):
        _check_axis(axis, f"{at}.axes[{i}]")
    for kind, one in marks.items():
        matrix(len(axes))(one["places"], f"{at}.landmarks.{kind}.places")
    end = 0
    for i, (kind, of, start, stop) in enumerate(stored["parts"]):
        path = f"{at}.parts[{i}]"
        for k, name in enumerate(of):
            by_name(f"{path}[1][{k}]", name, named, "axes")
        if start != end:
            raise wrong(f"{path}[2]", f"must be where the part before it ends, {end}", start)
        size = _size(kind, [named[name] for name in of], marks, path)
        if stop - start != size:
            raise wrong(f"{path}[3]", f"must be {start + size}, for a part of {size}", stop)
        end = stop
    if stored["parts"][0][0] != "constant":
        raise wrong(f"{at}.parts[0][0]", "must be 'constant'", stored["parts"][0][0])
    for name in ("centre", "scale"):
        if len(stored[name]) != end:
            raise wrong(f"{at}.{name}", f"must have a number for each of {end} features", stored[name])


def _check_axis(axis: Mapping[str, Any], at: str) -> None:
    kind, values, steps, knots = axis["input"]["kind"], axis["values"], axis["steps"], axis["knots"]
    if kind == "category" and not axis["input"]["levels"]:
        raise wrong(f"{at}.input.levels", "must be a list of at least 1", [])
    if len(values) != len(steps) or (kind == "number" and not values):
        raise wrong(f"{at}.steps", f"must be as many as the values, {len(values)}, and at least 1", steps)
    for name, ascending in (("values", values), ("steps", steps)):
        if any(a >= b for a, b in pairwise(ascending)):
            raise wrong(f"{at}.{name}", "must ascend", ascending)
    if len(axis["turn"]) != len(knots):
        raise wrong(f"{at}.turn", f"must have a row for each of {len(knots)} knots", axis["turn"])


def _size(kind: str, of: list[Mapping[str, Any]], marks: Mapping[str, Any], path: str) -> int:
    """How many features a part must have."""
    wanted = {"constant": 0, "slope": 1, "level": 1, "curve": 1, "product": 2}
    if kind in wanted and len(of) != wanted[kind]:
        raise wrong(f"{path}[1]", f"must name {wanted[kind]} axes for a part {kind!r}", of)
    kinds = [axis["input"]["kind"] for axis in of]
    if (kind in ("slope", "curve") and kinds != ["number"]) or (kind == "level" and kinds == ["number"]):
        raise wrong(f"{path}[1]", f"must name an axis that has a {kind}", kinds[0])
    if kind == "curve":
        return len(of[0]["turn"][0]) if of[0]["turn"] else 0
    if kind in ("constant", "middle"):
        return 1
    if kind in wanted:
        return prod(_width(axis) for axis in of)
    by_name(f"{path}[0]", kind, marks, "landmarks")
    return len(marks[kind]["places"])


def _width(axis: Mapping[str, Any]) -> int:
    """How many features an axis has where it is straight."""
    return {"number": 1, "boolean": 2}.get(axis["input"]["kind"], len(axis["input"]["levels"]))
