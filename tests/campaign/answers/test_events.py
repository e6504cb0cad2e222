"""What happened, event by event: in the campaign's words, in parts, and as of an earlier event."""

from __future__ import annotations

import pytest

from sureshot.campaign import Campaign
from sureshot.space import Actions, Contexts, Space
from sureshot.storage import Storage


@pytest.fixture
def made(memory: Storage) -> Campaign:
    found = Campaign.create("tubes", Space.grid(power="8,10 W"), success="single", failure="double", storage=memory)
    found.tell_new({"power": 8}, "single", author="Ann")  # 1
    found.tell_new({"power": 10}, 3, of=4)  # 2
    found.correct(1, "double", note="misread", author="Ben")  # 3
    found.correct(1, "single")  # 4
    found.withdraw(2, note="spilled")  # 5
    found.note("a new bottle")  # 6
    found.note("looked dull", trial=1)  # 7
    return found


SAID = [
    "Trial 1 was told without being asked: power 8 W; single.",
    "Trial 2 was told without being asked: power 10 W; single in 3 of 4.",
    "Trial 1 was corrected to double, from single: misread",
    "Trial 1 was corrected to single, from double.",
    "Trial 2 was withdrawn, with its outcome: spilled",
    "Note on the campaign: a new bottle",
    "Note on trial 1: looked dull",
]


def test_every_event_has_its_sentence_the_newest_first(made: Campaign) -> None:
    rows = made.events()
    assert [str(one) for one in rows] == SAID[::-1]
    assert [one.number for one in rows] == [7, 6, 5, 4, 3, 2, 1]
    assert (rows[-1].author, rows[4].author, rows[4].was) == ("Ann", "Ben", "single")
    assert [one.number for one in rows if one.counts] == [4]  # trial 2 was taken out


@pytest.mark.parametrize("most", [1, 2, 3, 10])
def test_parts_are_parts_of_the_whole(made: Campaign, most: int) -> None:
    """Also where what was corrected happened before the part begins."""
    whole = made.events()
    found, before = [], None
    while part := made.events(before=before, most=most):
        assert len(part) <= most
        found += part
        before = part[-1].number
    assert tuple(found) == whole


def test_an_asked_trial_and_its_case(memory: Storage) -> None:
    desk = Campaign.create("desk", Actions(["treat"]), context=Contexts(ward=["A", "B"]), seed=1, storage=memory)
    trial = desk.ask({"ward": "A"})
    desk.withdraw(trial)
    again = desk.ask({"ward": "B"})
    desk.tell(again, "failure")
    assert [str(one) for one in reversed(desk.events())] == [
        "Trial 1 was asked for: action treat in the case ward A.",
        "Trial 1 was withdrawn: it was not run.",
        "Trial 2 was asked for: action treat in the case ward B.",
        "Trial 2 came out failure.",
    ]


def test_a_view_of_an_earlier_time_sees_nothing_later(made: Campaign) -> None:
    then = made.rewind(3).events()
    assert [str(one) for one in then] == SAID[2::-1]
    assert [one.number for one in then if one.counts] == [3, 2]


def test_nothing_happened_yet(memory: Storage) -> None:
    assert Campaign.create("new", Space.grid(power=[1, 2]), storage=memory).events(most=5) == ()
