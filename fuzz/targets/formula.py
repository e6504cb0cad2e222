"""Formulas: features as text, which is never code."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sureshot.space import Space

WORDS = [
    b"power", b"flow", b"catalyst", b"hot", b" + ", b" * ", b":", b"**2", b" - 1", b"poly(", b"bs(", b"df=",
    b"degree=", b"raw=True", b"C(", b"I(", b"center(", b"scale(", b"log(", b"{", b"}", b"(", b")", b"~", b"|", b"`",
    b"[", b"lambda", b"__class__", b".", b"@",
]  # fmt: skip


@cache
def _space() -> Space:
    from sureshot.space import Space

    return Space.grid(power=[8, 10, 12], flow=[0.5, 1, 1.5, 2, 3], catalyst=["Fe", "Co"], hot=[True, False])


def target(data: bytes) -> None:
    """The features of a formula, kept and read again as a campaign does."""
    from sureshot.space import Design

    space = _space()
    design = space.design(data.decode("utf-8", "replace"))
    X = design.matrix(space)
    again = Design.from_dict(design.to_dict())
    assert (again.matrix(space) == X).all()
