"""Experiments and cases beyond what the campaign was made for: learned from, and said so; mistakes are refused."""

from __future__ import annotations

import pytest

from sureshot.campaign import Campaign
from sureshot.core.rows import places
from sureshot.errors import InvalidInput, UnknownName
from sureshot.space import Actions, Contexts, Space
from sureshot.storage import Storage

BETWEEN = "power 11 W lies between the levels 10 and 12"


@pytest.fixture
def campaign(memory: Storage) -> Campaign:
    space = Space.grid(power="8,10,12 W", catalyst=["Fe", "Co"], where='power < 12 or catalyst == "Co"')
    return Campaign.create("nanotubes", space, seed=1, storage=memory)


def test_an_experiment_off_the_grid_is_learned_from_and_named(campaign: Campaign) -> None:
    row = campaign.tell_new({"power": 11, "catalyst": "Fe"}, 1)
    assert row.cautions == (BETWEEN,)
    assert str(row) == f"Trial 1: power 11 W, catalyst Fe; success. Note: {BETWEEN}."
    assert campaign.history() == (row,)
    assert campaign.best().probability > 0.5
    broken = campaign.tell_new({"power": 12, "catalyst": "Fe"}, 0)
    assert broken.cautions == ('it breaks the constraint power < 12 or catalyst == "Co"',)
    assert campaign.tell_new({"power": 10, "catalyst": "Fe"}, 0).cautions == ()
    assert campaign.ask().cautions == ()


def test_a_name_that_is_unknown_is_refused_whatever_the_numbers(campaign: Campaign) -> None:
    for power in (8, 11):
        with pytest.raises(UnknownName, match=r"^catalyst has no level 'Ni': choose one of Fe, Co"):
            campaign.tell_new({"power": power, "catalyst": "Ni"}, 1)
    assert campaign.status().events == 0


def test_a_name_in_a_column_that_is_no_feature_may_be_new(memory: Storage) -> None:
    space = Space.grid(power=[8, 10], bottle=["a", "b"])
    made = Campaign.create("x", space, formula="power", seed=1, storage=memory)
    assert made.tell_new({"power": 8, "bottle": "c"}, 1).cautions == ("bottle c is none of its levels",)


def test_units_and_names_as_people_write_them(campaign: Campaign, memory: Storage) -> None:
    assert campaign.tell_new({"power": "10 W", "catalyst": "Co"}, 1).alternative == campaign.tell_new(3, 1).alternative
    assert campaign.tell_new({"power": "11 W", "catalyst": "Co"}, 1).cautions == (BETWEEN,)
    with pytest.raises(InvalidInput, match="power is in W, got '10 mW'"):
        campaign.tell_new({"power": "10 mW", "catalyst": "Co"}, 1)
    table = [{"power": "12 W", "catalyst": "Co", "outcome": 1}, {"power": 8, "catalyst": "Fe", "outcome": 0}]
    assert campaign.import_table(table).recorded == 2
    assert [row.alternative for row in campaign.history()[-2:]] == [4, 0]
    with pytest.raises(InvalidInput, match="row 0: power is in W, got '12 kW'"):
        campaign.import_table([{**table[0], "power": "12 kW"}])
    desk = Campaign.create("desk", Actions(["wait", "treat"]), context={"age": (18, 90)}, seed=1, storage=memory)
    row = desk.tell_new("treat", "success", context={"age": 30})
    assert (row.alternative, row.label) == (1, "action treat")
    with pytest.raises(UnknownName, match=r"action has no level 'treet': .* The nearest is treat"):
        desk.tell_new("treet", "success", context={"age": 30})


def test_a_case_outside_its_range_is_decided_and_named(memory: Storage) -> None:
    made = Campaign.create("desk", Actions(["wait", "treat"]), context={"age": (18, 90)}, seed=1, storage=memory)
    said = "age 12 lies outside 18 to 90, the range that the campaign was made for"
    trial = made.ask(context={"age": 12})
    assert trial.cautions == (said,)
    assert str(trial).endswith(f"points over the cases seen. Note: {said}.")
    assert made.tell(trial, 1).cautions == (said,)
    assert made.best({"age": 12}).cautions == (said,)
    assert said in str(made.best({"age": 12}))
    for again in (made, Campaign.open(storage=memory)):  # the range is kept with the campaign
        assert again.best({"age": 12}).cautions == (said,)
        assert again.best({"age": 60}).cautions == ()
    rows = [{"action": "wait", "age": 10 + 30 * i, "outcome": 1} for i in range(10)]
    assert made.import_table(rows).cautions == (
        "row 0: age 10 lies outside 18 to 90, the range that the campaign was made for",
        *(
            f"row {i}: age {10 + 30 * i} lies outside 18 to 90, the range that the campaign was made for"
            for i in (3, 4, 5, 6)
        ),
        "3 more rows beyond the levels or ranges",
    )


def test_a_campaign_stored_before_ranges_were_opens_without_them(memory: Storage) -> None:
    made = Campaign.create("new", Actions(["wait", "treat"]), context={"age": (18, 90)}, seed=1, storage=memory)
    kept = made.spec.to_dict() | {"version": 1}
    old = {k: v for k, v in kept.items() if k not in ("context_ranges", "value", "policy")}
    memory.create_campaign("old", old, seed=1)
    opened = Campaign.open("old", memory)
    assert opened.ask(context={"age": 12}).alternative == made.ask(context={"age": 12}).alternative
    assert (opened.best({"age": 12}).cautions, opened.spec.value) == ((), "same context")


def test_contexts_stand_in_every_sentence(memory: Storage) -> None:
    made = Campaign.create("desk", Actions(["wait", "treat"]), context={"age": (18, 90)}, seed=1, storage=memory)
    trial = made.ask(context={"age": 61})
    for text in (trial, made.history()[0], made.why(), made.tell(trial, 1), made.best({"age": 61})):
        assert "in the case age 61" in str(text)
    assert made.why().context == {"age": 61.0}


def test_no_interactions_is_warned_of_and_stays_in_the_status(memory: Storage) -> None:
    with pytest.warns(UserWarning, match="without interactions every context gets the same best action"):
        made = Campaign.create("d", Actions(["a", "b"]), context={"age": (1, 9)}, interactions=False, storage=memory)
    assert "without interactions" in str(made.status())
    assert "without interactions" in str(Campaign.open(storage=memory).status())


def test_a_column_that_names_the_rows_is_said(memory: Storage) -> None:
    table = {"sample": ["a", "b", "c", "d"], "power": [8.0, 8.0, 10.0, 12.0]}
    made = Campaign.create("c", Space.from_frame(table), seed=1, storage=memory)
    assert made.status().cautions == (
        "sample is different in every row, and is taken as a parameter: if it only names the rows, leave it out with "
        "without=['sample'], or have the rows called by it with id='sample'",
    )
    assert Campaign.create("f", Space.from_frame(table), formula="power", storage=memory).status().cautions == ()


def test_the_status_in_words(memory: Storage, space: Space) -> None:
    made = Campaign.create("open", space, seed=1, storage=memory)
    made.ask()
    assert str(made.status()) == (
        "Campaign open: 32 alternatives, 3 parameters, for the best final choice; 1 trial asked, 1 pending; "
        "no outcome yet; waiting for the outcome of trial 1"
    )
    made.ask_batch(2)
    assert "3 trials asked, 3 pending; no outcome yet; waiting for the outcomes of trials 1, 2 and 3" in str(
        made.status()
    )
    assert repr(Campaign.create("n", space, storage=memory)) == "Campaign('n', 32 alternatives, 0 trials)"


@pytest.mark.parametrize("given", [{}, {"formula": "poly(power, 2) + catalyst"}])
def test_a_setting_off_the_grid_is_one_alternative_however_often_it_is_told(given: dict[str, str]) -> None:
    """BLAS sums the last rows of a batch another way: a setting told seven times was two alternatives once."""
    space = Space.grid(power=[8, 10, 12, 14, 16, 18], catalyst=["Fe", "Co", "Ni"], time=[1, 2, 3])
    setting = {"power": 11, "catalyst": "Fe", "time": 2}
    for n in (3, 5, 7, 9):
        each = Campaign.create("each", space, seed=1, storage=":memory:", **given)  # type: ignore[arg-type]
        for _ in range(n):
            each.tell_new(setting, 1)
        together = Campaign.create("together", space, seed=1, storage=":memory:", **given)  # type: ignore[arg-type]
        together.tell_new(setting, n, of=n)
        assert each.best().probability == together.best().probability


def test_a_case_is_known_again_among_any_others() -> None:
    actions, cases = Space.grid(drug=["a", "b", "c", "d"], dose=[1, 2, 3]), {"age": (18, 90), "ward": ["A", "B"]}
    campaign = Campaign.create("ward", actions, context=cases, seed=1, storage=":memory:")
    told = [(k % 12, {"age": 20.0 + 7 * (k % 5), "ward": "AB"[k % 2]}) for k in range(23)]
    for row, case in told:
        campaign.tell_new(row, row % 2, context=case)
    (own, *_) = [one.reading.rows for one in campaign.belief.beliefs if one.reading.own]  # type: ignore[union-attr]
    assert len(own) == len({(row, str(case)) for row, case in told})
    for row, case in told:
        assert places(own, campaign.spec.pool.matrix(case).copy())[row] >= 0


@pytest.mark.parametrize("levels", [{"power": 10, "catalyst": "Ni"}, {"power": 10}])
def test_what_a_formula_leaves_out_does_not_stop_anybody(levels):
    """Shapes, which the formula is checked against, can't describe it."""
    made = Campaign.create(
        "formula", Space.grid(power=[8, 10, 12], catalyst=["Fe", "Co"]), formula="power", storage=":memory:"
    )
    made.tell_new(levels, 1)
    assert (made.ask().cautions, made.best().cautions, made.status().cautions) == ((), (), ())


@pytest.mark.parametrize("power", [4_013.0, 1e19, -1e300, 10**19])
def test_a_number_that_lies_absurdly_far_away_is_refused_before_anything_is_worked_out(
    campaign: Campaign, power: float
) -> None:
    """What is believed there means nothing, and what a trial there is worth would take hours to work out."""
    far = {"power": power, "catalyst": "Fe"}
    rule = r"`power` must lie within 1,000 times its range of 8 to 12, got .*: check its unit and its digits"
    if abs(power) > 1e50:
        rule = r"power must be 0, or between 1e-50 and 1e\+50 in size, got .*: write it in another unit"
    for told in (
        lambda: campaign.tell_new(far, 1),
        lambda: campaign.predictions([{"power": 11, "catalyst": "Fe"}, far]),
        lambda: campaign.import_table([{"power": 8, "catalyst": "Fe", "outcome": 1}, {**far, "outcome": 0}]),
    ):
        with pytest.raises(InvalidInput, match=rule) as refused:
            told()
        assert refused.value.field == "power"
    assert campaign.status().events == 0
    assert campaign.predictions([{"power": 4_012, "catalyst": "Fe"}])[0].chance <= 1.0


def test_so_is_a_case(memory: Storage) -> None:
    space, cases = Actions(["treat", "wait"]), Contexts(age=(18, 90))
    desk = Campaign.create("desk", space, context=cases, seed=1, storage=memory)
    desk.tell(desk.ask({"age": 610}), 1)  # a slip, of which a caution is raised
    for age in (1e9, 10**19, -1e19, 80_000):
        for asked in (desk.preview, desk.ask, desk.best, desk.advice):
            with pytest.raises(InvalidInput, match="`age` must lie within 1,000 times its range of 18 to 90, got"):
                asked({"age": age})
    assert desk.status().events == 2
