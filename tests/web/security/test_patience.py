"""Whoever is slow keeps nobody else waiting, and is let go: who asks by halves, and who does not read the answer."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
import uvicorn

from sureshot.web import Settings
from sureshot.web.run import listening
from sureshot.web.security.patience import LEAST, Impatient
from tests.web.served import served

SIZE = 30_000_000  # more than the systems of both sides keep
ASKED = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


async def large(scope: Any, receive: Any, send: Any) -> None:
    """An app that answers with much, in one piece or in several."""
    pieces = 1 if scope["path"] == "/" else 30
    await send({"type": "http.response.start", "status": 200, "headers": []})
    for i in range(pieces):
        piece = {"type": "http.response.body", "body": b"x" * (SIZE // pieces), "more_body": i < pieces - 1}
        await send(piece)


class Quick(Impatient):
    taking = 0.3


@contextmanager
def serving() -> Iterator[tuple[uvicorn.Server, tuple[str, int]]]:
    config = uvicorn.Config(large, http=Quick, ws="none", lifespan="off", log_config=None, timeout_keep_alive=60)
    server = uvicorn.Server(config)
    with listening(Settings(port=0)) as taken:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [taken]}, daemon=True)
        thread.start()
        try:
            yield server, taken.getsockname()
        finally:
            server.should_exit = True
            thread.join(timeout=30)
    assert not thread.is_alive()


def gone(server: uvicorn.Server) -> bool:
    """Whether nobody is connected any more, soon."""
    deadline = time.monotonic() + 30
    while server.server_state.connections and time.monotonic() < deadline:
        time.sleep(0.05)
    return not server.server_state.connections


@pytest.mark.parametrize("path", [b"/", b"/pieces"])
def test_who_does_not_read_is_let_go(path: bytes) -> None:
    with serving() as (server, where), socket.create_connection(where, timeout=30) as line:
        line.sendall(ASKED.replace(b"/", path, 1))
        assert line.recv(100).startswith(b"HTTP/1.1 200")
        assert server.server_state.connections
        assert gone(server)


@pytest.mark.parametrize("path", [b"/", b"/pieces"])
def test_who_reads_slowly_but_steadily_gets_all(path: bytes) -> None:
    with serving() as (server, where), socket.create_connection(where, timeout=30) as line:
        line.sendall(ASKED.replace(b"/", path, 1))
        had, pause = 0, 30 * LEAST // 1_000_000 * Quick.taking / 30
        while had < SIZE:
            piece = line.recv(1_000_000)
            assert piece, had
            had += len(piece)
            time.sleep(max(pause, 0.02))
        assert len(server.server_state.connections) == 1


def test_others_are_served_while_many_are_slow(tmp_path: Path) -> None:
    """Half a head, half a body, an answer that nobody reads: a hundred of each, and the server answers who asks."""
    with served(tmp_path) as server, ExitStack() as lines:
        head = f"POST /login HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: 9999\r\n\r\nform="
        script = f"GET /static-plotly/plotly.min.js HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n" * 3
        for said in (head[:40], head, script):
            for _ in range(100):
                line = lines.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=30))
                line.sendall(said.encode())
        with httpx2.Client(base_url=server.address, timeout=60) as client:
            for path in ("/", "/api/v1/campaigns", "/static/style.css"):
                assert client.get(path).status_code == 200


def test_what_waits_is_looked_at_as_often_as_needed_and_not_for_ever() -> None:
    """By hand: bytes that wait at each look, and whether the connection is ended then."""
    for waits, ended in (
        ([90_000, 90_000], True),
        ([90_000, 80_000], True),
        ([90_000, 70_000, 50_000, 30_000, 0], False),
        ([90_000, 70_000, 69_000], True),
        ([90_000, None, 95_000, 75_000, 0], False),  # nearly all was taken, and more was written
    ):
        assert looked(list(waits)) is ended


def looked(waits: list[int | None]) -> bool:
    class Line(asyncio.Transport):
        ended = False

        def get_write_buffer_size(self) -> int:
            found = waits.pop(0)
            if found is None:
                watched._untaken = 0  # what `resume_writing` does
                return self.get_write_buffer_size()
            return found

        def abort(self) -> None:
            self.ended = True

    class Loop:
        def call_later(self, _: float, call: Any) -> None:
            calls.append(call)

    calls: list[Any] = []
    watched = Impatient.__new__(Impatient)
    watched.transport, watched.loop, watched._reads, watched._untaken = Line(), Loop(), None, 0  # type: ignore[assignment]
    watched._look()
    while calls and waits:
        calls.pop()()
    return watched.transport.ended  # type: ignore[attr-defined,no-any-return]
