"""Campaigns in brief: looked at once, again when something happened, and not for longer than a person waits."""

from __future__ import annotations

import pytest

from sureshot import Campaign, Space
from sureshot.storage import Storage
from sureshot.web import briefs as module
from sureshot.web.briefs import Briefs
from sureshot.web.opened import Opened


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of campaigns that were looked at."""
    found: list[str] = []
    whole = Campaign.in_brief

    def noted(one: Campaign) -> object:
        found.append(one.name)
        return whole(one)

    monkeypatch.setattr(Campaign, "in_brief", noted)
    return found


def test_a_campaign_is_looked_at_again_when_something_happened(
    store: Storage, tubes: Campaign, looked_at: list[str]
) -> None:
    briefs = Briefs(Opened(store, 4, 1.0))
    for _ in range(3):
        (one,) = briefs.of(store.campaigns())
    assert one.found is not None
    assert "no outcome yet" in one.found.progress
    assert looked_at == ["tubes"]
    tubes.tell_new(0, "single")
    (one,) = briefs.of(store.campaigns())
    assert one.found is not None
    assert "single in 1 of 1 try" in one.found.progress
    tubes.rename("others")
    (one,) = briefs.of(store.campaigns())
    assert one.line.name == "others"
    assert looked_at == ["tubes", "tubes", "others"]
    tubes.archive()
    (one,) = briefs.of(store.campaigns())
    assert one.line.archived_at is not None, "the line is the one that was just read"


def test_nobody_waits_for_all_of_them(store: Storage, looked_at: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        Campaign.create(f"c{number}", Space.grid(power=[8, 10]), seed=1, storage=store)
    clock = iter([0.0, 0.5, 1.5, 2.5, 2.6, 2.7, 10.0, 10.1, 10.2, 10.3])
    monkeypatch.setattr(module, "monotonic", lambda: next(clock))
    briefs = Briefs(Opened(store, 4, 1.0))
    first = briefs.of(store.campaigns(), seconds=2.0)
    assert [one.found is None for one in first] == [False, False, True, True, True]
    second = briefs.of(store.campaigns(), seconds=2.0)
    assert all(one.found is not None for one in second), "those that are known take no time"
    assert looked_at == ["c0", "c1", "c2", "c3", "c4"]
