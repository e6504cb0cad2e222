"""Predictions against the belief by hand, against what ``ask`` shows, and of whatever a person asks about."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.special import expit

from sureshot.campaign import Campaign
from sureshot.core import Belief
from sureshot.errors import InvalidInput, UnknownName
from sureshot.policies import situation
from sureshot.space import Actions, Contexts, Space
from sureshot.storage import Storage, asked

SPACE = Space.grid(power="8,10,12,14 W", catalyst=["Fe", "Co"])
ANSWERS = ["chance", "low", "high", "value", "tries", "successes"]


@pytest.fixture
def made(memory: Storage) -> Campaign:
    found = Campaign.create("bench", SPACE, seed=1, budget=12, storage=memory)
    for row, won in ((7, 4), (0, 1), (7, 3), (2, 0)):
        found.tell_new(row, won, of=4)
    return found


def test_the_frame_has_every_alternative_the_likeliest_first(made: Campaign) -> None:
    frame = made.predict()
    assert frame.columns.tolist() == ["power", "catalyst", *ANSWERS]
    assert (frame.index.name, sorted(frame.index)) == ("alternative", list(range(8)))
    assert (frame["chance"].diff().dropna() <= 0.0).all()
    assert frame.loc[7, ["power", "catalyst", "tries", "successes"]].tolist() == [14.0, "Co", 8, 7]
    assert frame.index[0] == made.best().alternative
    assert frame["chance"].iloc[0] == made.best().probability


def test_chances_and_intervals_are_those_of_the_belief_by_hand(memory: Storage) -> None:
    made = Campaign.create("bench", SPACE, formula="power + catalyst", prior=1.0, seed=1, storage=memory)
    made.tell_new(7, 4, of=5)
    belief, frame = made.belief, made.predict().sort_index()
    assert isinstance(belief, Belief)
    f = np.random.default_rng(1).multivariate_normal(belief.mean, belief.cov, 400_000) @ made.spec.pool.matrix().T
    p = expit(f)
    assert frame["chance"].to_numpy() == pytest.approx(p.mean(axis=0), abs=2e-3)
    for end, at in (("low", 0.025), ("high", 0.975)):
        assert frame[end].to_numpy() == pytest.approx(np.quantile(p, at, axis=0), abs=6e-3)


@pytest.mark.parametrize("policy", ["kg-star", "thompson"])
@pytest.mark.parametrize("pending", [0, 2, 8])
def test_the_value_is_what_ask_shows(memory: Storage, policy: str, pending: int) -> None:
    """Eight pending trials have their outcomes drawn: the same for both."""
    made = Campaign.create("bench", SPACE, seed=1, budget=14, policy=policy, storage=memory)
    made.tell_new(7, 1)
    made._log.append([asked(row % 8) for row in range(pending)])
    frame = made.predict()
    trial = made.ask()
    assert frame.loc[trial.alternative, "value"] == pytest.approx(trial.value, rel=1e-9, abs=1e-12)
    assert frame.loc[trial.alternative, "chance"] == pytest.approx(trial.probability, rel=1e-12)
    if policy == "kg-star":
        assert frame["value"].max() == pytest.approx(trial.value, rel=1e-6)


def test_the_value_of_the_last_trial_is_the_gain_by_bayes_rule(memory: Storage) -> None:
    """By brute force: weights drawn from the prior, both outcomes, and the best alternative after each."""
    made = Campaign.create("bench", SPACE, formula="power + catalyst", prior=1.0, seed=1, budget=1, storage=memory)
    belief = made.belief
    assert isinstance(belief, Belief)
    draws = np.random.default_rng(2).multivariate_normal(belief.mean, belief.cov, 1_000_000)
    p = expit(draws @ made.spec.pool.matrix().T)
    others = [made.spec.pool.space.row(0), made.spec.pool.space.row(5), {"power": 20.0, "catalyst": "Co"}]
    frame, now = made.predict(others), p.mean(axis=0).max()
    for i, x in enumerate(made.spec.pool.design.matrix(others)):  # the last is not in the pool, and can't be chosen
        won = expit(draws @ x)[:, None]
        after = (won * p).mean(axis=0).max() + ((1.0 - won) * p).mean(axis=0).max()
        assert frame["value"].iloc[i] == pytest.approx(after - now, abs=1.5e-3)
        assert after - now > 0.02


@pytest.mark.parametrize(
    ("rows", "index"),
    [
        (3, [3]),
        ([5, 2], [5, 2]),
        (np.array([5, 2]), [5, 2]),
        (pd.Index([5, 2]), [5, 2]),
        (range(2), [0, 1]),
        ({"power": 14, "catalyst": "Co"}, [7]),
        ({"power": "14 W", "catalyst": "Co"}, [7]),
        ([{"power": 14, "catalyst": "Co"}, {"power": 8, "catalyst": "Fe"}], [7, 0]),
        ({"power": [14, 8], "catalyst": ["Co", "Fe"]}, [7, 0]),
        (pd.DataFrame({"note": ["x", None], "catalyst": ["Co", "Fe"], "power (W)": [14, 8]}), [7, 0]),
    ],
)
def test_whatever_is_asked_about_comes_in_the_order_given(made: Campaign, rows: object, index: list[int]) -> None:
    frame, every = made.predict(rows), made.predict()
    assert frame.index.tolist() == index
    pd.testing.assert_frame_equal(frame, every.loc[index], rtol=1e-9, check_index_type=False)


def test_settings_beside_the_pool_are_predicted_and_noted(made: Campaign) -> None:
    made.tell_new({"power": 11, "catalyst": "Co"}, 2, of=3)
    frame = made.predict(
        [{"power": 11, "catalyst": "Co"}, {"power": 12, "catalyst": "Co"}, {"power": 99, "catalyst": "Fe"}]
    )
    assert frame.index.isna().tolist() == [True, False, True]
    assert frame["tries"].tolist() == [3, 0, 0]
    assert frame.attrs["notes"] == [
        "row 0: power 11 W lies between the levels 10 and 12",
        "row 2: power 99 W lies outside the levels, 8 to 14",
    ]
    X = made.spec.pool.design.matrix([{"power": 11.0, "catalyst": "Co"}])
    by_hand = situation(made.belief, X).probability[0]
    assert frame["chance"].iloc[0] == pytest.approx(by_hand, rel=1e-12)


@pytest.mark.parametrize(
    ("rows", "error", "said"),
    [
        ({"power": 14, "catalyst": "Cu"}, UnknownName, "catalyst has no level 'Cu'"),
        (pd.DataFrame({"power": [8, 9], "catalyst": ["Fe", "Cu"]}), UnknownName, "row 1: catalyst has no level 'Cu'"),
        (pd.DataFrame({"power": [8]}), InvalidInput, "the rows must have a column 'catalyst'"),
        ({"power": 14}, InvalidInput, "a value for every column, got none for catalyst"),
        ([0, 8], InvalidInput, "row 1: a row must be a whole number from 0 to 7, got 8"),
        ([True], InvalidInput, "got True"),
        ([], InvalidInput, "there must be at least one setting to predict, got none"),
        (pd.DataFrame({"power": [], "catalyst": []}), InvalidInput, "got none"),
        ("Co", InvalidInput, "got 'Co'"),
    ],
)
def test_what_can_not_be_predicted_is_an_error_with_its_place(made: Campaign, rows, error, said) -> None:
    with pytest.raises(error, match=said):
        made.predict(rows)


def test_a_frame_of_polars_gives_a_frame_of_polars(made: Campaign) -> None:
    found = made.predict(pl.DataFrame({"power": [14, 11], "catalyst": ["Co", "Fe"]}))
    assert isinstance(found, pl.DataFrame)
    assert found.columns == ["alternative", "power", "catalyst", *ANSWERS]
    assert found["alternative"].to_list() == [7, None]
    assert found["chance"][0] == pytest.approx(made.predict(7)["chance"].iloc[0], rel=1e-12)
    assert isinstance(made.predict(), pd.DataFrame)


def test_of_a_large_pool_some_have_values_and_a_note_says_so(made: Campaign, monkeypatch) -> None:
    whole = made.predict()
    monkeypatch.setattr("sureshot.campaign.answers.values.PAIRS", 4 * len(SPACE))
    frame = made.predict()
    told = frame["value"].dropna()
    assert frame.attrs["notes"] == ["the value of a trial is told of 4 of these 8: for all, it would take minutes"]
    assert len(told) == 4
    assert set(frame.index[:2]) <= set(told.index)  # the likeliest
    assert whole["value"].idxmax() in told.index  # and the most worth a trial
    assert told.to_numpy() == pytest.approx(whole.loc[told.index, "value"].to_numpy(), rel=1e-9)
    assert made.predict(pl.DataFrame({"power": [8] * 8, "catalyst": ["Fe"] * 8}))["value"].null_count() == 4
    assert made.predictions(top=3).value == pytest.approx(whole["value"].iloc[:3].to_numpy(), rel=1e-9)
    assert made.predictions(top=3).notes == ()


def test_a_huge_pool_is_compared_as_for_a_decision(memory: Storage) -> None:
    """20,000 alternatives: ``ask`` compares with those that may turn out best, and so does this."""
    space = Space.grid(a=range(20), b=range(20), c=range(50))
    made = Campaign.create("huge", space, formula="a + b + c", prior=1.0, seed=1, budget=30, storage=memory)
    made.tell_new(19_999, 3, of=4)
    trial = made.ask()
    made.withdraw(trial)
    assert made.predictions([trial.alternative]).value[0] == pytest.approx(trial.value, rel=1e-3)


def test_more_pending_trials_than_can_be_followed_leave_the_values_blank(made: Campaign) -> None:
    made._log.append([asked(0) for _ in range(101)])
    frame = made.predict()
    assert frame["value"].isna().all()
    assert frame.attrs["notes"] == ["no value of a trial is told while so many trials are pending"]


def test_a_parameter_that_is_called_like_an_answer_keeps_its_name(memory: Storage) -> None:
    made = Campaign.create("odd", Space.grid(value=[1, 2, 3], low=[1, 2]), seed=1, storage=memory)
    assert made.predict().columns.tolist() == ["value", "low", "chance", "low_", "high", "value_", "tries", "successes"]


def test_cautions_come_with_it(memory: Storage) -> None:
    space = Space.grid(temperature=range(100, 201, 10), solvent=["A", "B"])
    made = Campaign.create("bent", space, formula="temperature + solvent", seed=1, storage=memory)
    for row in range(len(space)):
        made.tell_new(row, 4 if 130 <= space.row(row)["temperature"] <= 170 else 0, of=4)
    raised = list(made.status().cautions)
    assert raised
    assert made.predict().attrs["cautions"] == raised
    assert list(made.effects().cautions) == raised


@pytest.mark.parametrize("shape", [None, "straight"])
def test_in_a_case(memory: Storage, shape: str | None) -> None:
    given = {"shape": shape} if shape else {"prior": 1.0}
    cases = Contexts(age=(18, 90), ward=["A", "B"])
    desk = Campaign.create("desk", Actions(["treat", "wait"]), context=cases, seed=1, storage=memory, **given)
    desk.tell_new("treat", 8, of=9, context={"age": 60, "ward": "A"})
    case = {"age": 95, "ward": "A"}
    frame, trial = desk.predict(context=case), desk.ask(case)
    assert frame.loc[trial.alternative, "value"] == pytest.approx(trial.value, rel=1e-9)
    assert frame.loc[trial.alternative, "chance"] == pytest.approx(trial.probability, rel=1e-12)
    assert frame.attrs["cautions"] == ["age 95 lies outside 18 to 90, the range that the campaign was made for"]
    assert desk.predict("wait", context=case).index.tolist() == [1]
    with pytest.raises(InvalidInput, match="decides in a context"):
        desk.predict()


def test_the_record_reads_as_sentences_and_as_json(made: Campaign) -> None:
    found = made.predictions(top=2)
    assert json.loads(json.dumps(found.to_dict()))["alternatives"] == 8
    assert str(found[0]).startswith("Power 14 W, catalyst Co: ")
    assert str(found).count("\n") == 2
    with pytest.raises(InvalidInput, match="`top` must be a whole number"):
        made.predictions(top=0)
