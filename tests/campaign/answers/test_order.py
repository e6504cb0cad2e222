"""A part of a sorted pool against the whole pool, sorted by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sureshot.campaign import Campaign, Prediction
from sureshot.campaign.answers import values
from sureshot.campaign.answers.order import Order, ordered
from sureshot.campaign.log.ledger import Ledger
from sureshot.errors import InvalidInput, UnknownName
from sureshot.space import Space
from sureshot.storage import Storage

SPACE = Space.grid(power="14,8,12,10 W", catalyst=["Fe", "Co", "Ni"])


@pytest.fixture
def made(memory: Storage) -> Campaign:
    found = Campaign.create("bench", SPACE, seed=1, budget=30, storage=memory)
    for row, won in ((7, 4), (0, 1), (7, 3), (2, 0), (11, 2)):
        found.tell_new(row, won, of=4)
    return found


def every(campaign: Campaign) -> list[Prediction]:
    found = campaign.predictions()
    return [found[i] for i in range(len(found))]


KEYS: dict[str, tuple[Callable[[Prediction], Any], bool]] = {  # and whether it rises where nothing is said
    "chance": (lambda one: one.chance, False),
    "value": (lambda one: one.value, False),
    "tries": (lambda one: one.tries, False),
    "power": (lambda one: one.levels["power"], True),
    "catalyst": (lambda one: ["Fe", "Co", "Ni"].index(str(one.levels["catalyst"])), True),
}


@pytest.mark.parametrize("by", list(KEYS))
@pytest.mark.parametrize("rising", [None, True, False])
def test_each_part_is_that_of_the_whole_sorted_by_hand(made: Campaign, by: str, rising: bool | None) -> None:
    """The likeliest first among those that are alike: Python's sort is stable, and the whole is in that order."""
    key, rises = KEYS[by]
    wanted = sorted(every(made), key=key, reverse=not (rises if rising is None else rising))
    if by == "chance" and rising:
        wanted = sorted(every(made), key=key)
    for offset, top in ((0, 5), (5, 5), (10, 5), (3, 1)):
        found = made.predictions(by=by, rising=rising, offset=offset, top=top)
        assert found.offset == offset
        assert [found[i].alternative for i in range(len(found))] == [
            one.alternative for one in wanted[offset : offset + top]
        ]
        for i in range(len(found)):
            whole = wanted[offset + i]
            assert (found[i].label, found[i].tries, found[i].successes) == (whole.label, whole.tries, whole.successes)
            for name in ("chance", "low", "high", "value"):
                assert getattr(found[i], name) == pytest.approx(getattr(whole, name), rel=1e-9, abs=1e-12), name


def test_values_that_are_not_computed_stand_last_either_way(made: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sureshot.campaign.answers.values.PAIRS", 48)  # of four alternatives
    for rising in (True, False):
        found = made.predictions(by="value", rising=rising)
        values = [found[i].value for i in range(len(found))]
        known = [one for one in values if one is not None]
        assert len(known) == 4
        assert values[4:] == [None] * 8
        assert known == sorted(known, reverse=not rising)


def test_only_the_part_is_looked_at(made: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values of three alternatives are computed for three, not for twelve."""
    seen: list[int] = []
    worth = values.trial_values
    monkeypatch.setattr(
        values, "trial_values", lambda now, rows, *more: seen.append(len(rows)) or worth(now, rows, *more)
    )
    made.predictions(by="power", offset=6, top=3)
    assert seen == [3]


def test_a_parameter_that_is_called_as_an_answer_is(memory: Storage) -> None:
    made = Campaign.create("odd", Space.grid(chance=[3, 1, 2], tries=["a", "b"]), seed=1, storage=memory)
    made.tell_new(0, "success")
    by_parameter = made.predictions(by="chance", top=6)
    assert list(by_parameter.levels["chance"]) == [1, 1, 2, 2, 3, 3]
    by_answer = made.predictions(by="chance_", top=6)
    assert by_answer.chance.tolist() == sorted(by_answer.chance.tolist(), reverse=True)
    assert by_answer.alternative.tolist() == made.predictions(top=6).alternative.tolist()


@pytest.mark.parametrize(
    ("asked", "field"), [({"top": 0}, "top"), ({"offset": -1}, "offset"), ({"offset": 12}, "offset")], ids=str
)
def test_no_part_that_is_not_there(made: Campaign, asked: dict[str, int], field: str) -> None:
    with pytest.raises(InvalidInput) as error:
        made.predictions(**asked)
    assert error.value.field == field


def test_an_unknown_column_names_those_there_are(made: Campaign) -> None:
    with pytest.raises(UnknownName, match="'catalyst', 'chance', 'power', 'tries', 'value'"):
        made.predictions(by="pwoer")


def test_alternatives_that_are_equally_likely_but_for_rounding_stand_as_in_the_pool() -> None:
    chances = np.array([0.5, 0.7, 0.7 + 3e-16, 0.5 - 1e-16, 0.7 - 2e-16, 0.9])
    space, order = Space.grid(power=[1, 2, 3, 4, 5, 6]), Order(by="chance", rising=False)
    found = ordered(space, Ledger(digest=""), chances, order, lambda: chances)
    assert found.tolist() == [5, 1, 2, 4, 0, 3]
