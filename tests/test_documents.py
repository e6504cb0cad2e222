import json
from pathlib import Path

import pytest

from sureshot import Campaign
from sureshot.campaign.recipe import read_recipe
from sureshot.documents import DEPTH, JSON_BYTES, TOML_BYTES, NotReadable, deeper, read_json, read_toml, whole_file
from sureshot.errors import InvalidInput, SureshotError
from sureshot.lab import read_study


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" * 100_000, "nested at most 50 deep"),
        ("[" * 51 + "]" * 51, "nested at most 50 deep"),
        ('{"a":' * 51 + "1" + "}" * 51, "nested at most 50 deep"),
        ("9" * 5_000, "at most 309 digits"),
        ("-" + "9" * 310, "at most 309 digits"),
        ("1e999", r"below 1\.8e308, got 1e999"),
        ('{"a": NaN}', "JSON has no NaN"),
        ('{"a": -Infinity}', "JSON has no -Infinity"),
        (r'{"a": ["\ud800"]}', "lone surrogates"),
        (r'{"\ud800": 1}', "lone surrogates"),
        ("[[], " * 1_500_001, "at most 3,000,000 lists and objects"),
        (b"\xff", "UTF-8, got byte 0"),
        (b" " * (JSON_BYTES + 1), "at most 100,000,000 bytes"),
    ],
    ids=lambda one: repr(one[:12]),
)
def test_json_that_is_too_much_is_refused(text, said):
    with pytest.raises(InvalidInput, match=said):
        read_json(text)


@pytest.mark.parametrize("text", ["", "{", '{"a": 1,}', "nan", "0x1", "01"])
def test_what_is_not_json_is_said_to_be_none(text):
    with pytest.raises(NotReadable, match=r"x\.json must be JSON"):
        read_json(text, "x.json")


@pytest.mark.parametrize("value", [1, [1, 2.5, None], {"a": [{}] * 100}, "\U0001f600é", 10**308, {"ü": "\\ud800"}])
def test_json_comes_back_as_it_was_written(value):
    assert read_json(json.dumps(value)) == value
    assert read_json(b"\xef\xbb\xbf" + json.dumps(value, ensure_ascii=False).encode()) == value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = " + "[" * 5_000, "nested at most 50 deep"),
        ("a = " + "[" * 51 + "]" * 51, "nested at most 50 deep"),
        ("a = " + "{a = " * 51 + "1" + "}" * 51, "nested at most 50 deep"),
        ("a." * 20_000 + "b = 1", "nested at most 50 deep"),
        ("[" + "a." * 20_000 + "b]", "nested at most 50 deep"),
        ('"a" . ' * 51 + "b = 1", "nested at most 50 deep"),
        ("a = " + "9" * 5_000, "at most 309 digits"),
        ("a = [0, {b = " + "9" * 310 + "}]", "at most 309 digits"),
        ("a = 1e400", r"below 1\.8e308"),
        (" " * (TOML_BYTES + 1), "at most 1,000,000 bytes"),
        (b"\xff", "UTF-8, got byte 0"),
    ],
    ids=lambda one: repr(one[:12]),
)
def test_toml_that_is_too_much_is_refused(text, said):
    with pytest.raises(InvalidInput, match=said):
        read_toml(text)


@pytest.mark.parametrize(
    "text",
    [
        'a = "' + "." * 60 + "[" * 60 + '"',
        "a = '" + "{" * 60 + "'",
        'a = """\n' + "[" * 60 + '""""',
        "a = '''" + "[" * 60 + "'''''",
        "# " + "[" * 60,
        "a = [" + "1.5, " * 60 + "1.5]",
        "\n".join(f"[t{i}.b]\nx = 1.5" for i in range(60)),
    ],
)
def test_only_what_nests_is_counted(text):
    read_toml(text)


@pytest.mark.parametrize("text", ['"\\', '"""\\', "'''", '"', "'", "a='''" + "''x"])
def test_texts_that_are_never_closed_are_looked_through_once(text):
    with pytest.raises(NotReadable):
        read_toml(text * 100_000)  # took minutes where each quote was tried to the end


def test_depth_is_that_of_any_value():
    loop: list[object] = []
    loop += [loop, loop]
    assert deeper(loop)
    flat = [[1] * 10] * 100
    assert not deeper(flat, than=2)
    assert deeper(({"a": ()},), than=2)
    assert not deeper("text", than=0)
    assert DEPTH == 50


def test_no_more_of_a_file_is_read_than_is_of_use(tmp_path):
    (tmp_path / "x").write_bytes(b"12345")
    assert [whole_file(tmp_path / "x", most) for most in (3, 5, 9)] == [b"1234", b"12345", b"12345"]


@pytest.mark.parametrize("name", ["a\0b", "a\ud800"])
def test_a_path_that_no_file_can_have_is_a_file_that_cannot_be_read(name):
    with pytest.raises(OSError, match="no file can be called that"):
        whole_file(Path(name), 9)
    for read in (read_study, Campaign.import_export, read_recipe):
        with pytest.raises(SureshotError, match="no file can be called that"):
            read(Path(name))
