"""Files are never written over unasked, and are whole or as they were."""

import os
from pathlib import Path

import pytest

from sureshot.errors import Conflict, InvalidInput, StorageError
from sureshot.files import free_path, write_whole


def test_a_file_that_is_there_is_kept_unless_forced(tmp_path: Path) -> None:
    file = tmp_path / "plan.csv"
    assert free_path(file, force=False) == file
    file.write_text("mine")
    with pytest.raises(Conflict, match="is there already: name another file, or overwrite it with force=True"):
        free_path(file, force=False)
    assert free_path(file, force=True) == file
    assert file.read_text() == "mine"


def test_a_place_that_can_hold_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="there is no folder"):
        free_path(tmp_path / "nowhere" / "plan.csv", force=True)
    with pytest.raises(InvalidInput, match="is a folder: name a file in it"):
        free_path(tmp_path, force=True)


def test_what_can_not_be_written_leaves_all_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "plan.csv"
    file.write_text("before")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.replace", full)
        with pytest.raises(StorageError, match="No space left on device"):
            write_whole(file, b"after")
    assert file.read_text() == "before"
    assert [one.name for one in tmp_path.iterdir()] == ["plan.csv"]
    write_whole(file, b"after")
    assert file.read_text() == "after"


def test_odd_places_are_refused_without_a_traceback(tmp_path: Path) -> None:
    loop, name, pipe = tmp_path / "loop.csv", tmp_path / ("n" * 300), tmp_path / "pipe"
    loop.symlink_to(loop)
    os.mkfifo(pipe)
    for odd in (loop, name, pipe):
        with pytest.raises(InvalidInput):
            free_path(odd, force=True)
    long = tmp_path / ("n" * 250)  # as long as a name may be, nearly
    write_whole(free_path(long, force=False), b"fine")
    assert long.read_text() == "fine"
