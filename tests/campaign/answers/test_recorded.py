"""What an event recorded, in a sentence."""

from __future__ import annotations

import pytest

from sureshot import Campaign, Space
from sureshot.errors import InvalidInput, UnknownName


def test_each_kind_of_event_has_its_sentence() -> None:
    made = Campaign.create("tubes", Space.grid(power=[8]), success="single", seed=1, storage=":memory:")
    made.ask()
    made.tell(1, "single", note="dark")
    made.correct(1, 3, of=4)
    made.note("a new lamp")
    made.note("again", trial=1)
    made.ask()
    made.withdraw(2)
    made.withdraw(1)
    told = [made.recorded(number) for number in range(1, 9)]
    assert [one.words for one in told] == [
        "Recorded: trial 1 was asked for: power 8.",
        "Recorded: trial 1 came out single (power 8).",
        "Recorded: trial 1 was corrected to single in 3 of 4 (power 8).",
        "Recorded: note on the campaign.",
        "Recorded: note on trial 1 (power 8).",
        "Recorded: trial 2 was asked for: power 8.",
        "Recorded: trial 2 was withdrawn: it was not run (power 8).",
        "Recorded: trial 1 was withdrawn, with its outcome (power 8).",
    ]
    assert [one.is_last for one in told] == [False] * 7 + [True]
    assert told[1].text == "dark"
    assert told[3].row is None


def test_an_event_that_is_not_there() -> None:
    made = Campaign.create("tubes", Space.grid(power=[8]), seed=1, storage=":memory:")
    with pytest.raises(UnknownName, match="the last one is 0"):
        made.recorded(1)
    with pytest.raises(InvalidInput, match="`event` must be a whole number, at least 1"):
        made.recorded(0)
