"""Between sureshot and a server: passes everything on until it cuts, at once or at a COMMIT that was named."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Literal

__all__ = ["Proxy", "proxy"]

COMMIT = b"COMMIT\x00"
#: Before the server gets it, or after it answered and before the client gets the answer.
When = Literal["before", "after"]


@dataclass
class _Pair:
    """A connection, in two parts."""

    client: socket.socket
    upstream: socket.socket
    waits: bool = False  # for the answer to a COMMIT that nobody gets
    left: int = 2  # sides that still say something


class Proxy:
    """Listens at a port of this machine."""

    def __init__(self, upstream: int) -> None:
        self._upstream = upstream
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port: int = self._socket.getsockname()[1]
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._cut: tuple[When, int] | None = None
        self.cuts = 0  # connections that were cut at a COMMIT
        threading.Thread(target=self._accept, daemon=True).start()

    def cut_at_commit(self, when: When, nth: int) -> None:
        """Cut the connection that sends the ``nth`` COMMIT from now on."""
        with self._lock:
            self._cut, self.cuts = (when, nth), 0

    def pass_all(self) -> None:
        """Cut no more."""
        with self._lock:
            self._cut = None

    def cut_all(self) -> None:
        """Cut all connections that there are."""
        with self._lock:
            every = list(self._open)
        for one in every:
            _reset(one)

    def close(self) -> None:
        """Nobody gets through any more."""
        self._socket.close()
        self.cut_all()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._socket.accept()
            except OSError:
                return
            try:
                upstream = socket.create_connection(("127.0.0.1", self._upstream), timeout=10)
                upstream.settimeout(None)
            except OSError:
                _reset(client)
                continue
            for one in (client, upstream):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self._lock:
                self._open |= {client, upstream}
            pair = _Pair(client, upstream)
            for asks in (True, False):
                threading.Thread(target=self._pass, args=(pair, asks), daemon=True).start()

    def _pass(self, pair: _Pair, asks: bool) -> None:
        """All that one side says, to the other, until it has said all; then nothing more comes from there."""
        source, sink = (pair.client, pair.upstream) if asks else (pair.upstream, pair.client)
        cut = False
        with suppress(OSError):
            while not cut and (data := source.recv(1 << 16)):
                if asks and COMMIT in data and (when := self._named()):
                    cut = when == "before"
                    pair.waits = not cut
                cut = cut or (not asks and pair.waits)
                if not cut:
                    sink.sendall(data)
        with suppress(OSError):
            sink.shutdown(socket.SHUT_RDWR if cut else socket.SHUT_WR)
        with self._lock:
            pair.left -= 1
            over = cut or not pair.left
            self._open -= {pair.client, pair.upstream} if over else set()
        if over:
            for one in (pair.client, pair.upstream):
                _reset(one)

    def _named(self) -> When | None:
        """How to cut at this COMMIT; None: it is not the one."""
        with self._lock:
            if self._cut is None:
                return None
            when, left = self._cut
            self._cut = (when, left - 1) if left > 1 else None
            self.cuts += left == 1
            return when if left == 1 else None


def _reset(one: socket.socket) -> None:
    """Close it at once, as if the cable were pulled: what is on its way is lost."""
    with suppress(OSError):
        one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    with suppress(OSError):
        one.close()


@contextmanager
def proxy(upstream: int) -> Iterator[Proxy]:
    """A proxy before that port; gone at the end."""
    made = Proxy(upstream)
    try:
        yield made
    finally:
        made.close()
