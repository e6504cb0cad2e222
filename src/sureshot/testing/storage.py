"""What every storage must do, as a pytest class that a storage of your own runs.

    from sureshot.testing.storage import StorageConformance

    class TestMyStorage(StorageConformance):
        @pytest.fixture
        def storage(self):
            store = MyStorage(...)      # empty
            yield store
            store.close()

Each test begins with an empty store. What a database adds (several processes, a killed writer, old schemas) is
not tested here: see ``tests/storage`` for how sureshot tests its own.
"""

# ruff: noqa: D102 - the name of a test says what it shows

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from sureshot.errors import Conflict, InvalidInput, OtherLog, OutOfDate, UnknownName
from sureshot.storage import CampaignRecord, Storage, asked, copy_campaign, corrected, noted, told, withdrawn
from sureshot.storage.chain import campaign_digest, digests, text_digest

__all__ = ["AWKWARD", "StorageConformance"]

AWKWARD: dict[str, Any] = {
    "z before a": 1,
    "a": [0.1, 1e-320, -0.0, 1.7976931348623157e308, 2**70, True, False, None],
    "text": "Kühlung at 3 °C, 双层, 🧪, \x00, \u2028, 'quoted' \"twice\" \\ ]\n[ %s :name {x}",
    "nested": {"": {}, "list": [[], [{}]]},
}
"""A JSON document that a careless store changes: order of keys, last bits, minus zero, escapes."""


class StorageConformance:
    """Inherit from it, and give it a fixture ``storage`` that yields an empty :class:`~sureshot.storage.Storage`."""

    @pytest.fixture
    def storage(self) -> Any:
        """An empty storage: yours to define."""
        raise NotImplementedError("define a fixture `storage` that yields an empty storage")

    @pytest.fixture
    def campaign(self, storage: Storage) -> CampaignRecord:
        """A campaign without events."""
        return storage.create_campaign("nanotubes", {"budget": 30}, seed=7)

    # --- campaigns ---------------------------------------------------------------------------------------------

    def test_a_campaign_comes_back_as_created(self, storage: Storage) -> None:
        created = storage.create_campaign("nanotubes 双层", AWKWARD, seed=2**63 - 1)
        found = storage.campaign("nanotubes 双层")
        assert found == created
        assert repr(found.spec) == repr(AWKWARD)
        assert found.spec_sha256 == text_digest(found.spec_json)
        assert found.digest == campaign_digest(found.created_at, found.seed, found.spec_sha256)
        assert storage.events(found.id) == ()

    def test_its_moment_is_now_or_as_given_in_utc(self, storage: Storage) -> None:
        now = datetime.fromisoformat(storage.create_campaign("now", {}, seed=0).created_at)
        assert abs(datetime.now(UTC) - now) < timedelta(minutes=1)
        given = datetime(2026, 3, 1, 0, 30, tzinfo=timezone(timedelta(hours=1)))
        assert storage.create_campaign("then", {}, seed=0, created_at=given).created_at == "2026-02-28T23:30:00.000000Z"

    def test_a_name_is_taken_once(self, storage: Storage, campaign: CampaignRecord) -> None:
        with pytest.raises(Conflict, match="already is a campaign 'nanotubes'"):
            storage.create_campaign("nanotubes", {}, seed=0)
        assert storage.campaign("nanotubes") == campaign
        assert storage.create_campaign("Nanotubes", {}, seed=0).id != campaign.id

    def test_a_campaign_and_its_first_events_are_stored_together(self, storage: Storage) -> None:
        made = storage.create_campaign("again", {}, seed=0, events=[noted("a copy"), asked(3), told(1, 1)])
        found = storage.events(made.id)
        assert [(one.number, one.kind, one.trial) for one in found] == [
            (1, "noted", None),
            (2, "asked", 1),
            (3, "told", 1),
        ]
        (more,) = storage.append(made.id, [asked(4)], expected_last=3)
        assert (more.number, more.trial) == (4, 2)

    def test_a_refused_first_event_leaves_no_campaign(self, storage: Storage) -> None:
        with pytest.raises(UnknownName, match="has no trial 7"):
            storage.create_campaign("again", {}, seed=0, events=[asked(3), told(7, 1)])
        assert storage.campaigns() == ()
        storage.create_campaign("again", {}, seed=0)
        with pytest.raises(Conflict, match="already is a campaign 'again'"):
            storage.create_campaign("again", {}, seed=0, events=[asked(3)])
        assert storage.events(storage.campaign("again").id) == ()

    def test_an_unknown_name_is_told_the_nearest(self, storage: Storage) -> None:
        with pytest.raises(UnknownName, match="no campaigns yet"):
            storage.campaign("nanotubes")
        storage.create_campaign("nanotubes", {}, seed=0)
        with pytest.raises(UnknownName, match="Did you mean 'nanotubes'"):
            storage.campaign("nanotube")

    @pytest.mark.parametrize("name", ["", " ", "a ", "a\nb", "a\x00", "\ud800", "x" * 201, None, 3])
    def test_a_bad_name_is_refused(self, storage: Storage, name: Any) -> None:
        with pytest.raises(InvalidInput, match="name"):
            storage.create_campaign(name, {}, seed=0)
        assert storage.campaigns() == ()

    @pytest.mark.parametrize("seed", [-1, 2**63, 1.0, True, None, "1"])
    def test_a_bad_seed_is_refused(self, storage: Storage, seed: Any) -> None:
        with pytest.raises(InvalidInput, match="seed"):
            storage.create_campaign("nanotubes", {}, seed=seed)
        assert storage.campaigns() == ()

    @pytest.mark.parametrize("spec", [None, [], "{}", {1: 2}, {"a": float("nan")}, {"a": {1, 2}}, {"a": "\ud800"}])
    def test_a_bad_specification_is_refused(self, storage: Storage, spec: Any) -> None:
        with pytest.raises(InvalidInput, match="spec"):
            storage.create_campaign("nanotubes", spec, seed=0)
        assert storage.campaigns() == ()

    def test_the_list_of_campaigns(self, storage: Storage) -> None:
        assert storage.campaigns() == ()
        first = storage.create_campaign("first", {}, seed=0)
        second = storage.create_campaign("second", {}, seed=0)
        *_, last = storage.append(first.id, [asked(0), asked(1)])
        assert storage.campaigns() == (
            (first.id, "first", first.created_at, 2, last.at, None),
            (second.id, "second", second.created_at, 0, None, None),
        )

    # --- another name, out of the way, gone --------------------------------------------------------------------

    def test_a_campaign_gets_another_name_and_stays_the_same(self, storage: Storage, campaign: CampaignRecord) -> None:
        recorded = storage.append(campaign.id, [asked(0), told(1, 1)])
        renamed = storage.rename_campaign(campaign.id, "tubes 双层")
        assert renamed == campaign._replace(name="tubes 双层") == storage.campaign("tubes 双层")
        assert storage.events(campaign.id) == recorded
        with pytest.raises(UnknownName, match="unknown campaign 'nanotubes'"):
            storage.campaign("nanotubes")
        (more,) = storage.append(campaign.id, [asked(1)], expected_last=2)  # whoever held it goes on
        assert more.number == 3
        assert storage.rename_campaign(campaign.id, "tubes 双层") == renamed  # to its own name: nothing to do
        assert storage.create_campaign("nanotubes", {}, seed=0).id != campaign.id  # the old name is free

    def test_a_name_that_is_taken_or_bad_is_refused(self, storage: Storage, campaign: CampaignRecord) -> None:
        storage.create_campaign("other", {}, seed=0)
        with pytest.raises(Conflict, match="already is a campaign 'other'"):
            storage.rename_campaign(campaign.id, "other")
        with pytest.raises(InvalidInput, match="name"):
            storage.rename_campaign(campaign.id, " ")
        assert storage.campaign("nanotubes") == campaign

    def test_an_archived_campaign_says_since_when_and_goes_on(self, storage: Storage, campaign: CampaignRecord) -> None:
        archived = storage.archive_campaign(campaign.id)
        assert abs(datetime.now(UTC) - datetime.fromisoformat(archived.archived_at or "")) < timedelta(minutes=1)
        assert storage.archive_campaign(campaign.id) == archived == storage.campaign("nanotubes")
        assert [one.archived_at for one in storage.campaigns()] == [archived.archived_at]
        assert storage.append(campaign.id, [asked(0)])[0].number == 1
        assert storage.archive_campaign(campaign.id, archived=False) == campaign == storage.campaign("nanotubes")
        assert storage.archive_campaign(campaign.id, archived=False) == campaign
        assert [one.archived_at for one in storage.campaigns()] == [None]

    def test_a_deleted_campaign_is_gone_and_no_other(self, storage: Storage, campaign: CampaignRecord) -> None:
        first, _ = storage.append(campaign.id, [asked(0), told(1, 1)])
        storage.put_snapshot(campaign.id, 1, first.digest, {})
        other = storage.create_campaign("other", {}, seed=0)
        kept = storage.append(other.id, [asked(0)])
        storage.delete_campaign(campaign.id, expected_last=2)
        assert [one.name for one in storage.campaigns()] == ["other"]
        assert storage.events(other.id) == kept
        for use in (
            lambda: storage.append(campaign.id, [asked(0)]),
            lambda: storage.events(campaign.id),
            lambda: storage.delete_campaign(campaign.id),
        ):
            with pytest.raises(UnknownName, match="it may have been deleted"):
                use()
        again = storage.create_campaign("nanotubes", {}, seed=0)
        assert again.id not in (campaign.id, other.id)
        assert storage.events(again.id) == ()

    def test_the_id_of_the_last_campaign_is_not_given_again(self, storage: Storage, campaign: CampaignRecord) -> None:
        storage.delete_campaign(campaign.id)
        assert storage.create_campaign("nanotubes", {}, seed=0).id != campaign.id

    def test_what_was_recorded_since_is_not_deleted(self, storage: Storage, campaign: CampaignRecord) -> None:
        recorded = storage.append(campaign.id, [asked(0), told(1, 1)])
        for stale in (0, 1, 3):
            with pytest.raises(OutOfDate, match=f"after event {stale}, and the log now ends with event 2"):
                storage.delete_campaign(campaign.id, expected_last=stale)
        assert storage.campaign("nanotubes") == campaign
        assert storage.events(campaign.id) == recorded

    # --- events ------------------------------------------------------------------------------------------------

    def test_events_come_back_as_recorded(self, storage: Storage, campaign: CampaignRecord) -> None:
        then = datetime(2026, 3, 1, 12, 0, 0, 1, tzinfo=UTC)
        text, author = "über 90 °C\nsecond line", "Ann; DROP TABLE event --"
        recorded = storage.append(
            campaign.id,
            [
                asked(3, context=AWKWARD, payload=AWKWARD, text=text, author=author, at=then),
                told(1, 2, of=5),
                corrected(1, 2**63 - 1, of=2**63 - 1, author=author),
                withdrawn(1, text=text),
                noted("of trial 1", trial=1),
                noted("of all", payload={}),
                told(None, 0, alternative=0),
                asked(),
            ],
        )
        assert storage.events(campaign.id) == recorded
        assert [e.number for e in recorded] == [1, 2, 3, 4, 5, 6, 7, 8]
        assert [e.trial for e in recorded] == [1, 1, 1, 1, 1, None, 2, 3]
        assert [e.kind for e in recorded] == [
            "asked", "told", "corrected", "withdrawn", "noted", "noted", "told", "asked",
        ]  # fmt: skip
        first = recorded[0]
        assert repr(first.context) == repr(first.payload) == repr(AWKWARD)
        assert (first.alternative, first.text, first.author) == (3, text, author)
        assert first.at == "2026-03-01T12:00:00.000001Z"
        assert (recorded[1].successes, recorded[1].of) == (2, 5)
        assert recorded[2].of == 2**63 - 1
        assert (recorded[5].payload, recorded[5].context) == ({}, None)
        assert abs(datetime.now(UTC) - datetime.fromisoformat(recorded[1].at)) < timedelta(minutes=1)

    def test_the_digests_chain(self, storage: Storage, campaign: CampaignRecord) -> None:
        storage.append(campaign.id, [asked(3, context=AWKWARD), asked(4)])
        storage.append(campaign.id, [told(2, 1)])
        events = storage.events(campaign.id)
        assert [e.digest for e in events] == list(digests(campaign.digest, [e[:-1] for e in events]))

    def test_reading_on_from_an_event(self, storage: Storage, campaign: CampaignRecord) -> None:
        recorded = storage.append(campaign.id, [asked(i) for i in range(5)])
        for after in range(7):
            assert storage.events(campaign.id, after=after) == recorded[after:]
        with pytest.raises(InvalidInput, match="after"):
            storage.events(campaign.id, after=-1)

    def test_campaigns_do_not_see_each_other(self, storage: Storage, campaign: CampaignRecord) -> None:
        other = storage.create_campaign("other", {}, seed=0)
        storage.append(campaign.id, [asked(0), told(1, 1)])
        [mine] = storage.append(other.id, [asked(9)])
        assert (mine.number, mine.trial) == (1, 1)
        storage.append(other.id, [told(1, 0)])
        assert len(storage.events(campaign.id)) == len(storage.events(other.id)) == 2

    def test_an_unknown_campaign_is_refused(self, storage: Storage, campaign: CampaignRecord) -> None:
        nobody = campaign.id + 1000
        for use in (
            lambda: storage.append(nobody, [asked(0)]),
            lambda: storage.events(nobody),
            lambda: storage.rename_campaign(nobody, "other"),
            lambda: storage.archive_campaign(nobody),
            lambda: storage.delete_campaign(nobody),
            lambda: storage.put_snapshot(nobody, 1, "", {}),
            lambda: storage.get_snapshot(nobody),
        ):
            with pytest.raises(UnknownName, match="no campaign has the id"):
                use()

    def test_nothing_to_append_is_nothing(self, storage: Storage, campaign: CampaignRecord) -> None:
        assert storage.append(campaign.id, []) == ()
        assert storage.events(campaign.id) == ()

    def test_expected_last(self, storage: Storage, campaign: CampaignRecord) -> None:
        storage.append(campaign.id, [asked(0)], expected_last=0)
        storage.append(campaign.id, [asked(1)], expected_last=1)
        before = storage.events(campaign.id)
        for stale in (0, 1, 3):
            with pytest.raises(OutOfDate, match=f"after event {stale}, and the log now ends with event 2"):
                storage.append(campaign.id, [asked(2)], expected_last=stale)
        assert storage.events(campaign.id) == before
        storage.append(campaign.id, [told(1, 1)])  # not expecting anything
        assert len(storage.events(campaign.id)) == 3

    def test_expected_trials(self, storage: Storage, campaign: CampaignRecord) -> None:
        """Outcomes and notes that came in meanwhile do no harm; another trial does."""
        storage.append(campaign.id, [asked(0)], expected_trials=0)
        storage.append(campaign.id, [told(1, 1), noted("meanwhile")])
        storage.append(campaign.id, [asked(1), asked(2)], expected_trials=1)
        before = storage.events(campaign.id)
        for stale in (0, 1, 2, 4):
            with pytest.raises(OutOfDate, match=f"when it had {stale} trials, and now it has 3"):
                storage.append(campaign.id, [asked(2)], expected_trials=stale)
        assert storage.events(campaign.id) == before
        storage.append(campaign.id, [told(None, 1)], expected_trials=3)

    def test_who_read_another_log_records_and_reads_nothing(self, storage: Storage, campaign: CampaignRecord) -> None:
        """As after an earlier state of the store was restored: what was read is not in it, or something else is."""
        one, two = storage.append(campaign.id, [asked(0), noted("two")], known=(0, campaign.digest))
        assert storage.events(campaign.id, digest=campaign.digest) == (one, two)
        assert storage.events(campaign.id, after=1, digest=one.digest) == (two,)
        assert storage.events(campaign.id, after=2, digest=two.digest) == ()
        for number, digest in ((0, one.digest), (1, two.digest), (2, one.digest), (3, two.digest)):
            with pytest.raises(OtherLog, match="open the campaign again"):
                storage.events(campaign.id, after=number, digest=digest)
            with pytest.raises(OtherLog, match="Nothing was recorded"):
                storage.append(campaign.id, [noted("lost")], known=(number, digest))
        assert storage.events(campaign.id) == (one, two)
        (three,) = storage.append(campaign.id, [noted("three")], known=(1, one.digest))  # others may be further
        assert three.number == 3

    def test_who_decides_takes_turns_and_keeps_nobody_from_recording(
        self, storage: Storage, campaign: CampaignRecord
    ) -> None:
        other = storage.create_campaign("other", {}, seed=0)
        inside, most, counted = [0], [0], threading.Lock()

        def decide() -> None:
            with storage.turn(campaign.id):
                with counted:
                    inside[0] += 1
                    most[0] = max(most[0], inside[0])
                storage.append(campaign.id, [asked(0)])
                with counted:
                    inside[0] -= 1

        with storage.turn(campaign.id):
            deciding = [threading.Thread(target=decide) for _ in range(4)]
            for one in deciding:
                one.start()
            storage.append(campaign.id, [noted("who only records does not wait")])
            with storage.turn(other.id):  # nor who decides in another campaign
                storage.append(other.id, [asked(0)])
            assert len(storage.events(campaign.id)) == 1
        for one in deciding:
            one.join(timeout=60)
        assert most[0] == 1
        assert len(storage.events(campaign.id)) == 5

    # --- the life of a trial -----------------------------------------------------------------------------------

    @pytest.mark.parametrize(
        ("past", "refused", "error", "words"),
        [
            ([], told(1, 1), UnknownName, "no trial 1: it has no trials yet"),
            ([asked(0)], told(2, 1), UnknownName, "no trial 2: its trials are 1 to 1"),
            ([asked(0)], corrected(2, 1), UnknownName, "no trial 2"),
            ([asked(0)], withdrawn(2), UnknownName, "no trial 2"),
            ([asked(0)], noted("?", trial=2), UnknownName, "no trial 2"),
            ([asked(0), told(1, 1, author="Ann")], told(1, 1), Conflict, "already has an outcome: 1 of 1, told by Ann"),
            ([told(None, 3, of=4)], told(1, 1), Conflict, "already has an outcome: 3 of 4"),
            ([told(None, 1), corrected(1, 0)], told(1, 1), Conflict, "already has an outcome: 0 of 1, corrected"),
            ([asked(0)], corrected(1, 1), Conflict, "no outcome to correct"),
            ([asked(0), withdrawn(1)], told(1, 1), Conflict, "was withdrawn"),
            ([asked(0), withdrawn(1)], withdrawn(1), Conflict, "was withdrawn"),
            ([asked(0), told(1, 1), withdrawn(1)], corrected(1, 0), Conflict, "was withdrawn"),
        ],
    )
    def test_what_contradicts_the_log_is_refused_and_changes_nothing(
        self, storage: Storage, campaign: CampaignRecord, past: Any, refused: Any, error: Any, words: str
    ) -> None:
        storage.append(campaign.id, past)
        before = storage.events(campaign.id)
        for batch in ([refused], [noted("never"), refused, asked(5)]):
            with pytest.raises(error, match=words):
                storage.append(campaign.id, batch)
            assert storage.events(campaign.id) == before

    def test_a_contradiction_within_one_append_is_refused(self, storage: Storage, campaign: CampaignRecord) -> None:
        with pytest.raises(Conflict, match="already has an outcome"):
            storage.append(campaign.id, [asked(0), told(1, 1), told(1, 0)])
        with pytest.raises(UnknownName, match="no trial 1"):
            storage.append(campaign.id, [told(1, 1), asked(0)])
        assert storage.events(campaign.id) == ()

    def test_what_may_happen_to_a_trial(self, storage: Storage, campaign: CampaignRecord) -> None:
        storage.append(campaign.id, [asked(0), asked(1), told(None, 1, alternative=2)])
        for event in (told(2, 1), told(1, 0), corrected(2, 0), corrected(2, 1), withdrawn(2), noted("!", trial=2)):
            storage.append(campaign.id, [event])
        storage.append(campaign.id, [withdrawn(3)])
        assert len(storage.events(campaign.id)) == 10

    # --- snapshots ---------------------------------------------------------------------------------------------

    def test_a_snapshot_comes_back_while_it_fits_the_log(self, storage: Storage, campaign: CampaignRecord) -> None:
        assert storage.get_snapshot(campaign.id) is None
        first, second = storage.append(campaign.id, [asked(0), told(1, 1)])
        put = storage.put_snapshot(campaign.id, 1, first.digest, AWKWARD)
        assert storage.get_snapshot(campaign.id) == put
        assert (put.number, put.digest, repr(put.payload)) == (1, first.digest, repr(AWKWARD))
        storage.put_snapshot(campaign.id, 2, second.digest, {"mean": [0.1]})
        found = storage.get_snapshot(campaign.id)
        assert found is not None
        assert (found.number, found.payload) == (2, {"mean": [0.1]})
        storage.append(campaign.id, [asked(1)])
        assert storage.get_snapshot(campaign.id) == found  # still a true prefix

    def test_a_snapshot_of_another_history_is_refused(self, storage: Storage, campaign: CampaignRecord) -> None:
        first, second = storage.append(campaign.id, [asked(0), told(1, 1)])
        for number, digest in ((1, second.digest), (2, first.digest), (3, second.digest), (2, "")):
            with pytest.raises(Conflict, match="digest"):
                storage.put_snapshot(campaign.id, number, digest, {})
        with pytest.raises(InvalidInput, match="number"):
            storage.put_snapshot(campaign.id, 0, campaign.digest, {})
        with pytest.raises(InvalidInput, match="payload"):
            storage.put_snapshot(campaign.id, 1, first.digest, {"mean": float("nan")})
        assert storage.get_snapshot(campaign.id) is None

    # --- together ----------------------------------------------------------------------------------------------

    def test_threads_lose_nothing_and_one_wins(self, storage: Storage, campaign: CampaignRecord) -> None:
        storage.append(campaign.id, [asked(i) for i in range(10)])

        def tell_all(author: str) -> int:
            won = 0
            for trial in range(1, 11):
                storage.append(campaign.id, [noted("trying", trial=trial, author=author)])
                try:
                    storage.append(campaign.id, [told(trial, 1, author=author)])
                    won += 1
                except Conflict:
                    pass
            return won

        with ThreadPoolExecutor(4) as pool:
            won = list(pool.map(tell_all, "ABCD"))
        events = storage.events(campaign.id)
        assert sum(won) == 10
        assert sorted(e.trial or 0 for e in events if e.kind == "told") == list(range(1, 11))
        assert len(events) == 10 + 40 + 10

    def test_a_copy_is_the_same_campaign(self, storage: Storage, campaign: CampaignRecord) -> None:
        storage.append(campaign.id, [asked(3, context=AWKWARD), told(None, 1, alternative=2), told(1, 0), noted("x")])
        copied = copy_campaign(storage, "nanotubes", storage, as_name="copy")
        assert copied.digest == campaign.digest
        assert storage.events(copied.id) == storage.events(campaign.id)
