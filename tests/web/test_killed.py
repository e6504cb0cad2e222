"""The server killed in the middle of telling: what it answered is kept, what it did not is there once or not at all,
and sending the same again ends with exactly one outcome.
"""

from __future__ import annotations

import random
import signal
import threading
from collections import Counter
from pathlib import Path

import httpx2
import pytest

from sureshot import Campaign, Space
from sureshot.storage import asked
from tests.web.conftest import secret_of
from tests.web.served import Served, served

ROUNDS = 2
TRIALS = 1_000


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A campaign of which many trials are pending, put there as an import would: nobody chose them."""
    path = tmp_path / "sureshot.db"
    space = Space.grid(power=list(range(40)), catalyst=["Fe", "Co"])
    campaign = Campaign.create("tubes", space, policy="random", seed=1, storage=str(path))
    campaign.storage.append(1, [asked(trial % len(space)) for trial in range(TRIALS)])
    campaign.storage.close()
    return path


class Teller:
    """Somebody who tells one trial after the other until the server is gone: which were acknowledged, which was not."""

    def __init__(self, first: int) -> None:
        self.told: list[int] = []
        self.unsure = first
        self.odd: list[int] = []

    def one(self, client: httpx2.Client, trial: int) -> int:
        body = {"outcome": "success" if trial % 3 else "failure"}
        return client.put(f"/api/v1/campaigns/1/trials/{trial}/outcome", json=body).status_code

    def until_gone(self, client: httpx2.Client) -> None:
        while self.unsure < TRIALS:
            try:
                status = self.one(client, self.unsure)
            except httpx2.HTTPError:
                return
            (self.told if status in (200, 303) else self.odd).append(self.unsure)
            self.unsure += 1


class ByForm(Teller):
    """The same with the forms of a page that was opened once, before the server was killed."""

    def __init__(self, first: int, secret: str) -> None:
        super().__init__(first)
        self.secret = secret

    def one(self, client: httpx2.Client, trial: int) -> int:
        return self.send(client, trial).status_code

    def send(self, client: httpx2.Client, trial: int) -> httpx2.Response:
        fields = {"form": self.secret, "outcome": "success" if trial % 3 else "failure", "note": "", "back": "bench"}
        return client.post(f"/c/1/trials/{trial}/tell", data=fields)


def kill_while_telling(server: Served, client: httpx2.Client, teller: Teller, after: float) -> None:
    telling = threading.Thread(target=teller.until_gone, args=(client,))
    telling.start()
    telling.join(timeout=after)
    server.process.send_signal(signal.SIGKILL)
    server.process.wait(timeout=60)
    telling.join(timeout=60)
    assert not telling.is_alive()


def outcomes(store: Path) -> Counter[int]:
    """How many outcomes each trial has in the log, of which every link is proved; and it gives the belief in use."""
    campaign = Campaign.open("tubes", storage=str(store))
    try:
        campaign.verify()
        events = campaign.storage.events(1)
        assert [one.number for one in events] == list(range(1, len(events) + 1))
        return Counter(int(one.trial or 0) for one in events if one.kind == "told")
    finally:
        campaign.storage.close()


def test_an_outcome_is_there_once_or_not_at_all(store: Path, tmp_path: Path) -> None:
    rng, first, acknowledged = random.Random(17), 1, 0
    for _ in range(ROUNDS):
        with served(tmp_path) as server, httpx2.Client(base_url=server.address, timeout=30) as client:
            assert client.get("/api/v1/campaigns/1/trials/1").status_code == 200  # the campaign is open
            teller = Teller(first)
            kill_while_telling(server, client, teller, after=rng.uniform(0.0, 0.6))
        assert teller.odd == []
        acknowledged += len(teller.told)
        found = outcomes(store)
        assert all(found[trial] == 1 for trial in teller.told)
        assert found[teller.unsure] in (0, 1)
        assert sum(found.values()) == teller.unsure - 1 + found[teller.unsure]
        with served(tmp_path) as server, httpx2.Client(base_url=server.address, timeout=30) as client:
            now = client.get(f"/api/v1/campaigns/1/trials/{teller.unsure}").json()
            assert now["state"] == ("told" if found[teller.unsure] else "pending")  # it says which
            for _ in range(2):
                assert teller.one(client, teller.unsure) == 200
        assert outcomes(store)[teller.unsure] == 1
        first = teller.unsure + 1
    assert acknowledged > 0  # it was killed in the middle, not before


def test_a_form_from_before_is_sent_again_and_the_page_says_what_is_there(store: Path, tmp_path: Path) -> None:
    rng, first, seen = random.Random(18), 1, set[int]()
    cookies: httpx2.Cookies | None = None
    secret, port = "", "0"
    for _ in range(ROUNDS):
        with served(tmp_path, "--port", port) as server, httpx2.Client(base_url=server.address, timeout=60) as client:
            if cookies is None:  # one page, opened once, and never loaded again whatever happens to the server
                secret = secret_of(client.get("/").text)
                cookies, port = client.cookies, str(server.port)
            client.cookies = cookies
            teller = ByForm(first, secret)
            kill_while_telling(server, client, teller, after=rng.uniform(0.2, 1.2))
        assert teller.odd == []
        before = outcomes(store)
        assert all(before[trial] == 1 for trial in teller.told)
        assert before[teller.unsure] in (0, 1)
        with served(tmp_path, "--port", port) as server, httpx2.Client(base_url=server.address, timeout=60) as client:
            client.cookies = cookies
            led = [teller.send(client, teller.unsure).headers["location"] for _ in range(2)]
            assert "done=" in led[0]
            assert ("again" in led[0], "again" in led[1]) == (before[teller.unsure] == 1, True)  # it says which
        after = outcomes(store)
        assert after[teller.unsure] == 1
        assert sum(after.values()) == teller.unsure
        seen.add(len(teller.told) > 0)
        first = teller.unsure + 1
    assert True in seen
