"""Events and campaigns as records: what breaks a rule can't be made, and nothing made can be changed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest

from sureshot.errors import InvalidInput, UnknownName
from sureshot.storage import MemoryStorage, NewEvent, asked, corrected, noted, told, withdrawn


def test_bad_events_can_not_be_made() -> None:
    bad: tuple[Callable[[], object], ...] = (
        lambda: told(1, -1),
        lambda: told(1, 2),
        lambda: told(1, 3, of=2),
        lambda: told(1, 0, of=0),
        lambda: told(1, 0.5),
        lambda: told(1, True),
        lambda: told(1, "success"),
        lambda: told(1, 2**63, of=2**63),
        lambda: told(0, 1),
        lambda: told(1, 1, alternative=3),
        lambda: told(1, 1, context={}),
        lambda: corrected(1, 2),
        lambda: corrected(None, 1),
        lambda: withdrawn(0),
        lambda: asked(-1),
        lambda: asked(0, context=[1]),
        lambda: asked(0, payload={"p": float("inf")}),
        lambda: asked(0, at=datetime(2026, 3, 1)),  # no time zone
        lambda: noted(""),
        lambda: noted("a\x00b"),
        lambda: noted("hello", author=3),
    )
    for make in bad:
        with pytest.raises(InvalidInput):
            make()


def test_what_the_makers_never_make_is_refused_too() -> None:
    """In memory nothing else would: SQL stores have their constraints."""
    for given in ({"kind": "asked", "trial": 5}, {"kind": "withdrawn"}, {"kind": "told"}, {"kind": "asked", "of": 1}):
        with pytest.raises(InvalidInput):
            NewEvent(**given)
    with pytest.raises(UnknownName, match="told"):
        NewEvent("tolled", 1)


def test_records_are_frozen() -> None:
    storage = MemoryStorage()
    campaign = storage.create_campaign("nanotubes", {"budget": 30}, seed=7)
    [event] = storage.append(campaign.id, [asked(0, context={"age": 61})])
    with pytest.raises(AttributeError):
        event.successes = 1
    with pytest.raises(AttributeError):
        campaign.seed = 3
    (event.context or {})["age"] = 0
    campaign.spec["budget"] = 0
    assert storage.events(campaign.id)[0].context == {"age": 61}
    assert campaign.spec == {"budget": 30}


@pytest.mark.parametrize(
    "made", [noted, lambda text: told(1, 1, of=1, text=text), lambda text: withdrawn(1, text=text)]
)
def test_a_note_has_a_limit(made: Callable[[str], NewEvent]) -> None:
    assert made("x" * 10_000).text == "x" * 10_000
    with pytest.raises(InvalidInput, match="at most 10,000 characters, got 10,001: shorten it") as refused:
        made("x" * 10_001)
    assert (refused.value.field, refused.value.value) == ("text", 10_001)


def test_a_document_has_a_depth() -> None:
    deep: dict[str, object] = {}
    for _ in range(50):
        deep = {"a": deep}
    with pytest.raises(InvalidInput, match="`context` must be nested at most 50 deep"):
        asked(1, context=deep)
    assert asked(1, context=deep["a"]).context_json == '{"a":' * 49 + "{}" + "}" * 49  # type: ignore[arg-type]
    loop: dict[str, object] = {}
    loop |= {"a": loop, "b": loop}
    with pytest.raises(InvalidInput, match="nested at most 50 deep"):
        asked(1, payload=loop)
