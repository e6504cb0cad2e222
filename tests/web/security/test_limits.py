"""What a request may bring: refused while it is read, before anything is recorded."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.exceptions import HTTPException

from sureshot.web.security.limits import LITTLE, Limits
from tests.web.conftest import secret_of

MOST = 10_000


@pytest.fixture
def small(browser_of: Callable[..., TestClient]) -> TestClient:
    return browser_of(upload_bytes=MOST)


def test_a_request_that_says_it_is_too_large_is_not_read(small: TestClient) -> None:
    secret = secret_of(small.get("/").text)
    answer = small.post("/who", data={"form": secret, "who": "x" * MOST})
    assert answer.status_code == 413
    assert "0.01 MB at most" in answer.text
    assert answer.headers["connection"] == "close"


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
def test_nor_is_one_that_does_not_say(small: TestClient, kind: str) -> None:
    read = 0

    def pieces() -> Iterator[bytes]:
        nonlocal read
        yield b'--x\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\n' if "multi" in kind else b"a="
        for _ in range(1_000):
            read += 1
            yield b"x" * 1_000

    answer = small.post("/who", content=pieces(), headers={"content-type": kind})
    assert answer.status_code == 413


def test_one_that_just_fits_is_read(small: TestClient) -> None:
    secret = secret_of(small.get("/").text)
    body = f"form={secret}&who=Ann&rest="
    body += "x" * (MOST - len(body))
    headers = {"content-type": "application/x-www-form-urlencoded"}
    assert small.post("/who", content=body, headers=headers, follow_redirects=False).status_code == 303
    assert small.post("/who", content=body + "x", headers=headers, follow_redirects=False).status_code == 413


def test_the_api_says_so_in_its_own_shape(small: TestClient) -> None:
    def taking(body: dict[str, Any]) -> int:
        return len(body)

    small.app.add_api_route("/api/v1/taking", taking, methods=["POST"])  # type: ignore[attr-defined]
    large = b'{"a": "' + b"x" * MOST + b'"}'
    headers = {"content-type": "application/json"}
    for content in (large, iter([large])):
        answer = small.post("/api/v1/taking", content=content, headers=headers)
        assert answer.status_code == 413
        assert "0.01 MB at most" in answer.json()["error"]["message"]
    assert small.post("/api/v1/taking", content=b'{"a": 1}', headers=headers).json() == 1


def test_a_form_has_so_many_fields_and_no_more(browser: TestClient) -> None:
    secret = secret_of(browser.get("/").text)
    many = "&".join(["x=1"] * 3_000)
    headers = {"content-type": "application/x-www-form-urlencoded"}
    answer = browser.post("/who", content=f"form={secret}&{many}", headers=headers)
    assert answer.status_code == 400
    assert "Too many fields" in answer.text


@pytest.mark.parametrize(("pause", "whole"), [(0.05, 60.0), (60.0, 0.05)], ids=["a pause", "in all"])
def test_who_sends_too_slowly_is_not_waited_for(pause: float, whole: float) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        while (await receive())["more_body"]:
            pass

    async def slow() -> dict[str, Any]:
        await asyncio.sleep(5.0 if pause < 1.0 else 0.01)
        return {"type": "http.request", "body": b"x", "more_body": True}

    scope = {"type": "http", "headers": []}
    with pytest.raises(HTTPException) as refused:
        asyncio.run(Limits(app, 10**9, pause, whole)(scope, slow, None))  # type: ignore[arg-type]
    assert refused.value.status_code == 408


def test_the_end_of_a_connection_is_waited_for_without_a_limit() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        assert not (await receive())["more_body"]
        assert (await receive())["type"] == "http.disconnect"

    messages = [{"type": "http.request", "body": b"", "more_body": False}, {"type": "http.disconnect"}]

    async def receive() -> dict[str, Any]:
        if len(messages) == 1:
            await asyncio.sleep(0.1)
        return messages.pop(0)

    asyncio.run(Limits(app, 10, 0.02, 0.02)({"type": "http", "headers": []}, receive, None))  # type: ignore[arg-type]


@pytest.mark.parametrize("path", ["/login", "/logout"])
def test_strangers_may_send_a_token_and_no_more(browser: TestClient, path: str) -> None:
    """Whoever is not logged in must be able to send something here: it is not read further than a token needs."""
    headers = {"content-type": "application/x-www-form-urlencoded"}
    large = b"token=" + b"x" * LITTLE
    for content in (large, iter([large[:9_000], large[9_000:], b"x" * 9_000])):
        answer = browser.post(path, content=content, headers=headers)
        assert answer.status_code == 413
        assert "0.02 MB at most" in answer.text


@pytest.mark.parametrize("path", ["/who", "/login", "/new", "/new/import", "/new/count"])
def test_a_form_in_parts_has_so_many_and_one_file(browser: TestClient, path: str) -> None:
    """Fields, files, and heads of parts: each is counted while it is read."""
    secret = secret_of(browser.get("/").text)
    kind = {"content-type": "multipart/form-data; boundary=x"}
    start = f'--x\r\nContent-Disposition: form-data; name="form"\r\n\r\n{secret}\r\n'
    field = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'
    file = '--x\r\nContent-Disposition: form-data; name="f"; filename="a.csv"\r\n\r\n1\r\n'
    long = f'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n{"1" * 2_000_000}\r\n'
    heads = f'--x\r\nContent-Disposition: form-data; name="a"\r\n{"X: 1" * 20_000}\r\n\r\n1\r\n'
    for many in (field * 3_000, file * 2, long, heads):
        answer = browser.post(path, content=f"{start}{many}--x--\r\n".encode(), headers=kind)
        assert answer.status_code in (400, 413), answer.text
    for broken in (b"", b"--x", b"--x\r\n\r\n\r\n", b"\xff" * 100):
        assert browser.post(path, content=broken, headers=kind).status_code in (400, 403)
