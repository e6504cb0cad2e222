import json

import pytest

from sureshot.errors import InvalidInput, UnknownName
from sureshot.space import Space

ROWS = {"sample": ["A1", "A2", "B7"], "power": [8, 10, 8], "cat": ["Fe", "Co", "Co"]}
NAMED = Space.from_frame(ROWS, id="sample")


def test_names_are_shown_and_are_not_parameters():
    assert NAMED.names == ("power", "cat")
    assert [NAMED.label(i) for i in range(3)] == ["sample A1", "sample A2", "sample B7"]
    assert (NAMED.settings(1), NAMED.name(1)) == ("power 10, cat Co", "A2")
    plain = Space.from_frame(ROWS, without=["sample"])
    assert NAMED.content_hash == plain.content_hash  # the same alternatives
    assert (plain.label(1), plain.name(1)) == ("power 10, cat Co", None)


def test_a_name_is_found_and_levels_beside_it_must_agree():
    assert (NAMED.find(sample="B7"), NAMED.find(sample="B7", power=8), NAMED.find(power=8, cat="Co")) == (2, 2, 2)
    with pytest.raises(InvalidInput, match="sample B7 has power 8, got power 10"):
        NAMED.find(sample="B7", power=10)
    with pytest.raises(UnknownName, match=r"no sample is called 'B77': did you mean 'B7'\?"):
        NAMED.find(sample="B77")


def test_names_are_kept():
    stored = json.loads(json.dumps(NAMED.to_dict()))
    assert Space.from_dict(stored).label(2) == "sample B7"
    assert list(NAMED.to_frame()) == ["sample", "power", "cat"]
    assert Space.from_frame(NAMED.to_frame(), id="sample").label(2) == "sample B7"
    del stored["row_names"]  # as older versions wrote it
    assert Space.from_dict(stored).label(2) == "power 8, cat Co"
    stored["row_names"] = {"column": "sample", "names": ["A1"]}
    with pytest.raises(InvalidInput, match=r"space\.row_names\.names: must be a list of 3"):
        Space.from_dict(stored)


def test_names_follow_their_rows():
    assert Space.from_frame(ROWS, id="sample", where="power < 9").label(1) == "sample B7"
    again = {"sample": ["A1", "A2", "A3"], "power": [8, 8, 10]}
    merged = Space.from_frame(again, id="sample", duplicates="merge")
    assert [merged.label(i) for i in range(2)] == ["sample A1", "sample A3"]
    assert merged.notes == ("rows that repeated an earlier one were merged with it: 1 (A2)",)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["A1", "A1", "A2"], "sample must name each row once, got 'A1' in row 0 and in row 1: rename one"),
        (["A1", "", "A2"], "row 1: sample must name every row, got nothing: name the row, or leave `id` out"),
        (["A1", None, "A2"], "row 1: sample must name every row, got nothing"),
    ],
)
def test_each_row_has_a_name_of_its_own(names, said):
    with pytest.raises(InvalidInput, match=said):
        Space.from_frame({**ROWS, "sample": names}, id="sample")


def test_any_header_will_do():
    space = Space.from_frame({"#": [1, 2], "power": [8, 10]}, id="#")
    assert (space.label(1), space.find({"#": 2})) == ("# 2", 1)
    with pytest.raises(InvalidInput, match=r"If it is not a parameter: without=\['#'\]; if it names the rows: id='#'"):
        Space.from_frame({"#": [1, 2], "power": [8, 10]})
    with pytest.raises(UnknownName, match="Did you mean 'sample'"):
        Space.from_frame(ROWS, id="sampel")
