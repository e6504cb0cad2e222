import pytest

from sureshot.errors import InvalidInput
from sureshot.space.tables.names import check_name, from_header


@pytest.mark.parametrize(
    ("header", "name", "unit"),
    [
        ("power", "power", ""),
        ("power (W)", "power", "W"),
        ("Flow rate [sccm]", "Flow_rate", "sccm"),
        (" temp ", "temp", ""),
        ("half-life", "half_life", ""),
        ("\u00b5 (1/s)", "\u03bc", "1/s"),  # the micro sign is spelled as Python spells it
    ],
)
def test_headers(header, name, unit):
    assert from_header(header) == (name, unit)


@pytest.mark.parametrize("name", ["", "8", "_x", "__class__", "a.b", "a b", "class", "Intercept", "x;y", None, 3])
def test_no_names(name):
    with pytest.raises(InvalidInput):
        check_name(name)


def test_the_error_suggests_a_name():
    with pytest.raises(InvalidInput, match="'x2theta'"):
        check_name("2theta")
