import pandas as pd
import pytest

from sureshot.errors import InvalidInput
from sureshot.space import Space
from sureshot.space.tables.quantities import split


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("100 C", ("100", "C")),
        ("140C", ("140", "C")),
        ("-0.5 mol/L", ("-0.5", "mol/L")),
        ("1e-3 M", ("1e-3", "M")),
        ("5 °C", ("5", "°C")),
        ("10 %", ("10", "%")),
        ("0,5", ("0,5", "")),
        ("2-propanol", None),
        ("10:30", None),
        ("1/2", None),
        ("Fe", None),
        ("1_000", None),
    ],
)
def test_a_number_and_its_unit(text, parts):
    assert split(text) == parts


@pytest.mark.parametrize(
    ("cells", "numbers", "unit", "notes"),
    [
        (["100 C", "120 C", "140C"], [100, 120, 140], "C", 1),
        (["0,5 mm", "1,5 mm"], [0.5, 1.5], "mm", 2),
        (["0,5", "1,5"], [0.5, 1.5], "", 1),
        (["1.000,5", "0,5"], [1000.5, 0.5], "", 1),
        (["0,500", "1,500"], [0.5, 1.5], "", 1),  # nobody writes 0,500 for 500
        (["1,5", 2], [1.5, 2], "", 1),
    ],
)
def test_cells_are_read_as_numbers_and_it_is_said(cells, numbers, unit, notes):
    space = Space.from_frame({"t": cells})
    column = space.column("t")
    assert (column.kind, column.values().tolist(), column.unit) == ("number", numbers, unit)
    assert len(space.notes) == notes


def test_the_unit_is_shown_and_may_be_told(tmp_path):
    path = tmp_path / "c.csv"
    path.write_text("temperature,x\n100 C,1\n120C,2\n", encoding="utf-8")
    space = Space.read(path)
    assert space.label(1) == "temperature 120 C, x 2"
    assert "cells such as '100 C' were read as numbers in C" in space.notes[0]
    names = Space.read(path, kinds={"temperature": "category"})
    assert (names.column("temperature").levels.tolist(), names.notes) == (["100 C", "120C"], ())


def test_units_that_differ_make_names_and_it_is_said():
    space = Space.from_frame(pd.DataFrame({"t": ["1 h", "30 min", "2 h"]}))
    assert space.column("t").kind == "category"
    assert space.notes == (
        "column t: '1 h' and '30 min' differ in their unit, so its cells are taken as names, not numbers",
    )


@pytest.mark.parametrize(
    ("header", "cells", "said"),
    [
        (
            "t",
            ["100 C", "120 C", "140"],
            r"row 2: t must have a unit in every cell or in none, got '140' beside '100 C'",
        ),
        ("t", [100.0, 120.0, "140 C"], r"row 2: t must have a unit in every cell or in none, got '140 C' beside '100'"),
        ("t (K)", ["100 C", "120 C"], r"row 0: t is in K by its header, got '100 C'"),
        ("t", ["1,500", "2,500"], r"without separators of thousands, got '1,500': write 1500 or 1.500"),
        ("t", ["1,500.5", "2,500.5"], r"got '1,500.5': write 1500.5, or"),
        ("t", ["1.5 mm", "0,5 mm"], r"decimal points or decimal commas, not both, got '1.5 mm' beside '0,5 mm'"),
    ],
)
def test_what_may_be_a_number_is_never_a_name_in_silence(header, cells, said):
    with pytest.raises(InvalidInput, match=said):
        Space.from_frame({header: cells})


def test_the_unit_of_the_header_may_stand_in_some_cells():
    column = Space.from_frame({"t (C)": ["100", "120 C"]}).column("t")
    assert (column.values().tolist(), column.unit) == ([100, 120], "C")


def test_other_names_are_names_without_a_word():
    space = Space.from_frame({"solvent": ["2-propanol", "DMF"], "on": ["true", "false"]})
    assert ([one.kind for one in space.columns], space.notes) == (["category", "boolean"], ())
