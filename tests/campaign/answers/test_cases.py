"""What to choose in each of many cases is what ``best`` says in each of them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

from sureshot.campaign import Campaign
from sureshot.campaign.answers import cases
from sureshot.errors import InvalidInput
from sureshot.space import Actions, Contexts, Space
from sureshot.storage import Storage

AGES = pd.DataFrame(
    {"id": [70, 80, 90, 95], "age": [20, 80, 120, 80], "ward": ["A", "B", "A", "B"], "action": list("wxyz")},
    index=[5, 6, 7, 8],
)


@pytest.fixture(params=[{"prior": 1.0}, {"shape": "auto"}], ids=["formula", "shape"])
def desk(request: pytest.FixtureRequest, memory: Storage) -> Campaign:
    declared = Contexts(age=(18, 90), ward=["A", "B"])
    found = Campaign.create(
        "desk", Actions(["treat", "wait", "refer"]), context=declared, seed=1, storage=memory, **request.param
    )
    rng = np.random.default_rng(0)
    for _ in range(20):
        age, ward = float(rng.integers(20, 90)), "AB"[rng.integers(2)]
        action = ["treat", "wait"][rng.integers(2)]
        found.tell_new(action, int((age > 50) == (action == "treat")), context={"age": age, "ward": ward})
    return found


def test_each_case_has_what_best_says_and_keeps_its_row(desk: Campaign, monkeypatch) -> None:
    monkeypatch.setattr(cases, "AT_ONCE", 4)  # one case at a time
    found = desk.best_for(AGES)
    assert found.columns.tolist() == ["id", "age", "ward", "action", "action_", "chance", "low", "high"]
    assert found.index.tolist() == [5, 6, 7, 8]
    assert len(set(found["action_"])) > 1
    for row in found.itertuples():
        best = desk.best({"age": row.age, "ward": row.ward})
        assert (row.action_, row.chance) == (best.levels["action"], pytest.approx(best.probability, rel=1e-12))
        assert (row.low, row.high) == pytest.approx(best.interval, rel=1e-9)
    assert found.attrs["notes"] == ["row 2: age 120 lies outside 18 to 90, the range that the campaign was made for"]


def test_rows_and_frames_of_other_libraries(desk: Campaign) -> None:
    whole = desk.best_for(AGES)
    other = desk.best_for(pl.DataFrame(AGES))
    assert isinstance(other, pl.DataFrame)
    assert other["action_"].to_list() == whole["action_"].tolist()
    rows = desk.best_for([{"age": 20, "ward": "A"}])
    assert rows.columns.tolist() == ["age", "ward", "action", "chance", "low", "high"]
    assert rows["action"].tolist() == whole["action_"].tolist()[:1]
    assert str(desk.choices(AGES)).startswith("In the case age 20, ward A, choose action ")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"age": [20]}, "the cases must have a column 'ward', got age: add it"),
        ({"age": [20, 30], "ward": ["A", "C"]}, "row 1: the case: ward has no level 'C'"),
        ({"age": ["old"], "ward": ["A"]}, "row 0: age must be a number, got 'old'"),
    ],
)
def test_a_case_that_is_wrong_is_named(desk: Campaign, given, said) -> None:
    with pytest.raises((InvalidInput, LookupError), match=said):
        desk.best_for(pd.DataFrame(given))


def test_without_contexts_there_is_one_choice(memory: Storage) -> None:
    made = Campaign.create("bench", Space.grid(power=[8, 10]), storage=memory)
    with pytest.raises(InvalidInput, match="one choice is best in every case"):
        made.best_for(AGES)


def test_many_equal_cases_are_looked_at_once(desk: Campaign, monkeypatch) -> None:
    seen, best = [], cases._best
    monkeypatch.setattr(cases, "_best", lambda pool, belief, given: seen.extend(given) or best(pool, belief, given))
    found = desk.best_for(pd.concat([AGES] * 250))
    assert (len(found), len(seen), found["chance"].nunique()) == (1_000, 3, 3)
