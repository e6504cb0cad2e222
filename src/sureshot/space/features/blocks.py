"""The numbers of each block of a formula on the rows of a table, from a recipe of plain numbers.

What a block learns from the pool (the recurrence of an orthogonal polynomial, the knots of a spline, a mean) is
learned with formulaic's transforms once, stored as numbers, and evaluated here with NumPy ever after: a stored
campaign rebuilds the same features without formulaic, on any version.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput
from sureshot.space.language.evaluate import Lookup, number
from sureshot.space.language.expression import parse_arithmetic
from sureshot.space.language.formula import Block
from sureshot.space.tables.column import Value, plain, show
from sureshot.space.tables.table import Table

__all__ = ["TrainedBlock", "train"]

#: How large a feature may be: its square, summed over a pool, is still a float.
HUGE = 1e150


@dataclass(frozen=True, slots=True)
class TrainedBlock(Block):
    """A block and what it learned from the pool."""

    numbers: tuple[tuple[float, ...], ...] = ()  # centre and scale; alpha and norms of poly; knots of bs
    levels: tuple[Value, ...] = ()

    def part_name(self, part: int, *, reduced: bool) -> str:
        """The name of one of its columns, as formulaic would write it: ``poly(t, 2)[1]``, ``catalyst[T.Co]``."""
        if self.kind == "levels":
            return f"{self.name}[{'T.' if reduced else ''}{show(self.levels[part])}]"
        return self.name if self.width == 1 and self.kind not in ("poly", "bs") else f"{self.name}[{part + 1}]"

    def values(self, lookup: Lookup, rows: slice, n: int) -> Array:
        """(n, width) numbers; for levels, 0 and 1."""
        if self.kind == "levels":
            column = lookup(self.of)
            dummies: Array = (column.codes[rows][:, None] == np.arange(self.width)).astype(np.float64)
            return dummies
        x = number(parse_arithmetic(self.of), lookup, rows, n)
        if self.kind in ("center", "scale"):
            ((centre, scale),) = self.numbers
            return ((x - centre) / scale)[:, None]
        if self.kind == "poly" and self.raw:
            return np.power.outer(x, np.arange(1, self.degree + 1, dtype=np.float64))
        if self.kind == "poly":
            return _poly(x, np.array(self.numbers[0]), np.array(self.numbers[1]))
        return _spline(x, np.array(self.numbers[0]), self.degree) if self.kind == "bs" else x[:, None]

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {**asdict(self), "numbers": [list(row) for row in self.numbers], "levels": list(self.levels)}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> TrainedBlock:
        """The block that :meth:`to_dict` wrote, which was checked (:mod:`sureshot.space.features.stored`)."""
        rows = tuple(tuple(float(x) for x in row) for row in stored["numbers"])
        known = {one.name: stored[one.name] for one in fields(cls) if one.name in stored}
        return cls(**{**known, "numbers": rows, "levels": tuple(stored["levels"])})


def train(block: Block, table: Table) -> TrainedBlock:
    """Learn from the pool what a block needs to know."""
    if block.kind == "levels":
        levels = tuple(plain(level) for level in table.column(block.of).levels)
        return TrainedBlock(**asdict(block), levels=levels)
    x = number(parse_arithmetic(block.of), table.column, slice(None), len(table))
    refuse_infinite(x[:, None], [block.of], table, 0)
    return TrainedBlock(**asdict(block), numbers=_learned(block, x))


def refuse_infinite(values: NDArray[Any], names: list[str], table: Table, start: int) -> None:
    """Name the row and the term that is infinite or NaN, or so large that its square is, with the cells behind it."""
    bad = ~(np.abs(values) <= HUGE)
    if not bad.any():
        return
    row, part = (int(i) for i in np.argwhere(bad)[0])
    words = set(re.findall(r"\w+", names[part]))
    cells = ", ".join(column.label(start + row) for column in table.columns if column.name in words)
    rule = f"at most {HUGE:g} in size" if np.isfinite(values[row, part]) else "finite"
    raise InvalidInput(
        f"{names[part]} must be {rule}, got {values[row, part]} ({cells})",
        fix="use another transform (log1p for counts that may be 0), or remove the row",
        place=table.place(start + row),
    )


def _learned(block: Block, x: Array) -> tuple[tuple[float, ...], ...]:
    if block.kind == "number" or block.raw:
        return ()
    from formulaic.transforms import TRANSFORMS

    state: dict[str, Any] = {}
    if block.kind in ("center", "scale"):
        if block.kind == "scale" and not np.ptp(x) > 0:
            raise InvalidInput(
                f"{block.name} must have different values in the pool, got only {show(float(x[0]))}", fix="leave it out"
            )
        TRANSFORMS[block.kind](x, _state=state)
        return ((float(state["center"]), float(state["scale"]) if block.kind == "scale" else 1.0),)
    different = len(np.unique(x))
    if different <= block.degree:
        many = f"at least {block.degree + 1} different values in the pool, got {different}"
        rule = many if different > 1 else f"different values in the pool, got only {show(float(x[0]))}"
        fix = f"lower the degree to {different - 1}" if different > 1 else "leave it out"
        raise InvalidInput(f"{block.name} must have {rule}", fix=fix)
    if block.kind == "poly":
        TRANSFORMS["poly"](x, block.degree, _state=state)
        alpha, norms = state["alpha"], state["norms2"]
        return (
            tuple(float(alpha[k]) for k in range(block.degree)),
            tuple(float(norms[k]) for k in range(block.degree + 1)),
        )
    TRANSFORMS["bs"](x, df=block.width, degree=block.degree, _state=state)
    return (tuple(map(float, state["knots"])),)


def _poly(x: Array, alpha: Array, norms: Array) -> Array:
    """Orthonormal polynomials by their three-term recurrence:
    p[k+1] = (x - alpha[k]) p[k] - (norms[k] / norms[k-1]) p[k-1].
    """
    basis = np.empty((len(x), len(alpha) + 1))
    basis[:, 0] = 1.0
    for k in range(len(alpha)):
        basis[:, k + 1] = (x - alpha[k]) * basis[:, k]
        if k:
            basis[:, k + 1] -= norms[k] / norms[k - 1] * basis[:, k - 1]
    return basis[:, 1:] / np.sqrt(norms[1:])


def _spline(x: Array, knots: Array, degree: int) -> Array:
    """B-splines without the first; NaN outside the range of the pool, where they say nothing."""
    from scipy.interpolate import BSpline

    inside = (x >= knots[0]) & (x <= knots[-1])
    basis = np.full((len(x), len(knots) - degree - 2), np.nan)
    if inside.any():
        basis[inside] = BSpline.design_matrix(x[inside], knots, degree).toarray()[:, 1:]
    return basis
