"""The file of tokens: whole, for its owner alone, changed by several at once, and seen by a server that runs."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from sureshot.errors import Conflict, InvalidInput, StorageError
from sureshot.web.security import secret_file
from sureshot.web.security.secret_file import alone, write_secret
from sureshot.web.security.token_file import TokenFile, add_token, read_tokens, remove_token
from tests.web.conftest import secret_of


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tokens.json"


def test_only_its_owner_may_read_it(file: Path) -> None:
    before = os.umask(0)
    try:
        text = add_token(file, "Ann", "bench", made="today")
    finally:
        os.umask(before)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert text not in file.read_text()
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    file.chmod(0o644)
    with pytest.raises(StorageError, match="chmod 600"):
        read_tokens(file)
    file.chmod(0o440)  # as a service manager hands it on
    assert len(read_tokens(file).tokens) == 1


def test_a_link_to_it_stays_a_link(file: Path, tmp_path: Path) -> None:
    add_token(file, "Ann", "bench", made="today")
    link = tmp_path / "link.json"
    link.symlink_to(file)
    add_token(link, "Bob", "bench", made="today")
    assert link.is_symlink()
    assert [one.name for one in read_tokens(file).tokens] == ["Ann", "Bob"]


def test_what_fails_half_way_leaves_it_as_it_was(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add_token(file, "Ann", "bench", made="today")
    before = file.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(secret_file.os, "fsync", full)
    with pytest.raises(StorageError, match="No space left"):
        add_token(file, "Bob", "bench", made="today")
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_several_processes_add_at_once_and_none_is_lost(file: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from sureshot.web.security.token_file import add_token\n"
        "for i in range(10): add_token(Path(sys.argv[1]), f'{sys.argv[2]}{i}', 'read', made='today')"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, str(file), name]) for name in "abcd"]
    assert [one.wait(timeout=120) for one in running] == [0] * 4
    assert len({one.name for one in read_tokens(file).tokens}) == 40


def test_who_waits_too_long_is_told(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secret_file, "PATIENCE", 0.05)
    with alone(file), pytest.raises(Conflict, match="another process"):
        add_token(file, "Ann", "bench", made="today")
    add_token(file, "Ann", "bench", made="today")


def test_what_is_no_file_of_tokens_is_refused_without_being_shown(file: Path) -> None:
    with pytest.raises(StorageError, match="sureshot token add"):
        read_tokens(file)
    with pytest.raises(StorageError, match="sureshot token add"):
        remove_token(file, "Ann")
    with pytest.raises(StorageError, match="can't be written"):
        add_token(file / "deeper" / "still", "Ann", "bench", made="today")
    add_token(file, "Ann", "bench", made="today")
    good = json.loads(file.read_text())
    for bad in ([], {"tokens": []}, good | {"key": "secret-but-short"}, good | {"tokens": [{"name": "secret"}]}):
        write_secret(file, json.dumps(bad))
        with pytest.raises(InvalidInput, match="must be a file of tokens") as refused:
            read_tokens(file)
        assert "secret" not in str(refused.value)
    write_secret(file, "\x00 secret")
    with pytest.raises(InvalidInput, match="must be a file of tokens"):
        read_tokens(file)


def test_a_running_server_sees_a_change_at_once(browser_of: Callable[..., TestClient], file: Path) -> None:
    ann = add_token(file, "Ann", "bench", made="today")
    browser = browser_of(tokens=file)
    as_ann = {"authorization": f"Bearer {ann}"}
    assert browser.get("/", headers=as_ann).status_code == 200
    bob = add_token(file, "Bob", "read", made="today")
    assert browser.get("/", headers={"authorization": f"Bearer {bob}"}).status_code == 200
    remove_token(file, "Ann")
    assert browser.get("/", headers=as_ann, follow_redirects=False).status_code == 303


def test_a_file_that_went_away_lets_nobody_in(browser_of: Callable[..., TestClient], file: Path) -> None:
    as_ann = {"authorization": f"Bearer {add_token(file, 'Ann', 'bench', made='today')}"}
    browser = browser_of(tokens=file)
    file.rename(file.with_suffix(".old"))
    assert browser.get("/", headers=as_ann).status_code == 503
    assert browser.get("/api/v1/nothing", headers=as_ann).status_code in (404, 503)
    file.with_suffix(".old").rename(file)
    assert browser.get("/", headers=as_ann).status_code == 200


def test_strangers_are_not_told_where_it_is_and_the_log_is(
    browser_of: Callable[..., TestClient], file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    add_token(file, "Ann", "bench", made="today")
    browser = browser_of(tokens=file)
    form = secret_of(browser.get("/login").text)
    for spoilt in (lambda: file.write_text("{"), lambda: file.unlink()):
        spoilt()
        for answer in (
            browser.get("/"),
            browser.get("/login"),
            browser.get("/api/v1/campaigns"),
            browser.post("/login", data={"form": form, "token": "any"}),
        ):
            assert answer.status_code == 503
            assert "lets nobody in" in answer.text
            assert str(file) not in answer.text
            assert file.name not in answer.text
        assert file.name in caplog.text
        caplog.clear()


def test_it_is_read_once_as_long_as_it_stays(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add_token(file, "Ann", "bench", made="today")
    kept = TokenFile(file)
    first = kept.now()
    assert kept.now() is first
    remove_token(file, "Ann")
    assert kept.now().tokens == ()
