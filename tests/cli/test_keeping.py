"""Campaigns renamed, archived, deleted and made again, by the command."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path

import pytest
import typer

from sureshot.errors import NotKnown, StorageError
from sureshot.storage import open_storage
from sureshot.storage.sql import SqlStorage
from tests.cli.commands import call, fingerprint


def test_a_campaign_is_renamed(made):
    (before,) = fingerprint()
    assert call(["rename", "nanotubes", "tubes 2"]).out == "Campaign nanotubes is now called tubes 2.\n"
    assert fingerprint() == [("tubes 2", *before[1:])]
    assert call("rename nanotubes other").code == 1
    assert call("new other --param p=1,2").code == 0
    done = call(["rename", "other", "tubes 2"])
    assert (done.code, "already is a campaign 'tubes 2'" in done.err) == (3, True)
    assert call(["rename", "tubes 2", "tubes", "--json"]).json() == {"old": "tubes 2", "new": "tubes"}


def test_an_archived_campaign_is_out_of_the_way_until_it_is_named(made):
    call("new other --param p=1,2 --policy random")
    assert "holds 2 campaigns: add --campaign nanotubes or other" in call("ask").err
    assert call("archive other").out.startswith("Campaign other is archived: sureshot status --all lists it")
    assert call("status").out.startswith("Campaign nanotubes")
    listed = call("status --all").out
    assert re.search(r"^other .*, archived", listed, flags=re.MULTILINE)
    assert re.search(r"^nanotubes .*\d\d:\d\d *$", listed, flags=re.MULTILINE)
    assert [one["archived_at"] is None for one in call("status --all --json").json()["campaigns"]] == [True, False]
    assert call("history").code == 0  # of the only one that is in use
    assert call("ask -c other").code == 0
    assert "archived today" in call("status -c other").out
    call("archive nanotubes")
    assert "all campaigns in sureshot.db are archived: add --campaign nanotubes or other" in call("best").err
    assert call("archive other --undo").out == "Campaign other is in use again.\n"
    assert call("status").out.startswith("Campaign other")


def test_a_deletion_asks_and_keeps_a_copy_that_import_takes(made):
    before = fingerprint()
    stopped = call("delete nanotubes", stdin="n\n")
    assert stopped.code == 130
    assert "Delete campaign nanotubes (4 trials, 7 events) for ever?" in stopped.err
    assert fingerprint() == before
    assert call("delete nanotubes").code == 130  # nobody answers
    assert list(Path().glob("*.json")) == []
    file = f"nanotubes-{date.today().isoformat()}.json"
    history = call("history --json").json()
    done = call("delete nanotubes", stdin="y\n")
    assert " ".join(done.out.split()) == f"Campaign nanotubes is deleted. sureshot import {file} makes it again."
    assert fingerprint() == []
    assert (
        call(f"import {file}").out.split()
        == f"Campaign nanotubes with 7 events from {file}, kept in sureshot.db".split()
    )
    assert fingerprint() == before
    assert call("history --json").json() == history


def test_a_copy_is_never_written_over(made):
    today = date.today().isoformat()
    Path(f"nanotubes-{today}.json").write_text("mine")
    done = call("delete nanotubes --yes --json").json()
    assert done == {"deleted": "nanotubes", "events": 7, "export": f"nanotubes-{today}-2.json"}
    assert Path(f"nanotubes-{today}.json").read_text() == "mine"
    assert call(f"import nanotubes-{today}-2.json --as again --json").json()["campaign"] == "again"
    call(["rename", "again", "../a b/c"])
    assert call(["delete", "../a b/c", "--yes", "--json"]).json()["export"] == f"a-b-c-{today}.json"


def test_a_deletion_may_keep_nothing(made):
    assert call("delete nanotubes --yes --no-export").out == "Campaign nanotubes is deleted.\n"
    assert list(Path().glob("*.json")) == []
    assert "holds no campaign yet" in call("status").err


def test_what_another_process_recorded_while_one_was_asked_stays(made, monkeypatch):
    """Somebody tells an outcome between the question and the answer."""

    def meanwhile(*_, **__):
        assert call("tell 2 success").code == 0
        return True

    monkeypatch.setattr(typer, "confirm", meanwhile)
    done = call("delete nanotubes")
    assert (done.code, "has moved on" in done.err) == (3, True)
    assert fingerprint()[0][:2] == ("nanotubes", 8)
    assert list(Path().glob("*.json")) == []  # nothing half


def test_an_export_makes_a_campaign_in_a_new_store(made):
    call("export whole.json")
    done = call("import whole.json --storage new.db")
    assert done.out == "Campaign nanotubes with 7 events from whole.json, kept in new.db\n"
    assert fingerprint("new.db") == fingerprint()
    taken = call("import whole.json")
    assert taken.code == 3
    assert taken.err == (
        "Error: there already is a campaign 'nanotubes' in this store: open it, or give this one another name with "
        "--as NAME.\n"
    )


def test_what_is_no_export_is_refused_and_nothing_is_made(made):
    call("export whole.json")
    whole = json.loads(Path("whole.json").read_text())
    whole["events"][3]["successes"] = 0
    Path("changed.json").write_text(json.dumps(whole))
    done = call("import changed.json --as other")
    assert (done.code, "event 4 of the export is not what was recorded there" in done.err) == (1, True)
    call("export --posterior learned.json")
    done = call("import learned.json")
    assert done.err == (
        "Error: a campaign is made again from its whole export (sureshot export), got what sureshot export --posterior "
        "gives.\n"
    )
    assert call("import none.json").code == 1
    assert call("import whole.json --only-new").code == 2
    assert call("import run.csv --as other").code == 2
    assert len(fingerprint()) == 1


@pytest.mark.parametrize("kind", [NotKnown, StorageError])
def test_the_copy_stays_where_it_is_not_known_whether_the_campaign_is_gone(made, monkeypatch, kind):
    """The connection is lost when it is deleted, and before that is said."""
    delete, before = SqlStorage.delete_campaign, fingerprint()

    def lost(*some, **more):
        delete(*some, **more)
        raise kind("the server went away.")

    monkeypatch.setattr(SqlStorage, "delete_campaign", lost)
    done = call("delete nanotubes --yes")
    file = f"nanotubes-{date.today().isoformat()}.json"
    assert (done.code, done.err) == (1, f"Error: the server went away. A copy is kept in {file}.\n")
    assert fingerprint() == []
    assert call(f"import {file}").code == 0
    assert fingerprint() == before


def test_a_campaign_that_can_not_be_read_can_be_put_aside_and_deleted(made):
    """As an older sureshot may have left it: every digest is right, and no campaign is made of this."""
    store = open_storage("sureshot.db")
    store.create_campaign("odd", {"version": 5}, seed=1)
    store.close()
    assert call("status -c odd").code == 1
    assert call("archive odd").code == 0
    assert call("rename odd strange").code == 0
    done = call("delete strange --yes")
    file = f"strange-{date.today().isoformat()}.json"
    said = (
        f"Campaign strange is deleted. What it held is in {file}, which import refuses, as it can't be read: campaign"
    )
    assert (done.code, " ".join(done.out.split()).startswith(said)) == (0, True), done
    assert json.loads(Path(file).read_text())["spec"] == {"version": 5}
    assert [name for name, *_ in fingerprint()] == ["nanotubes"]
