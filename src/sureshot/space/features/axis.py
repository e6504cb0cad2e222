"""A parameter as a belief lays it out: how far apart its values are, and what bends over them.

The levels that a person writes down say what scale matters: 1, 2, 4, 8 hours are three equal steps, not one short and
two long ones. So a number bends over its *steps*: 0 at its lowest level, 1 at its highest, equal from one level to the
next. A table of candidates has no levels, and a step there is the share of its rows that lie below.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from sureshot.core.numerics.stable import Array
from sureshot.space.features.design import CONSTANT, Input
from sureshot.space.tables.column import Column, plain

__all__ = ["LENGTH", "Axis", "axis_of", "row_by_row"]

#: Over how much of its range a curve keeps its course: at this distance (in steps) two scores still have a correlation
#: of 0.6. A third of the range: one optimum inside, or two, but not a saw. For new axes:
#: those that are kept say their own.
LENGTH = 0.35
#: What two levels of a category have of their scores in common, in a belief that takes all parameters together.
SHARED = 0.5
#: A number with more levels than this is read as one that could take any value.
FEW_LEVELS = 12
#: Knots of a curve, at most: with this length ten describe every curve to a thousandth.
KNOTS = 10
#: Values that say where a number with many levels stands.
QUANTILES = 33
#: Directions of a curve with less than this share of its variance are left out.
_NEGLIGIBLE = 1e-4


@dataclass(frozen=True, slots=True, eq=False)
class Axis:
    """One parameter. A number has ``values`` and their ``steps``, between which it is interpolated."""

    input: Input
    centre: float  # of a number's slope
    scale: float
    values: Array  # ascending
    steps: Array  # from 0 to 1
    knots: Array  # (k,) steps at which the curve is laid out
    turn: Array  # (k, r): kernel with the knots -> features of the curve
    length: float = LENGTH  # of the curve
    shared: float = SHARED  # by two levels

    @property
    def name(self) -> str:
        """The name of the parameter."""
        return self.input.name

    @property
    def is_number(self) -> bool:
        """Whether it can have a slope and bend."""
        return self.input.kind == "number"

    @property
    def width(self) -> int:
        """How many features it has where it is straight: one slope, or one for each level."""
        return {"number": 1, "boolean": 2}.get(self.input.kind, len(self.input.levels))

    def place(self, column: Column) -> Array:
        """Where each row stands: the step of a number, the code of a level."""
        if not self.is_number:
            return np.asarray(column.codes, dtype=np.float64)
        return np.interp(column.numbers(), self.values, self.steps)

    def straight(self, column: Column) -> Array:
        """The slope of a number, standardised, (n, 1); for a category one column a level."""
        if self.is_number:
            return ((column.numbers() - self.centre) / self.scale)[:, None]
        return np.asarray(np.eye(self.width)[column.codes])

    def curve(self, place: Array) -> Array:
        """What is smooth over the steps of a number, (n, r)."""
        return row_by_row(alike(place, self.knots, self.length), self.turn)

    def kernel(self, a: Array, b: Array, length: float) -> Array:
        """How alike the scores at two places are, in a belief that takes all parameters together, (n, m)."""
        if self.is_number:
            return alike(a, b, length)
        return np.where(a[:, None] == b[None, :], 1.0, self.shared)

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        own = {one.name: getattr(self, one.name) for one in fields(self)} | {"input": self.input.to_dict()}
        return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in own.items()}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Axis:
        """The axis that :meth:`to_dict` wrote."""
        knots = np.array(stored["knots"], dtype=np.float64)
        return cls(
            input=Input.from_dict(stored["input"]),
            centre=float(stored["centre"]),
            scale=float(stored["scale"]),
            values=np.array(stored["values"], dtype=np.float64),
            steps=np.array(stored["steps"], dtype=np.float64),
            knots=knots,
            turn=np.array(stored["turn"], dtype=np.float64) if len(knots) else np.empty((0, 0)),
            length=float(stored["length"]),
            shared=float(stored["shared"]),
        )


def alike(a: Array, b: Array, length: float) -> Array:
    """The correlation of smooth scores at two places: exp(-distance²/2 length²), (n, m)."""
    return np.asarray(np.exp(-0.5 * ((a[:, None] - b[None, :]) / length) ** 2))


def row_by_row(a: Array, b: Array) -> Array:
    """``a @ b``, each row to the same bit whatever rows stand beside it: BLAS takes other sums for the last rows of a
    batch, and a setting must have one row of features wherever it is met.
    """
    return np.asarray(np.einsum("ij,jk->ik", a, b))


def axis_of(column: Column) -> Axis:
    """The axis of a column of the pool."""
    levels = tuple(map(plain, column.levels)) if column.kind == "category" else ()
    given = Input(column.name, column.kind, column.unit, levels)
    none = np.empty(0)
    flat = Axis(input=given, centre=0.0, scale=1.0, values=none, steps=none, knots=none, turn=np.empty((0, 0)))
    if column.kind != "number":
        return flat
    numbers = column.numbers()
    centre, scale = float(numbers.mean()), float(numbers.std())
    if scale <= CONSTANT * max(abs(centre), np.finfo(float).tiny):
        return replace(flat, centre=centre, values=np.array([centre]), steps=np.zeros(1))
    values, counts = np.unique(numbers, return_counts=True)
    few = len(values) <= FEW_LEVELS
    steps = np.arange(float(len(values))) if few else np.cumsum(counts) - 0.5 * counts
    steps = (steps - steps[0]) / (steps[-1] - steps[0])
    if len(values) > QUANTILES:
        at = np.unique(np.searchsorted(steps, np.linspace(0.0, 1.0, QUANTILES)))
        values, steps = values[at], steps[at]
    knots = steps if few and len(steps) <= KNOTS else np.linspace(0.0, 1.0, KNOTS)
    return Axis(input=given, centre=centre, scale=scale, values=values, steps=steps, knots=knots, turn=_turn(knots))


def _turn(knots: Array) -> Array:
    """Features of a smooth score: k(·, knots) times this, whose products are the kernel again."""
    size, directions = np.linalg.eigh(alike(knots, knots, LENGTH))
    kept = size > _NEGLIGIBLE * size.sum()
    turned = (directions[:, kept] / np.sqrt(size[kept]))[:, ::-1]
    return np.ascontiguousarray(turned)  # laid out as when it is read again: sums are the same to the last bit
