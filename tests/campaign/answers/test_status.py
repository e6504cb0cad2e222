"""How a campaign stands: what it is made of."""

import pytest

from sureshot.campaign import Campaign
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
