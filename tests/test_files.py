"""Files are never written over unasked, and are whole or as they were."""

import csv
import io
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sureshot import files
from sureshot.errors import Conflict, InvalidInput, StorageError
from sureshot.files import csv_text, free_path, guarded_cell, unguarded_cell, write_whole


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


@given(st.text() | st.from_regex(r"\A'{0,3}[=+@\t\r\n'-].{0,3}\Z"))
def test_no_text_is_written_as_a_formula_and_each_is_read_as_it_was(text: str) -> None:
    written = guarded_cell(text)
    assert unguarded_cell(written) == text
    assert isinstance(written, str)
    try:
        float(written)
    except ValueError:
        assert not written.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))


def test_an_end_of_a_line_in_a_cell_begins_no_row() -> None:
    text = csv_text({"note": ["a\r=1+1", "a\n=1+1", "a\r\n=1+1"], "p": [1, 2, 3]})
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert rows == [["note", "p"], ["a\r=1+1", "1"], ["a\n=1+1", "2"], ["a\r\n=1+1", "3"]]


def test_names_of_columns_are_written_so_too_and_numbers_as_they_are() -> None:
    text = csv_text({"=1+1": ["@x", "-3", "-3 V", None], "p": [-3.0, -0.5, 1e20, float("nan")], "n": [-1, True, 0, 2]})
    assert list(csv.reader(io.StringIO(text))) == [
        ["'=1+1", "p", "n"],
        ["'@x", "-3", "-1"],
        ["-3", "-0.5", "True"],
        ["'-3 V", "1e+20", "0"],
        ["", "", "2"],
    ]


@pytest.fixture
def umask() -> Iterator[None]:
    before = os.umask(0o027)
    yield
    os.umask(before)


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


@pytest.mark.usefixtures("umask")
def test_a_new_file_is_read_by_whom_the_umask_lets_read_it(tmp_path: Path) -> None:
    write_whole(tmp_path / "a.csv", b"new")
    assert mode(tmp_path / "a.csv") == 0o640
    os.umask(0o077)
    write_whole(tmp_path / "b.csv", b"new")
    assert mode(tmp_path / "b.csv") == 0o600
    write_whole(tmp_path / "a.csv", b"again")
    assert mode(tmp_path / "a.csv") == 0o640, "one that is there keeps its mode"


def test_what_is_secret_is_so_from_the_first_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, seen = tmp_path / "a.csv", []
    file.write_text("before")
    file.chmod(0o600)
    write = files._filled
    monkeypatch.setattr(
        files, "_filled", lambda stream, content: (seen.extend(map(mode, tmp_path.iterdir())), write(stream, content))
    )
    write_whole(file, b"after")
    assert set(seen) == {0o600}
    assert file.read_text() == "after"


def test_a_file_stays_with_its_owner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root gives the new one to the old one's owner. Who runs this may be no root: then it is only asked for."""
    file, asked = tmp_path / "a.csv", []
    file.write_text("before")
    file.chmod(0o2664)
    number, really, known = file.stat().st_ino, os.chown, Path.stat
    if root := os.geteuid() == 0:
        os.chown(file, 1234, 2345)
        file.chmod(0o2664)

    def owned(path: Path, **options: bool) -> os.stat_result:
        found = list(known(path, **options))
        found[4:6] = (found[4:6] if root else [1234, 2345]) if path == file else found[4:6]
        return os.stat_result(found)

    def given(path: Path, *to: int) -> None:
        asked.append(to)
        if root:
            really(path, *to)

    monkeypatch.setattr(Path, "stat", owned)
    monkeypatch.setattr("os.chown", given)
    write_whole(file, b"after")
    found = file.stat()
    assert asked == [(1234, 2345)]
    assert (found.st_uid, found.st_gid, mode(file)) == (1234, 2345, 0o2664)
    assert found.st_ino != number, "in one step all the same"


def test_attributes_stay(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("before")
    os.utime(file, (1, 1))
    kept = []
    try:
        os.setxattr(file, "user.project", b"oven")
        kept = [b"oven"]
    except (AttributeError, OSError):  # a system or a folder without attributes
        pass
    write_whole(file, b"after")
    assert [os.getxattr(file, "user.project") for _ in kept] == kept
    assert file.stat().st_mtime > 1_000_000, "it was changed now"


def test_all_names_of_a_file_go_on_naming_one_file(tmp_path: Path) -> None:
    file, other, soft = tmp_path / "a.csv", tmp_path / "other.csv", tmp_path / "soft.csv"
    file.write_text("before, and longer")
    os.link(file, other)
    soft.symlink_to(file)
    for target, content in ((file, b"after"), (other, b"after that, and longer"), (soft, b"at last")):
        write_whole(target, content)
        assert file.read_bytes() == other.read_bytes() == content
        assert os.path.samefile(file, other)
    assert soft.is_symlink()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.csv", "other.csv", "soft.csv"]


def test_one_that_belongs_to_somebody_else_stays_theirs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who can't give a file to its owner writes into it."""
    file = tmp_path / "a.csv"
    file.write_text("before")
    number = file.stat().st_ino

    def not_ours(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("shutil.copystat", not_ours)
    write_whole(file, b"after")
    assert (file.stat().st_ino, file.read_text()) == (number, "after")
    assert [one.name for one in tmp_path.iterdir()] == ["a.csv"]


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_what_fails_while_a_file_is_written_into_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    file = tmp_path / "a.csv"
    file.write_text("before")
    os.link(file, tmp_path / "other.csv")
    sync, synced = os.fsync, []

    def full(handle: int) -> None:
        synced.append(handle)
        if len(synced) == 2:  # the first is the copy beside it
            assert len(list(tmp_path.iterdir())) == 3, "the new content lies beside it meanwhile"
            raise error
        sync(handle)

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises((StorageError, KeyboardInterrupt)):
        write_whole(file, b"after that, and longer")
    assert file.read_text() == (tmp_path / "other.csv").read_text() == "before"
    assert len(list(tmp_path.iterdir())) == 2


def test_a_write_protected_file_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.csv"
    file.write_text("before")
    file.chmod(0o444)
    monkeypatch.setattr("os.access", lambda _, how: not how & os.W_OK)  # root may do everything
    with pytest.raises(StorageError, match=r"can't be written \(it is write-protected\): nothing was changed"):
        write_whole(file, b"after")
    assert file.read_text() == "before"
