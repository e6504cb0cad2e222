from __future__ import annotations

from pathlib import Path

import pytest

from sureshot.errors import StorageError
from sureshot.files import LEFT
from sureshot.lab.study.sealed import is_sealed, sweep, unsealed, write_sealed


def test_a_file_is_read_as_it_was_written_or_not_at_all(tmp_path: Path) -> None:
    path = write_sealed(tmp_path / "new", "runs-1", ".parquet", b"content")
    assert is_sealed(path)
    assert unsealed(path) == b"content"
    assert write_sealed(tmp_path / "new", "runs-1", ".parquet", b"content") == path
    assert [one.name for one in (tmp_path / "new").iterdir()] == [path.name]
    for other in (b"", b"Content", b"content ", b"c"):
        path.write_bytes(other)
        assert unsealed(path) is None


def test_a_file_from_before_is_read_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "runs-00001-00025.parquet"
    path.write_bytes(b"content")
    assert not is_sealed(path)
    assert unsealed(path) == b"content"


def test_what_is_half_written_is_swept_and_nothing_else(tmp_path: Path) -> None:
    inside = tmp_path / "a" / "b"
    inside.mkdir(parents=True)
    left = [f"{LEFT}x1", ".runs-00001-00025.parquet.4711"]
    kept = ["runs-00001-00025.parquet", ".note", "x"]
    for name in left + kept:
        (inside / name).write_text("")
        (tmp_path / name).write_text("")
    sweep(tmp_path, "*/*/")
    assert sorted(one.name for one in inside.iterdir()) == sorted(kept)
    assert len(list(tmp_path.iterdir())) == 6


def test_what_the_disk_refuses_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("sureshot.files.os.fsync", full)
    said = r"runs-1-.* can't be written \(No space left on device\): what is finished is kept\. Make room, or"
    with pytest.raises(StorageError, match=said):
        write_sealed(tmp_path, "runs-1", ".parquet", b"content")
    assert list(tmp_path.iterdir()) == []
