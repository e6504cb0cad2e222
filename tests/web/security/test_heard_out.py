"""Whoever is answered early is heard out: a proxy that sends all before it reads gets the answer, not a reset."""

from __future__ import annotations

import asyncio
import socket
import time
from pathlib import Path
from typing import Any

import pytest

from sureshot.web.security.heard_out import HeardOut
from sureshot.web.security.token_file import add_token
from tests.web.served import served

HEAD = {"type": "http.response.start", "status": 413, "headers": []}
WHOLE = {"type": "http.response.body", "body": b"too large", "more_body": False}


def test_an_early_answer_reaches_who_sends_all_before_they_read(tmp_path: Path) -> None:
    add_token(tmp_path / "tokens.json", "Ann", "bench", made="today")
    with served(tmp_path, "--tokens", "tokens.json") as server:
        for path, name, size, status in (
            ("/c/1/ask", "127.0.0.1", 10_000_000, 401),  # nobody is logged in
            ("/c/1/ask", "evil.example", 10_000_000, 403),  # turned away at the door
            ("/nothing", "127.0.0.1", 10_000_000, 404),
            ("/login", "127.0.0.1", 30_000_000, 413),
        ):
            with socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
                kind = "application/x-www-form-urlencoded"
                head = f"POST {path} HTTP/1.1\r\nHost: {name}\r\nConnection: close\r\nContent-Type: {kind}\r\n"
                line.sendall(f"{head}Content-Length: {size}\r\n\r\n".encode() + b"x" * size)
                answer = b""
                while piece := line.recv(65_536):
                    answer += piece
            assert answer.startswith(b"HTTP/1.1 %d " % status), (path, name, answer[:100])
            told, _, body = answer.partition(b"\r\n\r\n")
            assert b"content-length: %d" % len(body) in told.lower()


Pieces = list[tuple[float, dict[str, Any]]]


def heard(pieces: Pieces, *headers: tuple[bytes, bytes], read: int = 0) -> tuple[int, Any]:
    """An app that reads some pieces and answers: how many were heard in all, and what was sent."""
    left, sent, had = list(pieces), list[Any](), 0

    async def receive() -> dict[str, Any]:
        nonlocal had
        wait, message = left.pop(0)
        await asyncio.sleep(wait)
        had += 1
        return message

    async def app(scope: Any, receive: Any, send: Any) -> None:
        for _ in range(read):
            await receive()
        await send(HEAD)
        await send(WHOLE)

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "headers": list(headers)}
    asyncio.run(HeardOut(app, pause=0.2, whole=0.5)(scope, receive, send))  # type: ignore[arg-type]
    return had, sent


PIECE, END = {"type": "http.request", "body": b"x", "more_body": True}, {"type": "http.request", "body": b"x"}
LONG = (b"content-length", b"9")


@pytest.mark.parametrize("header", [LONG, (b"transfer-encoding", b"chunked")])
def test_the_answer_is_sent_whole_before_the_rest_is_heard_and_ends_after(header: tuple[bytes, bytes]) -> None:
    had, sent = heard([(0, PIECE), (0, PIECE), (0, END)], header, read=1)
    assert had == 3
    assert sent == [HEAD, {**WHOLE, "more_body": True}, {"type": "http.response.body"}]


def test_nobody_is_listened_to_who_has_nothing_more_to_say() -> None:
    as_it_was = [HEAD, WHOLE]
    assert heard([(0, END)], LONG, read=1) == (1, as_it_was)
    assert heard([], (b"content-length", b"0")) == (0, as_it_was)
    assert heard([], (b"accept", b"*/*")) == (0, as_it_was)


def test_nor_who_waits_to_be_told_to_go_on() -> None:
    waits = (b"expect", b"100-continue")
    assert heard([], LONG, waits) == (0, [HEAD, WHOLE])
    assert heard([(0, PIECE), (0, END)], LONG, waits, read=1)[0] == 2  # it was told so


@pytest.mark.parametrize("pieces", [[(60.0, END)], [(0.6, PIECE)] * 100])
def test_nobody_is_listened_to_for_ever(pieces: Pieces) -> None:
    begun = time.monotonic()
    _, sent = heard(pieces, LONG)
    assert time.monotonic() - begun < 30
    assert sent[-1] == {"type": "http.response.body"}


def test_nor_after_they_left() -> None:
    had, sent = heard([(0, PIECE), (0, {"type": "http.disconnect"})], LONG)
    assert (had, len(sent)) == (2, 3)
