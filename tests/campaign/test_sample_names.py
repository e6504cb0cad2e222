"""Rows with names of their own, in every table that comes out of a campaign or goes into it."""

import pandas as pd
import polars as pl
import pytest

from sureshot import Campaign, Space
from sureshot.errors import InvalidInput

FRAME = pd.DataFrame({"sample": ["A1", "A2", "A3", "A4"], "power": [8, 10, 12, 14], "gas": ["x", "y", "x", "y"]})


@pytest.fixture
def campaign() -> Campaign:
    space = Space.from_frame(FRAME, id="sample")
    return Campaign.create("films", space, seed=1, storage=":memory:")


def test_the_names_stand_in_every_table(campaign: Campaign) -> None:
    trial = campaign.ask()
    campaign.tell(trial, "success")
    assert campaign.to_frame()["sample"].tolist() == [trial.id]
    assert campaign.trials_frame()["sample"].tolist() == [trial.id]
    table = campaign.predict()
    assert dict(zip(table["power"], table["sample"], strict=True)) == dict(
        zip(FRAME["power"], FRAME["sample"], strict=True)
    )
    first = campaign.predictions(top=1)[0]
    assert (first.label, first.id) == (f"sample {first.id}", table["sample"].iloc[0])


def test_settings_are_asked_about_by_name(campaign: Campaign) -> None:
    by_name = campaign.predict(pl.DataFrame({"sample": ["A3", "A1"]}))
    by_levels = campaign.predict(pl.DataFrame({"power": [12, 8], "gas": ["x", "x"]}))
    assert by_name.equals(by_levels)
    assert by_name["power"].to_list() == [12.0, 8.0]
    with pytest.raises(InvalidInput, match="A2"):
        campaign.predict(pd.DataFrame({"sample": ["A2"], "power": [8], "gas": ["x"]}))


@pytest.mark.parametrize("wrong", [{"sample": "other"}, {"power": "other"}, {"sample": "other", "gas": "own"}])
def test_a_plate_with_another_sample_than_was_asked_is_refused(campaign: Campaign, wrong: dict[str, str]) -> None:
    trial = campaign.ask()
    mine = FRAME.iloc[trial.alternative].to_dict()
    other = FRAME.iloc[(trial.alternative + 2) % 4].to_dict()  # the same gas, another sample
    row = {name: (mine if which == "own" else other)[name] for name, which in wrong.items()}
    with pytest.raises(InvalidInput):
        campaign.tell_table([{"trial": trial.number, **row, "outcome": "success"}])
    assert campaign.history()[0].state == "pending"
    own = {name: mine[name] for name in wrong}
    assert campaign.tell_table([{"trial": trial.number, **own, "outcome": "success"}]).recorded == 1


def test_a_case_that_is_not_the_trials_is_refused() -> None:
    desk = Campaign.create("desk", Space.grid(action=["a", "b"]), context={"age": (18, 90)}, seed=1, storage=":memory:")
    trial = desk.ask(context={"age": 20})
    with pytest.raises(InvalidInput, match="a row must say what its trial tried, got age 77"):
        desk.tell_table([{"trial": 1, "age": 77, "outcome": "success"}])
    assert desk.tell_table([{"trial": trial.number, "age": 20, "outcome": "success"}]).recorded == 1


def test_parameters_may_be_called_as_our_columns() -> None:
    odd = Campaign.create("odd", Space.grid(outcome=["A", "B"], of=["x", "y"]), seed=1, storage=":memory:")
    trial = odd.ask()
    row = {"trial": 1, **trial.levels, "trial_outcome": "success"}
    with pytest.raises(InvalidInput, match="a row must say what its trial tried"):
        odd.tell_table([{**row, "of": "x" if trial.levels["of"] == "y" else "y"}])
    assert odd.tell_table([row]).recorded == 1


def test_a_gap_in_the_column_of_trials_is_no_trial(campaign: Campaign) -> None:
    table = pd.DataFrame({"trial": [1, None], "sample": ["A1", "A2"], "outcome": ["success", "failure"]})
    assert campaign.import_table(table).recorded == 2
