"""A plate that comes back: trials told by their numbers from one table, all or none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sureshot import Campaign, Space
from sureshot.campaign.answers.flat import plate_columns
from sureshot.errors import Conflict, InvalidInput, SureshotError, UnknownName
from sureshot.storage import Storage


@pytest.fixture
def campaign(space: Space, store: Storage) -> Campaign:
    made = Campaign.create(
        "tubes", space, success="single-walled", failure="double-walled", policy="random", seed=1, storage=store
    )
    made.ask_batch(4)
    return made


def plate(campaign: Campaign, *outcomes: object) -> dict[str, list[Any]]:
    trials = [campaign.trial(number) for number in range(1, len(outcomes) + 1)]
    return {**plate_columns(campaign.spec.pool, trials), "outcome": list(outcomes)}


def stands(campaign: Campaign) -> list[Any]:
    return [(row.state, row.successes, row.of) for row in campaign.history()]


def test_filled_rows_are_told_and_blank_ones_passed_over(campaign: Campaign) -> None:
    table = plate(campaign, "single-walled", "", "PENDING", "double-walled")
    done = campaign.tell_table(table, author="Ann")
    assert (done.trials, done.recorded, done.blank, done.already) == ((1, 4), 2, 2, 0)
    assert str(done) == "2 outcomes recorded; 2 rows without an outcome passed over."
    assert stands(campaign) == [("told", 1, 1), ("pending", None, None), ("pending", None, None), ("told", 0, 1)]
    assert [row.told_by for row in campaign.history()] == ["Ann", None, None, "Ann"]
    # the same table with one more filled in
    done = campaign.tell_table({**table, "outcome": ["single-walled", 1, None, "failure"]})
    assert (done.trials, done.blank, done.already) == ((2,), 1, 2)
    assert str(done) == "1 outcome recorded; 2 rows told already; 1 row without an outcome passed over."
    assert campaign.status().events == 4 + 3


def test_several_tries_and_rows_in_any_order(campaign: Campaign) -> None:
    rows = [{"trial": "3", "outcome": 7, "of": 10}, {"trial": 1.0, "outcome": "failure", "of": None}]
    assert campaign.tell_table(iter(rows)).trials == (3, 1)
    assert stands(campaign)[0::2] == [("told", 0, 1), ("told", 7, 10)]
    named = [{"trial": "#2", "what": "1", "tries": "2"}]
    assert campaign.tell_table(named, outcome="what", of="tries").trials == (2,)


def test_a_frame_of_the_history_can_be_filled_in_and_told(campaign: Campaign) -> None:
    campaign.tell(1, 3, of=4)
    frame = campaign.trials_frame()
    frame["outcome"] = frame["outcome"].astype(object)
    frame.loc[2, "outcome"] = "single-walled"
    done = campaign.tell_table(frame)
    assert (done.trials, done.already, done.blank) == ((3,), 1, 2)


def test_a_file_is_told_and_an_error_names_the_line(campaign: Campaign, tmp_path: Path) -> None:
    file = tmp_path / "plate.csv"
    file.write_text("trial;outcome\n1;double-walled\n2;maybe\n")
    with pytest.raises(UnknownName, match=r"line 3 of plate.csv: unknown outcome 'maybe'"):
        campaign.tell_table(file)
    assert campaign.status().told == 0
    file.write_text("trial;outcome\n1;double-walled\n2;\n")
    assert campaign.tell_table(str(file)).trials == (1,)


@pytest.mark.parametrize(
    ("rows", "error", "words"),
    [
        ([{"trial": 1, "outcome": "failure"}], Conflict, r"already has the outcome single-walled \(by Bo, event 5\)"),
        (
            [{"trial": 1, "outcome": 1, "of": 2}],
            Conflict,
            "and this row says single-walled in 1 of 2: if that was wrong",
        ),
        ([{"trial": 2, "outcome": "failure"}], Conflict, "trial 2 was withdrawn"),
        ([{"trial": 9, "outcome": "failure"}], UnknownName, "no trial has the number 9"),
        ([{"trial": None, "outcome": "failure"}], InvalidInput, "must have the number of its trial, got none"),
        ([{"trial": "A1", "outcome": "failure"}], InvalidInput, "must be the number that ask"),
        ([{"trial": 3.5, "outcome": "failure"}], InvalidInput, "must be the number that ask"),
        ([{"trial": 3, "outcome": "failure"}] * 2, InvalidInput, r"got trial 3 in row \d too"),
        ([{"trial": 3, "outcome": "3"}], UnknownName, "say how many tries"),
        ([{"number": 3, "outcome": 1}], InvalidInput, "must have a column 'trial', got number, outcome"),
        ([{"trial": 3, "result": 1}], InvalidInput, "must have a column 'outcome', got trial, result"),
    ],
)
def test_what_is_wrong_is_refused_and_nothing_recorded(campaign: Campaign, rows: Any, error: Any, words: str) -> None:
    campaign.tell(1, "single-walled", author="Bo")
    campaign.withdraw(2)
    before = campaign.export()
    number, result, *_ = rows[0]
    good = {**rows[0], number: 4, result: 1}
    for table in (rows, [good, *rows], [*rows, good]):
        with pytest.raises(error, match=words):
            campaign.tell_table(table)
        assert campaign.export() == before


def test_rows_that_were_sorted_apart_are_refused(campaign: Campaign) -> None:
    table = plate(campaign, 1, 0, 1, 0)
    table["power"] = table["power"][1:] + table["power"][:1]
    assert table["power"] != plate(campaign, 1, 0, 1, 0)["power"]
    with pytest.raises(InvalidInput, match="must say what its trial tried, got power"):
        campaign.tell_table(table)
    table["power"] = [99] * 4  # beyond the levels
    with pytest.raises(InvalidInput, match=r"got power 99, .* for trial 1, which is power"):
        campaign.tell_table(table)
    assert campaign.status().told == 0


def test_import_refuses_the_trials_of_this_campaign(campaign: Campaign, memory: Storage) -> None:
    table = plate(campaign, 1, 0, 1, 0)
    with pytest.raises(Conflict, match=r"the rows are trials of this campaign \(column 'trial'\).*tell_table\(\)"):
        campaign.import_table(table)
    assert len(campaign.history()) == 4
    other = Campaign.create("other", campaign.spec.pool.space, storage=memory)
    assert other.import_table(table).recorded == 4  # of which it knows nothing
    numbered = {**table, "trial": [11, 12, 13, 14]}  # somebody's own running number
    assert campaign.import_table(numbered).recorded == 4


def test_a_column_of_tries_is_found_by_its_name(campaign: Campaign) -> None:
    table = {**plate(campaign, 3, "single-walled"), "of": [4, 1]}
    del table["trial"]
    campaign.import_table(table)
    assert [(row.successes, row.of) for row in campaign.history()[4:]] == [(3, 4), (1, 1)]
    with pytest.raises(SureshotError, match="whole number of successes"):
        campaign.import_table({**table, "outcome": ["single-walled", 1], "of": [4, 1]})
