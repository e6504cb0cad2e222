"""The server as it is started: what it refuses, how it ends, whom it waits for."""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from pathlib import Path
from typing import Any

import httpx2
import pytest
import uvicorn

from sureshot.errors import Conflict, InvalidInput, StorageError
from sureshot.web.run import check, listening, serve
from sureshot.web.security.patience import Impatient
from sureshot.web.security.token_file import add_token, remove_token
from sureshot.web.settings import Settings
from tests.web.conftest import secret_of
from tests.web.served import served


@pytest.mark.parametrize(
    "host", ["0.0.0.0", "::", "192.0.2.7", "bench.example.org", "", "localhost.example.org", "[::]"]
)
def test_nobody_is_served_from_elsewhere_without_tokens(host: str) -> None:
    with pytest.raises(InvalidInput, match="needs tokens") as refused:
        check(Settings(host=host))
    assert refused.value.field == "host"


@pytest.mark.parametrize("more", [{"behind_proxy": True}, {"names": ("bench.example.org",)}])
def test_nor_through_a_proxy(more: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="needs tokens"):
        check(Settings(**more))


def test_nor_with_a_file_in_which_nobody_has_one(tmp_path: Path) -> None:
    file = tmp_path / "tokens.json"
    with pytest.raises(StorageError, match="can't be read"):
        check(Settings(host="0.0.0.0", tokens=file))
    add_token(file, "Ann", "bench", made="today")
    check(Settings(host="0.0.0.0", tokens=file))
    remove_token(file, "Ann")
    with pytest.raises(InvalidInput, match="nobody has a token"):
        check(Settings(host="0.0.0.0", tokens=file))


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "[::1]", "127.0.0.2"])
def test_this_machine_is_served_without(host: str) -> None:
    check(Settings(host=host))


def test_a_machine_that_calls_another_localhost_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("192.0.2.7", 0))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: elsewhere)
    with pytest.raises(InvalidInput, match="needs tokens"):
        listening(Settings(host="localhost", port=0))


def test_a_name_is_a_name() -> None:
    for name in ("https://bench.example.org", "bench:8000", "", "a b"):
        with pytest.raises(InvalidInput, match="stands in its address"):
            check(Settings(names=(name,)))


def test_a_port_that_is_taken_is_said() -> None:
    with listening(Settings(port=0)) as taken:
        port = taken.getsockname()[1]
        assert port > 0
        with pytest.raises(Conflict, match="taken by another program"):
            listening(Settings(port=port))
    with pytest.raises(InvalidInput, match="between 0 and 65535"):
        check(Settings(port=70_000))
    with pytest.raises(InvalidInput, match="nobody can listen"):
        listening(Settings(host="192.0.2.7", port=0, tokens=Path("any")))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_when_asked_to_and_requests_are_finished(tmp_path: Path, number: int) -> None:
    with served(tmp_path) as server:
        with httpx2.Client(base_url=server.address) as client:
            page = client.get("/")
            cookie = f"{next(iter(client.cookies.jar)).name}={next(iter(client.cookies.jar)).value}"
        body = f"form={secret_of(page.text)}&who=Ann"
        with socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
            head = f"POST /who HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nCookie: {cookie}\r\n"
            kind = "Content-Type: application/x-www-form-urlencoded"
            line.sendall(f"{head}{kind}\r\nContent-Length: {len(body)}\r\n\r\n{body[:20]}".encode())
            time.sleep(0.5)  # it is being read
            os.kill(server.process.pid, number)
            time.sleep(0.5)
            line.sendall(body[20:].encode())
            assert line.recv(1_000).startswith(b"HTTP/1.1 303")
        out, err = server.process.communicate(timeout=60)
        assert (server.process.returncode, out, err) == (0, "", "")


def test_no_log_says_who_asked_for_what(tmp_path: Path) -> None:
    token = add_token(tmp_path / "tokens.json", "Ann", "admin", made="today")
    with served(tmp_path, "--tokens", "tokens.json") as server:
        with httpx2.Client(base_url=server.address) as client:
            for header in (f"Bearer {token}", "Bearer wrong-secret"):
                client.get("/?x=secret", headers={"authorization": header})
            client.get("/%0aforged", headers={"host": "evil.example"})
            client.post("/login", content=b"\xff", headers={"content-type": "multipart/form-data; boundary=x"})
        with socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
            line.sendall(b"no request\r\n\r\n")
            assert line.recv(100).startswith(b"HTTP/1.1 400")
        assert server.end(signal.SIGTERM) == (0, "", "")


def test_a_head_that_is_too_long_is_not_read(tmp_path: Path) -> None:
    with served(tmp_path) as server, socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
        line.sendall(b"GET / HTTP/1.1\r\nX: " + b"x" * 100_000)
        assert line.recv(100).startswith(b"HTTP/1.1 400")


def test_who_says_nothing_is_let_go() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    class Quick(Impatient):
        waits = 0.3

    config = uvicorn.Config(app, http=Quick, ws="none", lifespan="off", log_config=None, timeout_keep_alive=2)
    server = uvicorn.Server(config)
    with listening(Settings(port=0)) as taken:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [taken]}, daemon=True)
        thread.start()
        where = taken.getsockname()
        try:
            for said, least in ((b"", 1.5), (b"GET / HTTP/1.1\r\nHost: ", 0.2)):
                with socket.create_connection(where, timeout=20) as line:
                    begun = time.monotonic()
                    line.sendall(said)
                    assert line.recv(100) == b""
                    assert time.monotonic() - begun > least  # kept for a proxy that has nothing to say yet
            with socket.create_connection(where, timeout=20) as line:  # a byte now and then is no head
                for _ in range(20):
                    try:
                        line.sendall(b"G")
                        time.sleep(0.1)
                    except OSError:
                        break
                else:
                    raise AssertionError("it waits for ever")
            with socket.create_connection(where, timeout=20) as line:
                whole = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
                line.sendall(whole)
                assert line.recv(1_000).startswith(b"HTTP/1.1 204")
                line.sendall(whole)  # kept for the next request, whose head must come soon too
                assert line.recv(1_000).startswith(b"HTTP/1.1 204")
                line.sendall(whole[:10])
                assert line.recv(100) == b""
        finally:
            server.should_exit = True
            thread.join(timeout=30)
    assert not thread.is_alive()


def test_behind_a_trusted_proxy_each_address_has_its_own_tries(tmp_path: Path) -> None:
    add_token(tmp_path / "tokens.json", "Ann", "admin", made="today")

    def statuses(client: httpx2.Client, address: str, tries: int) -> list[int]:
        headers = {"authorization": "Bearer wrong", "x-forwarded-for": address}
        return [client.get("/", headers=headers).status_code for _ in range(tries)]

    for options, expected in (((), 429), (("--proxy", "192.0.2.1"), 429), (("--behind-proxy",), 401)):
        with (
            served(tmp_path, "--tokens", "tokens.json", *options) as server,
            httpx2.Client(base_url=server.address) as client,
        ):
            assert statuses(client, "192.0.2.7", 11) == [401] * 10 + [429]
            assert statuses(client, "192.0.2.8", 1) == [expected]


def test_a_connection_is_kept_longer_than_a_proxy_keeps_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add_token(tmp_path / "tokens.json", "Ann", "admin", made="today")
    seen: list[int] = []
    monkeypatch.setattr(uvicorn.Server, "run", lambda server, **_: seen.append(server.config.timeout_keep_alive))
    for behind in (False, True):
        settings = Settings(storage=":memory:", port=0, tokens=tmp_path / "tokens.json", behind_proxy=behind)
        serve(settings, ready=lambda _: None)
    caddy = 120  # seconds: the proxy that keeps them longest of those that the docs have examples for
    assert seen[0] < 60 < caddy < seen[1]
