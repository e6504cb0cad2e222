"""A campaign under another name, out of the way, gone, and made again: on every store."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from sureshot import Campaign, Space
from sureshot.errors import Conflict, CorruptLog, InvalidInput, OutOfDate, UnknownName
from sureshot.storage import Storage, open_storage


@pytest.fixture
def campaign(space: Space, store: Storage) -> Campaign:
    made = Campaign.create("tubes", space, budget=9, policy="random", seed=1, storage=store)
    made.ask_batch(2)
    made.tell(1, "success")
    return made


def test_a_renamed_campaign_goes_on_with_its_trials(campaign: Campaign) -> None:
    held, other = campaign.trial(2), Campaign.open("tubes", campaign.storage)
    before = campaign.export()
    campaign.rename("nanotubes")
    assert campaign.name == "nanotubes"
    assert campaign.export() == {**before, "name": "nanotubes"}
    campaign.tell(held, "failure")  # which was asked under the old name
    other.note("somebody else still holds it")
    assert Campaign.open("nanotubes", campaign.storage).status().events == 5
    campaign.verify()
    with pytest.raises(UnknownName, match="unknown campaign 'tubes'"):
        Campaign.open("tubes", campaign.storage)


def test_a_name_that_is_taken_is_refused(campaign: Campaign, space: Space) -> None:
    Campaign.create("other", space, storage=campaign.storage)
    with pytest.raises(Conflict, match="already is a campaign 'other'"):
        campaign.rename("other")
    assert campaign.name == "tubes"


def test_an_archived_campaign_is_opened_by_its_name_only(campaign: Campaign, space: Space) -> None:
    other = Campaign.create("other", space, storage=campaign.storage)
    with pytest.raises(UnknownName, match=r"it holds 2: tubes, other\. Name one"):
        Campaign.open(storage=campaign.storage)
    assert not campaign.archived
    campaign.archive()
    assert campaign.archived
    assert campaign.status().archived_at is not None
    assert Campaign.open(storage=campaign.storage).name == "other"
    assert Campaign.open("tubes", campaign.storage).ask().number == 3
    other.archive()
    with pytest.raises(UnknownName, match=r"it holds none \(2 archived\)"):
        Campaign.open(storage=campaign.storage)
    campaign.archive(undo=True)
    assert Campaign.open(storage=campaign.storage).name == "tubes"


def test_a_deleted_campaign_is_made_again_from_its_copy(campaign: Campaign) -> None:
    history, store = campaign.history(), campaign.storage
    copy = campaign.delete()
    assert store.campaigns() == ()
    for use in (campaign.ask, campaign.status, campaign.delete, lambda: campaign.tell(2, 1)):
        with pytest.raises(UnknownName, match="it may have been deleted"):
            use()
    again = Campaign.import_export(json.loads(json.dumps(copy)), storage=store)
    assert again.history() == history
    assert again.export() == copy
    assert again.ask().number == 3


def test_whatever_a_campaign_can_record_survives_its_export(campaign: Campaign) -> None:
    campaign.import_table([{"power": 8, "ethylene": 10, "catalyst": "Co", "outcome": won} for won in (1, 0)])
    campaign.tell_new({"power": 9.5, "ethylene": 11, "catalyst": "Fe"}, 7, of=10, note="über 90 °C")
    campaign.correct(1, "failure")
    campaign.withdraw(2)
    campaign.note("done")
    for one in (campaign, Campaign.create_from("bent", campaign, shape="curved")):
        again = Campaign.import_export(json.loads(json.dumps(one.export())), as_name="again", storage=campaign.storage)
        assert again.export() == {**one.export(), "name": "again"}
        assert again.history() == one.history()
        again.delete()


def test_every_kept_specification_survives_its_export(store: Storage, tmp_path: Path) -> None:
    """Of every version that users have."""
    files = sorted((Path(__file__).parent / "assets").glob("*.db"))
    assert len(files) >= 5
    for file in files:
        copied = shutil.copy(file, tmp_path)
        with closing(open_storage(copied)) as old:
            for held in old.campaigns():
                there = Campaign.open(held.name, old)
                made = Campaign.import_export(there.export(), as_name=f"{file.stem} {held.name}", storage=store)
                assert store.events(made._log.record.id) == old.events(held.id)


def test_what_was_recorded_meanwhile_is_not_deleted(campaign: Campaign) -> None:
    known = campaign.status().events
    Campaign.open("tubes", campaign.storage).tell(2, "success")
    with pytest.raises(OutOfDate):
        campaign.delete(expected_last=known)
    assert campaign.status().told == 2


def test_a_view_of_an_earlier_time_changes_nothing(campaign: Campaign) -> None:
    then = campaign.rewind(1)
    for use in (lambda: then.rename("other"), then.archive, then.delete):
        with pytest.raises(Conflict, match="to look at only"):
            use()
    assert Campaign.open("tubes", campaign.storage).status().events == 3


def test_an_export_is_imported_under_another_name_or_refused(campaign: Campaign, tmp_path: Path) -> None:
    file = tmp_path / "tubes.json"
    file.write_text(json.dumps(campaign.export()))
    with pytest.raises(Conflict, match=r"already is a campaign 'tubes' .* another name with as_name='NAME'"):
        Campaign.import_export(file, storage=campaign.storage)
    again = Campaign.import_export(file, as_name="again", storage=campaign.storage)
    assert again.history() == campaign.history()
    assert (again.belief.weights == campaign.belief.weights).all()  # type: ignore[union-attr]
    file.write_text(file.read_text().replace('"successes": 1', '"successes": 0'))
    with pytest.raises(CorruptLog, match="event 3 of the export is not what was recorded"):
        Campaign.import_export(file, as_name="third", storage=campaign.storage)
    file.write_text("{")
    with pytest.raises(InvalidInput, match="must be JSON"):
        Campaign.import_export(file, storage=campaign.storage)
    with pytest.raises(InvalidInput, match="can't be read"):
        Campaign.import_export(tmp_path / "none.json", storage=campaign.storage)
    with pytest.raises(InvalidInput, match=r"got what posterior\(\) gives"):
        Campaign.import_export(campaign.posterior(), as_name="third", storage=campaign.storage)
    assert [one.name for one in campaign.storage.campaigns()] == ["tubes", "again"]


def test_what_is_no_export_ends_in_a_sentence(tmp_path):
    with pytest.raises(InvalidInput, match="or from its file"):
        Campaign.import_export([1], storage=":memory:")
    deep = tmp_path / "deep.json"
    deep.write_text("[" * 100_000)
    with pytest.raises(InvalidInput, match=r"deep\.json must be nested at most 50 deep"):
        Campaign.import_export(deep, storage=":memory:")
