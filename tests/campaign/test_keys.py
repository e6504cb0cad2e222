"""Asked twice under one key: the same trials, however often, by whomever, and after everything was started again."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from sureshot.campaign import Campaign
from sureshot.errors import Conflict, InvalidInput, OutOfDate
from sureshot.space import Actions, Contexts, Space
from sureshot.storage import Storage, open_storage

ROOT = Path(__file__).parents[2]


def test_the_same_key_gives_the_same_trials_and_records_nothing(store: Storage, space: Space) -> None:
    campaign = Campaign.create("keys", space, budget=4, seed=1, storage=store)
    first = campaign.ask_batch(3, key="plate A")
    campaign.tell(first[0], "success")
    before = campaign.last_event()
    again = Campaign.open("keys", store).ask_batch(3, key="plate A")
    assert again == first
    assert campaign.recorded_under("plate A")
    assert campaign.last_event() == before
    assert not campaign.recorded_under("plate B")
    assert campaign.ask(key="plate B").number == 4
    with pytest.raises(Conflict, match="budget"):
        campaign.ask(key="plate C")
    assert campaign.ask(key="plate B").number == 4, "the budget does not count what was handed out already"


def test_another_request_under_the_same_key_is_refused(memory: Storage, space: Space) -> None:
    campaign = Campaign.create("keys", space, seed=1, storage=memory)
    campaign.ask(key="k")
    with pytest.raises(InvalidInput, match="another request"):
        campaign.ask_batch(2, key="k")
    assert campaign.last_event() == 1


def test_a_case_belongs_to_the_request(memory: Storage) -> None:
    desk = Campaign.create("desk", Actions(["treat", "wait"]), context=Contexts(age=(18, 90)), seed=1, storage=memory)
    first = desk.ask({"age": 61}, key="k")
    assert desk.ask({"age": 61.0}, key="k") == first
    with pytest.raises(InvalidInput, match="said something else"):
        desk.ask({"age": 62}, key="k")


def test_a_key_changes_nothing_of_what_is_chosen(memory: Storage, space: Space) -> None:
    with_key = Campaign.create("with", space, seed=1, storage=memory).ask(key="k")
    without = Campaign.create("without", space, seed=1, storage=memory).ask()
    assert with_key.to_dict() | {"campaign": ""} == without.to_dict() | {"campaign": ""}


def test_two_processes_with_the_same_keys_hand_each_trial_out_once(space: Space, tmp_path: Path) -> None:
    url, keys = f"sqlite:///{tmp_path}/store.db", [f"key {i}" for i in range(8)]
    with closing(open_storage(url)) as store:
        campaign = Campaign.create("shared", space, seed=1, storage=store)
        running = [
            subprocess.Popen(
                [sys.executable, "-m", "tests.campaign.key_askers", url, *keys],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                cwd=ROOT,
            )
            for _ in range(2)
        ]
        for process in running:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for process in running:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        given = [json.loads(process.communicate(timeout=120)[0]) for process in running]
        assert given[0] == given[1]
        assert sorted(number for numbers in given[0].values() for number in numbers) == list(range(1, 17))
        assert len(campaign.history()) == 16


def test_a_correction_of_an_outcome_that_is_no_longer_there_is_refused(memory: Storage, space: Space) -> None:
    campaign = Campaign.create("corrected", space, seed=1, storage=memory)
    told = campaign.tell(campaign.ask(), "success")
    fixed = campaign.correct(1, "failure", told_event=told.told_event)
    assert (fixed.outcome, fixed.corrections) == ("failure", 1)
    assert fixed == campaign.row(1)
    with pytest.raises(OutOfDate, match="another outcome since"):
        campaign.correct(1, "success", told_event=told.told_event)
    assert campaign.row(1) == fixed


def test_an_experiment_told_twice_under_one_key_is_recorded_once() -> None:
    campaign = Campaign.create("tubes", Space.grid(power=[8, 10]), seed=1, storage=":memory:")
    first, second = (campaign.tell_new({"power": 9}, "success", key="k") for _ in range(2))
    assert first == second
    assert campaign.last_event() == 1
    with pytest.raises(InvalidInput, match="said something else"):
        campaign.tell_new({"power": 9}, "failure", key="k")
    assert campaign.row(1).levels == {"power": 9.0}


def test_what_was_previewed_is_what_is_asked() -> None:
    campaign = Campaign.create("tubes", Space.grid(power=[8, 10, 12]), budget=5, seed=1, storage=":memory:")
    for outcome in (True, False, True):
        seen = campaign.preview()
        assert campaign.last_event() % 2 == 0
        assert campaign.ask() == seen
        campaign.tell(seen.number, outcome)


def test_whatever_is_recorded_twice_under_one_key_is_recorded_once(store: Storage, space: Space) -> None:
    campaign = Campaign.create("once", space, seed=1, storage=store)
    campaign.ask_batch(2)
    for number, call in enumerate(
        (
            lambda one: one.tell(1, "success", note="warm", key="told"),
            lambda one: one.correct(1, "failure", key="corrected"),
            lambda one: one.withdraw(2, note="broken", key="withdrawn"),
            lambda one: one.note("a new bottle", trial=1, key="noted"),
            lambda one: one.note("a new bottle", key="noted too"),
            lambda one: one.tell_new(3, "success", key="new"),
        ),
        start=3,
    ):
        first = call(campaign)
        assert campaign.last_event() == number
        assert call(Campaign.open("once", store)) == first
        assert campaign.last_event() == number
    assert campaign.row(1).notes == ("warm", "a new bottle")
    assert campaign.row(1).corrections == 1


def test_a_correction_that_was_of_another_outcome_is_found_by_its_key_all_the_same(
    memory: Storage, space: Space
) -> None:
    campaign = Campaign.create("corrected", space, seed=1, storage=memory)
    told = campaign.tell(campaign.ask(), "success")
    for _ in range(2):
        assert campaign.correct(1, "failure", told_event=told.told_event, key="k").corrections == 1
    with pytest.raises(InvalidInput, match="said something else"):
        campaign.correct(1, "success", key="k")


def test_outcomes_that_come_in_while_a_trial_is_chosen_do_not_make_the_choice_worthless(space: Space) -> None:
    """It is recorded with the event after which it was chosen, so that a replay chooses the same."""
    campaign = Campaign.create("meanwhile", space, seed=1, storage=":memory:")
    campaign.ask_batch(2)
    other, chosen = Campaign.open("meanwhile", campaign.storage), []

    def told_meanwhile(*given: object) -> list[tuple[int, dict]]:
        chosen.append(choose(*given))
        other.tell(len(chosen), "success")
        return chosen[-1]

    choose = campaign._asking._chosen
    campaign._asking._chosen = told_meanwhile  # type: ignore[method-assign]
    trial = campaign.ask()
    assert len(chosen) == 1
    assert trial.alternative == chosen[0][0][0]
    opened = campaign._log.ledger.entry(trial.number)
    assert (opened.opened, opened.payload["after"]) == (4, 2)
    assert campaign.rewind(2).preview().alternative == trial.alternative


def test_another_trial_that_is_opened_while_one_is_chosen_makes_it_be_chosen_again(space: Space) -> None:
    campaign = Campaign.create("meanwhile", space, seed=1, storage=":memory:")
    other, chosen = Campaign.open("meanwhile", campaign.storage), []

    def opened_meanwhile(*given: object) -> list[tuple[int, dict]]:
        chosen.append(choose(*given))
        if len(chosen) == 1:
            other.tell_new(0, "success")
        return chosen[-1]

    choose = campaign._asking._chosen
    campaign._asking._chosen = opened_meanwhile  # type: ignore[method-assign]
    trial = campaign.ask()
    assert len(chosen) == 2
    assert trial.number == 2
    assert campaign._log.ledger.entry(2).payload["after"] == 1


def test_a_key_of_one_kind_of_call_is_refused_for_another(memory: Storage, space: Space) -> None:
    campaign = Campaign.create("kinds", space, seed=1, storage=memory)
    campaign.ask()
    campaign.tell(1, "success", key="k")
    campaign.correct(1, "failure")
    with pytest.raises(InvalidInput, match="said something else"):
        campaign.correct(1, "success", key="k")
    assert campaign.row(1).outcome == "failure"


def test_a_note_belongs_to_what_an_experiment_says(memory: Storage, space: Space) -> None:
    campaign = Campaign.create("noted", space, seed=1, storage=memory)
    first = campaign.tell_new(0, "success", note="first", key="k")
    assert campaign.tell_new(0, "success", note="first", key="k") == first
    with pytest.raises(InvalidInput, match="said something else"):
        campaign.tell_new(0, "success", note="second", key="k")


def test_what_ask_says_under_a_key_stays_as_it_was(memory: Storage, space: Space) -> None:
    """Stores hold digests of it: it must never change."""
    campaign = Campaign.create("asked", space, seed=1, storage=memory)
    campaign.ask_batch(2, key="k")
    said = sha256(json.dumps([2, None, False]).encode()).hexdigest()
    assert all(one.payload["request"] == {"key": "k", "digest": said} for one in memory.events(campaign.number))
