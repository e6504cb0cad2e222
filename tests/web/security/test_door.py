"""Who is turned away at the door, and who is asked to come in once more."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient

from sureshot.web import Settings
from tests.web.conftest import secret_of


@pytest.mark.parametrize(
    "host", ["bench.evil.example", "localhost.evil.example", "localhost@evil.example", "", "127.0.0.2"]
)
def test_another_name_for_this_machine_is_refused(browser: TestClient, host: str) -> None:
    answer = browser.get("/", headers={"host": host})
    assert answer.status_code == 403
    assert "--called" in answer.text


def test_names_of_this_machine_are_known_at_any_port(browser: TestClient) -> None:
    for host in ("127.0.0.1:9999", "LOCALHOST", "[::1]:8000"):
        assert browser.get("/", headers={"host": host}).status_code == 200


def test_the_api_is_told_in_its_own_shape(browser: TestClient) -> None:
    for answer in (
        browser.get("/api/v1/nothing", headers={"host": "evil.example"}),
        browser.post("/api/v1/nothing", headers={"origin": "http://evil.example"}),
    ):
        assert answer.status_code == 403
        assert set(answer.json()["error"]) == {"kind", "message", "field", "value", "fix", "place"}
        assert answer.json()["error"]["kind"] == "Forbidden"


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://[localhost"},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://localhost:8001"},
        {"origin": "ftp://localhost:8000"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_another_site_can_change_nothing(browser: TestClient, headers: dict[str, str]) -> None:
    secret = secret_of(browser.get("/").text)
    answer = browser.post("/who", headers=headers, data={"form": secret, "who": "Eve"})
    assert answer.status_code == 403
    assert "another site" in answer.text
    assert "Eve" not in browser.get("/").text


@pytest.mark.parametrize("headers", [{"origin": "http://localhost:8000", "sec-fetch-site": "same-origin"}, {}])
def test_our_own_site_can(browser: TestClient, headers: dict[str, str]) -> None:
    secret = secret_of(browser.get("/").text)
    assert browser.post("/who", headers=headers, data={"form": secret, "who": "Ann"}).status_code == 200
    assert 'value="Ann"' in browser.get("/").text


def test_behind_a_proxy_pages_are_of_https(browser_of: Callable[..., TestClient]) -> None:
    browser = browser_of(behind_proxy=True, names=("bench.example.org",))
    for scheme, status in (("http", 403), ("https", 303)):
        browser.headers["host"] = "bench.example.org"
        page = browser.get("https://bench.example.org/")
        answer = browser.post(
            "https://bench.example.org/who",
            data={"form": secret_of(page.text), "who": "Ann"},
            headers={"origin": f"{scheme}://bench.example.org"},
            follow_redirects=False,
        )
        assert answer.status_code == status


def test_who_listens_everywhere_may_be_called_by_number_but_not_by_name(browser_of: Callable[..., TestClient]) -> None:
    browser = browser_of(host="0.0.0.0")
    assert browser.get("/", headers={"host": "192.0.2.7:8000"}).status_code == 200
    assert browser.get("/", headers={"host": "[2001:db8::7]"}).status_code == 200
    assert browser.get("/", headers={"host": "evil.example"}).status_code == 403
    assert "0.0.0.0" not in Settings(host="0.0.0.0").hosts


def test_a_link_from_elsewhere_leads_in_and_takes_no_cookie_away(browser: TestClient) -> None:
    visit = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    answer = browser.get("/c/1?done=3&x=<b>", headers=visit)
    assert answer.status_code == 200
    assert 'content="0; url=/c/1?done=3&amp;x=%3Cb%3E"' in answer.text
    assert "set-cookie" not in answer.headers
    assert 'url=/"' in browser.get("http://localhost:8000//evil.example", headers=visit).text
    assert "set-cookie" in browser.get("/", headers={"sec-fetch-site": "same-origin"}).headers
