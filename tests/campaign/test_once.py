"""Checked once at the door, then trusted: how often one call reads the log and looks at what it was given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sureshot.campaign import Campaign
from sureshot.campaign.model.pool import Pool
from sureshot.core import Belief
from sureshot.core.once import is_frozen
from sureshot.space import Actions, Space
from sureshot.storage.sql import SqlStorage

CASE = {"age": 61, "diabetic": True}


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often events are read, and contexts checked, from here on."""
    found: Counter[str] = Counter()

    def counted(owner: type, name: str) -> None:
        original: Callable[..., Any] = getattr(owner, name)

        def call(*given: Any, **named: Any) -> Any:
            found[name] += 1
            return original(*given, **named)

        monkeypatch.setattr(owner, name, call)

    counted(SqlStorage, "events")
    counted(Pool, "checked")
    return found


@pytest.fixture
def desk(tmp_path: Path) -> str:
    """Where a campaign with contexts and two outcomes is kept."""
    path = str(tmp_path / "store.db")
    made = Campaign.create(
        "desk", Actions(["wait", "treat"]), context={"age": (18, 90), "diabetic": bool}, storage=path
    )
    for action in (0, 1):
        made.tell_new(action, bool(action), context=CASE)
    made.storage.close()
    return path


@pytest.mark.parametrize(
    ("do", "checks"),
    [
        (lambda campaign: campaign.ask(CASE), 1),
        (lambda campaign: campaign.ask_batch(2, context=CASE), 1),
        (lambda campaign: campaign.best(CASE), 1),
        (lambda campaign: campaign.advice(CASE), 1),
        (lambda campaign: campaign.tell_new(0, True, context=CASE), 1),
        (lambda campaign: campaign.status(), 0),
        (lambda campaign: campaign.history(), 0),
        (lambda campaign: campaign.export(), 0),
        (lambda campaign: campaign.tell(campaign.ask(CASE), True), 1),
    ],
    ids=["ask", "ask_batch", "best", "advice", "tell_new", "status", "history", "export", "ask and tell"],
)
def test_opened_and_used(desk: str, count: Counter[str], do: Callable[[Campaign], object], checks: int):
    campaign = Campaign.open("desk", desk)
    assert not count  # opening reads what the campaign is, not what happened
    do(campaign)
    assert (count["events"], count["checked"]) == (1, checks)
    campaign.storage.close()


def test_a_new_campaign_has_nothing_to_read(space: Space, tmp_path: Path, count: Counter[str]):
    campaign = Campaign.create("new", space, storage=tmp_path / "store.db")
    assert count["events"] == 0
    campaign.tell_new(0, True)
    assert count["events"] == 0
    campaign.storage.close()


def test_an_ask_checks_the_pool_once_and_finds_copies_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks and copies are asked for many times; the pool itself, 600 rows, is gone through once for each (scores,
    which are one number for each row, are checked too).
    """
    space = Space.grid(power=list(range(20)), time=list(range(15)), gas=["a", "b"])
    campaign = Campaign.create("once", space, seed=1, storage=":memory:")
    for row in (3, 80, 500):
        campaign.tell_new(row, row == 80)
    found: Counter[str] = Counter()

    def counted(module: Any, name: str) -> None:
        original = getattr(module, name)

        def call(array: Any, *more: Any, **named: Any) -> Any:
            found[name] += len(space) == len(np.atleast_1d(array)) and (name == "unique" or np.ndim(array) == 2)
            return original(array, *more, **named)

        monkeypatch.setattr(module, name, call)

    counted(np, "isfinite")
    counted(np, "unique")
    campaign.ask()
    assert max(found.values(), default=0) <= 1


def test_the_pool_of_a_campaign_is_known_again(space: Space) -> None:
    """What is computed of it may be kept: nobody else can change it, and opening a look at it gives the same array."""
    campaign = Campaign.create("known", space, storage=":memory:")
    X = campaign.spec.pool.matrix()
    assert X is campaign.spec.pool.matrix()
    assert is_frozen(X)
    first = campaign.belief
    belief = first if isinstance(first, Belief) else first.beliefs[0]
    assert belief.scores(X) is belief.scores(X)
