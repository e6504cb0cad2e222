"""A campaign from another: the same alternatives and outcomes, another model; whole, or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sureshot.campaign import Campaign
from sureshot.errors import Conflict, InvalidInput, SureshotError, UnknownName
from sureshot.space import Actions, Space
from sureshot.storage import Storage, open_storage


def log(campaign: Campaign) -> list[Any]:
    return campaign.export()["events"]


@pytest.fixture
def old(memory: Storage, space: Space) -> Campaign:
    """Trials 1 told, 2 pending, 3 withdrawn, 4 told and corrected, 5 k of n, 6 outside the pool, 7 and 8 a table."""
    made = Campaign.create("old", space, success="works", failure="fails", budget=30, seed=7, storage=memory)
    made.ask_batch(4, author="Ann")
    made.tell(4, "works", author="Ann", note="at noon")
    made.tell(1, "works")
    made.withdraw(3)
    made.correct(4, "fails", note="misread")
    made.tell_new(5, 7, of=10)
    made.tell_new({"power": 11, "ethylene": 10, "catalyst": "Fe"}, "fails")
    made.import_table([{"power": 8, "ethylene": 10, "catalyst": c, "outcome": "fails"} for c in ("Fe", "Co")])
    made.note("a new bottle")
    return made


def test_all_that_counts_goes_along_and_the_old_one_stays(old: Campaign) -> None:
    before = old.export()
    new = Campaign.create_from("new", old, shape="curved")
    assert old.export() == before
    assert [(row.successes, row.of, row.label) for row in new.history()] == [
        (row.successes, row.of, row.label) for row in old.history() if row.state == "told"
    ]
    assert [row.corrections for row in new.history()] == [0, 1, 0, 0, 0, 0]
    assert new.history()[1].notes == ("at noon", "misread")
    assert [row.told_at for row in new.history()] == [row.told_at for row in old.history() if row.state == "told"]
    status = new.status()
    assert (status.used, status.budget, status.pending, status.withdrawn) == (2, 30, (), 0)
    assert (status.success, status.failure, status.seed) == ("works", "fails", 7)
    assert status.notes == (
        "From campaign old, event 13: 6 outcomes. Trial 2 is pending there and not copied. Trial numbers differ from 2 "
        "on, which is 4 there.",
        "a new bottle",
    )
    origin = log(new)[0]["payload"]["from"]
    assert (origin["campaign"], origin["event"]) == ("old", 13)
    assert origin["digest"] == log(old)[-1]["digest"]
    assert new.spec.pool.design.to_dict()["shape"] == "curved"
    new.verify()


def test_the_belief_is_that_of_a_campaign_told_the_same(old: Campaign, space: Space, memory: Storage) -> None:
    new = Campaign.create_from("new", old, formula="power * ethylene + catalyst")
    fresh = Campaign.create("fresh", space, formula="power * ethylene + catalyst", storage=memory)
    for row in (4, 1, 5, 6, 7, 8):
        entry = old._log.ledger.trials[row]
        levels = old.spec.pool.levels(entry)
        fresh.tell_new(levels, entry.successes, of=entry.of)
    assert [b.mean.tolist() for b in new.belief.beliefs] == [b.mean.tolist() for b in fresh.belief.beliefs]


def test_it_goes_on_and_explains_only_what_it_asked(old: Campaign) -> None:
    new = Campaign.create_from("new", old, shape="straight", policy="thompson")
    with pytest.raises(InvalidInput, match="trial 1 was asked by the campaign that this one is made from"):
        new.why(1)
    trial = new.ask()
    assert trial.heading == "Trial 7 (3 of 30)"
    assert "thompson" in str(new.why())
    new.tell(trial, "works")
    assert len(old.history()) == 8


def test_an_import_is_still_known(old: Campaign) -> None:
    new = Campaign.create_from("new", old, shape="straight")
    with pytest.raises(Conflict, match="recorded already, as trials 5 to 6"):
        new.import_table([{"power": 8, "ethylene": 10, "catalyst": c, "outcome": "fails"} for c in ("Fe", "Co")])
    old.withdraw(7)
    less = Campaign.create_from("less", old)
    with pytest.raises(Conflict, match="1 of the 2 rows are recorded already, as trial 5"):
        less.import_table([{"power": 8, "ethylene": 10, "catalyst": c, "outcome": "fails"} for c in ("Fe", "Co")])


def test_nothing_said_is_the_same_model_to_the_last_bit(old: Campaign) -> None:
    new = Campaign.create_from("new", old)
    assert new.spec.to_dict() == old.spec.to_dict()
    assert new.best().probability == old.best().probability
    other = Campaign.create_from("other", old, policy="ucb alpha=2", budget=None, seed=3, cost=0.002).spec
    assert {k for k, v in other.to_dict().items() if v != old.spec.to_dict()[k]} == {"policy", "budget", "cost"}
    assert Campaign.open("other", old.storage).status().seed == 3


def test_from_a_view_of_an_earlier_time(old: Campaign) -> None:
    new = Campaign.create_from("new", old.rewind(5), shape="curved")
    assert [row.outcome for row in new.history()] == ["works"]
    assert new.status().notes[0].startswith("From campaign old, event 5: 1 outcome. Trials 1, 2 and 3 are pending")


def test_once_more_from_the_new_one(old: Campaign) -> None:
    first = Campaign.create_from("first", old, shape="curved")
    second = Campaign.create_from("second", first, shape="pairs")
    assert [row.successes for row in second.history()] == [row.successes for row in first.history()]
    assert [note.partition(",")[0] for note in second.status().notes[:2]] == [
        "From campaign first",
        "From campaign old",
    ]


def test_into_every_store(old: Campaign, store: Storage) -> None:
    new = Campaign.create_from("new", old, storage=store, shape="curved")
    assert len(Campaign.open("new", store).history()) == 6
    assert [one.name for one in old.storage.campaigns()] == ["old"]
    with pytest.raises(Conflict, match="already is a campaign 'new'"):
        Campaign.create_from("new", old, storage=store)
    again = Campaign.create_from("again", "new", storage=store, shape="straight")
    assert len(again.history()) == len(new.history())


@pytest.mark.parametrize(
    ("begun", "said", "expected"),
    [
        ({"shape": "straight"}, {"link": "probit"}, ("straight", "auto", "probit")),
        ({"shape": "straight"}, {"formula": "power"}, ("power", "auto", "logit")),
        ({"shape": "straight"}, {"prior": 2.0}, ("power + ethylene + catalyst", "2.0", "logit")),
        ({"formula": "power", "prior": 2.0}, {"link": "probit"}, ("power", "2.0", "probit")),
        ({"formula": "power", "prior": 2.0}, {"prior": "auto"}, ("power", "auto", "logit")),
        ({"formula": "power", "prior": 2.0}, {"formula": "ethylene"}, ("ethylene", "2.0", "logit")),
        ({"formula": "power", "prior": 2.0}, {"shape": "curved"}, ("curved", "auto", "logit")),
        ({"formula": "power", "link": "probit"}, {"shape": "curved"}, ("curved", "auto", "probit")),
    ],
)
def test_what_is_not_said_is_as_before(
    memory: Storage, space: Space, begun: dict[str, Any], said: dict[str, Any], expected: tuple[str, ...]
) -> None:
    old = Campaign.create("old", space, storage=memory, **begun)
    old.tell_new(0, 1)
    spec = Campaign.create_from("new", old, **said).spec
    design = spec.pool.design.to_dict()
    assert (design.get("shape", design.get("formula")), spec.prior_given, spec.link) == expected


def test_the_aim(memory: Storage, space: Space) -> None:
    online = Campaign.create("online", space, objective="online", storage=memory)
    assert online.spec.discount == 0.99
    assert Campaign.create_from("a", online, budget=20).spec.discount is None
    assert Campaign.create_from("b", online, objective="offline", policy="kg-star").spec.discount is None
    assert Campaign.create_from("c", online, discount=0.5).spec.discount == 0.5
    costs = np.linspace(1, 2, len(space)).tolist()
    dear = Campaign.create("dear", space, cost=costs, storage=memory)
    kept = Campaign.create_from("d", dear, shape="curved").spec.costs
    assert kept is not None
    assert kept.tolist() == costs


@pytest.mark.parametrize("said", [{"shape": "curved"}, {"formula": "action"}, {"prior": 1.0}, {"policy": "thompson"}])
def test_cases_go_along(memory: Storage, said: dict[str, Any]) -> None:
    context = {"age": (18, 90), "diabetic": bool, "ward": ["A", "B"]}
    old = Campaign.create("old", Actions(["wait", "treat"]), context=context, storage=memory, value="same context")
    for i in range(6):
        old.tell_new("treat", i % 2, context={"age": 20 + 15 * i, "diabetic": bool(i % 3), "ward": "AB"[i % 2]})
    new = Campaign.create_from("new", old, **said)
    assert new.spec.pool.context_ranges == {"age": (18.0, 90.0)}
    assert [row.context for row in new.history()] == [row.context for row in old.history()]
    assert new.spec.value == "same context"
    assert 0 < new.best({"age": 40, "diabetic": True, "ward": "B"}).probability < 1


def test_a_shape_of_declared_cases_is_the_one_that_create_makes(memory: Storage) -> None:
    context = {"age": (18, 90), "ward": ["A", "B"]}
    old = Campaign.create("old", Actions(["a", "b"]), context=context, formula="action", storage=memory)
    new = Campaign.create_from("new", old, shape="auto")
    fresh = Campaign.create("fresh", Actions(["a", "b"]), context=context, storage=memory)
    assert new.spec.to_dict() == fresh.spec.to_dict()


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"shape": "wavy"}, "unknown shape 'wavy': choose one of"),
        (
            {"shape": "curved", "formula": "power"},
            "a shape and a formula both say .* got shape='curved': leave one out",
        ),
        ({"shape": "curved", "prior": 1.0}, "a shape and a prior precision both say"),
        ({"formula": "powr"}, "powr"),
        ({"formula": " * ".join(f"poly({x}, 9)" for x in ("power", "ethylene"))}, "poly"),
        ({"formula": "log(power - 11.5) + ethylene"}, "power"),
        ({"prior": "strong"}, "'auto', a precision above 0"),
        ({"policy": "best-guess"}, "unknown policy 'best-guess'"),
        ({"budget": 0}, "`budget` must be a whole number of trials, at least 1"),
        ({"success": "yes"}, "unknown change 'success': choose one of 'budget'"),
        ({"seed": -1}, "seed"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_stored(old: Campaign, said: dict[str, Any], message: str) -> None:
    with pytest.raises(SureshotError, match=message):
        Campaign.create_from("new", old, **said)
    assert [one.name for one in old.storage.campaigns()] == ["old"]


def test_too_many_features(memory: Storage) -> None:
    wide = Space.grid({f"x{i}": ["a", "b", "c", "d"] for i in range(5)})
    old = Campaign.create("old", wide, shape="straight", storage=memory)
    with pytest.raises(InvalidInput, match="at most 1,000 features, got 1,024"):
        Campaign.create_from("new", old, formula=" * ".join(wide.names))
    assert [one.name for one in memory.campaigns()] == ["old"]


def test_a_trial_without_features_is_named(memory: Storage, space: Space) -> None:
    old = Campaign.create("old", space, storage=memory)
    old.tell_new(0, 1)
    old.tell_new({"power": -1, "ethylene": 10, "catalyst": "Fe"}, 0)
    with pytest.raises(
        InvalidInput, match=r"has none for trial 2 of campaign 'old': .*power.* withdraw that trial first"
    ):
        Campaign.create_from("new", old, formula="log(power)")
    assert [one.name for one in memory.campaigns()] == ["old"]


def test_outcomes_count_once(old: Campaign, memory: Storage, space: Space) -> None:
    with pytest.raises(InvalidInput, match="outcomes must count once, got as `prior` what campaign 'old' learned"):
        Campaign.create_from("new", old, prior=old.posterior())
    other = Campaign.create("other", space, link="probit", formula="power", storage=memory)
    other.tell_new(0, 1)
    new = Campaign.create_from("new", old, prior=other.posterior())
    assert (new.spec.prior_given, new.spec.link) == ("posterior of other", "probit")
    with pytest.raises(InvalidInput, match=r"campaign 'new' began with the posterior of other, .* prior='auto'"):
        Campaign.create_from("newer", new, shape="curved")
    assert Campaign.create_from("newer", new, shape="curved", prior="auto").spec.prior_given == "auto"
    assert Campaign.create_from("newest", new, budget=3).spec.prior_given == "posterior of other"


def test_outcomes_count_once_however_far_they_were_copied(old: Campaign, memory: Storage, space: Space) -> None:
    early = old.rewind(5).posterior()
    bent = Campaign.create_from("bent", old, shape="curved")
    pairs = Campaign.create_from("pairs", bent, shape="pairs")
    old.tell_new(9, 1)
    later = Campaign.create("later", space, prior=pairs.posterior(), storage=memory)
    later.tell_new(3, 1)
    every = {"old": (early, old.posterior()), "bent": (bent.posterior(),), "later": (later.posterior(),)}
    before = [one.name for one in memory.campaigns()]
    for source in (old, bent, pairs, old.rewind(5), Campaign.open("pairs", memory)):
        for name, priors in every.items():
            for prior in priors:
                with pytest.raises(InvalidInput, match=f"must count once, got as `prior` what campaign '{name}' learn"):
                    Campaign.create_from("new", source, prior=prior)
    assert [one.name for one in memory.campaigns()] == before


def test_a_prior_from_before_roots_were_kept_is_known_by_its_digest(old: Campaign) -> None:
    kept = {key: value for key, value in old.posterior().items() if key != "roots"}
    pairs = Campaign.create_from("pairs", Campaign.create_from("bent", old, shape="curved"), shape="pairs")
    with pytest.raises(InvalidInput, match="outcomes must count once, got as `prior` what campaign 'old' learned"):
        Campaign.create_from("new", pairs, prior=kept)


def test_what_shares_no_outcome_may_be_a_prior(old: Campaign, memory: Storage, space: Space) -> None:
    blank = Campaign.create("blank", space, storage=memory)
    nothing = blank.posterior()
    twin = Campaign.create_from("twin", blank)  # before either was told anything
    blank.tell_new(0, 1)
    twin.tell_new(1, 0)
    assert Campaign.create_from("a", twin, prior=blank.posterior()).spec.prior_given == "posterior of blank"
    assert Campaign.create_from("b", blank, prior=nothing).spec.prior_given == "posterior of blank"
    assert len(Campaign.create_from("c", old.rewind(0), prior=old.posterior()).history()) == 0


def test_an_old_campaign_that_is_not_there(memory: Storage, tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="unknown campaign 'old'"):
        Campaign.create_from("new", "old", storage=memory)
    with pytest.raises(SureshotError):
        Campaign.create_from("new", "old", storage=tmp_path / "none.db")
    assert list(tmp_path.iterdir()) == []
    assert open_storage(":memory:").campaigns() == ()
