"""The cookie of a browser, and the secret of its forms."""

from __future__ import annotations

from collections.abc import Callable
from http.cookies import SimpleCookie

import pytest
from fastapi.testclient import TestClient

from sureshot.storage import Storage
from sureshot.web import Settings, create_app
from tests.web.conftest import BASE, secret_of


def cookie_of(answer: object) -> dict[str, str]:
    (morsel,) = SimpleCookie(answer.headers["set-cookie"]).values()  # type: ignore[attr-defined]
    return {"name": morsel.key, "value": morsel.value} | {key: str(value) for key, value in morsel.items()}


def test_no_script_and_no_other_site_gets_the_cookie(browser: TestClient) -> None:
    found = cookie_of(browser.get("/"))
    assert found["name"] == "sureshot-8000"  # a browser does not tell ports apart
    assert (found["httponly"], found["samesite"], found["path"], found["domain"]) == ("True", "strict", "/", "")
    assert not found["secure"]


def test_behind_a_proxy_it_is_for_https_and_this_host_alone(browser_of: Callable[..., TestClient]) -> None:
    found = cookie_of(browser_of(behind_proxy=True).get("/"))
    assert (found["name"], found["secure"], found["domain"]) == ("__Host-sureshot", "True", "")


@pytest.mark.parametrize("change", [lambda text: text[:-1], lambda text: "e30" + text, lambda _: "é", lambda _: ""])
def test_a_cookie_that_was_changed_is_not_ours(browser: TestClient, change: Callable[[str], str]) -> None:
    secret = secret_of(browser.get("/").text)
    name, value = next((one.name, one.value or "") for one in browser.cookies.jar)
    browser.cookies.clear()
    answer = browser.post(
        "/who", data={"form": secret, "who": "Ann"}, headers={"cookie": f"{name}={change(value)}".encode()}
    )
    assert answer.status_code == 403


def test_with_the_same_key_a_form_outlives_the_server(store: Storage) -> None:
    answers = []
    for second in ("k" * 40, "another key" * 4):
        before = TestClient(create_app(Settings(), store, key="k" * 40), base_url=BASE)
        secret = secret_of(before.get("/").text)
        after = TestClient(create_app(Settings(), store, key=second), base_url=BASE, cookies=before.cookies)
        answers.append(after.post("/who", data={"form": secret, "who": "Ann"}).status_code)
    assert answers == [200, 403]


def test_each_browser_has_a_secret_of_its_own_that_stays(browser: TestClient) -> None:
    first = secret_of(browser.get("/").text)
    assert secret_of(browser.get("/").text) == first
    browser.cookies.clear()
    assert secret_of(browser.get("/").text) != first
