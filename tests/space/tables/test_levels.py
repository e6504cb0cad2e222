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
        ("8W,10W", "'8,10 W'"),
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
