"""Campaigns side by side: evidence where outcomes are the same, predictions always, and a sentence."""

from __future__ import annotations

import json
import math

import pytest

from sureshot.campaign import Campaign
from sureshot.campaign.answers.fit.compare import times
from sureshot.errors import InvalidInput
from sureshot.space import Actions, Space
from sureshot.storage import Storage


@pytest.fixture
def old(memory: Storage) -> Campaign:
    """The best is inside the range, and the model is straight."""
    space = Space.grid(temperature="100:200:20 C", solvent=["A", "B"])
    made = Campaign.create("old", space, shape="straight", seed=1, storage=memory)
    for row in range(len(space)):
        levels = space.row(row)
        made.tell_new(row, int(levels["temperature"] in (140, 160)), note="seen")
    return made


def test_the_outcomes_speak_for_the_bent_one(old: Campaign) -> None:
    bent = Campaign.create_from("bent", old, shape="curved")
    found = old.compare(bent)
    assert found.comparable
    one, two = found.campaigns
    assert (one.name, one.model, two.name, two.model) == ("old", "shape straight", "bent", "shape curved")
    assert (one.outcomes, two.outcomes, one.prior) == (12, 12, "auto")
    assert one.likelier == 1.0
    assert two.likelier == pytest.approx(math.exp(two.log_evidence - one.log_evidence))
    assert str(found) == (
        f"The outcomes speak moderately for bent: they are {times(two.likelier)} likelier under it than under old."
    )
    assert two.forecast.brier < one.forecast.brier
    assert found.share.observed == one.forecast.observed == pytest.approx(1 / 3)
    assert (two.choice, two.probability, two.interval) == (
        bent.best().label,
        bent.best().probability,
        bent.best().interval,
    )
    json.dumps(found.to_dict(), allow_nan=False)


def test_three_and_the_order_does_not_matter(old: Campaign) -> None:
    bent = Campaign.create_from("bent", old, shape="curved")
    flat = Campaign.create_from("flat", old, formula="solvent")
    words = flat.compare(old, bent).words
    assert words == bent.compare(flat, old).words
    assert words.startswith("The outcomes speak ")
    assert "likelier under it than under the next, " in words


def test_the_same_model_twice_is_told_apart_by_nothing(old: Campaign) -> None:
    same = Campaign.create_from("same", old, policy="thompson")
    assert str(old.compare(same)) == ("The outcomes speak for neither old nor same: they are as likely under both.")


def test_evidence_needs_the_same_outcomes_however_told(old: Campaign, memory: Storage) -> None:
    more = Campaign.create_from("more", old, shape="curved")
    more.tell_new(0, 0, of=2)
    found = old.compare(more)
    assert not found.comparable
    assert found.words.startswith("Evidence can't be compared: more has 2 more outcomes than old.")
    assert [one.log_evidence for one in found.campaigns] == [None, None]
    assert "evidence" not in found.to_dict()["campaigns"][0]["forecast"]
    assert all(one.forecast is not None for one in found.campaigns)
    assert old.compare(more).words == more.compare(old).words
    for _ in range(2):
        old.tell_new(0, 0)
    assert old.compare(more).comparable
    old.correct(1, 1)
    assert "has other outcomes than" in old.compare(more).words


def test_evidence_needs_the_same_alternatives(old: Campaign, memory: Storage) -> None:
    other = Campaign.create("other", Space.grid(power=[1, 2]), storage=memory)
    assert old.compare(other).words.startswith("Evidence can't be compared: other has other alternatives than old.")


def test_before_the_first_outcome(memory: Storage) -> None:
    old = Campaign.create("old", Space.grid(power=[1, 2]), storage=memory)
    found = old.compare(Campaign.create_from("new", old, shape="straight"))
    assert found.words == "There are no outcomes yet, so nothing speaks for one of them."
    assert (found.share, found.campaigns[0].forecast, found.campaigns[0].log_evidence) == (None, None, None)


def test_in_a_case(memory: Storage) -> None:
    old = Campaign.create("old", Actions(["wait", "treat"]), context={"age": (18, 90)}, storage=memory)
    for age in range(20, 90, 10):
        old.tell_new("treat", int(age > 50), context={"age": age})
    new = Campaign.create_from("new", old, formula="action", interactions=False)
    found = old.compare(new)
    assert found.comparable
    assert found.campaigns[1].model == "formulas age (cases) and action, without interactions"
    assert [one.chosen for one in found.campaigns] == ["depends on the case"] * 2
    there = old.compare(new, context={"age": 80})
    assert there.campaigns[0].choice == old.best({"age": 80}).label


def test_what_cannot_be_compared(old: Campaign) -> None:
    with pytest.raises(InvalidInput, match="at least two campaigns must be compared, got only 'old': name another"):
        old.compare()
    with pytest.raises(InvalidInput, match="must have different names, got 'old' twice"):
        old.compare(old)
