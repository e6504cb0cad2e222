"""Faults of a SQLite store: the disk is full, nothing may be written, the files are damaged after a kill."""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from soak.bench import SqliteBench
from soak.doors.calls import KINDS
from soak.scene import Fault, Scene
from soak.stores.disk import Disk

__all__ = ["DISK_FULL", "SQLITE"]

PAGE = 4096


def _bench(scene: Scene) -> SqliteBench:
    assert isinstance(scene.bench, SqliteBench)
    return scene.bench


def disk_full(scene: Scene) -> Iterator[None]:
    """No byte is left on the disk, or a few pages."""
    room = _bench(scene).room
    room.fill(scene.rng.choice((0, 0, PAGE, 3 * PAGE, 10 * PAGE)))
    try:
        yield
    finally:
        room.make_room()


def file_may_not_grow(scene: Scene) -> Iterator[None]:
    """The process may write no file beyond a length (RLIMIT_FSIZE): as a quota, and where no disk can be filled."""
    process = scene.bench.door.process
    assert process is not None
    file = _bench(scene).file
    sizes = [one.stat().st_size for one in _files(file) if one.exists()]
    before = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
    new = scene.rng.choice([0, PAGE, *sizes])
    with suppress(ProcessLookupError):
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (new, before[1]))
    yield
    with suppress(ProcessLookupError):
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, before)


def prepared_read_only(scene: Scene) -> None:
    """In half of the cases nothing may be written before the store is opened: the files, or the whole disk."""
    bench, room = _bench(scene), _bench(scene).room
    scene.before = bench.campaign(scene.call)
    if scene.rng.random() < 0.5:
        bench.door.leave()
        if scene.rng.random() < 0.5 and room.read_only():
            scene.undone.append(lambda: _mended(room))
        else:
            scene.undone.append(_locked(scene))
        scene.undone.append(bench.door.leave)  # who opened it to be read opens it again


def read_only(scene: Scene) -> Iterator[None]:
    """The file, what is beside it, or its folder may only be read, from a step on or from before it is opened."""
    if not scene.undone:
        scene.undone.append(_locked(scene))
    yield
    while scene.undone:
        scene.undone.pop(0)()


def _mended(room: Disk) -> None:
    assert room.read_only(undo=True)


def _locked(scene: Scene) -> Callable[[], None]:
    """Let nobody write; gives back what undoes it."""
    file = _bench(scene).file
    there = [one for one in _files(file) if one.exists()]
    some = scene.rng.choice(([file.parent, *there], there, [file], [file.parent], [scene.rng.choice(there)]))
    for one in some:
        one.chmod(0o555 if one.is_dir() else 0o444)

    def undo() -> None:
        for one in some:
            with suppress(FileNotFoundError):
                one.chmod(0o755 if one.is_dir() else 0o644)

    return undo


def _files(file: Path) -> list[Path]:
    return [file, file.with_name(f"{file.name}-wal"), file.with_name(f"{file.name}-shm")]


def _damaged(damage: Callable[[Scene, Path], None]) -> Callable[[Scene], Iterator[None]]:
    """Kill the process at a step, damage its files, see what is said, then put the right files back."""

    def done(scene: Scene) -> Iterator[None]:
        scene.kill()
        yield
        scene.bench.door.leave()
        file = _bench(scene).file
        kept = {one: one.read_bytes() for one in _files(file) if one.exists()}
        damage(scene, file)
        try:
            yield
        finally:
            scene.bench.door.kill()
            scene.bench.door.leave()
            for one in _files(file):
                one.unlink(missing_ok=True)
            for one, content in kept.items():
                one.write_bytes(content)

    return done


def _wal_torn(scene: Scene, file: Path) -> None:
    log = _files(file)[1]
    if log.exists() and log.stat().st_size:
        with log.open("r+b") as stream:
            stream.truncate(scene.rng.randrange(log.stat().st_size))


def _wal_deleted(_scene: Scene, file: Path) -> None:
    _files(file)[1].unlink(missing_ok=True)


def _bytes_flipped(scene: Scene, file: Path) -> None:
    content = bytearray(file.read_bytes())
    for _ in range(scene.rng.choice((1, 1, 3, 20))):
        content[scene.rng.randrange(len(content))] ^= scene.rng.randint(1, 255)
    file.write_bytes(content)


def _pages_swapped(scene: Scene, file: Path) -> None:
    content = file.read_bytes()
    pages = [content[at : at + PAGE] for at in range(0, len(content), PAGE)]
    if len(pages) > 2:
        one, two = scene.rng.sample(range(1, len(pages)), 2)
        pages[one], pages[two] = pages[two], pages[one]
    file.write_bytes(b"".join(pages))


#: For where a disk can be filled.
DISK_FULL = Fault("disk full", disk_full)

#: A file that is damaged holds all cases of its store: what is there before needs no new campaign.
_TOLD = tuple(one for one in KINDS if one != "create")

SQLITE = (
    Fault("file may not grow", file_may_not_grow),
    Fault("read-only", read_only, prepared=prepared_read_only),
    Fault("WAL torn", _damaged(_wal_torn), kinds=_TOLD),
    Fault("WAL deleted", _damaged(_wal_deleted), kinds=_TOLD),
    Fault("bytes flipped", _damaged(_bytes_flipped), kinds=_TOLD),
    Fault("pages swapped", _damaged(_pages_swapped), kinds=_TOLD),
)
