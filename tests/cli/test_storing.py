"""``backup`` and ``doctor``, as they are typed and read."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

from sqlalchemy import text

from sureshot.storage import open_storage
from tests.cli.commands import call


def damage(*statements: str, path: str = "sureshot.db") -> None:
    with closing(open_storage(path)) as store, store._backend.writing() as connection:
        for statement in statements:
            connection.execute(text(statement))


def test_a_copy_is_a_store_like_any_other(made):
    done = call("backup copy.db")
    assert (done.code, done.err) == (0, "")
    assert done.out == "1 campaign with 7 events copied to copy.db, and proved.\n"
    assert call("history --storage copy.db").out == call("history").out
    again = call("backup copy.db")
    assert again.code == 3
    assert "is there already: name another file, or overwrite it with --force" in " ".join(again.err.split())
    assert call("backup copy.db --force --json").json()["events"] == 7


def test_a_server_is_copied_into_a_file(made, postgres_url):
    assert call("export whole.json").code == 0
    assert call(["import", "whole.json", "--storage", postgres_url]).code == 0
    assert call(["backup", "server.db", "--storage", postgres_url]).code == 0
    assert call("history --storage server.db").out == call("history").out
    said = call(["doctor", "--storage", postgres_url])
    assert said.code == 0
    assert "Campaign nanotubes: sound, 7 events, 1 trial pending." in said.out


def test_a_sound_store(made):
    done = call("doctor")
    assert (done.code, done.err) == (0, "")
    assert "Campaign nanotubes: sound, 7 events, 1 trial pending.\n" in done.out
    assert done.out.endswith("The store is sound: each event is what was recorded, and none is missing.\n")
    found = call("doctor --json").json()
    assert found["sound"] is True
    assert found["campaigns"] == [{"name": "nanotubes", "events": 7, "sound": True, "pending": 1}]


def test_damage_and_what_to_do(made):
    damage("DELETE FROM event WHERE number > 5")
    done = call("doctor", columns=200)
    assert done.code == 1
    assert (
        "Damage: campaign 'nanotubes': its log must end with event 7, and events 6 to 7 are missing.\n"
        "  What to do: restore the store from a backup (what was wrong is corrected by new events, never in "
        "old rows).\n"
    ) in done.out
    assert "sureshot doctor" not in done.out
    assert "The store is sound" not in done.out
    found = call("doctor --json")
    assert found.code == 1
    assert found.json()["findings"][0]["kind"] == "damage"
    for line in ("status", "best", "ask", "backup copy.db"):
        refused = call(line)
        assert refused.code == 1
        assert "sureshot doctor says what" in " ".join(refused.err.split())
    assert not Path("copy.db").exists()


def test_a_specification_with_the_right_digest_and_no_sense(made):
    """Nothing is wrong with it as the store sees it."""
    with closing(open_storage("odd.db")) as store:
        store.create_campaign("odd", {"version": 5, "space": 3}, seed=1)
    done = call("doctor --storage odd.db", columns=200)
    assert done.code == 1
    assert "Damage: campaign 'odd': its specification can't be read" in done.out


def test_a_log_of_another_store(made):
    shutil.copy("sureshot.db", "other.db")
    assert call("doctor --storage other.db").code == 0
    assert call("doctor --storage missing.db").code == 1
