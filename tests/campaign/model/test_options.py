"""The record of a campaign's options, and all that must agree with it."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from sureshot.campaign import Campaign, Options, fields
from sureshot.campaign.model.again import Changes
from sureshot.campaign.model.options import FLAG, NUMBER, TABLE, TEXTS, WHOLE, Option, ValueOver, option
from sureshot.core import LINKS
from sureshot.policies import Objective, policy_of
from sureshot.space import SHAPES, Space

EVERY = pytest.mark.parametrize("one", fields(), ids=lambda one: one.name)


def test_create_takes_what_the_record_has_and_nothing_else():
    taken = dict(inspect.signature(Campaign.create).parameters)
    assert list(taken)[:2] == ["name", "space"]  # the space is what the alternatives make together
    del taken["name"], taken["space"]
    wanted = {one.name: one.default for one in fields() if one.part not in ("name", "alternatives")}
    assert {name: one.default for name, one in taken.items()} == wanted
    assert list(taken) == list(wanted)


def test_what_create_is_given_arrives(monkeypatch: pytest.MonkeyPatch):
    seen: list[Options] = []

    def stop(space: object, options: Options) -> None:
        seen.append(options)
        raise KeyboardInterrupt

    monkeypatch.setattr("sureshot.campaign.campaign.new_spec", stop)
    given = {one.name: object() for one in fields() if one.part not in ("name", "alternatives")}
    with pytest.raises(KeyboardInterrupt):
        Campaign.create("it", Space.grid(p=[1, 2]), **given)  # type: ignore[arg-type]
    assert seen == [replace(Options(), name="it", **given)]


def test_a_campaign_made_from_another_may_change_the_model_and_the_aim():
    assert {one.name for one in fields() if one.changeable} == set(Changes.__annotations__)
    page = (Path(__file__).parents[3] / "docs" / "how-to" / "change.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in page for name in Changes.__annotations__)


@EVERY
def test_every_option_says_what_it_is_in_one_sentence(one: Option):
    assert one.says.endswith(".")
    assert one.says[0].isupper()
    assert ". " not in one.says
    assert one.label
    assert one.says.startswith(one.label)


@EVERY
def test_every_example_is_of_its_kind_and_is_toml(one: Option):
    assert one.kind.holds(one.example)
    line, _, table = one.toml.partition(" under ")
    found = tomllib.loads(f"{table}\n{line}")
    assert found == {one.name: one.example}
    assert not one.choices or one.example in one.choices


@EVERY
def test_every_default_is_of_its_kind_or_nothing(one: Option):
    assert one.default is None or one.kind.holds(one.default)
    assert json.dumps(one.default) == json.dumps(getattr(Options(), one.name))


def test_choices_are_those_that_there_are():
    every = {one.name: one.choices for one in fields() if one.choices}
    assert every == {
        "shape": SHAPES,
        "objective": get_args(Objective),
        "link": tuple(LINKS),
        "value": get_args(ValueOver),
    }
    for name, choices in every.items():
        assert all(choice in option(name).says for choice in choices)
    assert option("policy").default == "auto"
    policy_of(option("policy").example)


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [
        (WHOLE, [3, 0], [True, 3.0, "3"]),
        (NUMBER, [3, 0.5], [False, "0.5"]),
        (FLAG, [True, False], [1, "yes"]),
        (TEXTS, [[], ["a"]], [[1], "a"]),
        (TABLE, [{}, {"a": 1}], [[], "a"]),
    ],
)
def test_kinds(kind, right, wrong):
    assert [kind.holds(value) for value in (*right, *wrong)] == [True] * len(right) + [False] * len(wrong)


def test_help_explains_every_option():
    for one in fields():
        if one.part not in ("name", "alternatives"):
            assert f"- ``{one.name}``: {one.says}" in (Campaign.create.__doc__ or "")


def test_a_form_can_be_made_of_it_without_loading_numpy():
    code = "import sys; from sureshot.campaign import fields; fields(); assert 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
