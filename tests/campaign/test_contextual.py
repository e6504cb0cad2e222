"""Decisions case by case, and campaigns where successes on the way count."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from sureshot import core, policies
from sureshot.campaign import Campaign, belief_to_dict
from sureshot.campaign.answers.inputs import case_inputs
from sureshot.campaign.recipe import understood
from sureshot.errors import InvalidInput, SureshotError, UnknownName
from sureshot.space import Actions, Contexts, ContextualDesign, Space
from sureshot.storage import Storage

CASES = Contexts(age=(18, 90), diabetic=bool, ward=["A", "B"])
CASE = {"age": 61, "diabetic": True, "ward": "B"}


def desk(store: Storage, **options: object) -> Campaign:
    given: dict[str, object] = {"context": CASES, "objective": "online", "seed": 2, **options}
    return Campaign.create("desk", Actions(["wait", "pill", "surgery"]), storage=store, **given)  # type: ignore[arg-type]


def test_the_belief_is_about_actions_in_their_contexts(store: Storage) -> None:
    campaign = desk(store, prior=1.0)
    design = ContextualDesign.fit(CASES, Actions(["wait", "pill", "surgery"]), interactions=True)
    rng = np.random.default_rng(3)
    X, y = [], []
    for i in range(8):
        case = {"age": int(rng.integers(18, 90)), "diabetic": bool(i % 2), "ward": "AB"[i % 3 == 0]}
        trial = campaign.ask(context=case)
        assert trial.context == case
        X.append(design.matrix(case, Actions(["wait", "pill", "surgery"]))[trial.alternative])
        y.append(i % 2)
        campaign.tell(trial, y[-1])
    expected = core.fit(core.prior(design.width, method="ep"), X, y).belief
    assert belief_to_dict(campaign.belief) == belief_to_dict(expected)
    again = Campaign.open(storage=store)
    assert belief_to_dict(again.belief) == belief_to_dict(expected)
    assert again.best(CASE) == campaign.best(CASE)
    assert again.best(CASE).context == CASE
    assert again.history()[0].context == campaign.trial(1).context
    p = core.predictive(expected, design.matrix(CASE, Actions(["wait", "pill", "surgery"])))
    assert again.best(CASE).probability == pytest.approx(p.max(), abs=1e-12)


def test_it_learns_who_needs_what(memory: Storage) -> None:
    campaign = desk(memory)
    for diabetic in (True, False):
        for action in (0, 1, 2):
            good = (action == 2) == diabetic
            campaign.tell_new(action, 9 if good else 1, of=10, context={**CASE, "diabetic": diabetic})
    assert campaign.best({**CASE, "diabetic": True}).levels == {"action": "surgery"}
    assert campaign.best({**CASE, "diabetic": False}).levels != {"action": "surgery"}
    assert campaign.advice(context=CASE).trials == 10


def test_online_takes_successes_on_the_way(memory: Storage, space: Space) -> None:
    campaign = Campaign.create("short", space, objective="online", budget=4, prior=1.0, seed=1, storage=memory)
    campaign.tell_new(5, 3, of=4)
    X = campaign.spec.pool.matrix()
    for left in (3, 2, 1, 0):  # later trials that profit
        trial = campaign.ask()
        p, kg = core.predictive(campaign.belief, X), policies.knowledge_gradient(campaign.belief, X)
        assert (p + left * kg)[trial.alternative] == pytest.approx((p + left * kg).max(), abs=1e-9)
        campaign.tell(trial, 0)
    assert campaign.ask(beyond_budget=True).probability == pytest.approx(campaign.best().probability)
    endless = Campaign.create("endless", space, objective="online", seed=1, storage=memory)
    assert endless.spec.discount == 0.99
    assert Campaign.create("soon", space, objective="online", discount=0.5, storage=memory).spec.discount == 0.5


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        {},
        {**CASE, "ward": "C"},
        {**CASE, "age": "old"},
        {**CASE, "sex": "f"},
        {"age": 61},
        {**CASE, "age": np.nan},
    ],
)
def test_a_context_that_cannot_be(memory: Storage, wrong: dict[str, object] | None) -> None:
    campaign = desk(memory)
    for call in (
        campaign.ask,
        campaign.best,
        campaign.advice,
        lambda context: campaign.tell_new(0, 1, context=context),
    ):
        with pytest.raises(SureshotError):
            call(context=wrong)
    assert campaign.status().events == 0


def test_contexts_as_people_have_them(memory: Storage) -> None:
    frame = pd.DataFrame({"age": [30, 60, 70], "smokes": [True, False, True]})
    campaign = Campaign.create(
        "frame", Actions(dose=[1, 2, 3]), context=frame, context_formula="age", formula="poly(dose, 2)", storage=memory
    )
    assert campaign.spec.pool.design.width == 1 + 1 + 2 + 2
    trial = campaign.ask(context={"age": np.int64(50), "smokes": "true"})
    assert trial.context["age"] == 50.0
    flagged = Campaign.create("flagged", Actions(["a", "b"]), context={"smokes": bool}, storage=memory)
    for said in ("yes", 1, np.int64(1), "1", 1.0):
        assert flagged.ask(context={"smokes": said}).context == {"smokes": True}
    with pytest.raises(
        InvalidInput, match=r'this campaign decides in a context: give context=\{"age": ..., "smokes": ...\}'
    ):
        campaign.ask(context={})
    campaign.tell_new({"dose": 2.5}, 1, context={"age": 41.5, "smokes": False})
    assert campaign.history()[1].label == "dose 2.5"
    assert Campaign.open("frame", storage=memory).belief.d == 6
    with pytest.warns(UserWarning, match="every context gets the same best action: use interactions=True"):
        plain = Campaign.create(
            "plain", Actions(["a", "b"]), context={"age": (1, 9)}, interactions=False, storage=memory
        )
    assert plain.spec.pool.design.width == 3
    with pytest.raises(InvalidInput):
        Campaign.create("names", Actions(["a", "b"]), context=frame.columns, storage=memory)


def test_bulk_import_with_contexts(memory: Storage) -> None:
    campaign = desk(memory)
    n = 40
    rows = [
        {"action": ["wait", "pill"][i % 2], "age": 20 + i, "diabetic": i % 3 == 0, "ward": "A", "won": i % 4, "n": 4}
        for i in range(n)
    ]
    assert campaign.import_table(rows, outcome="won", of="n").recorded == n
    one_by_one = Campaign.create(
        "slow", Actions(["wait", "pill", "surgery"]), context=CASES, objective="online", seed=2, storage=memory
    )
    for row in rows:
        case = {k: row[k] for k in ("age", "diabetic", "ward")}
        one_by_one.tell_new({"action": row["action"]}, row["won"], of=4, context=case)
    assert belief_to_dict(campaign.belief) == belief_to_dict(one_by_one.belief)
    with pytest.raises(SureshotError, match="row 1: "):
        campaign.import_table([{**rows[0]}, {**rows[1], "ward": "Z"}], outcome="won", of="n")
    with pytest.raises(UnknownName, match="row 0: action has no level 'dance'"):
        campaign.import_table([{**rows[0], "action": "dance"}], outcome="won", of="n")
    assert campaign.status().told == n


def test_a_context_that_lacks_something_is_named_in_plain_words(memory: Storage) -> None:
    campaign = Campaign.create("desk", Actions(["a", "b"]), context={"age": (1, 9), "male": bool}, storage=memory)
    with pytest.raises(InvalidInput, match="a context must say age, male, got nothing for male: add it"):
        campaign.ask(context={"age": 3})


def test_a_number_of_a_case_may_have_its_unit(memory: Storage) -> None:
    patients = pd.DataFrame({"weight": ["61 kg", "80kg", "72 kg"]})
    made = Campaign.create("units", Actions(["wait", "treat"]), context=patients, seed=1, storage=memory)
    assert made.ask({"weight": "65 kg"}).context == {"weight": 65.0}
    with pytest.raises(InvalidInput, match="weight is in kg, got '140 lb'"):
        made.ask({"weight": "140 lb"})


def test_a_range_may_have_its_unit_and_a_campaign_like_it_keeps_that(memory: Storage) -> None:
    said = {"context": {"room": "20:40 C", "ward": "A,B"}}
    made = Campaign.create("units", Actions(["wait", "treat"]), seed=1, storage=memory, **understood(said))
    again = Campaign.create_from("again", made, shape="straight")
    for one in (made, again, Campaign.open("units", memory)):
        pool = one.spec.pool
        assert next((case.name, case.unit, case.hint) for case in case_inputs(pool)) == ("room", "C", "20 to 40 C")
        assert pool.context_ranges == {"room": (20.0, 40.0)}
        assert one.ask({"room": "25 C", "ward": "A"}).context == {"room": 25.0, "ward": "A"}
        with pytest.raises(InvalidInput, match="room is in C, got '298 K'"):
            one.ask({"room": "298 K", "ward": "A"})


@pytest.mark.parametrize("text", ["20:", "20:30:40", "a:b C", "20:C"])
def test_a_range_that_is_none_is_refused_with_examples(text: str) -> None:
    with pytest.raises(InvalidInput, match=r"the range of room must be low:high, .* for example 18:90 or 20:40 C"):
        understood({"context": {"room": text}})
