"""Whatever is wrong is refused with the rule, the value and the fix, and the store stays as it was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sureshot.campaign import Campaign, Words
from sureshot.campaign.model.spec import VERSION
from sureshot.errors import Conflict, CorruptLog, InvalidInput, StorageError, SureshotError, UnknownName
from sureshot.space import Actions, Space
from sureshot.storage import Storage

ROW = {"power": 8, "ethylene": 10, "catalyst": "Fe"}


@pytest.fixture
def campaign(memory: Storage, space: Space) -> Campaign:
    made = Campaign.create("nanotubes", space, success="single-walled", failure="double-walled", seed=1, storage=memory)
    made.tell_new(0, 1)  # trial 1
    made.ask()  # trial 2
    made.ask()  # trial 3, withdrawn
    made.withdraw(3)
    return made


BAD: list[tuple[Callable[[Campaign], Any], type[SureshotError], str]] = [
    (lambda c: c.tell(2, "maybe"), UnknownName, "'maybe': it must be 'single-walled' or 'double-walled'"),
    (lambda c: c.tell(2, 2), InvalidInput, "got 2. For several tries at once, say of how many with `of`"),
    (lambda c: c.tell(2, None), InvalidInput, "'single-walled' \\(or 1\\) or 'double-walled' \\(or 0\\), got None"),
    (lambda c: c.tell(2, float("nan")), InvalidInput, "got nan"),
    (lambda c: c.tell(2, 0.5), InvalidInput, "got 0.5"),
    (lambda c: c.tell(2, 4, of=3), InvalidInput, "between 0 and `of`, and `of` be at least 1, got 4 of 3"),
    (lambda c: c.tell(2, 0, of=0), InvalidInput, "got 0 of 0"),
    (lambda c: c.tell(2, "single-walled", of=3), InvalidInput, "whole number of successes, got 'single-walled' of 3"),
    (lambda c: c.tell(2, True, of=3), InvalidInput, "whole number of successes, got True of 3"),
    (lambda c: c.tell(2, 1, of=2.5), InvalidInput, "whole number of successes"),
    (lambda c: c.tell(1, 1), Conflict, "already has an outcome"),
    (lambda c: c.tell(3, 1), Conflict, "was withdrawn"),
    (lambda c: c.tell(9, 1), UnknownName, "no trial 9: its trials are 1 to 3"),
    (lambda c: c.tell(0, 1), InvalidInput, "between 1 and"),
    (lambda c: c.tell("2", 1), InvalidInput, "what ask\\(\\) gave, or its number, got '2'"),
    (lambda c: c.tell(True, 1), InvalidInput, "what ask\\(\\) gave"),
    (lambda c: c.tell(2, 1, note="a\x00b"), InvalidInput, "without NUL"),
    (lambda c: c.correct(2, 1), Conflict, "no outcome to correct yet"),
    (lambda c: c.correct(1, "no idea"), UnknownName, "unknown outcome 'no idea'"),
    (lambda c: c.withdraw(3), Conflict, "was withdrawn"),
    (lambda c: c.withdraw(77), UnknownName, "no trial 77"),
    (lambda c: c.note("   "), InvalidInput, "a note must have text"),
    (lambda c: c.note("x", trial=5), UnknownName, "no trial 5"),
    (lambda c: c.tell_new({**ROW, "power": 9, "catalyst": "Ni"}, 1), UnknownName, "catalyst has no level 'Ni'"),
    (lambda c: c.tell_new({**ROW, "catalyst": "Ni"}, 1), UnknownName, "catalyst has no level 'Ni'"),
    (lambda c: c.tell_new({**ROW, "powr": 1}, 1), UnknownName, "Did you mean 'power'"),
    (lambda c: c.tell_new({"power": 8}, 1), InvalidInput, "got none for ethylene, catalyst"),
    (lambda c: c.tell_new({**ROW, "power": float("nan")}, 1), SureshotError, "power"),
    (lambda c: c.tell_new({**ROW, "power": 1e51}, 1), InvalidInput, "power must be 0, or between 1e-50 and 1e.50"),
    (lambda c: c.tell_new({**ROW, "power": "9" * 400}, 1), InvalidInput, "power must be a number"),
    (
        lambda c: c.import_table([{**ROW, "outcome": 1}, {**ROW, "power": 1e51, "outcome": 1}]),
        InvalidInput,
        "row 1: power must be 0, or between",
    ),
    (lambda c: c.tell_new(32, 1), InvalidInput, "from 0 to 31, got 32"),
    (lambda c: c.tell_new(-1, 1), InvalidInput, "from 0 to 31, got -1"),
    (lambda c: c.tell_new("power 8", 1), InvalidInput, "from 0 to 31, got 'power 8'"),
    (lambda c: c.tell_new(0, 1, context={"age": 3}), InvalidInput, "no contexts"),
    (lambda c: c.ask(context={"age": 3}), InvalidInput, "no contexts"),
    (lambda c: c.ask_batch(0), InvalidInput, "at least 1, got q=0"),
    (lambda c: c.ask_batch(2.5), InvalidInput, "at least 1, got q=2.5"),  # type: ignore[arg-type]
    (lambda c: c.ask_batch("two"), InvalidInput, "at least 1, got q='two'"),  # type: ignore[arg-type]
    (lambda c: c.advice(cost="dear"), InvalidInput, "got 'dear'"),  # type: ignore[arg-type]
    (lambda c: c.best({"age": 3}), InvalidInput, "no contexts"),
    (lambda c: c.advice(cost=2.0), InvalidInput, "between 0 and 1, got 2.0"),
    (lambda c: c.why(1), InvalidInput, "told without being asked"),
    (lambda c: c.why(9), UnknownName, "its trials are 1 to 3"),
    (lambda c: c.trial(1), InvalidInput, "told without being asked"),
    (lambda c: c.rewind(99), InvalidInput, "0 to 4, got 99"),
    (lambda c: c.rewind(-1), InvalidInput, "0 to 4, got -1"),
    (lambda c: c.import_table([]), InvalidInput, "at least one row"),
    (lambda c: c.import_table([ROW]), InvalidInput, "must have a column 'outcome'"),
    (
        lambda c: c.import_table([{**ROW, "outcome": 1}, {"power": 8}]),
        InvalidInput,
        "row 1: rows must have the same columns",
    ),
    (lambda c: c.import_table([{**ROW, "outcome": 1}, {**ROW, "outcome": "?"}]), UnknownName, "row 1: unknown outcome"),
    (
        lambda c: c.import_table([{**ROW, "outcome": 1}, {**ROW, "outcome": None}], blank="refuse"),
        InvalidInput,
        "row 1: every row must",
    ),
    (
        lambda c: c.import_table([{**ROW, "outcome": np.nan}], blank="refuse"),
        InvalidInput,
        "row 0: every row must have an outcome",
    ),
    (lambda c: c.import_table([{**ROW, "outcome": 1}], repeated="again"), UnknownName, "value of repeated 'again'"),
    (
        lambda c: c.import_table([{**ROW, "outcome": 1}, {**ROW, "catalyst": "Ni", "outcome": 1}]),
        SureshotError,
        "row 1: catalyst has no level 'Ni'",
    ),
    (
        lambda c: c.import_table([{**ROW, "outcome": 1}, {**ROW, "power": "eight", "outcome": 1}]),
        SureshotError,
        "row 1: power",
    ),
    (
        lambda c: c.import_table([{**ROW, "outcome": 1}, {**ROW, "power": np.nan, "outcome": 1}]),
        SureshotError,
        "row 1: power",
    ),
    (lambda c: c.import_table([{**ROW, "outcome": 3, "n": 2}], of="n"), InvalidInput, "row 0: successes must lie"),
    (lambda c: c.import_table({**{k: [v] for k, v in ROW.items()}, "outcome": [1, 0]}), InvalidInput, "one length"),
    (
        lambda c: c.import_table(
            pd.DataFrame([[8, 8, 10, "Fe", 1]], columns=["power", "power", "ethylene", "catalyst", "outcome"])
        ),
        InvalidInput,
        "'power' for columns 1 and 2",
    ),
    (lambda c: c.import_table([{**ROW, "outcome": 1}], blank="ignore"), UnknownName, "value of blank 'ignore'"),
]


@pytest.mark.parametrize("case", BAD, ids=lambda case: case[2][:40])
def test_refused_and_nothing_recorded(campaign: Campaign, case: tuple[Callable[[Campaign], Any], Any, str]) -> None:
    act, error, message = case
    before = campaign.export()
    with pytest.raises(error, match=message):
        act(campaign)
    assert campaign.export() == before
    assert Campaign.open(storage=campaign.storage).export() == before


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"success": "ok", "failure": "OK"}, "must differ"),
    ({"success": " "}, "a word or a few"),
    ({"success": 1}, "a word or a few"),
    ({"success": "failure", "failure": "broken"}, "would be misread"),
    ({"failure": "1"}, "would be misread"),
    ({"objective": "both"}, "unknown objective"),
    ({"budget": 0}, "at least 1, got 0"),
    ({"budget": 10**300}, "at most 1,000,000,000 trials"),
    ({"cost": 1, "worth": 10**400}, "`worth` must be a number above 0"),
    ({"prior": 10**400}, "a precision above 0"),
    ({"budget": 2.5}, "at least 1, got 2.5"),
    ({"discount": 0.9}, "is for objective='online'"),
    ({"discount": 1.0, "objective": "online"}, "from 0 to below 1, got 1.0"),
    ({"cost": 2}, "between 0 and 1, got 2"),
    ({"cost": True}, "got True"),
    ({"cost": "powr"}, "Did you mean 'power'"),
    ({"cost": "catalyst"}, "column of numbers"),
    ({"cost": [1.0, 2.0]}, "shape"),
    ({"cost": "power", "objective": "online"}, "no common unit"),
    ({"prior": -1.0}, "above 0"),
    ({"prior": True}, "'auto', a precision above 0"),
    ({"prior": "strong"}, "'auto', a precision above 0"),
    ({"prior": {"mean": 3}}, "what its posterior\\(\\) gave"),
    ({"link": "logitt"}, "Did you mean 'logit'"),
    ({"formula": "__import__('os')"}, "__import__"),
    ({"formula": "power + voltage"}, "voltage"),
    ({"context_formula": "age"}, "campaigns with contexts"),
    ({"seed": -1}, "seed"),
    ({"seed": 1.5}, "seed"),
    ({"name": " spaces "}, "without spaces at the ends"),
]


@pytest.mark.parametrize(("given", "message"), WRONG, ids=lambda x: str(x)[:40])
def test_a_campaign_that_cannot_be(memory: Storage, space: Space, given: dict[str, Any], message: str) -> None:
    with pytest.raises(SureshotError, match=message):
        Campaign.create(**{"name": "x", "space": space, "storage": memory, **given})
    assert memory.campaigns() == ()


def test_names(memory: Storage, space: Space) -> None:
    with pytest.raises(UnknownName, match="it holds none"):
        Campaign.open(storage=memory)
    Campaign.create("one", space, storage=memory)
    with pytest.raises(Conflict, match="already is a campaign 'one'"):
        Campaign.create("one", space, storage=memory)
    Campaign.create("two", space, storage=memory)
    with pytest.raises(UnknownName, match=r"holds 2: one, two\. Name one"):
        Campaign.open(storage=memory)
    with pytest.raises(UnknownName, match="Did you mean 'two'"):
        Campaign.open("twoo", memory)
    memory.create_campaign("foreign", {"version": 1}, seed=1)
    with pytest.raises(CorruptLog, match=r"campaign 'foreign': spec\.space: must be there, and is missing"):
        Campaign.open("foreign", memory)
    memory.create_campaign("newer", {"version": VERSION + 1}, seed=1)
    with pytest.raises(StorageError, match="update sureshot"):
        Campaign.open("newer", memory)


def test_opening_makes_no_store(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"none\.db"):
        Campaign.open("nanotubes", tmp_path / "none.db")
    assert list(tmp_path.iterdir()) == []


def test_nothing_was_asked_yet(memory: Storage) -> None:
    made = Campaign.create("desk", Actions(["a", "b"]), context={"age": (1, 9)}, storage=memory)
    with pytest.raises(UnknownName, match="no trial was asked yet"):
        made.why()
    for wrong in (None, 5, {}, {"age": "old"}, {"agee": 3}, {"age": 3, "sex": "f"}):
        with pytest.raises(SureshotError, match=r"context|age"):
            made.ask(context=wrong)  # type: ignore[arg-type]
    assert made.status().events == 0


@pytest.mark.parametrize(
    ("given", "counts"),
    [
        ("Works", (1, 1)),
        (" fails ", (0, 1)),
        ("success", (1, 1)),
        ("0", (0, 1)),
        (True, (1, 1)),
        (np.int64(0), (0, 1)),
        (1.0, (1, 1)),
        ("1.0", (1, 1)),  # as pandas writes a column with a gap
        ("0.0", (0, 1)),
    ],
)
def test_what_is_understood(given: Any, counts: tuple[int, int]) -> None:
    assert Words("works", "fails").counts(given) == counts


def test_counts_may_be_written_as_text_or_with_a_point() -> None:
    words = Words("works", "fails")
    assert {words.counts(*given) for given in ((3, 5), ("3", "5"), ("3.0", "5.0"), (3.0, "5"))} == {(3, 5)}
    for wrong in (("3.5", "5"), ("three", "5"), ("nan", "5"), ("3", "inf"), ("", "5")):
        with pytest.raises(InvalidInput, match="a whole number of successes"):
            words.counts(*wrong)


def test_blanks_may_be_skipped(campaign: Campaign, space: Space) -> None:
    frame = space.to_frame().assign(outcome=["single-walled", "", None, "double-walled"] * 8)
    done = campaign.import_table(frame)
    assert (done.recorded, done.blank, done.trials) == (16, 16, (4, 19))
    assert str(done) == "16 outcomes recorded as trials 4 to 19; 16 rows without an outcome passed over."
    assert campaign.status().told == 17
    none = campaign.import_table([{**ROW, "outcome": ""}, {**ROW, "outcome": "Pending"}])
    assert (none.recorded, none.blank, none.trials) == (0, 2, None)


def test_a_file_of_outcomes(campaign: Campaign, tmp_path: Path) -> None:
    file = tmp_path / "history.csv"
    file.write_text("Power (W),ethylene,catalyst,Outcome\n8,10,Fe,single-walled\n9,10,Co,double-walled\n")
    with pytest.raises(InvalidInput, match="must have a column 'outcome', got"):
        campaign.import_table(file)
    file.write_text("power (W),ethylene,catalyst,outcome\n8,10,Fe,single-walled\n\n9,10,Co,never\n")
    with pytest.raises(UnknownName, match=r"line 4 of history\.csv: unknown outcome 'never'"):
        campaign.import_table(file)
    file.write_text("power (W),ethylene,catalyst,outcome\n8,10,Fe,single-walled\n9,10,Co,double-walled\n")
    done = campaign.import_table(str(file))
    assert done.recorded == 2
    assert done.cautions == ("line 3 of history.csv: power 9 lies between the levels 8 and 10",)
    assert campaign.history()[-1].label == "power 9, ethylene 10 sccm, catalyst Co"
    with pytest.raises(InvalidInput, match="a table must be a DataFrame"):
        campaign.import_table(7)


def test_a_trial_of_another_campaign_is_refused() -> None:
    one, other = (
        Campaign.create(name, Space.grid(a=[1, 2, 3]), seed=1, storage=":memory:") for name in ("one", "other")
    )
    trial = one.ask()
    other.ask()
    for call in (lambda: other.tell(trial, 1), lambda: other.withdraw(trial), lambda: other.why(trial)):
        with pytest.raises(InvalidInput, match="was asked of campaign 'one', and this is 'other'"):
            call()
    assert other.status().successes == 0


@pytest.mark.parametrize("given", [{"seed": -1}, {"name": " x"}, {"interactions": "no"}, {"success": "pending"}])
def test_what_is_refused_leaves_no_store(tmp_path, given):
    path = tmp_path / "store.db"
    with pytest.raises(InvalidInput):
        Campaign.create(given.pop("name", "c"), Space.grid(p=[1, 2]), storage=path, **given)
    assert not list(tmp_path.iterdir())


def test_a_store_that_was_opened_for_a_name_that_is_taken_is_let_go(tmp_path):
    path = tmp_path / "store.db"
    Campaign.create("c", Space.grid(p=[1, 2]), storage=path).storage.close()
    with pytest.raises(Conflict):
        Campaign.create("c", Space.grid(p=[1, 2]), storage=path)
    assert [one.name for one in tmp_path.iterdir()] == ["store.db"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"cost": 50.0, "worth": 1e155}, r"^`worth` must be a number above 0 and of at most 1e\+154, .*got 1e\+155"),
        ({"cost": 1.0, "worth": 10**400}, "^`worth` must be a number above 0 and .*more than 60 digits"),
        ({"cost": 1e-200, "worth": 1e150}, r"^`cost` must be a part of what a success is worth, 1e\+150, .*got 1e-200"),
        ({"cost": [1.0, 1e200]}, r"^`cost` must be at most 1e\+154, got 1e\+200: use a larger unit"),
        ({"policy": "glm-ucb alpha=1e200"}, r"^`alpha` of policy 'glm-ucb' must be .* between 0 and 1e\+154"),
        ({"policy": {"name": "glm-ucb", "alpha": 10**400}}, "^`alpha` of policy 'glm-ucb' must be .* 60 digits"),
        ({"prior": 1e-300}, "^`prior` as a precision must be at least 1e-50: .*got 1e-300: leave it out"),
        ({"prior": 1e-100}, "^`prior` as a precision must be at least 1e-50"),
    ],
)
def test_what_could_never_be_asked_is_refused_in_the_words_of_the_input(tmp_path, given, message):
    path = tmp_path / "store.db"
    with pytest.raises(InvalidInput, match=message):
        Campaign.create("c", Space.grid(p=[1, 2]), storage=path, **given)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("given", [{"cost": 1.0, "worth": 1e154}, {"prior": 1e-50}, {"policy": "glm-ucb alpha=1e154"}])
def test_what_is_just_accepted_can_be_asked_and_opened(tmp_path, given):
    path = str(tmp_path / "store.db")
    made = Campaign.create("c", Space.grid(p=[1, 2, 3]), seed=1, storage=path, **given)
    for outcome in (True, False):
        made.tell(made.ask(), outcome)
    made.storage.close()
    again = Campaign.open("c", path)
    assert again.ask().number == 3
    again.storage.close()


@pytest.mark.parametrize(
    ("world", "seed", "message"),
    [("", 1, "^`world` must be text"), (" ", 1, "^`world` must be text"), ("w", -1, "^`seed` must be a whole number")],
)
def test_a_simulated_world_has_a_name_and_a_seed(memory: Storage, world: str, seed: int, message: str) -> None:
    campaign = Campaign.create("c", Space.grid(p=[1, 2]), storage=memory)
    with pytest.raises(InvalidInput, match=message):
        campaign.note_simulated(world, seed=seed)
    assert campaign.last_event() == 0
