"""Frames of other libraries than pandas, in and out."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sureshot.campaign import Campaign
from sureshot.errors import InvalidInput
from sureshot.space import Actions, Contexts, Space
from sureshot.space.tables.frames import beside, frame_of
from sureshot.storage import Storage, open_storage

COLUMNS = {"power": [8, 10, 12], "gas": ["Ar", "He", "Ar"], "wet": [True, False, True]}


@pytest.mark.parametrize("frame", [pl.DataFrame, pa.table], ids=["polars", "pyarrow"])
def test_a_space_is_the_same_from_any_frame(frame) -> None:
    assert Space.from_frame(frame(COLUMNS)).content_hash == Space.from_frame(pd.DataFrame(COLUMNS)).content_hash


def test_an_order_of_levels_is_kept() -> None:
    ordered = pl.DataFrame({"heat": pl.Series(["low", "high"], dtype=pl.Enum(["low", "mid", "high"]))})
    assert Space.from_frame(ordered).column("heat").levels.tolist() == ["low", "mid", "high"]
    alike = pd.DataFrame({"heat": pd.Categorical(["low", "high"], categories=["low", "mid", "high"])})
    assert Space.from_frame(ordered).content_hash == Space.from_frame(alike).content_hash


def test_a_missing_cell_is_an_error_that_names_it() -> None:
    with pytest.raises(InvalidInput, match="row 1"):
        Space.from_frame(pl.DataFrame({"power": [8, None, 10]}))


def test_a_lazy_frame_is_to_be_collected() -> None:
    with pytest.raises(InvalidInput, match="collect a lazy frame"):
        Space.from_frame(pl.DataFrame(COLUMNS).lazy())


def test_outcomes_and_contexts_come_from_polars() -> None:
    store: Storage = open_storage(":memory:")
    made = Campaign.create("bench", Space.from_frame(pl.DataFrame(COLUMNS)), storage=store)
    told = pl.DataFrame({**COLUMNS, "outcome": ["success", "failure", None]})
    assert (made.import_table(told).recorded, made.status().successes) == (2, 1)
    patients = pl.DataFrame({"age": [20.0, 80.0], "ward": ["A", "B"]})
    assert Contexts(patients).names == ("age", "ward")
    desk = Campaign.create("desk", Actions(pl.DataFrame({"action": ["x", "y"]})), context=patients, storage=store)
    assert desk.ask({"age": 30, "ward": "A"}).levels["action"] in ("x", "y")


def test_columns_go_back_into_the_library_that_they_came_from() -> None:
    one = frame_of({"a": [1, None]}, pl.DataFrame(COLUMNS))
    assert isinstance(one, pl.DataFrame)
    assert one["a"].to_list() == [1, None]
    assert isinstance(frame_of({"a": [1]}), pd.DataFrame)
    wide = beside(pl.DataFrame(COLUMNS), {"chance": [0.1, 0.2, 0.3]})
    assert wide.columns == [*COLUMNS, "chance"]
    kept = beside(pd.DataFrame(COLUMNS, index=[7, 8, 9]), {"chance": [0.1, 0.2, 0.3]})
    assert kept.loc[9, "chance"] == 0.3


class Endless:
    """What can be compared with nothing."""

    __hash__ = None

    def __eq__(self, other):
        raise RuntimeError


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (
            pd.DataFrame({"a": pd.Series([np.array([1, 2]), np.array([3, 4])], dtype=object)}),
            "a cell must be one value",
        ),
        (pd.DataFrame({"a": pd.Series([Decimal("sNaN"), 1], dtype=object)}), "a cell must be one value"),
        (pd.DataFrame({"a": pd.Series([Endless(), 1], dtype=object)}), "a cell must be one value"),
        ({"a": np.array(5), "b": [1]}, "columns must all be lists, got array(5) for a"),
        ({"a": ["Fe", "\ud800"]}, "row 1: a must be text without NUL or lone surrogates, got '\\ud800': remove them"),
        ({"a": ["Fe", "C\0o"]}, "row 1: a must be text without NUL or lone surrogates, got 'C\\x00o': remove them"),
        ({"x" * 10_000: [1, 2]}, "may have 250 characters, got 10,000 ('xxxxxxxxxxxxxxxxxxxx' ...)"),
    ],
)
def test_what_no_lab_writes_down_is_refused_in_words(table, said):
    with pytest.raises(InvalidInput) as caught:
        Space.from_frame(table)
    assert said in str(caught.value)
