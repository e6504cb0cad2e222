"""The key that signs cookies where there are no tokens."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from sureshot.web.security.kept_key import kept_key, key_path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state"


def test_it_stays_and_only_its_owner_may_read_it(folder: Path) -> None:
    first = kept_key()
    assert len(first) >= 32
    assert kept_key() == first
    path = folder / "sureshot" / "session.key"
    assert path == key_path()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_one_that_others_may_read_is_not_used(folder: Path) -> None:
    first = kept_key()
    (folder / "sureshot" / "session.key").chmod(0o644)
    assert kept_key() != first


@pytest.mark.parametrize("content", [b"", b"short", b"\xff\xfe" * 40])
def test_one_that_is_none_is_not_used(folder: Path, content: bytes) -> None:
    kept_key()
    (folder / "sureshot" / "session.key").write_bytes(content)
    assert len(kept_key()) >= 32


def test_where_nothing_can_be_kept_there_is_one_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    monkeypatch.setenv("XDG_STATE_HOME", str(blocked))
    assert len(kept_key()) >= 32
    assert kept_key() != kept_key()
