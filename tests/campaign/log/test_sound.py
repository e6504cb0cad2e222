"""What could not be read again is not recorded: a log is never mended afterwards."""

from __future__ import annotations

from typing import Any

import pytest

from sureshot.campaign import Campaign
from sureshot.campaign.log.requests import keyed
from sureshot.campaign.model.spec import Spec
from sureshot.errors import CorruptLog, InvalidInput
from sureshot.space import Actions, Contexts, Space
from sureshot.storage import NewEvent, Storage, asked, noted, told


@pytest.fixture
def tubes(memory: Storage) -> Campaign:
    made = Campaign.create("tubes", Space.grid(power=[8, 10, 12]), seed=1, storage=memory)
    made.tell_new(0, 1)
    return made


UNREADABLE: dict[str, NewEvent] = {
    "a row that is not there": asked(3),
    "a chance of 2": asked(1, payload={"probability": 2.0}),
    "levels of a parameter that is not there": told(None, 1, payload={"levels": {"flow": 3}}),
    "neither a row nor levels": told(None, 1, payload={"import": {"rows": 1}}),
    "a case where there are none": asked(1, context={"age": 3}),
    "of nobody's campaign": noted("!", payload={"from": 3}),
}


@pytest.mark.parametrize("event", UNREADABLE.values(), ids=UNREADABLE)
def test_an_event_that_could_not_be_read_again_is_not_recorded(tubes: Campaign, event: NewEvent) -> None:
    with pytest.raises(CorruptLog):
        tubes._log.append([noted("with it"), event])
    assert tubes.last_event() == 1
    assert Campaign.open("tubes", tubes.storage).status().told == 1


def test_a_case_that_could_not_be_read_again_is_not_recorded(memory: Storage) -> None:
    desk = Campaign.create("desk", Actions(["a", "b"]), context=Contexts(age=(18, 90)), storage=memory)
    with pytest.raises(CorruptLog):
        desk._log.append([asked(0, context={"ward": "A"})])
    assert desk.last_event() == 0


def test_a_trial_that_others_opened_meanwhile_is_no_trial_of_ours(tubes: Campaign) -> None:
    Campaign.open("tubes", tubes.storage).ask()
    tubes.tell(2, 1)  # which this process has not read yet
    assert tubes.status().told == 2


@pytest.mark.parametrize("key", [" ", "\u00a0", "a", "x" * 200])
def test_every_key_that_is_taken_is_read_again(tubes: Campaign, key: str) -> None:
    try:
        keyed(key)
    except InvalidInput:
        return
    trial = tubes.ask(key=key)
    assert Campaign.open("tubes", tubes.storage).ask(key=key).number == trial.number


def test_a_specification_that_could_not_be_read_again_makes_no_campaign(
    memory: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = Spec.to_dict

    def wrong(spec: Spec) -> dict[str, Any]:
        return {**right(spec), "budget": 0}

    monkeypatch.setattr(Spec, "to_dict", wrong)
    with pytest.raises(InvalidInput, match=r"spec\.budget"):
        Campaign.create("tubes", Space.grid(power=[8, 10]), storage=memory)
    assert memory.campaigns() == ()
