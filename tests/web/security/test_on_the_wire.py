"""What is sent byte by byte to a real server: two lengths, other methods, other protocols, addresses that climb."""

from __future__ import annotations

import gzip
import socket
from collections.abc import Iterator

import pytest

from sureshot import Campaign, Space
from sureshot.storage import open_storage
from sureshot.web.security.token_file import add_token
from tests.web.served import Served, served

FORM = "Content-Type: application/x-www-form-urlencoded\r\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One that others can reach, over a store with a campaign."""
    folder = tmp_path_factory.mktemp("served")
    store = open_storage(folder / "sureshot.db")
    Campaign.create("tubes", Space.grid(power=[8, 10]), seed=1, storage=store).ask()
    store.close()
    add_token(folder / "tokens.json", "Ann", "admin", made="today")
    (folder / "studies").mkdir()
    with served(folder, "--tokens", "tokens.json", "--studies", "studies") as found:
        yield found


def said(server: Served, *sent: bytes) -> bytes:
    """All that the server answers, until it ends the connection."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as line:
        for piece in sent:
            line.sendall(piece)
        answer = b""
        try:
            while piece := line.recv(65_536):
                answer += piece
        except OSError:
            pass
    return answer


def statuses(answer: bytes) -> list[int]:
    """The status of each answer in it."""
    return [int(one[:3]) for one in answer.split(b"HTTP/1.1 ")[1:]]


def head(line: str, *headers: str) -> bytes:
    return "\r\n".join([f"{line} HTTP/1.1", "Host: 127.0.0.1", *headers, "", ""]).encode("latin-1")


@pytest.mark.parametrize(
    "headers",
    [
        ("Content-Length: 5", "Content-Length: 6"),
        ("Content-Length: 5, 6",),
        ("Content-Length: +5",),
        ("Content-Length: 0x5",),
        ("Content-Length: -1",),
        ("Transfer-Encoding: gzip, chunked",),
        ("Transfer-Encoding: chunked", "Transfer-Encoding: identity"),
        ("Transfer-Encoding : chunked",),
        ("Transfer-Encoding:\x0bchunked",),
        ("X: a\x00b",),
        ("X: a\rTransfer-Encoding: chunked",),
    ],
    ids=repr,
)
def test_a_request_whose_length_can_be_read_in_two_ways_is_refused(server: Served, headers: tuple[str, ...]) -> None:
    """Nothing of it is taken for a second request, which somebody would have smuggled through a proxy."""
    hidden = head("GET /api/v1/openapi.json")
    answer = said(server, head("POST /login", FORM.strip(), *headers) + b"0\r\n\r\n" + hidden)
    assert statuses(answer)[:1] in ([400], [501]), answer[:200]
    assert len(statuses(answer)) == 1
    assert b"openapi" not in answer


def test_where_a_length_and_chunks_are_said_the_chunks_count_and_nothing_is_left_over(server: Served) -> None:
    body = (
        head("POST /login", FORM.strip(), "Content-Length: 4", "Transfer-Encoding: chunked", "Connection: close")
        + b"1\r\na\r\n0\r\n\r\n"
    )
    assert statuses(said(server, body)) in ([400], [403])


@pytest.mark.parametrize(
    "path",
    [
        "/static/../../../../etc/passwd",
        "/static/..%2f..%2f..%2f..%2fetc/passwd",
        "/static/%2e%2e/%2e%2e/app.py",
        "/static/..\\..\\app.py",
        "/static//etc/passwd",
        "/static/swagger/../../../../../etc/passwd",
        "/static/%00",
        "/static/style.css%00.png",
        "/static-plotly/../sureshot.db",
        "//etc/passwd",
        "/../tokens.json",
        "/tokens.json",
        "/sureshot.db",
        "/static/" + "a/" * 3_000,
    ],
)
def test_no_address_leads_to_a_file_that_is_not_the_pages(server: Served, path: str) -> None:
    answer = said(server, head(f"GET {path}", "Connection: close"))
    assert statuses(answer)[0] in (303, 400, 401, 404, 405), answer[:200]
    for secret in (b"root:", b"sha256", b"SQLite format", b"import annotations"):
        assert secret not in answer


@pytest.mark.parametrize("method", ["TRACE", "CONNECT", "OPTIONS", "PROPFIND", "PUT", "DELETE", "get", "POST\x00"])
def test_no_other_method_does_anything_or_says_again_what_was_sent(server: Served, method: str) -> None:
    for path in ("/", "/login", "/api/v1/campaigns", "/c/1"):
        answer = said(server, head(f"{method} {path}", "X-Secret: once", "Connection: close"))
        assert statuses(answer)[0] in (400, 401, 403, 404, 405), (path, answer[:100])
        assert b"once" not in answer


def test_no_other_site_may_read_an_answer(server: Served) -> None:
    """There are no headers that would let it (CORS), neither before nor with the answer."""
    for line in ("OPTIONS /api/v1/campaigns", "GET /api/v1/campaigns", "GET /login", "GET /static/style.css"):
        asked = ("Access-Control-Request-Method: GET", "Origin: http://evil.example", "Connection: close")
        answer = said(server, head(line, *asked)).lower()
        assert b"access-control-" not in answer
        assert b"cross-origin-resource-policy: same-origin" in answer


def test_there_are_no_web_sockets_and_no_other_protocols(server: Served) -> None:
    socket_key = (
        "Upgrade: websocket",
        "Connection: Upgrade, close",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {'a' * 24}",
    )
    for path in ("/", "/c/1", "/api/v1/campaigns"):
        assert statuses(said(server, head(f"GET {path}", *socket_key)))[0] in (401, 403, 404)
    assert (
        statuses(said(server, head("GET /login", "Upgrade: h2c", "Connection: Upgrade, HTTP2-Settings, close")))[0]
        == 200
    )
    assert b"101" not in said(server, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")[:20]


def test_what_is_compressed_is_not_unpacked(server: Served) -> None:
    """So that 20 kB are 20 kB."""
    bomb = gzip.compress(b"token=" + b"x" * 10_000_000)
    length = f"Content-Length: {len(bomb)}"
    sent = head("POST /login", FORM.strip(), "Content-Encoding: gzip", length, "Connection: close") + bomb
    assert statuses(said(server, sent)) == [403]


@pytest.mark.parametrize(
    "host", ["", "evil.example", "127.0.0.1, evil.example", "127.0.0.1@evil.example", "127.0.0.1:x y"]
)
def test_a_host_that_is_not_ours_is_refused(server: Served, host: str) -> None:
    whole = head("GET /login", "Connection: close").replace(b"Host: 127.0.0.1", f"Host: {host}".encode())
    answer = said(server, whole)
    assert statuses(answer)[0] in ((200, 400) if host.endswith("x y") else (400, 403))
    for two in (
        whole.replace(b"\r\n\r\n", b"\r\nHost: 127.0.0.1\r\n\r\n"),
        whole.replace(f"Host: {host}\r\n".encode(), b""),
    ):
        assert statuses(said(server, two))[0] in (400, 403)


def test_an_address_of_another_host_in_the_first_line_does_not_count(server: Served) -> None:
    answer = said(server, head("GET http://evil.example/login", "Connection: close"))
    assert statuses(answer)[0] in (200, 400, 404)
    assert b"evil.example" not in answer


def test_a_very_long_address_is_an_error_and_no_fault(server: Served) -> None:
    for path in ("/" + "a" * 20_000, "/c/" + "9" * 20_000, "/login?to=/" + "a" * 20_000, "/c/1?" + "a=1&" * 5_000):
        assert statuses(said(server, head(f"GET {path}", "Connection: close")))[0] in (200, 303, 400, 401, 404, 422)
    assert statuses(said(server, head("GET /" + "a" * 40_000, "Connection: close")))[0] in (400, 404)
