"""What lies beyond the levels, the constraints and the ranges is named, value by value."""

import pytest

from sureshot.errors import InvalidInput
from sureshot.space import Contexts, Space
from sureshot.space.beyond import beyond_levels, beyond_ranges
from sureshot.space.contextual import usual_ranges
from sureshot.space.tables.identifiers import identifiers
from sureshot.space.tables.levels import bare_number
from sureshot.space.tables.table import as_table

GRID = Space.grid(
    power="14,8,12,10 W", time=[1, 5], catalyst=["Fe", "Co"], hot=[True, False], where="power * time <= 60"
)
ROW = {"power": 8.0, "time": 1.0, "catalyst": "Fe", "hot": True}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"power": 11.0}, ["power 11 W lies between the levels 10 and 12"]),
        ({"power": 7.9}, ["power 7.9 W lies outside the levels, 8 to 14"]),
        (
            {"power": 140.0},
            ["power 140 W lies outside the levels, 8 to 14", "it breaks the constraint power * time <= 60"],
        ),
        ({"power": 14.0, "time": 5.0}, ["it breaks the constraint power * time <= 60"]),
        ({"catalyst": "Ni"}, ["catalyst Ni is none of its levels"]),
        (
            {"time": 3.0, "power": 9.0},
            ["power 9 W lies between the levels 8 and 10", "time 3 lies between the levels 1 and 5"],
        ),
    ],
)
def test_beyond_the_levels(change, said):
    assert list(beyond_levels(GRID, {**ROW, **change})) == said


def test_columns_that_are_left_out_are_passed_over():
    assert beyond_levels(GRID, {"power": 140.0}) == ("power 140 W lies outside the levels, 8 to 14",)


def test_candidates_that_no_row_has_together():
    space = Space.from_frame({"power": [8, 10], "catalyst": ["Fe", "Co"]})
    assert beyond_levels(space, {"power": 8.0, "catalyst": "Co"}) == (
        "each value is known, but no alternative has them together",
    )


def test_ranges_are_those_declared_or_those_of_the_examples():
    declared = usual_ranges(Contexts(age=(18, 90), diabetic=bool, ward=["A", "B"]))
    assert declared == {"age": (18.0, 90.0)}
    assert beyond_ranges(declared, {"age": 18, "diabetic": True, "ward": "A"}) == ()
    assert len(beyond_ranges(declared, {"age": 17.9})) == len(beyond_ranges(declared, {"age": 90.1})) == 1
    examples = usual_ranges(Contexts({"age": [30, 71, 45], "smokes": [True, False, True]}))
    assert examples == {"age": (30.0, 71.0)}


@pytest.mark.parametrize(("text", "number"), [("14 W", "14"), ("14W", "14"), (" -1.5e3  W ", "-1.5e3"), ("14", "14")])
def test_a_unit_may_be_written(text, number):
    assert float(bare_number(text, name="power", unit="W")) == float(number)


def test_other_units_are_refused_and_what_is_no_number_is_left_to_others():
    with pytest.raises(InvalidInput, match="power is in W, got '14 kW': write the number in W"):
        bare_number("14 kW", name="power", unit="W")
    with pytest.raises(InvalidInput, match="power has no unit here, got '14 W': write the number alone"):
        bare_number("14 W", name="power", unit="")
    for text in ("eight", "12,5", "1:3", "", "W"):
        assert bare_number(text, name="power", unit="W") == text


def test_columns_that_name_the_rows():
    n = 6
    table = {
        "sample": [f"s{i}" for i in range(n)],
        "counter": list(range(1, n + 1)),
        "run": [7, 3, 9, 1, 2, 4],
        "power": [8.5, 9.5, 10.5, 11.5, 12.5, 13.5],
        "random": [0.3, 0.1, 0.7, 0.2, 0.9, 0.4],
        "catalyst": ["Fe", "Co"] * 3,
        "hot": [True, False] * 3,
    }
    assert identifiers(as_table(table)) == ("sample", "counter", "run")
    assert identifiers(as_table({"sample": table["sample"]})) == ()  # all there is: it must be the parameter
    assert identifiers(as_table({k: v[:3] for k, v in table.items()})) == ()  # too few rows to tell
