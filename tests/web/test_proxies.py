"""The proxies of docs/how-to/serve.md, as they stand there: what people and programs do through them over HTTPS."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from sureshot import Campaign, Client, Space
from sureshot.storage import open_storage
from sureshot.web.security.token_file import add_token
from tests.web.conftest import secret_of
from tests.web.proxied import NAME, PROXIES, Proxied, example, proxied
from tests.web.served import served

FORM = "application/x-www-form-urlencoded"


@dataclass
class Site:
    kind: str
    proxy: Proxied
    token: str
    store: Path

    def from_here(self) -> dict[str, str]:
        """What a browser says of where a form comes from."""
        return {"origin": self.proxy.origin, "sec-fetch-site": "same-origin"}

    def person(self, address: str) -> httpx2.Client:
        """Somebody who logged in."""
        browser = self.proxy.client(address)
        fields = {"form": secret_of(browser.get("/login").text), "token": self.token, "to": "/c/1"}
        answer = browser.post("/login", data=fields, headers=self.from_here())
        assert (answer.status_code, answer.headers["location"]) == (303, "/c/1")
        return browser


@pytest.fixture(scope="module", params=list(PROXIES))
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp(request.param)
    store = folder / "sureshot.db"
    space = Space.grid(power=[8, 10, 12, 14], catalyst=["Fe", "Co"])
    Campaign.create("tubes", space, policy="random", seed=1, storage=str(store)).storage.close()
    token = add_token(folder / "tokens.json", "Ann", "admin", made="today")
    options = ("--tokens", "tokens.json", "--behind-proxy", "--called", NAME)
    with served(folder, *options) as server, proxied(request.param, folder, server.port) as proxy:
        yield Site(request.param, proxy, token, store)


def test_a_person_logs_in_asks_and_tells(site: Site) -> None:
    browser = site.person("127.1.0.1")
    page = browser.get("/c/1")
    assert page.status_code == 200
    names = [name for name, _ in page.headers.multi_items()]
    assert len(names) == len(set(names))  # said once, not by the proxy too
    assert {"content-security-policy", "x-frame-options", "cache-control", "set-cookie"} < set(names)
    cookie = page.headers["set-cookie"]
    assert cookie.startswith("__Host-sureshot=")
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=strict"} < set(cookie.split("; "))
    form = {"form": secret_of(page.text)}
    for path, fields in (("/c/1/ask", {"key": "a"}), ("/c/1/trials/1/tell", {"outcome": "success"})):
        assert browser.post(path, data={**form, **fields}, headers=site.from_here()).status_code == 303
    elsewhere = {"origin": f"https://{NAME}.evil.example", "sec-fetch-site": "cross-site"}
    plain = {"origin": f"http://{NAME}:{site.proxy.port}", "sec-fetch-site": "cross-site"}
    for sent, headers in ((form, elsewhere), (form, plain), ({}, site.from_here())):
        assert browser.post("/c/1/ask", data={**sent, "key": "b"}, headers=headers).status_code == 403
    with closing(open_storage(str(site.store))) as store:
        assert [(one.kind, one.author) for one in store.events(1)] == [("asked", "Ann"), ("told", "Ann")]


def test_a_program_uses_the_api(site: Site) -> None:
    http = site.proxy.client("127.1.0.2")
    with Client(f"https://127.0.0.1:{site.proxy.port}", site.token, http=http) as client:
        made = client.create("more", Space.grid(power=[1, 2, 3]), policy="random", seed=1)
        made.tell(made.ask(), "failure")
        assert [row.outcome for row in client.open("more").history()] == ["failure"]


def pieces(size: int) -> Iterator[bytes]:
    yield from (b"x" * 100_000 for _ in range(size // 100_000))


@pytest.mark.parametrize("size", [20_500_000, 30_000_000])
@pytest.mark.parametrize("says_its_size", [True, False])
def test_what_is_too_large_is_refused_and_said(site: Site, size: int, says_its_size: bool) -> None:
    body: Any = b"x" * size if says_its_size else pieces(size)
    headers = {"authorization": f"Bearer {site.token}", "content-type": "application/json"}
    answer = site.proxy.client("127.1.0.3").post("/api/v1/campaigns", content=body, headers=headers)
    assert answer.status_code == 413
    if site.kind == "caddy" or size < 20 * 2**20:  # nginx counts too, in its own megabytes and with its own words
        assert "20 MB at most" in answer.json()["error"]["message"]


def test_who_is_refused_before_the_file_was_read_is_told_so(site: Site) -> None:
    browser = site.proxy.client("127.1.0.4")
    for path, status in (("/c/1/ask", 401), ("/nothing", 404)):
        sent = {"content": b"x" * 10_000_000, "headers": {**site.from_here(), "content-type": FORM}}
        assert browser.post(path, **sent).status_code == status


def tries(site: Site, address: str, *forged: str) -> list[int]:
    program = site.proxy.client(address)
    wrong = {"authorization": "Bearer wrong"}
    return [
        program.get("/api/v1/campaigns", headers=wrong | ({"x-forwarded-for": one} if one else {})).status_code
        for one in forged
    ]


def test_each_address_has_its_own_tries_and_can_not_make_others_up(site: Site) -> None:
    made_up = ["", "192.0.2.7", "127.0.0.1", "192.0.2.8, 127.0.0.1"]
    for address in ("127.1.0.5", "127.1.0.6", "127.0.0.1"):  # the last is that of the proxy's own machine
        assert tries(site, address, *[""] * 10, *made_up) == [401] * 10 + [429] * 4
    assert tries(site, "127.1.0.7", *[f"192.0.2.{one}" for one in range(12)]) == [401] * 10 + [429] * 2
    assert site.person("127.1.0.8").get("/c/1").status_code == 200


def test_who_is_led_on_stays_on_https(site: Site) -> None:
    answer = site.proxy.client("127.1.0.10").get("/login/")
    assert (answer.status_code, answer.headers["location"]) == (307, f"{site.proxy.origin}/login")


def test_another_name_is_not_served(site: Site) -> None:
    answer = site.proxy.client("127.1.0.9").get("/login", headers={"host": "evil.example"})
    if site.kind == "caddy":  # Caddy has no such site, and says nothing
        assert answer.text == ""
    else:
        assert (answer.status_code, "not called by that name" in answer.text) == (403, True)


def test_nginx_waits_as_long_as_the_client_does() -> None:
    waits = re.search(r"proxy_read_timeout (\d+)s;", example("With nginx:"))
    assert waits
    assert int(waits[1]) >= inspect.signature(Client).parameters["timeout"].default
