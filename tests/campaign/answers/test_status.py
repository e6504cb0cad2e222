"""How a campaign stands: what it is made of."""

import pytest

from sureshot.campaign import Campaign
from sureshot.campaign.answers.fit import doubts
from sureshot.space import Actions, Space

GRID = Space.grid(power=[8, 10, 12], gas=["a", "b"])


@pytest.mark.parametrize(
    ("given", "model", "policy"),
    [
        ({}, "shape auto", "kg-star"),
        ({"shape": "pairs", "policy": "thompson"}, "shape pairs", "thompson"),
        ({"formula": "power"}, "formula power", "kg-star"),
    ],
)
def test_the_model_and_the_policy_are_named(given, model, policy):
    found = Campaign.create("x", GRID, storage=":memory:", **given).status()
    assert (found.model, found.policy["name"]) == (model, policy)


def test_over_a_table_candidates_are_drawn_first():
    table = Space.from_frame({"power": [8, 9, 13], "gas": ["a", "b", "a"]})
    assert Campaign.create("x", table, storage=":memory:").status().policy["name"] == "draw-then-kg"


def test_with_contexts_both_formulas_are_named():
    made = Campaign.create(
        "x", Actions(["wait", "treat"]), context={"age": (18, 90)}, context_formula="age", storage=":memory:"
    )
    assert made.status().model == "formulas age (cases) and action"


def straight():
    """Outcomes that bend, under a model that does not."""
    space = Space.grid(power=[8, 10, 12, 14, 16], gas=["a", "b"])
    made = Campaign.create("bent", space, formula="power + gas", storage=":memory:", seed=1)
    for power, won in ((8, 0), (10, 8), (12, 10), (14, 7), (16, 0)):
        made.tell_new({"power": power, "gas": "a"}, won, of=10)
    return made


def test_what_was_wrong_with_the_model_when_a_trial_was_asked_is_said_then_and_need_not_be_computed_again(monkeypatch):
    made = straight()
    computed = made.status().cautions
    trial = made.ask()
    assert computed
    assert computed == trial.cautions == made.best().cautions
    monkeypatch.setattr(doubts, "cautions", None)
    opened = Campaign.open("bent", made.storage)
    assert opened.status().cautions == opened.trial(trial.number).cautions == computed


def test_it_is_computed_again_once_there_is_another_outcome(monkeypatch):
    made = straight()
    first, _ = made.ask_batch(2)
    made.tell(first, 1)
    asked = []
    monkeypatch.setattr(doubts, "cautions", lambda *given: asked.append(given) or ())
    assert (Campaign.open("bent", made.storage).status().cautions, len(asked)) == ((), 1)


def test_with_contexts_what_is_best_in_one_case_is_not_said_of_all(monkeypatch):
    made = Campaign.create("desk", Actions(["wait", "treat"]), context={"age": (18, 90)}, storage=":memory:", seed=1)
    made.tell_new("wait", 1, context={"age": 40})
    level, shape = (doubts.Caution(check, check, "try another") for check in ("level", "shape"))
    monkeypatch.setattr(doubts, "cautions", lambda *_: (level, shape))
    assert made.ask({"age": 50}).cautions == (str(level), str(shape))
    assert Campaign.open("desk", made.storage).status().cautions == (str(shape),)
