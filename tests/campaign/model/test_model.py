"""What says which features there are, and that it is said where nobody asked for a formula."""

from __future__ import annotations

from typing import Any

import pytest

from sureshot.campaign import Campaign
from sureshot.errors import InvalidInput
from sureshot.space import Actions, Space
from sureshot.storage import Storage

PRECISE = (
    "with a precision the model is the formula power + ethylene + catalyst, in which nothing bends: leave the "
    "precision out if something may"
)
CASES: dict[str, Any] = {"age": (18, 90)}


def test_a_precision_says_that_the_model_is_a_formula(memory: Storage, space: Space) -> None:
    made = Campaign.create("a", space, prior=1.0, storage=memory)
    assert made.status().cautions == (PRECISE,)
    assert PRECISE in str(Campaign.open("a", memory).status())
    old = Campaign.create("old", space, storage=memory)
    assert old.status().cautions == ()
    assert Campaign.create_from("b", old, prior=1.0).status().cautions == (PRECISE,)
    assert Campaign.create_from("c", made, budget=3).status().cautions == (PRECISE,)


@pytest.mark.parametrize("said", [{"formula": "power", "prior": 1.0}, {"formula": "power"}, {"shape": "curved"}, {}])
def test_what_was_asked_for_is_not_said(memory: Storage, space: Space, said: dict[str, Any]) -> None:
    assert Campaign.create("a", space, storage=memory, **said).status().cautions == ()


def test_in_cases(memory: Storage) -> None:
    old = Campaign.create("old", Actions(["a", "b"]), context=CASES, storage=memory)
    texts = "the model is the formulas age (cases) and action, in which nothing bends"
    (said,) = Campaign.create_from("b", old, prior=1.0).status().cautions
    assert said == f"with a precision {texts}: leave the precision out if something may"
    first, second = Campaign.create_from("c", old, interactions=False).status().cautions
    assert "every context gets the same best action" in first
    assert second == f"without interactions {texts}"
    (only,) = Campaign.create_from("d", old, interactions=False, formula="action").status().cautions
    assert only == first


def test_interactions_are_of_cases_and_actions(memory: Storage, space: Space) -> None:
    message = "`interactions` is about campaigns with contexts, got interactions=False: leave it out, or give `context`"
    with pytest.raises(InvalidInput, match=message):
        Campaign.create("a", space, interactions=False, storage=memory)
    assert memory.campaigns() == ()
    old = Campaign.create("old", space, storage=memory)
    with pytest.raises(InvalidInput, match=message):
        Campaign.create_from("new", old, interactions=False)
    assert [one.name for one in memory.campaigns()] == ["old"]
