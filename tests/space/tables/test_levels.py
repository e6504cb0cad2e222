from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sureshot.errors import InvalidInput
from sureshot.space.tables.levels import levels_of, parse_levels


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
        ("nan,1", "'nan'"),
        ('"Fe', "commas"),
    ],
)
def test_bad_text(text, said):
    with pytest.raises(InvalidInput, match=said):
        parse_levels(text, name="x")


@pytest.mark.parametrize(
    "values", [[1, "a"], [True, 1], "Fe", 3, [None], [float("nan")], [], [""], [1, 1.0], [10**400]]
)
def test_bad_values(values):
    with pytest.raises(InvalidInput):
        levels_of(values, name="x")


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
