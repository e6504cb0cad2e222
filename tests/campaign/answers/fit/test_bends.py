"""Only what can bend is said to bend."""

from __future__ import annotations

import numpy as np
import pytest

from sureshot.campaign import Campaign
from sureshot.campaign.answers.effects import effects_after
from sureshot.campaign.answers.fit.bends import _can_bend
from sureshot.campaign.model.pool import Pool
from sureshot.core import mixture
from sureshot.space import Space
from sureshot.storage import Storage

GRID = Space.grid(temperature=range(100, 201, 20), solvent=["A", "B", "C"])


def bench(memory: Storage, **given: object) -> Campaign:
    """What worked lies inside the range: effects of their own make the averages look bent in any model."""
    made = Campaign.create("bench", GRID, seed=1, storage=memory, **given)  # type: ignore[arg-type]
    for temperature, solvent, won in ((140, "A", 8), (160, "B", 8), (100, "A", 0), (200, "B", 0)):
        made.tell_new({"temperature": temperature, "solvent": solvent}, won, of=8)
    return made


def test_a_straight_model_never_says_that_something_bends(memory: Storage) -> None:
    made = bench(memory, shape="straight")
    assert made.best().shape is None
    bent = Campaign.create_from("bent", made, shape="curved").best().shape
    assert bent == "temperature bends: best between 140 and 160"


def test_straight_members_do_not_speak_for_a_bend(memory: Storage) -> None:
    made = bench(memory)
    beliefs = made.belief.beliefs
    fewest = min(len(one.reading.columns) for one in beliefs)
    straight = [one for one in beliefs if len(one.reading.columns) == fewest and one.reading.own]
    others = [one for one in beliefs if len(one.reading.columns) > fewest]
    for share, bends in ((0.01, True), (0.5, False)):
        weights = [share / len(straight)] * len(straight) + [(1.0 - share) / len(others)] * len(others)
        belief = mixture([*straight, *others], weights)
        found = effects_after("bench", made.spec, made._log.ledger, belief, None, np.random.default_rng(1))
        assert (found["temperature"].verdict == "bends") == bends


def test_a_formula_in_which_a_number_only_rises_or_falls_does_not_bend(memory: Storage) -> None:
    """Hot settings have much salt in them, which is bad: averaged over the table, 150 looks best."""
    table = {"heat": [100, 120, 150, 180, 200] * 4, "salt": [9, 5, 0, 5, 9] * 4, "batch": np.repeat([1, 2, 3, 4], 5)}
    made = Campaign.create("table", Space.from_frame(table), formula="heat + salt", seed=1, storage=memory)
    for row in range(20):
        made.tell_new(row, 5 if table["salt"][row] == 0 else 0, of=5)
    said = made.best().shape
    assert said is None
    curved = Campaign.create_from("curved", made, formula="poly(heat, 2) + salt").effects()
    assert curved["heat"].verdict != "bends"  # it may be the salt: nothing in the table tells them apart


def test_a_formula_with_a_curve_bends_where_only_the_curve_can_tell(memory: Storage) -> None:
    heat, salt = np.meshgrid([100, 120, 150, 180, 200], [0, 5, 9])
    space = Space.from_frame({"heat": heat.ravel().tolist(), "salt": salt.ravel().tolist()})
    made = Campaign.create("table", space, formula="poly(heat, 2) + salt", seed=1, storage=memory)
    for row, degrees in enumerate(heat.ravel()):
        made.tell_new(row, 5 if degrees == 150 else 0, of=5)
    assert (made.best().shape or "").startswith("heat bends: best near 150")


@pytest.mark.parametrize(
    ("formula", "bends"),
    [
        ("x + y", False),
        ("x * y", False),
        ("center(x) + scale(y)", False),
        ("y", False),
        ("poly(x, 2)", True),
        ("C(x) + y", True),
        ("x + I(x ** 2)", True),
        ("bs(x, df=4)", True),
        ("x:center(x)", True),
    ],
)
def test_which_numbers_of_a_formula_can_bend(formula: str, bends: bool) -> None:
    space = Space.grid(x=[1, 2, 3, 4, 5], y=[1, 2, 3])
    assert _can_bend(Pool(space, space.design(formula)), "x") == bends
