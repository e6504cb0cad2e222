"""What speaks against a model is looked for once after each outcome, and passed on to another view."""

from __future__ import annotations

import pytest

from sureshot.campaign import Campaign
from sureshot.campaign.answers.fit import doubts
from sureshot.campaign.view import beside, handed_on
from sureshot.space import Space
from sureshot.storage import Storage


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """After how many outcomes somebody looked."""
    found: list[int] = []

    def cautions(_name: str, _spec: object, ledger: object, *_: object) -> tuple[doubts.Caution, ...]:
        found.append(len(ledger.order))  # type: ignore[attr-defined]
        return ()

    monkeypatch.setattr(doubts, "cautions", cautions)
    return found


def test_it_is_looked_for_once_after_each_outcome_and_by_one_view_for_another(
    memory: Storage, looked: list[int]
) -> None:
    made = Campaign.create("oven", Space.grid(power=[8, 10, 12]), seed=1, storage=memory)
    made.best()
    assert looked == [], "nothing speaks for or against anything yet"
    made.tell_new(0, "success")
    other = beside(made)
    made.best(), made.best()
    assert looked == [1]
    handed_on(made, other)
    other.best()
    assert looked == [1]
    other.tell_new(1, "failure")
    other.best()
    handed_on(made, other)  # which knows less
    other.best()
    assert looked == [1, 2]
