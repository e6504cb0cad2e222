"""Shapes: scores that bend, in the user's words. The features of every shape side by side, and what each is for.

Over a finite pool a smooth score is a linear one with other features (docs/shapes.md), so all that is known of
linear beliefs holds. A score is a sum of parts:

- slope: a number, standardised; level: a category, one feature for each of its levels and no reference level;
- curve: whatever is smooth over the steps of a number;
- product: of the slopes and levels of two columns, a context's and an action's;
- near, far: whatever is smooth over all parameters at once, told by the likeness of settings, over short ways or long
  ones.

Two parts are found in older shapes only (:mod:`sureshot.space.features.older_shapes`): together, one length between
near and far; and middle, how far a setting is from the ends of its numbers.

Each part is scaled so that with weights of variance 1 its scores have variance 1 on average over the pool:
:func:`sureshot.space.features.prior.shape_prior` says how much of each there is. An effect of the alternative's own
needs no feature.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput, unknown_name
from sureshot.schema import inside
from sureshot.space.features.axis import Axis, axis_of
from sureshot.space.features.design import BLOCK, Input, aligned, default_formula
from sureshot.space.features.likeness import Landmarks, landmarks_among
from sureshot.space.features.older_shapes import VERSION, up_to_date
from sureshot.space.features.sizes import SHAPES, PartKind, Shape, afforded
from sureshot.space.features.stored_shape import check_shape
from sureshot.space.stored import reading
from sureshot.space.tables.names import INTERCEPT
from sureshot.space.tables.table import Table, as_table

__all__ = ["SHAPES", "Part", "PartKind", "Shape", "ShapedDesign"]

#: How far likeness reaches where all parameters are taken together: at this distance, in steps of one of two
#: parameters, two scores have a correlation of 0.6. For new shapes: those that exist say their own.
LENGTHS: dict[PartKind, float] = {"near": 0.2, "far": 0.4}
#: Rows that landmarks are sought among, and parts are scaled by, at most.
SAMPLED = 20_000


@dataclass(frozen=True, slots=True)
class Part:
    """Some features that belong together: of which kind, about which columns, and where they stand."""

    kind: PartKind
    of: tuple[str, ...]
    start: int
    stop: int

    @property
    def columns(self) -> NDArray[np.intp]:
        """Their places in a row."""
        return np.arange(self.start, self.stop)


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is chosen, beside the case that it is chosen in."""

    inputs: tuple[Input, ...]

    def matrix(self, rows: Any) -> Table:
        """The rows, checked: every column there, every level known."""
        return aligned(rows, self.inputs)


@dataclass(frozen=True, eq=False)
class ShapedDesign:
    """The recipe that turns rows into the features of a shape. Make one with :meth:`fit`.

    >>> from sureshot.space import Space
    >>> design = ShapedDesign.fit(Space.grid(power=[8, 10, 12, 14], catalyst=["Fe", "Co"]))
    >>> [(part.kind, part.of, part.stop - part.start) for part in design.parts][:4]
    [('constant', (), 1), ('slope', ('power',), 1), ('level', ('catalyst',), 2), ('curve', ('power',), 4)]
    """

    shape: Shape
    axes: tuple[Axis, ...]
    contexts: tuple[str, ...]  # the columns that nobody controls
    parts: tuple[Part, ...]
    centre: Array  # (d,) of each feature before it is scaled
    scale: Array  # (d,)
    landmarks: Mapping[PartKind, Landmarks]  # settings that others are likened to, near or far
    notes: tuple[str, ...] = ()

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The columns that the rows must have."""
        return tuple(axis.input for axis in self.axes)

    @property
    def context_inputs(self) -> tuple[Input, ...]:
        """The columns of a case."""
        return tuple(one for one in self.inputs if one.name in self.contexts)

    @property
    def action(self) -> Chosen:
        """The columns of what is chosen."""
        return Chosen(tuple(one for one in self.inputs if one.name not in self.contexts))

    @property
    def width(self) -> int:
        """How many features there are."""
        return self.parts[-1].stop

    @property
    def columns(self) -> tuple[str, ...]:
        """A name for each feature."""
        return tuple(
            INTERCEPT if part.kind == "constant" else f"{part.kind}({', '.join(part.of)})[{i}]"
            for part in self.parts
            for i in range(part.stop - part.start)
        )

    @classmethod
    def fit(cls, pool: Any, shape: Shape = "auto", *, contexts: Sequence[str] = ()) -> ShapedDesign:
        """Learn the recipe from a pool: a Space, a DataFrame, a mapping of columns. ``contexts`` names the columns that
        nobody controls; products of these with the others let the best action depend on them.
        """
        if shape not in SHAPES:
            raise unknown_name("shape", shape, SHAPES)
        table = as_table(pool)
        if not len(table):
            raise InvalidInput("a shape must be fitted to at least one row, got none: add one.")
        default_formula(table)  # refuses a column that only names its rows
        axes = tuple(axis_of(column) for column in table.columns)
        rows = np.unique(np.linspace(0, len(table) - 1, SAMPLED).astype(np.intp))
        sample = table if len(rows) == len(table) else table.take(rows)
        wanted, notes = afforded(shape, axes, len(table))
        places = _places(axes, sample)
        marks: dict[PartKind, Landmarks] = {
            kind: landmarks_among(axes, places, length) for kind, length in LENGTHS.items() if kind in wanted
        }
        sizes: dict[PartKind, int] = {kind: len(found.places) for kind, found in marks.items()}
        parts = _parts(axes, [axis for axis in axes if len(axis.knots) and "curve" in wanted], contexts, sizes)
        width = parts[-1].stop
        bare = cls(
            shape=shape,
            axes=axes,
            contexts=tuple(contexts),
            parts=parts,
            centre=np.zeros(width),
            scale=np.ones(width),
            landmarks=marks,
            notes=notes,
        )
        return bare._scaled(sample)

    def _scaled(self, sample: Table) -> ShapedDesign:
        """Centred and scaled over the pool."""
        raw = self.matrix(sample)
        centre, scale = raw.mean(axis=0), np.ones(self.width)
        centre[0] = 0.0
        marks = dict(self.landmarks)
        for part in self.parts[1:]:
            at = part.columns
            size = float(np.mean(np.sum((raw[:, at] - centre[at]) ** 2, axis=1)))
            scale[at] = np.sqrt(size) if size > 1e-12 else 1.0
            if part.kind in marks:
                left = max(float(np.mean(1.0 - np.sum(raw[:, at] ** 2, axis=1))), 0.0)
                told = left / (size + left) if size > 1e-6 else 0.0  # nothing varies: nothing is left to tell
                marks[part.kind] = replace(marks[part.kind], residue=told)
        return replace(self, centre=centre, scale=scale, landmarks=marks)

    def in_contexts(self, actions: Table, contexts: Table) -> Array:
        """(n, d): the features of each row of ``actions`` in the same row of ``contexts``."""
        return self.matrix(Table((*actions.columns, *contexts.columns), actions.place))

    def matrix(self, rows: Any) -> Array:
        """(n, d) float64: the features of rows in a Space, a DataFrame, a mapping, a list of mappings."""
        table = aligned(rows, self.inputs)
        out = np.empty((len(table), self.width))
        for start in range(0, len(table), BLOCK):
            some = np.arange(start, min(start + BLOCK, len(table)))
            self._fill(out[some[0] : some[-1] + 1], table if len(some) == len(table) else table.take(some))
        return out

    def _fill(self, out: Array, table: Table) -> None:
        named = {axis.name: axis for axis in self.axes}
        places = _places(self.axes, table)
        straight = {axis.name: axis.straight(table.column(axis.name)) for axis in self.axes}
        for part in self.parts:
            at = slice(part.start, part.stop)
            if part.kind == "constant":
                out[:, at] = 1.0
            elif part.kind in ("slope", "level"):
                out[:, at] = straight[part.of[0]]
            elif part.kind == "curve":
                axis = named[part.of[0]]
                out[:, at] = axis.curve(places[:, self.axes.index(axis)])
            elif part.kind == "product":
                a, b = (straight[name] for name in part.of)
                out[:, at] = (a[:, :, None] * b[:, None, :]).reshape(len(table), -1)
            elif part.kind == "middle":
                numbers = [k for k, axis in enumerate(self.axes) if axis.name in part.of]
                out[:, part.start] = -np.sum((places[:, numbers] - 0.5) ** 2, axis=1)
            else:
                out[:, at] = self.landmarks[part.kind].features(self.axes, places)
        out -= self.centre
        out /= self.scale

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it: text and numbers only, and all of them that give the features."""
        return {
            "version": VERSION,
            "shape": self.shape,
            "axes": [axis.to_dict() for axis in self.axes],
            "contexts": list(self.contexts),
            "parts": [[part.kind, list(part.of), part.start, part.stop] for part in self.parts],
            "centre": self.centre.tolist(),
            "scale": self.scale.tolist(),
            "landmarks": {kind: one.to_dict() for kind, one in self.landmarks.items()},
            "notes": list(self.notes),
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any], *, at: str = "shape") -> ShapedDesign:
        """The design that :meth:`to_dict` wrote, now or in an older version; what does not fit together is an error
        that says where in the document, which stands ``at``.
        """
        with reading("shape", stored, at, (1, VERSION)):
            stored = up_to_date(stored)
            check_shape(stored, at)
            axes = tuple(Axis.from_dict(one) for one in stored["axes"])
            marks: dict[PartKind, Landmarks] = {}
            for kind, one in stored["landmarks"].items():
                with inside(f"{at}.landmarks.{kind}"):
                    marks[kind] = Landmarks.from_dict(axes, one)
            return cls(
                shape=stored["shape"],
                axes=axes,
                contexts=tuple(stored["contexts"]),
                parts=tuple(Part(kind, tuple(of), start, stop) for kind, of, start, stop in stored["parts"]),
                centre=np.array(stored["centre"], dtype=np.float64),
                scale=np.array(stored["scale"], dtype=np.float64),
                landmarks=marks,
                notes=tuple(stored["notes"]),
            )


def _parts(
    axes: Sequence[Axis], bends: Sequence[Axis], contexts: Sequence[str], marks: Mapping[PartKind, int]
) -> tuple[Part, ...]:
    sizes: list[tuple[PartKind, tuple[str, ...], int]] = [("constant", (), 1)]
    sizes += [("slope" if axis.is_number else "level", (axis.name,), axis.width) for axis in axes]
    sizes += [("curve", (axis.name,), axis.turn.shape[1]) for axis in bends]
    own = [axis for axis in axes if axis.name not in contexts]
    for case in (axis for axis in axes if axis.name in contexts):
        sizes += [("product", (case.name, axis.name), case.width * axis.width) for axis in own]
    sizes += [(kind, tuple(axis.name for axis in axes), size) for kind, size in marks.items()]
    ends = np.cumsum([size for _, _, size in sizes]).tolist()
    return tuple(Part(kind, of, end - size, end) for (kind, of, size), end in zip(sizes, ends, strict=True))


def _places(axes: Sequence[Axis], table: Table) -> Array:
    return np.stack([axis.place(table.column(axis.name)) for axis in axes], axis=1)
