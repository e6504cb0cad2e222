"""Pools that are too wide for a shape: refused, or told."""

from __future__ import annotations

import numpy as np
import pytest

from sureshot.errors import InvalidInput
from sureshot.space import ShapedDesign
from sureshot.space.features import sizes


def wide(rows: int, columns: int) -> dict[str, list[float]]:
    numbers = np.random.default_rng(1).random((columns, rows))
    return {f"x{k}": numbers[k].tolist() for k in range(columns)}


@pytest.mark.parametrize("shape", ["auto", "straight", "pairs"])
def test_more_slopes_and_levels_than_a_formula_may_have(monkeypatch: pytest.MonkeyPatch, shape: sizes.Shape) -> None:
    monkeypatch.setattr(sizes, "MAX_FEATURES", 12)
    table = {**wide(8, 9), "solvent": ["A", "B", "C", "A"] * 2}
    assert ShapedDesign.fit(table, shape).inputs
    with pytest.raises(
        InvalidInput, match=r"at most 12 slopes and levels.*, got 13: leave columns out with `without`, or"
    ):
        ShapedDesign.fit({**table, "more": list(range(8))}, shape)


def test_curves_that_are_too_many_are_left_out_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    table = wide(30, 4)
    every = ShapedDesign.fit(table)
    curves = sum(part.stop - part.start for part in every.parts if part.kind == "curve")
    assert (curves > 8, every.notes) == (True, ())
    monkeypatch.setattr(sizes, "MAX_FEATURES", 4 + curves)
    assert ShapedDesign.fit(table).parts == every.parts
    monkeypatch.setattr(sizes, "MAX_FEATURES", 3 + curves)
    found = ShapedDesign.fit(table)
    assert {part.kind for part in found.parts} == {"constant", "slope", "near", "far"}
    assert found.notes == ("4 parameters are too many for a curve of each: curves are left out",)
    assert ShapedDesign.fit(table, "pairs").notes == ()  # has no use for them


def test_many_more_features_than_alternatives_are_said() -> None:
    assert ShapedDesign.fit(wide(5, 10)).notes == ()
    (said,) = ShapedDesign.fit(wide(5, 11)).notes
    assert said.startswith("11 slopes and levels for 5 alternatives are more than outcomes can tell apart: leave out")
