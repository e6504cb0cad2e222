"""A table that was imported before is found again: the same, grown, or with blanks filled since."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from sureshot.campaign import Campaign
from sureshot.errors import Conflict, InvalidInput
from sureshot.space import Actions, Space
from sureshot.storage import Storage


def rows(*outcomes: object) -> list[dict[str, object]]:
    return [{"power": 8 + i % 3, "outcome": outcome} for i, outcome in enumerate(outcomes)]


@pytest.fixture
def campaign(store: Storage) -> Campaign:
    return Campaign.create("again", Space.grid(power=[8, 10, 12]), seed=1, storage=store)


def test_the_same_table_is_refused_and_nothing_recorded(campaign: Campaign) -> None:
    table = rows(1, 0, 1, 1)
    assert campaign.import_table(table).trials == (1, 4)
    before = campaign.export()
    with pytest.raises(
        Conflict, match=r"all 4 rows are recorded already, as trials 1 to 4 \(imported today .*repeated='record'"
    ):
        campaign.import_table(table)
    assert campaign.import_table(table, repeated="skip").repeated == 4
    assert campaign.export() == before
    again = campaign.import_table(table, repeated="record")
    assert (again.recorded, again.again, again.trials) == (4, 4, (5, 8))
    assert "4 of them had been recorded by an earlier import" in str(again)


def test_a_table_that_grew(campaign: Campaign) -> None:
    campaign.import_table(rows(1, None, 1))  # the second is running still
    with pytest.raises(Conflict, match="2 of the 5 rows are recorded already, as trials 1 to 2"):
        campaign.import_table(rows(1, 0, 1, 1, 0))
    grown = campaign.import_table(rows(1, 0, 1, 1, 0), repeated="skip")
    assert (grown.recorded, grown.repeated) == (3, 2)
    assert [row.outcome for row in campaign.history()] == ["success", "success", "failure", "success", "failure"]
    with pytest.raises(Conflict, match="all 5 rows"):  # of two imports together
        campaign.import_table(rows(1, 0, 1, 1, 0))


def test_rows_that_come_one_by_one_while_others_record_something(campaign: Campaign) -> None:
    def slowly() -> Iterator[dict[str, object]]:
        for row in rows(1, 0):
            Campaign.open("again", campaign.storage).note("meanwhile")
            yield row

    assert campaign.import_table(slowly()).recorded == 2


def test_other_tables_are_no_repetition(campaign: Campaign) -> None:
    campaign.import_table(rows(1, 0, 1))
    assert campaign.import_table(rows(0, 0, 1)).recorded == 3
    assert campaign.import_table(rows(1, 0)).recorded == 2  # a part of it is another table
    for number in range(1, 4):
        campaign.withdraw(number)
    assert campaign.import_table(list(reversed(rows(1, 0, 1)))).recorded == 3
    campaign.tell_new(0, 1)  # one by one is never an import
    assert campaign.import_table([{"power": 8, "outcome": 1}]).recorded == 1


def test_a_corrected_or_withdrawn_row(campaign: Campaign) -> None:
    campaign.import_table(rows(1, 0, 1))
    campaign.correct(1, 0)
    with pytest.raises(Conflict, match="all 3 rows"):
        campaign.import_table(rows(1, 0, 1))
    campaign.withdraw(2)
    with pytest.raises(Conflict, match="2 of the 3 rows"):
        campaign.import_table(rows(1, 0, 1))
    campaign.withdraw(1)
    campaign.withdraw(3)
    assert campaign.import_table(rows(1, 0, 1)).recorded == 3


def test_contexts_and_levels_tell_rows_apart(memory: Storage) -> None:
    desk = Campaign.create("desk", Actions(dose=[1, 2]), context={"age": (18, 90)}, seed=1, storage=memory)
    table = [{"dose": 1.5, "age": 20, "outcome": 1}, {"dose": 2, "age": 30, "outcome": 0}]
    desk.import_table(table)
    assert desk.import_table([{**row, "age": 40} for row in table]).recorded == 2
    assert desk.import_table([{**row, "dose": 1.6} for row in table]).recorded == 2
    with pytest.raises(Conflict, match="all 2 rows"):
        desk.import_table(table)
    Campaign.open("desk", memory).verify()


@pytest.mark.parametrize("suffix", ["csv", "xlsx", "parquet"])
def test_files_with_blanks_units_and_columns_of_no_interest(memory: Storage, tmp_path: Path, suffix: str) -> None:
    frame = pd.DataFrame(
        {
            "what, when?": ["a", None, "c", "d"],
            "power (W)": ["8 W", "11 W", "12", "10"],
            "result": ["success", None, "PENDING", "failure"],
        }
    )
    path = tmp_path / f"old.{suffix}"
    write = {"csv": frame.to_csv, "xlsx": frame.to_excel, "parquet": frame.to_parquet}[suffix]
    write(path, index=False)
    made = Campaign.create("files", Space.grid(power="8,10,12 W"), seed=1, storage=memory)
    done = made.import_table(path, outcome="result")
    assert (done.recorded, done.blank, done.cautions) == (2, 2, ())
    assert [(row.label, row.outcome) for row in made.history()] == [("power 8 W", "success"), ("power 10 W", "failure")]
    with pytest.raises(Conflict, match="all 2 rows"):
        made.import_table(path, outcome="result")
    frame.loc[3, "power (W)"] = "10 kW"
    write(path, index=False)
    place = {"csv": r"line 5 of old\.csv", "xlsx": r"row 5 of old\.xlsx", "parquet": r"row 3 of old\.parquet"}[suffix]
    with pytest.raises(InvalidInput, match=f"{place}: power is in W, got '10 kW'"):
        made.import_table(path, outcome="result")
    with pytest.raises(InvalidInput, match=rf"old\.{suffix} must have a column 'outcome', got .*outcome='\.\.\.'"):
        made.import_table(path)


def test_counts_in_a_file(memory: Storage, tmp_path: Path) -> None:
    path = tmp_path / "old.csv"
    path.write_text("power;won;n\n8;3;5\n10,5;0;1\n")
    made = Campaign.create("files", Space.grid(power=[8, 10, 12]), seed=1, storage=memory)
    done = made.import_table(path, outcome="won", of="n")
    assert done.cautions == ("line 3 of old.csv: power 10.5 lies between the levels 10 and 12",)
    assert [(row.successes, row.of) for row in made.history()] == [(3, 5), (0, 1)]
