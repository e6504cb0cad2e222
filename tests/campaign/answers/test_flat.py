"""Trials as tables: what is in them, and that what goes out comes in again."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from sureshot import Campaign, Space
from sureshot.campaign.answers.flat import plate_columns
from sureshot.space import Actions
from sureshot.storage import Storage


@pytest.fixture
def campaign(space: Space, memory: Storage) -> Campaign:
    """Trial 1 told, 2 pending, 3 withdrawn, 4 never asked and of several tries, 5 off the grid and corrected."""
    made = Campaign.create(
        "tubes", space, success="single-walled", failure="double-walled", policy="random", seed=1, storage=memory
    )
    made.ask_batch(3, author="Ann")
    made.tell(1, "single-walled", author="Bo", note="slow")
    made.withdraw(3)
    made.tell_new({"power": 8, "ethylene": 10, "catalyst": "Co"}, 7, of=10)
    made.tell_new({"power": 9, "ethylene": 10, "catalyst": "Fe"}, "success")
    made.correct(5, "failure", author="Ann", note="misread")
    return made


def test_every_row_of_history_has_its_levels_and_events(campaign: Campaign) -> None:
    rows = campaign.history()
    assert rows[3].levels == {"power": 8.0, "ethylene": 10.0, "catalyst": "Co"}
    assert rows[4].levels == {"power": 9.0, "ethylene": 10.0, "catalyst": "Fe"}
    events = campaign.export()["events"]
    for row in rows:
        assert row.levels == campaign.spec.pool.levels(campaign._log.ledger.entry(row.trial))
        mine = {event["number"]: event["kind"] for event in events if event["trial"] == row.trial}
        assert row.opened_event == min(mine)
        assert row.told_event == max((n for n, kind in mine.items() if kind in ("told", "corrected")), default=None)
        assert row.withdrawn_event == max((n for n, kind in mine.items() if kind == "withdrawn"), default=None)
    assert [row.told_event for row in rows] == [4, None, None, 6, 8]
    assert json.loads(json.dumps(rows[0].to_dict()))["levels"] == rows[0].levels
    for row in rows:  # the number is the one that rewind takes
        assert row.opened_event is not None
        assert len(campaign.rewind(row.opened_event).history()) == row.trial


def test_the_frame_of_trials_has_a_row_for_each(campaign: Campaign) -> None:
    frame = campaign.trials_frame()
    assert list(frame.columns) == [
        *("trial", "power", "ethylene", "catalyst", "outcome", "successes", "of", "state", "asked", "chance", "value"),
        *("opened_at", "opened_by", "told_at", "told_by", "opened_event", "told_event", "withdrawn_event"),
        *("corrections", "notes"),
    ]  # fmt: skip
    assert frame["trial"].tolist() == [1, 2, 3, 4, 5]
    assert frame["outcome"].tolist() == ["single-walled", None, None, 7, "double-walled"]
    assert frame["of"].dtype == frame["told_event"].dtype == "Int64"
    assert frame["of"].tolist()[3:] == [10, 1]
    assert frame["state"].tolist() == ["told", "pending", "withdrawn", "told", "told"]
    assert frame["power"].tolist() == [row.levels["power"] for row in campaign.history()]
    assert frame["chance"].isna().tolist() == [False, False, False, True, True]
    assert frame["chance"].dtype == frame["value"].dtype == "float64"
    assert isinstance(frame["opened_at"].dtype, pd.DatetimeTZDtype)
    assert frame["told_at"].isna().tolist() == [False, True, True, False, False]
    assert frame["notes"].tolist()[0] == "slow"
    assert (frame["told_by"][0], frame["told_by"][4]) == ("Bo", "Ann")


def test_a_frame_without_trials_has_its_columns(space: Space, memory: Storage) -> None:
    empty = Campaign.create("empty", space, storage=memory)
    assert len(empty.trials_frame()) == len(empty.to_frame()) == 0
    assert list(empty.to_frame().columns) == ["power", "ethylene", "catalyst", "outcome", "of"]


def test_what_to_frame_gives_is_imported_as_it_was(campaign: Campaign, memory: Storage) -> None:
    frame = campaign.to_frame()
    assert len(frame) == 3
    other = Campaign.create(
        "other", campaign.spec.pool.space, success="single-walled", failure="double-walled", seed=1, storage=memory
    )
    assert other.import_table(frame).recorded == 3
    pd.testing.assert_frame_equal(other.to_frame(), frame)
    assert [(row.levels, row.successes, row.of) for row in other.history()] == [
        (row.levels, row.successes, row.of) for row in campaign.history() if row.state == "told"
    ]


def test_cases_have_columns_of_their_own(memory: Storage) -> None:
    desk = Campaign.create(
        "desk", Actions(["wait", "treat"]), context={"age": (18, 90), "ward": ["A", "B"]}, storage=memory
    )
    desk.tell_new("wait", True, context={"age": 61, "ward": "B"})
    frame = desk.to_frame()
    assert frame.to_dict("records") == [{"action": "wait", "age": 61.0, "ward": "B", "outcome": "success", "of": 1}]
    again = Campaign.create(
        "again", Actions(["wait", "treat"]), context={"age": (18, 90), "ward": ["A", "B"]}, storage=memory
    )
    again.import_table(frame)
    pd.testing.assert_frame_equal(again.to_frame(), frame)


def test_a_parameter_with_the_name_of_a_column_keeps_it(memory: Storage) -> None:
    odd = Campaign.create(
        "odd", Space.grid(trial=[1, 2], outcome=["a", "b"], of=[5, 6]), policy="random", storage=memory
    )
    trials = odd.ask_batch(2)
    columns = plate_columns(odd.spec.pool, trials)
    assert list(columns) == ["trial_trial", "trial", "outcome", "of", "trial_outcome"]
    columns["trial_outcome"] = ["success", "failure"]
    assert odd.tell_table(columns).trials == (1, 2)
    frame = odd.to_frame()
    assert list(frame.columns) == ["trial", "outcome", "of", "trial_outcome", "trial_of"]
    other = Campaign.create("other", odd.spec.pool.space, storage=memory)
    other.import_table(frame, outcome="trial_outcome")
    pd.testing.assert_frame_equal(other.to_frame(), frame)
