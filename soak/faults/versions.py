"""Two versions of sureshot at once: an older one that writes while this one migrates, a newer one that migrates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

from soak.doors.calls import KINDS
from soak.doors.door import ROOT
from soak.judging import Wrong, advises
from soak.scene import Fault, Scene
from soak.stores.older import Older, older_sources
from sureshot.errors import StorageError
from sureshot.storage import Storage, open_storage
from sureshot.storage.migrate import VERSIONS, bring_up_to_date
from sureshot.storage.opening import backend_of
from sureshot.storage.sql import SqlStorage
from sureshot.storage.tables import SCHEMA

__all__ = ["versions"]

NEXT = (VERSIONS, ROOT / "tests" / "storage" / "next_version")
_TOLD = tuple(one for one in KINDS if one != "create")


def versions(folder: Path) -> tuple[Fault, ...]:
    """The faults; without the older version where the history does not have it."""
    newer = Fault("a newer version migrates", a_newer_migrates, kinds=_TOLD)
    sources = older_sources(folder / "older")
    if sources is None:
        return (newer,)
    prepare, done = _older(sources)
    return newer, Fault("an older version writes", done, prepared=prepare, kinds=_TOLD)


def a_newer_migrates(scene: Scene) -> Iterator[None]:
    """Another process brings the store to the next schema at a step of this one, which then has one too new."""
    url = scene.bench.direct

    def migrate() -> None:
        backend = backend_of(url, create=False)
        try:
            bring_up_to_date(backend, target=SCHEMA + 1, versions=NEXT)
        finally:
            backend.engine.dispose()

    def opened() -> Storage:  # as the newer one would
        return SqlStorage(backend_of(url, create=False))

    with ThreadPoolExecutor(1) as others:
        migrated = others.submit(migrate)
        yield
        migrated.result(60)
    scene.opened, scene.ends = opened, True
    scene.bench.spoil()
    try:
        open_storage(url).close()
    except StorageError as error:
        if "upgrade sureshot" not in str(error):
            raise Wrong(f"a newer store is refused with {error}") from error
    else:
        raise Wrong("a newer store is opened")
    again = scene.bench.door.call(scene.call)  # who has it open goes on, or says what to do
    if again.broken or not (again.ok or advises(again.words)):
        raise Wrong(f"with a newer store: {again}")


def _older(sources: Path) -> tuple[Callable[[Scene], None], Callable[[Scene], Iterator[None]]]:
    """A store that an older one made and has open; it writes while this one opens, migrates and records."""
    running: list[Older] = []

    def prepare(scene: Scene) -> None:
        bench = scene.bench
        bench.spoil()
        bench.turn_over_empty()
        bench.spoil()
        older = Older(sources)
        running.append(older)
        found = older.say("make", bench.direct, scene.call.campaign)
        if "ok" not in found:
            raise AssertionError(found)
        scene.before = tuple(bench.digests(scene.call.campaign))

    def done(scene: Scene) -> Iterator[None]:
        with closing(running.pop()) as older, ThreadPoolExecutor(1) as others:
            noted = others.submit(older.say, "note", "meanwhile")  # it waits where this one holds a lock
            yield
            _heard(scene, noted.result(90), "meanwhile")
            _heard(scene, older.say("note", "afterwards"), "afterwards")

    return prepare, done


def _heard(scene: Scene, found: dict[str, str], text: str) -> None:
    if "traceback" in found:
        raise Wrong(f"the older one: {found['traceback']}")
    if "ok" in found:
        scene.others.append(text)
