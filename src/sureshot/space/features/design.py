"""A design: the recipe that turns rows into features, as plain numbers. The same rows give the same matrix for ever.

Standardised by default: numbers are centred and divided by their standard deviation over the pool, so that one prior
precision suits all weights; the intercept and the dummies (0/1) stay as they are. Numbers are centred before they are
multiplied (``a * b``), which leaves the model the same and keeps interactions apart from main effects; where it would
change the model (``a:b`` without a and b) the product is standardised as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput, about
from sureshot.said import Setting, Text
from sureshot.schema import by_name
from sureshot.space.features.blocks import TrainedBlock, refuse_infinite, train
from sureshot.space.features.expand import Product, centring_keeps_span, expand
from sureshot.space.features.stored import check_design
from sureshot.space.language.expression import parse_arithmetic
from sureshot.space.language.formula import MAX_FEATURES, parse_formula
from sureshot.space.stored import reading
from sureshot.space.tables.column import Kind, Value, plain
from sureshot.space.tables.identifiers import UNVARIED
from sureshot.space.tables.names import INTERCEPT
from sureshot.space.tables.table import Table, as_table

__all__ = ["Design", "Factor", "Feature", "Input", "aligned"]

#: Rows turned into features at once: a few megabytes.
BLOCK = 1 << 16
#: A spread this small beside the mean is rounding: the column is constant.
CONSTANT = 1e-12
#: A category with more levels than this, and than half the rows, is a name of the rows and no feature.
_FEW_LEVELS = 20


@dataclass(frozen=True, slots=True)
class Input:
    """A column that the rows must have."""

    name: str
    kind: Kind
    unit: str = ""
    levels: tuple[Value, ...] = ()  # of a category, in the order of the dummies

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return asdict(self) | {"levels": list(self.levels)}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Input:
        """The column that :meth:`to_dict` wrote."""
        return cls(stored["name"], stored["kind"], stored["unit"], tuple(stored["levels"]))


@dataclass(frozen=True, slots=True)
class Factor:
    """One part of a block, standardised: (part - centre) / scale."""

    block: int
    part: int
    centre: float = 0.0
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class Feature:
    """One column of the matrix: (product of the factors - centre) / scale; 1 when there are no factors."""

    name: str
    factors: tuple[Factor, ...]
    centre: float = 0.0
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class Design:
    """Formula, columns, centring and scale, levels of each category: all that a stored campaign needs.

    >>> design = Design.fit({"power": [8, 10, 12, 14], "catalyst": ["Fe", "Co", "Co", "Fe"]})
    >>> design.formula, design.columns
    ('power + catalyst', ('Intercept', 'power', 'catalyst[T.Fe]'))
    >>> design.matrix({"power": 11, "catalyst": "Fe"})
    array([[1., 0., 1.]])
    """

    formula: str
    standardised: bool
    inputs: tuple[Input, ...]
    blocks: tuple[TrainedBlock, ...]
    features: tuple[Feature, ...]
    notes: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The name of each feature, in order."""
        return tuple(feature.name for feature in self.features)

    @property
    def width(self) -> int:
        """How many features there are."""
        return len(self.features)

    @property
    def has_intercept(self) -> bool:
        """Whether the first feature is the constant 1."""
        return not self.features[0].factors

    @property
    def action(self) -> Design:
        """The recipe for what is chosen: all of it, where there are no contexts."""
        return self

    @property
    def context_inputs(self) -> tuple[Input, ...]:
        """The columns of a case: none."""
        return ()

    @classmethod
    @about("formula", whole=True)
    def fit(cls, pool: Any, formula: str | None = None, *, standardise: bool = True) -> Design:
        """Learn the recipe from a pool: a Space, a DataFrame, a mapping of columns."""
        table = as_table(pool)
        if not len(table):
            raise InvalidInput("a design must be fitted to at least one row, got none", fix="add one")
        text = default_formula(table) if formula is None else formula
        parsed = parse_formula(text, table.column)
        products = expand(parsed)
        blocks = tuple(train(block, table) for block in parsed.blocks)
        bare = cls(
            formula=parsed.text,
            standardised=False,
            inputs=_inputs(blocks, table),
            blocks=blocks,
            features=_features(products, blocks),
        )
        return _standardised(bare, products, table) if standardise else bare

    def matrix(self, rows: Any) -> Array:
        """(n, d) float64, C-contiguous: the features of rows in a Space, a DataFrame, a mapping, a list of mappings.

        A missing column, a level that the pool did not have, a value that is no number: an error with row and fix.
        """
        table = aligned(rows, self.inputs)
        out = np.empty((len(table), self.width))
        for start in range(0, len(table), BLOCK):
            stop = min(start + BLOCK, len(table))
            self._fill(out[start:stop], table, slice(start, stop))
            refuse_infinite(out[start:stop], [feature.name for feature in self.features], table, start)
        return out

    def _fill(self, out: Array, table: Table, rows: slice) -> None:
        n = rows.stop - rows.start
        with np.errstate(all="ignore"):
            parts = [block.values(table.column, rows, n) for block in self.blocks]
            for j, feature in enumerate(self.features):
                out[:, j] = 1.0
                for f in feature.factors:
                    values = parts[f.block][:, f.part]
                    out[:, j] *= values if f.centre == 0.0 and f.scale == 1.0 else (values - f.centre) / f.scale
                if feature.centre != 0.0 or feature.scale != 1.0:
                    out[:, j] -= feature.centre
                    out[:, j] /= feature.scale

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it: text and numbers only."""
        return {
            "version": 1,
            "formula": self.formula,
            "standardised": self.standardised,
            "inputs": [one.to_dict() for one in self.inputs],
            "blocks": [block.to_dict() for block in self.blocks],
            "features": [asdict(f) | {"factors": [list(astuple(one)) for one in f.factors]} for f in self.features],
            "notes": list(self.notes),
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any], *, at: str = "design") -> Design:
        """The design that :meth:`to_dict` wrote; what does not fit together is an error that says where in the
        document, which stands ``at``.
        """
        with reading("design", stored, at):
            check_design(stored, at)
            design = cls(
                formula=stored["formula"],
                standardised=stored["standardised"],
                inputs=tuple(map(Input.from_dict, stored["inputs"])),
                blocks=tuple(TrainedBlock.from_dict(block) for block in stored["blocks"]),
                features=tuple(map(_stored_feature, stored["features"])),
                notes=tuple(stored["notes"]),
            )
            names = [one.name for one in design.inputs]
            for i, block in enumerate(design.blocks):  # arithmetic is held to the allow-list as if it were new
                for name in () if block.kind == "levels" else parse_arithmetic(block.of).names:
                    by_name(f"{at}.blocks[{i}].of", name, names, "inputs")
        return design


def aligned(rows: Any, inputs: Sequence[Input]) -> Table:
    """The rows with exactly the columns, kinds and levels that a recipe asks for."""
    if not inputs:
        return as_table(rows)
    given = as_table(
        rows,
        only=[one.name for one in inputs],
        kinds={one.name: one.kind for one in inputs},
        levels={one.name: one.levels for one in inputs if one.kind == "category"},
    )
    found = []
    for one in inputs:
        column = given.column(one.name)
        if column.kind != one.kind:
            raise InvalidInput(f"column {one.name} must hold a {one.kind}, got a {column.kind}", fix="convert it")
        wanted = np.array(one.levels, dtype=np.float64 if one.kind == "number" else object)
        if len(wanted) and not np.array_equal(wanted, column.levels):
            frame = replace(column, levels=wanted)
            codes = frame.lookup(column.levels)[column.codes]
            if (codes < 0).any():
                row = int(np.argmax(codes < 0))
                raise InvalidInput(frame.no_such_level(column.value(row)), place=given.place(row))
            column = replace(column, levels=wanted, codes=codes)
        found.append(column)
    return Table(tuple(found), given.place)


def default_formula(table: Table) -> str:
    """Linear terms for numbers, dummies for the rest; the intercept is always there.

    >>> default_formula(as_table({"power": [8, 10], "catalyst": ["Fe", "Co"]}))
    'power + catalyst'
    """
    for column in table.columns:
        most = min(max(_FEW_LEVELS, len(table) // 2), MAX_FEATURES)
        if column.kind == "category" and len(column.levels) > most:
            raise InvalidInput(
                f"{column.name} must have few enough levels to be a parameter, got {len(column.levels):,} for "
                f"{len(table):,} rows",
                field="without",
                value=column.name,
                fix=Text(
                    "leave it out with ",
                    Setting("without", [column.name]),
                    ", have the rows called by it with ",
                    Setting("id", column.name),
                    ", or write a formula without it",
                ),
            )
    return " + ".join(column.name for column in table.columns)


def _inputs(blocks: Sequence[TrainedBlock], table: Table) -> tuple[Input, ...]:
    """The columns that the blocks need, in the order of the table."""
    named = {block.of for block in blocks if block.kind == "levels"}
    used = named.union(*(parse_arithmetic(block.of).names for block in blocks if block.kind != "levels"))
    return tuple(
        Input(c.name, c.kind, c.unit, tuple(map(plain, c.levels)) if c.name in named and c.kind != "boolean" else ())
        for c in table.columns
        if c.name in used
    )


def _features(products: Sequence[Product], blocks: Sequence[TrainedBlock]) -> tuple[Feature, ...]:
    return tuple(
        Feature(
            ":".join(blocks[b].part_name(part, reduced=reduced) for b, part, reduced in product) or INTERCEPT,
            tuple(Factor(b, part) for b, part, _ in product),
        )
        for product in products
    )


def _standardised(bare: Design, products: Sequence[Product], table: Table) -> Design:
    """Centre and scale by the pool: numbers first, where that leaves the model the same; then pure-number columns."""
    free = centring_keeps_span(products, bare.blocks)
    singles = sorted({(b, p) for product in products for b, p, _ in product if bare.blocks[b].kind != "levels"})
    parts = replace(
        bare, features=tuple(Feature(bare.blocks[b].part_name(p, reduced=False), (Factor(b, p),)) for b, p in singles)
    )
    centre, scale, _ = _moments(parts, table)
    known = {(b, p): Factor(b, p, float(c), float(s)) for (b, p), c, s in zip(singles, centre, scale, strict=True)}
    features = tuple(
        replace(feature, factors=tuple(known.get((f.block, f.part), f) for f in feature.factors))
        if can and len(feature.factors) > 1
        else feature
        for feature, can in zip(bare.features, free, strict=True)
    )
    half = replace(bare, features=features)
    centre, scale, constant = _moments(half, table)
    final, notes = [], []
    for j, feature in enumerate(half.features):
        kinds = {bare.blocks[f.block].kind == "levels" for f in feature.factors}
        if kinds == {False}:
            if constant[j]:
                notes.append(f"{feature.name} {UNVARIED}")
            feature = replace(feature, centre=float(centre[j]) if bare.has_intercept else 0.0, scale=float(scale[j]))
        elif kinds == {False, True} and not free[j]:
            feature = replace(feature, scale=float(scale[j]))
        final.append(feature)
    return replace(half, standardised=True, features=tuple(final), notes=tuple(notes))


def _moments(design: Design, table: Table) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Mean, standard deviation (1 where constant) and whether constant, over the pool: two passes in blocks."""
    rows = aligned(table, design.inputs)
    out = np.empty((min(BLOCK, len(table)), design.width))
    shift = np.zeros(design.width)
    totals = []
    for power in (1, 2):
        total = np.zeros(design.width)
        for start in range(0, len(table), BLOCK):
            n = min(BLOCK, len(table) - start)
            design._fill(out[:n], rows, slice(start, start + n))
            refuse_infinite(out[:n], list(design.columns), rows, start)
            total += ((out[:n] - shift) ** power).sum(axis=0)
        totals.append(total / len(table))
        shift = totals[0]
    mean, sd = totals[0], np.sqrt(totals[1])
    constant = sd <= CONSTANT * np.maximum(np.abs(mean), np.finfo(float).tiny)
    return mean, np.where(constant, 1.0, sd), constant


def _stored_feature(stored: Mapping[str, Any]) -> Feature:
    factors = tuple(Factor(int(b), int(p), float(c), float(s)) for b, p, c, s in stored["factors"])
    return Feature(str(stored["name"]), factors, float(stored["centre"]), float(stored["scale"]))
