"""A campaign as a document: made again to the last bit, or refused."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from sureshot.errors import Conflict, CorruptLog, InvalidInput
from sureshot.storage import MemoryStorage, Storage, asked, exported_campaign, noted, restore_campaign, told
from sureshot.testing.storage import AWKWARD
from tests.storage.assets import story


def written(store: Storage, name: str = story.NAME) -> dict[str, Any]:
    """The export as it comes back from a file."""
    record = store.campaign(name)
    document: dict[str, Any] = json.loads(json.dumps(exported_campaign(record, store.events(record.id)), indent=2))
    return document


@pytest.fixture
def document() -> dict[str, Any]:
    here = MemoryStorage()
    story.tell(here)
    return written(here)


def test_an_export_makes_the_campaign_again_to_the_last_bit(store: Storage, document: dict[str, Any]) -> None:
    made = restore_campaign(document, store)
    assert store.events(made.id)[-1].digest == story.LAST_DIGEST
    assert written(store) == document
    assert store.append(made.id, [asked(1)])[0].trial == 6  # and life goes on


def test_documents_that_a_careless_reader_changes_come_back(store: Storage) -> None:
    here = MemoryStorage()
    record = here.create_campaign("awkward", AWKWARD, seed=2**63 - 1)
    here.append(record.id, [asked(0, context=AWKWARD, payload=AWKWARD), noted("\u2028 über"), told(None, 3, of=4)])
    made = restore_campaign(written(here, "awkward"), store, as_name="again")
    assert (made.name, made.digest, made.spec_json) == ("again", record.digest, record.spec_json)
    assert store.events(made.id) == here.events(record.id)


def test_a_note_that_is_longer_than_one_may_be_now_comes_back(store: Storage) -> None:
    here, long = MemoryStorage(), "x" * 900_000
    record = here.create_campaign("old", {}, seed=0)
    here.append(record.id, [replace(noted("short"), text=long)])
    assert [one.text for one in here.events(record.id)] == [long]
    assert store.events(restore_campaign(written(here, "old"), store).id) == here.events(record.id)


def test_texts_that_were_written_another_way_come_back_as_they_were(store: Storage) -> None:
    """Digests are of texts, not of what they mean: a payload with spaces between is another text."""
    here = MemoryStorage()
    record = here.create_campaign("spaced", {}, seed=0)
    spaced = '{"import": {"rows": 2}, "levels": {"power": 9.0}}'
    here.append(record.id, [replace(told(None, 1, alternative=0), payload_json=spaced), told(None, 0, alternative=1)])
    document = written(here, "spaced")
    assert document["events"][0]["payload"] == json.loads(spaced)
    assert "payload_json" not in document["events"][1]
    assert store.events(restore_campaign(document, store).id) == here.events(record.id)
    document["events"][0]["payload"]["import"]["rows"] = 3
    with pytest.raises(CorruptLog, match="payload_json is not payload"):
        restore_campaign(document, MemoryStorage())


def test_a_name_that_is_taken_is_refused_unless_another_is_given(store: Storage, document: dict[str, Any]) -> None:
    restore_campaign(document, store)
    with pytest.raises(Conflict, match="already is a campaign 'nanotubes'"):
        restore_campaign(document, store)
    restore_campaign(document, store, as_name="second")
    assert [(one.name, one.last_number) for one in store.campaigns()] == [("nanotubes", 10), ("second", 10)]


def test_an_event_without_its_digest_is_missed(document: dict[str, Any]) -> None:
    del document["events"][9]["digest"]
    with pytest.raises(CorruptLog, match=r"lacks what sureshot writes into it .*digest"):
        restore_campaign(document, MemoryStorage())


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (("seed",), 8, "the seed or the date of the export was changed"),
        (("spec", "prior"), 0.2, "specification, the seed or the date"),
        (("created_at",), "2026-03-01T09:00:00.000000Z", "the seed or the date"),
        (("created_at",), "2026-03-01T08:00:00Z", "the seed or the date"),
        (("created_at",), "yesterday", "lacks what sureshot writes"),
        (("digest",), "0" * 64, "the seed or the date"),
        (("events", 0, "alternative"), 4, "event 1 of the export is not"),
        (("events", 1, "successes"), 0, "event 2 of the export is not"),
        (("events", 1, "author"), "Bo", "event 2 of the export is not"),
        (("events", 2, "context"), {"humidity": 0.2, "operator": "Søren"}, "event 3 of the export is not"),
        (("events", 4, "text"), "", "event 5 of the export is not"),
        (("events", 9, "digest"), "0" * 64, "event 10 of the export is not"),
        (("events", 3), {}, "lacks what sureshot writes"),
        (("events",), 3, "lacks what sureshot writes"),
    ],
)
def test_what_was_changed_is_found_and_nothing_is_stored(
    document: dict[str, Any], path: tuple[Any, ...], value: object, words: str
) -> None:
    target, inside = MemoryStorage(), document
    for key in path[:-1]:
        inside = inside[key]
    assert inside[path[-1]] != value
    inside[path[-1]] = value
    with pytest.raises(CorruptLog, match=words):
        restore_campaign(document, target)
    assert target.campaigns() == ()


def test_an_event_that_was_removed_or_doubled_is_found(document: dict[str, Any]) -> None:
    for events in (document["events"][1:], document["events"][:3] + document["events"][4:], document["events"] * 2):
        with pytest.raises(CorruptLog, match="of the export is not what was recorded there"):
            restore_campaign({**document, "events": events}, MemoryStorage())


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "another document"),
        ([], "another document"),
        ({"belief": {}, "campaign": "old"}, r"posterior\(\)"),
    ],
)
def test_what_is_no_export_is_refused(given: Any, words: str) -> None:
    with pytest.raises(InvalidInput, match=f"made again from its whole export .*{words}"):
        restore_campaign(given, MemoryStorage())


def test_an_export_of_a_later_version_asks_for_an_update(document: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="update sureshot"):
        restore_campaign({**document, "version": 2}, MemoryStorage())
