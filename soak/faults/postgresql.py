"""Faults of a PostgreSQL store: the connection is cut, the server stops, its disk is full, its tables are damaged."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress

import psycopg

from soak.bench import PostgresBench
from soak.doors.calls import KINDS
from soak.scene import Fault, Scene
from soak.stores.proxy import When

__all__ = ["DISK_FULL", "POSTGRESQL"]

BLOCK = 8192


def _bench(scene: Scene) -> PostgresBench:
    assert isinstance(scene.bench, PostgresBench)
    return scene.bench


def connection_dropped(scene: Scene) -> Iterator[None]:
    """All its connections are ended at a step: by the server, or by the cable."""
    bench = _bench(scene)
    if scene.rng.random() < 0.5:
        bench.proxy.cut_all()
    else:
        bench.server.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
    yield


def _cut_at_commit(when: When) -> Callable[[Scene], Iterator[None]]:
    """The connection is cut at the next COMMIT after a step, or the one after."""

    def done(scene: Scene) -> Iterator[None]:
        proxy = _bench(scene).proxy
        proxy.cut_at_commit(when, scene.rng.choice((1, 1, 1, 2)))
        yield
        proxy.pass_all()

    return done


def server_restarted(scene: Scene) -> Iterator[None]:
    """The server stops at once, as when it crashes, and is started again at once."""
    server = _bench(scene).server
    server.stop()
    starting = threading.Thread(target=server.start)
    starting.start()
    try:
        yield
    finally:
        starting.join()
        server.answers()


def server_away(scene: Scene) -> Iterator[None]:
    """The server stops, and is started only once the call is over."""
    server = _bench(scene).server
    server.stop()
    try:
        yield
    finally:
        server.start()


def disk_full(scene: Scene) -> Iterator[None]:
    """No byte is left on the server's disk, or a few blocks; it may crash, and recovers when there is room."""
    server = _bench(scene).server
    server.room.fill(scene.rng.choice((0, 0, BLOCK, 5 * BLOCK)))
    with suppress(psycopg.Error):  # it crashes once it has no piece of write-ahead log left
        for _ in range(scene.rng.choice((0, 0, 1, 3))):
            server.run("SELECT pg_switch_wal()")
    try:
        yield
    finally:
        server.room.make_room()
        server.answers()


def read_only(scene: Scene) -> Iterator[None]:
    """The server lets nobody write from a step on (``default_transaction_read_only``)."""
    server, reload = _bench(scene).server, "SELECT pg_reload_conf()"
    server.run("ALTER SYSTEM SET default_transaction_read_only = on", reload)
    try:
        yield
    finally:
        server.run("ALTER SYSTEM RESET default_transaction_read_only", reload)
        _until_written(scene)


def _until_written(scene: Scene) -> None:
    """A server reads its settings anew a moment after it is told to."""
    while True:
        with suppress(psycopg.errors.ReadOnlySqlTransaction):
            _bench(scene).server.run("CREATE TEMPORARY TABLE written (x int)")
            return


def blocks_damaged(scene: Scene) -> Iterator[None]:
    """Bytes of the tables' files are changed, or blocks swapped, while the server is away."""
    bench = _bench(scene)
    scene.kill()
    scene.only_looked_at = True
    yield
    files = [one for one in bench.files() if one.exists() and one.stat().st_size]
    bench.server.run("CHECKPOINT")
    bench.server.stop(signal.SIGINT)
    file = scene.rng.choice(files)
    kept = file.read_bytes()
    content = bytearray(kept)
    blocks = len(kept) // BLOCK
    if blocks > 1 and scene.rng.random() < 0.5:
        one, two = (at * BLOCK for at in scene.rng.sample(range(blocks), 2))
        content[one : one + BLOCK], content[two : two + BLOCK] = kept[two : two + BLOCK], kept[one : one + BLOCK]
    else:
        content[scene.rng.randrange(len(content))] ^= scene.rng.randint(1, 255)
    _write(bench, file, bytes(content))
    try:
        yield
    finally:
        scene.bench.door.kill()
        bench.server.stop(signal.SIGINT)
        _write(bench, file, kept)


def _write(bench: PostgresBench, file: object, content: bytes) -> None:
    with open(str(file), "r+b") as stream:
        stream.write(content)
        stream.truncate()
    bench.server.start()


#: For where a disk can be filled.
DISK_FULL = Fault("disk full", disk_full)

POSTGRESQL = (
    Fault("connection dropped", connection_dropped),
    Fault("connection cut before COMMIT", _cut_at_commit("before")),
    Fault("connection cut after COMMIT", _cut_at_commit("after")),
    Fault("server restarted", server_restarted),
    Fault("server away", server_away),
    Fault("read-only", read_only),
    Fault("blocks damaged", blocks_damaged, kinds=tuple(one for one in KINDS if one != "create")),
)
