"""Files that wait for the next step: found by whoever sent them, few, and gone after a while."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sureshot.errors import InvalidInput
from sureshot.web import shelf as module
from sureshot.web.shelf import Shelf


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "file.csv"
    path.write_bytes(b"power\n8\n")
    return path


@pytest.fixture
def shelf_of() -> Iterator[Callable[[int], Shelf]]:
    made: list[Shelf] = []

    def new(most_bytes: int) -> Shelf:
        made.append(Shelf(most_bytes))
        return made[-1]

    yield new
    for one in made:
        one.close()


def test_a_file_waits_for_its_browser_and_no_other(file: Path, shelf_of: Callable[[int], Shelf]) -> None:
    shelf = shelf_of(1_000)
    put = shelf.put("ann", file, "march.csv")
    file.unlink()
    assert shelf.get("ann", put.token).path.read_bytes() == b"power\n8\n"
    assert put.path.parent.stat().st_mode & 0o077 == 0
    for session, token in (("bob", put.token), ("ann", "guessed"), ("ann", ""), ("ann", "../../etc")):
        with pytest.raises(InvalidInput, match="choose it again"):
            shelf.get(session, token)
    shelf.remove("bob", put.token)
    assert len(shelf) == 1
    shelf.remove("ann", put.token)
    assert not put.path.exists()
    assert len(shelf) == 0


def test_a_file_is_gone_after_an_hour(
    file: Path, shelf_of: Callable[[int], Shelf], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [0.0]
    monkeypatch.setattr(module, "monotonic", lambda: clock[0])
    shelf = shelf_of(1_000)
    put = shelf.put("ann", file, "march.csv")
    clock[0] = 3_599.0
    assert shelf.get("ann", put.token) == put
    clock[0] = 3_601.0
    with pytest.raises(InvalidInput):
        shelf.get("ann", put.token)
    assert not put.path.exists()


def test_the_oldest_make_room(file: Path, shelf_of: Callable[[int], Shelf]) -> None:
    shelf = shelf_of(20)  # bytes: two files of eight
    first, second, third = (shelf.put(who, file, "f.csv") for who in ("ann", "bob", "cem"))
    assert len(shelf) == 2
    assert not first.path.exists()
    assert second.path.exists()
    assert third.path.exists()


def test_one_browser_does_not_fill_the_shelf(file: Path, shelf_of: Callable[[int], Shelf]) -> None:
    shelf = shelf_of(10_000)
    kept = shelf.put("bob", file, "f.csv")
    for _ in range(50):
        shelf.put("ann", file, "f.csv")
    assert len(shelf) == module.EACH + 1
    assert kept.path.exists()
    for number in range(100):
        shelf.put(f"session {number}", file, "f.csv")
    assert len(shelf) == module.MOST


def test_all_are_gone_when_the_server_stops(file: Path, shelf_of: Callable[[int], Shelf]) -> None:
    shelf = shelf_of(1_000)
    put = shelf.put("ann", file, "f.csv")
    shelf.close()
    assert not put.path.parent.parent.exists()
    assert len(shelf) == 0
