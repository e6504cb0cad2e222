"""What a situation refuses, and what it says of the horizon."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sureshot import core
from sureshot.core.lookahead import finals
from sureshot.errors import InvalidInput, UnknownName
from sureshot.policies import situation

POOL = np.array([[1.0, -2.0], [1.0, 0.0], [1.0, 2.0]])


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"rows": POOL[:1]}, "`outcomes` must hold 0 or 1 for each of the 1 `rows`"),
        ({"rows": POOL[:1], "outcomes": [2]}, "`outcomes` must hold 0 or 1"),
        ({"rows": POOL[:1], "outcomes": [3], "of": [2]}, "at most `of`, for each of the 1 `rows`"),
        ({"candidates": [3]}, "`candidates` must be rows of `X`, 0 to 2"),
        ({"candidates": []}, "`candidates` must be rows of `X`"),
        ({"pending": [[1.0]]}, "`pending` must have shape"),
        ({"cost": [1.0, 2.0]}, "`cost` must have one number for each of the 3"),
        ({"cost": [1.0, 0.0, 1.0]}, "`cost` must be finite and above 0"),
        ({"cost": [1.0, 1.0, 1.0], "objective": "online"}, "`cost` is for the offline objective"),
        ({"trials_left": -1}, "`trials_left` must be a whole number"),
        ({"trials_left": 2.5}, "`trials_left` must be a whole number"),
        ({"discount": 1.0}, "`discount` must lie in"),
        ({"finals": finals([[[1.0, 2.0, 3.0]]], d=3)}, "`finals` must have shape"),
    ],
)
def test_what_breaks_a_rule_is_refused(given: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        situation(core.prior(2), POOL, **given)


def test_scores_that_overflow_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"must be below 1e\+100"):
        situation(core.prior(2), [[1e155, 1.0], [1.0, 0.0]])


def test_an_unknown_objective() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'online'"):
        situation(core.prior(2), POOL, objective="onlin")  # type: ignore[arg-type]


def test_the_horizon_is_what_comes_after_the_next_trial() -> None:
    assert situation(core.prior(2), POOL, objective="online", trials_left=12).tau == 11.0
    assert situation(core.prior(2), POOL, objective="online", trials_left=0).tau == 0.0
    assert situation(core.prior(2), POOL, objective="online", discount=0.75).tau == 3.0
    with pytest.raises(InvalidInput, match="needs `trials_left` or a `discount`"):
        situation(core.prior(2), POOL, objective="online").tau  # noqa: B018


def test_what_happens_next_is_added_to_what_was_tried() -> None:
    belief = core.prior(2)
    now = situation(belief, POOL, rows=POOL[:1], outcomes=[1], pending=POOL[1:2])
    after, _ = core.observe(belief, POOL[1], 0)
    then = now.after(POOL[1:2], [0], after)
    assert then.rows.tolist() == POOL[:2].tolist()
    assert then.outcomes.tolist() == [1, 0]
    assert then.pending is None
    assert then.belief is after
    assert now.outcomes.tolist() == [1]


def test_counts_are_of_all_trials_of_equal_features() -> None:
    X = np.array([[1.0, -2.0], [1.0, 0.0], [1.0, 2.0], [1.0, -0.0]])  # the last is a copy of the second
    rows = np.array([[1.0, -0.0], [1.0, 2.0], [1.0, 0.0], [1.0, 7.0]])  # the last is none of them
    now = situation(core.prior(2), X, rows=rows, outcomes=[1, 0, 2, 1], of=[1, 4, 3, 1])
    won, tries = now.counts
    assert won.tolist() == [0, 3, 0, 3]
    assert tries.tolist() == [0, 4, 4, 4]
    assert now.tried.tolist() == [False, True, True, True]
    assert not situation(core.prior(2), X).tried.any()
