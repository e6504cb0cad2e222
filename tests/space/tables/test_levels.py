from contextlib import suppress
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sureshot.errors import InvalidInput
from sureshot.space.tables import levels
from sureshot.space.tables.levels import levels_of, parse_levels, usual_range


@pytest.mark.parametrize(
    ("text", "kind", "values", "unit"),
    [
        ("8,10,12,14", "number", (8, 10, 12, 14), ""),
        ("8, 10 W", "number", (8, 10), "W"),
        ("10:40:10", "number", (10, 20, 30, 40), ""),
        ("10:45:10", "number", (10, 20, 30, 40), ""),
        ("3:1:-1", "number", (3, 2, 1), ""),
        ("1,5:7:1 mol/L", "number", (1, 5, 6, 7), "mol/L"),
        ("0.1:0.5:0.1", "number", (0.1, 0.2, 0.3, 0.4, 0.5), ""),
        ("-1e3,+.5", "number", (-1000, 0.5), ""),
        ("1e3:3e3:1e3", "number", (1000, 2000, 3000), ""),
        ("1e3:3e3:1e3 eV", "number", (1000, 2000, 3000), "eV"),
        ("5 °C", "number", (5,), "°C"),
        ("100 C, 120 C, 140C", "number", (100, 120, 140), "C"),
        ("8W,10W", "number", (8, 10), "W"),
        ('"8W","10W"', "category", ("8W", "10W"), ""),
        ('"100-200"', "category", ("100-200",), ""),
        ("1-5,5-9", "category", ("1-5", "5-9"), ""),
        ("Fe,Co", "category", ("Fe", "Co"), ""),
        ('Fe,"Co, Ni"', "category", ("Fe", "Co, Ni"), ""),
        ('"8","10"', "category", ("8", "10"), ""),
        ("true,False", "boolean", (True, False), ""),
        (" Bool", "boolean", (False, True), ""),
    ],
)
def test_text(text, kind, values, unit):
    found = parse_levels(text, name="x")
    assert (found.kind, found.values, found.unit) == (kind, values, unit)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "separated"),
        ("8,,10", "fill the gap"),
        ("8,ten", "'ten'"),
        ("100-200", "write '100:200:20'"),
        ("100 - 200 C", "write '100:200:20 C'"),
        ("0 to 1", "write '0:1:0.2'"),
        ("10 mM, 20", "write a unit once"),
        ("8,8", "'8' twice"),
        ("8,8.0", "'8' twice"),
        ("10:40", "start:stop:step"),
        ("1:0:1", "towards stop"),
        ("1:2:0", "towards stop"),
        ("0:1:1e-9", "at most 1,000,000"),
        ("0:1:1e-999999", "range"),
        ("1e400", "finite"),
        ("131e999999999", "finite"),
        ("0:131e999999999:1", "finite"),
        ("1-131e999999999", "finite"),
        ("1:2:1e-999999999", "sensible step"),
        ("1,1e155", "between 1e-50 and 1e.50 in size, got 1e.155"),
        ("-1e155:0:1e154", "in size, got -1e.155"),
        ("1e-320,2e-320", "in size, got 1e-320"),
        ("9" * 400, "at most 100 digits and signs, got 400"),
        ("1:2:" + "0" * 400, "at most 100 digits and signs"),
        ("x" * 100_001, "at most 100,000 characters"),
        ("nan,1", "'nan'"),
        ('"Fe', "commas"),
    ],
)
def test_bad_text(text, said):
    with pytest.raises(InvalidInput, match=said):
        parse_levels(text, name="x")


@pytest.mark.parametrize(
    "values", [[1, "a"], [True, 1], "Fe", 3, [None], [float("nan")], [], [""], [1, 1.0], [10**400], [1, 1e155]]
)
def test_bad_values(values):
    with pytest.raises(InvalidInput):
        levels_of(values, name="x")


@pytest.mark.parametrize("ending", ["", " W", "x", "-", "-5", ":", ",", " to 5", "e", ".", ":1:1"])
@pytest.mark.parametrize("start", ["1", "1,", "1.", "1e", "1:", "1 "])
def test_long_texts_are_read_once(start, ending):
    """Each digit was a place to begin anew: 20,000 of them took a minute."""
    with suppress(InvalidInput):
        parse_levels(start * (50_000 // len(start)) + ending, name="x")
    with pytest.raises(InvalidInput):
        usual_range(start * (50_000 // len(start)) + ending, name="x")


@pytest.mark.parametrize("text", ["18:1e999", "1e200:1e201", "18:inf", "18:" + "9" * 400, "1:2:3", "18"])
def test_a_range_has_two_ends_of_a_size(text):
    with pytest.raises(InvalidInput):
        usual_range(text, name="age")


def test_endless_levels_are_refused():
    with pytest.raises(InvalidInput, match="at most"):
        levels_of((i for i in iter(int, 1)), name="x")


@settings(deadline=None, derandomize=True)
@given(start=st.decimals(-100, 100, places=3), step=st.decimals("0.001", 10, places=3), count=st.integers(1, 50))
def test_a_range_has_both_ends(start, step, count):
    stop = start + (count - 1) * step
    found = parse_levels(f"{start}:{stop}:{step}", name="x")
    assert found.values == tuple(float(Decimal(start) + i * step) for i in range(count))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1:10:4", ["x: 1:10:4 gives 1, 5 and 9, and leaves 10 out: to have it too, write 1:10:4,10"]),
        ("100:200:30 C", ["x: 100:200:30 gives 100, 130, 160 and 190, and leaves 200 out: to have it too, write "]),
        ("0:100:7", ["x: 0:100:7 gives 0, 7, 14, ..., 98, and leaves 100 out"]),
        ("1:2:4", ["x: 1:2:4 gives 1, and leaves 2 out"]),
        ("1:10:4,10", []),
        ("1:10:3", []),
        ("8W,10W", ["the levels of x were read as numbers in W: quote each of them if they are names"]),
        ("8,10 W", []),
        ("1 h,30 min", ["the levels of x differ in their unit, so they are taken as names, not numbers"]),
        ("1.000,5", ["x has two levels, 1 and 5: if 1.000,5 is one number, write 1000.5"]),
        ("Fe,Co", []),
    ],
)
def test_what_may_be_meant_otherwise_is_said(text, said):
    notes = parse_levels(text, name="x").notes
    assert len(notes) == len(said)
    assert all(note.startswith(words) for note, words in zip(notes, said, strict=True))


def test_what_a_note_on_a_range_suggests_has_the_end():
    assert parse_levels("1:10:4,10", name="x").values == (1, 5, 9, 10)


def test_a_pair_of_numbers_is_two_levels_and_says_so():
    (note,) = levels_of((0.0, 1.0), name="x").notes
    assert note.startswith('x has two levels, 0 and 1, and none between: for a range write "0:1:0.2"')
    assert parse_levels("0:1:0.2", name="x").values == (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)  # as the note says
    for clear in ([0.0, 1.0], (0.0, 0.5, 1.0), ("Fe", "Co"), (True, False)):
        assert levels_of(clear, name="x").notes == ()


def test_levels_are_written_without_the_name_of_their_parameter() -> None:
    with pytest.raises(InvalidInput, match="without its name, got 'power=8,10': leave power= out"):
        parse_levels("power=8,10", name="power")
    assert parse_levels("a=b,c", name="power").values == ("a=b", "c")


def test_many_ranges_have_no_more_levels_than_one(monkeypatch):
    monkeypatch.setattr(levels, "MAX_LEVELS", 10)
    assert len(parse_levels("1:5:1,11:15:1", name="power").values) == 10
    with pytest.raises(InvalidInput, match="power must have at most 10 levels, got 24 or more: widen the step"):
        parse_levels("1:8:1,11:18:1,21:28:1", name="power")
