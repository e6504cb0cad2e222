"""How large a shape may become: what is refused, what is left out of it, and what is said about that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from sureshot.errors import InvalidInput
from sureshot.space.features.axis import Axis
from sureshot.space.language.formula import MAX_FEATURES

__all__ = ["LANDMARKS", "SHAPES", "PartKind", "Shape", "afforded"]

Shape = Literal["auto", "straight", "curved", "pairs"]
SHAPES: tuple[Shape, ...] = get_args(Shape)
PartKind = Literal["constant", "slope", "level", "curve", "product", "near", "far", "together", "middle"]

#: Settings of the pool that all others are likened to, at most.
LANDMARKS = 96
#: Cells of the matrix of features, at most: every member of a belief is computed for every row, and a person waits.
#: What is too large is left out, and said: parameters together beyond some 20,000 alternatives, curves beyond some
#: 200,000.
MOST_CELLS = 1 << 22
#: With more slopes and levels for each row of the pool than this, a person is told.
MANY = 2

_WANTS: dict[Shape, tuple[PartKind, ...]] = {
    "auto": ("curve", "near", "far"),
    "straight": (),
    "curved": ("curve",),
    "pairs": ("curve", "near", "far"),
}


def afforded(shape: Shape, axes: Sequence[Axis], rows: int) -> tuple[list[PartKind], tuple[str, ...]]:
    """What a shape of a pool of so many rows has beside slopes and levels, and what a person should know about it. More
    slopes and levels than a formula may have features are refused.
    """
    straight = sum(axis.width for axis in axes)
    curves = sum(axis.turn.shape[1] for axis in axes if len(axis.knots))
    if straight > MAX_FEATURES:
        raise InvalidInput(
            f"a shape must have at most {MAX_FEATURES:,} slopes and levels, one for each number and for each name of a "
            f"category, got {straight:,}",
            fix="leave columns out with `without`, or give `formula`",
        )
    wanted, notes = list(_WANTS[shape]), []
    if len(axes) == 1:  # then together is what a curve is
        wanted = [kind for kind in wanted if kind == "curve"]
    if "near" in wanted and rows * (1 + straight + curves + 2 * LANDMARKS) > MOST_CELLS:
        wanted = [kind for kind in wanted if kind == "curve"]
        notes.append(f"{rows:,} alternatives are too many to look at parameters together: pairs are left out")
    if "curve" in wanted and rows * (1 + straight + curves) > MOST_CELLS:
        wanted = []
        notes.append(f"{rows:,} alternatives are too many for curves: chances only rise or fall")
    if "curve" in wanted and straight + curves > MAX_FEATURES:
        wanted.remove("curve")
        if shape != "pairs":  # which has no use for them
            notes.append(f"{len(axes):,} parameters are too many for a curve of each: curves are left out")
    if straight > MANY * rows:
        notes.append(
            f"{straight:,} slopes and levels for {rows:,} alternatives are more than outcomes can tell apart: leave "
            "out the columns that can hardly matter"
        )
    return wanted, tuple(notes)
