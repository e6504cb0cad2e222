"""A campaign as a person writes it down: the record's examples in a TOML file, read and understood."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sureshot.campaign import Campaign, fields
from sureshot.campaign.recipe import read_recipe, space_of, understood
from sureshot.errors import InvalidInput

#: What belongs to a file of alternatives, to contexts or to another objective, and what would say the model twice.
OF_A_FILE = ("candidates", "without", "names", "id", "merge")
LEFT_OUT = (*OF_A_FILE, "where", "shape", "context_formula", "discount", "cost", "worth", "value", "storage", "context")


def written(folder: Path, *left_out: str) -> Path:
    """All examples of the record but these."""
    lines = sorted(one.toml.partition(" under ")[::-2] for one in fields() if one.name not in left_out)
    path = folder / "it.toml"
    path.write_text("\n".join(f"{table}\n{line}" for table, line in lines))
    return path


def test_every_example_can_be_written_down(tmp_path: Path):
    said = read_recipe(written(tmp_path))
    assert set(said) == {one.name for one in fields()}
    assert said["candidates"] == str(tmp_path / "candidates.csv")  # it lies beside the file


def test_examples_make_a_campaign(tmp_path: Path):
    said = read_recipe(written(tmp_path, *LEFT_OUT)) | {"formula": "power"}
    made = Campaign.create(said["name"], space_of(said), storage=":memory:", **understood(said))
    assert (made.name, made.spec.budget, made.spec.policy.name) == ("nanotubes", 30, "thompson")
    assert (made.spec.words.success, made.spec.words.failure) == ("single-walled", "double-walled")


def test_what_is_typed_as_text_is_understood(tmp_path: Path):
    (tmp_path / "learned.json").write_text(json.dumps({"campaign": "old"}))
    said = {
        "cost": "0.002",
        "prior": str(tmp_path / "learned.json"),
        "value": "seen-contexts",
        "context": {"age": "18:90"},
    }
    assert understood({**said, "name": "it", "parameters": {"power": "8,10"}}) == {
        "cost": 0.002,
        "prior": {"campaign": "old"},
        "value": "seen contexts",
        "context": {"age": (18.0, 90.0)},
    }
    assert understood({"prior": "2.0", "cost": "price"}) == {"prior": 2.0, "cost": "price"}


@pytest.mark.parametrize("said", [{}, {"parameters": {"power": "8,10"}, "candidates": "c.csv"}])
def test_alternatives_come_from_one_place(said):
    with pytest.raises(InvalidInput, match="one of the two"):
        space_of(said)


def test_each_shell_says_where_alternatives_come_from_in_its_own_words():
    from sureshot.campaign.recipe import in_the_file
    from sureshot.cli.words import typed

    with pytest.raises(InvalidInput) as refused:
        space_of({})
    assert refused.value.said(typed).endswith(
        "write --param power=8,10,12,14 for each parameter, or --candidates FILE."
    )
    assert "write power = [8, 10, 12, 14] under [parameters] for" in refused.value.said(in_the_file)
    assert refused.value.field == "parameters"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("budget = ", "bad.toml must be TOML"),
        ("name = " + "[" * 5_000, "bad.toml must be nested at most 50 deep"),
        ("a." * 20_000 + "b = 1", "bad.toml must be nested at most 50 deep"),
        ("budget = " + "9" * 5_000, "bad.toml: a number must have at most 309 digits"),
        ("#" * 1_000_001, "bad.toml must have at most 1,000,000 bytes"),
    ],
)
def test_a_file_that_is_too_much_is_refused(tmp_path: Path, text: str, said: str):
    (tmp_path / "bad.toml").write_text(text)
    with pytest.raises(InvalidInput, match=said):
        read_recipe(tmp_path / "bad.toml")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "must be JSON"),
        ("[" * 100_000, "nested at most 50 deep"),
        ("9" * 5_000, "at most 309 digits"),
        ("[1]", "holds something else"),
    ],
)
def test_a_prior_that_is_too_much_is_refused(tmp_path: Path, text: str, said: str):
    (tmp_path / "learned.json").write_text(text)
    with pytest.raises(InvalidInput, match=said) as refused:
        understood({"prior": str(tmp_path / "learned.json")})
    assert refused.value.field == "prior"
    with pytest.raises(InvalidInput, match="which can't be read: no file can be called that"):
        understood({"prior": "a\0b"})
