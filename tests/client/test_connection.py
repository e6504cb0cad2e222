"""Broken connections, wrong addresses, tokens: nothing is recorded twice, and the error says what to do."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi.testclient import TestClient

from sureshot import Campaign, Client, Space
from sureshot.client import Broken, NotAllowed, RemoteCampaign
from sureshot.errors import Conflict, InvalidInput, OutOfDate, StorageError, UnknownName
from sureshot.storage import Storage
from sureshot.web import Settings
from sureshot.web.security.token_file import add_token
from tests.client.conftest import BASE
from tests.web.app import app_over

SPACE = Space.grid(power=[8, 10, 12], catalyst=["Fe", "Co"])
_ROWS = {"power": [8], "catalyst": ["Fe"]}


class Flaky:
    """A way to the server that loses answers: what was asked is done, and nobody hears of it."""

    def __init__(self, http: TestClient, lose: Callable[[str, str], bool]) -> None:
        self.http, self.lose, self.lost, self.most = http, lose, list[str](), 1

    def request(self, method: str, url: str, **more: Any) -> httpx2.Response:
        answer = self.http.request(method, url, **more)
        if self.lose(method, url) and len(self.lost) < self.most:
            self.lost.append(f"{method} {url}")
            raise httpx2.RemoteProtocolError("the server went away")
        return answer


def flaky(http: TestClient, method: str, ending: str) -> tuple[Flaky, RemoteCampaign]:
    """A campaign whose first answer to such a request is lost."""
    way = Flaky(http, lambda m, url: m == method and url.endswith(ending))
    whole = Client(BASE, http=http).create("tubes", SPACE, seed=1)
    whole.tell(whole.ask(), "success")
    whole.ask()
    return way, Client(BASE, http=way).open("tubes")  # type: ignore[arg-type]


def test_an_ask_whose_answer_was_lost_is_repeated_and_hands_out_one_trial(http: TestClient) -> None:
    way, campaign = flaky(http, "POST", "/trials")
    assert campaign.ask().number == 3
    assert way.lost
    assert len(campaign.history()) == 3


def test_an_outcome_whose_answer_was_lost_is_told_once(http: TestClient) -> None:
    way, campaign = flaky(http, "PUT", "/trials/2/outcome")
    assert campaign.tell(2, "success").outcome == "success"
    assert way.lost
    assert campaign.last_event() == 4
    with pytest.raises(Conflict, match="already has an outcome"):
        campaign.tell(2, "success")


def test_a_correction_whose_answer_was_lost_is_recorded_once(http: TestClient) -> None:
    way, campaign = flaky(http, "PUT", "/trials/1/outcome")
    assert campaign.correct(1, "failure").corrections == 1
    assert way.lost
    assert campaign.row(1).corrections == 1


def test_a_withdrawal_whose_answer_was_lost_is_recorded_once(http: TestClient) -> None:
    way, campaign = flaky(http, "POST", "/abandon")
    assert campaign.withdraw(2, note="broken").state == "withdrawn"
    assert way.lost
    assert campaign.row(2).notes == ("broken",)


def test_an_answer_that_was_lost_is_asked_for_again(http: TestClient) -> None:
    way, campaign = flaky(http, "GET", "/best")
    assert campaign.best().outcomes == 1
    assert way.lost


def test_an_experiment_whose_answer_was_lost_is_recorded_once(http: TestClient) -> None:
    way, campaign = flaky(http, "POST", "/experiments")
    assert campaign.tell_new(0, "success").trial == 3
    assert way.lost
    assert len(campaign.history()) == 3


def test_a_note_whose_answer_was_lost_stands_there_once(http: TestClient) -> None:
    way, campaign = flaky(http, "POST", "/notes")
    campaign.note("warm", trial=1)
    assert campaign.row(1).notes == ("warm",)
    assert way.lost


def test_a_server_that_stays_away_leaves_a_key_to_repeat_the_call_with(
    http: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    way, campaign = flaky(http, "POST", "/notes")
    monkeypatch.setattr("sureshot.client.remote.PATIENCE", 0.0)
    monkeypatch.setattr("sureshot.client.remote.PAUSE", 0.0)
    way.most = 1_000_000
    with pytest.raises(Broken, match="repeat it with key='k': then it is recorded once") as found:
        campaign.note("warm", trial=1, key="k")
    assert found.value.sent
    way.most = 0
    campaign.note("warm", trial=1, key="k")
    assert campaign.row(1).notes == ("warm",), "it was recorded once"


def test_a_server_that_is_not_there_is_said_so() -> None:
    with Client("http://127.0.0.1:9", timeout=2.0) as client, pytest.raises(StorageError, match="can't be reached"):
        client.campaigns()


@pytest.mark.parametrize("url", ["bench:8000", "", "ftp://bench", None])
def test_an_address_must_be_one(url: Any) -> None:
    with pytest.raises(InvalidInput, match="`url` must begin with http"):
        Client(url)


def test_another_server_than_sureshot_is_said_so() -> None:
    way = httpx2.Client(transport=httpx2.MockTransport(lambda _: httpx2.Response(502, text="<h1>Bad gateway</h1>")))
    with pytest.raises(StorageError, match="answered 502, and not as sureshot does"):
        Client(BASE, http=way).campaigns()
    way.close()


def test_the_token_says_who_records_and_what_they_may(store: Storage, tmp_path: Path) -> None:
    file = tmp_path / "tokens.json"
    tokens = {role: add_token(file, role.title(), role, made="now") for role in ("read", "bench", "admin")}
    with TestClient(app_over(Settings(tokens=file), store), base_url=BASE) as http:
        admin = Client(BASE, tokens["admin"], http=http).create("tubes", SPACE, seed=1)
        bench = Client(BASE, tokens["bench"], http=http).open("tubes")
        trial = bench.ask(author="somebody else")
        assert bench.tell(trial, "success", author="Ann").told_by == "Bench", "a token can't write for others"
        assert bench.row(1).opened_by == "Bench"
        reads = Client(BASE, tokens["read"], http=http).open("tubes")
        assert reads.status().told == 1
        with pytest.raises(NotAllowed, match="this needs a token of the role bench, and yours has read"):
            reads.ask()
        with pytest.raises(NotAllowed, match="role admin"):
            bench.delete()
        with pytest.raises(NotAllowed, match="a token is needed here"):
            Client(BASE, http=http).open("tubes")
        with pytest.raises(NotAllowed, match="a token is needed here"):
            Client(BASE, "sureshot_wrong", http=http).open("tubes")
        assert len(admin.delete()["events"]) == 2


def test_without_tokens_they_say_who_they_are(client: Client) -> None:
    campaign = client.create("tubes", SPACE, seed=1)
    assert campaign.tell(campaign.ask(author="Ann"), 1, author="Bob").told_by == "Bob"
    assert campaign.row(1).opened_by == "Ann"


def test_what_a_server_can_not_give_is_said_kindly(client: Client) -> None:
    campaign = client.create("tubes", SPACE, seed=1)
    with pytest.raises(InvalidInput, match="no storage here: copy it with local_copy"):
        _ = campaign.storage
    with pytest.raises(InvalidInput, match="call again with key='k', which records nothing more"):
        campaign.recorded_under("k")
    with pytest.raises(InvalidInput, match="where the server is"):
        campaign.note_simulated("nanotubes", seed=1)


def test_a_copy_here_follows_and_records_nothing_there(client: Client) -> None:
    campaign = client.create("tubes", SPACE, seed=1)
    copy = campaign.local_copy()
    assert isinstance(copy, Campaign)
    copy.ask()
    assert campaign.history() == ()
    campaign.ask()
    campaign.tell(1, "success")
    assert campaign.local_copy().row(1).outcome == "success"
    assert campaign.plot("effects") is not None


@pytest.mark.parametrize("key", [" k", "k ", "é"])
def test_a_key_that_would_be_another_on_its_way_is_refused(client: Client, key: str) -> None:
    made = client.create("tubes", SPACE, seed=1)
    with pytest.raises(InvalidInput, match="without spaces at its ends"):
        made.ask(key=key)
    assert made.history() == ()


def test_a_long_list_comes_in_parts(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = client.create("long", Space.grid(power=[8, 10, 12, 14, 16]), seed=1)
    for row in range(5):
        campaign.tell_new(row, "success")

    def listed() -> list[Any]:
        some = campaign.predictions(top=3, offset=1)
        return [
            campaign.history(),
            [one.number for one in campaign.events(most=3)],
            campaign.events(most=0),
            [one.name for one in client.campaigns()],
            (some.offset, some.alternative.tolist()),
            campaign.predictions().alternative.tolist(),
        ]

    at_once = listed()
    assert at_once[1:3] == [[5, 4, 3], ()]
    assert at_once[4] == (1, at_once[5][1:4])
    monkeypatch.setattr("sureshot.client.connection.AT_ONCE", 2)
    assert listed() == at_once


def test_a_deletion_whose_answer_was_lost_gives_the_copy_all_the_same(http: TestClient, client: Client) -> None:
    way, campaign = flaky(http, "DELETE", "/campaigns/1")
    whole = campaign.export()
    assert campaign.delete() == whole
    assert way.lost
    assert client.campaigns() == ()
    with pytest.raises(UnknownName):
        campaign.delete()


def test_a_deletion_that_nobody_answers_has_the_copy_in_its_error(
    http: TestClient, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    way, campaign = flaky(http, "DELETE", "/campaigns/1")
    whole = campaign.export()
    monkeypatch.setattr("sureshot.client.remote.PATIENCE", 0.0)
    monkeypatch.setattr("sureshot.client.remote.PAUSE", 0.0)
    way.lose, way.most = (lambda method, _: method == "DELETE" or bool(way.lost)), 1_000_000
    with pytest.raises(Broken) as found:
        campaign.delete()
    assert client.campaigns() == ()
    assert found.value.copy == whole
    assert client.import_export(whole).last_event() == 3


def test_what_was_recorded_since_the_copy_was_fetched_is_not_deleted(http: TestClient, client: Client) -> None:
    way, campaign = flaky(http, "GET", "/nothing")

    def meanwhile(method: str, url: str) -> bool:
        if method == "GET" and url.endswith("/export"):
            client.open("tubes").note("warm")
        return False

    way.lose = meanwhile
    with pytest.raises(OutOfDate):
        campaign.delete()
    assert client.open("tubes").last_event() == 4


def test_a_name_is_given_though_the_answer_was_lost(http: TestClient, client: Client) -> None:
    way, campaign = flaky(http, "PATCH", "/campaigns/1")
    campaign.rename("rods")
    assert (campaign.name, client.campaigns()[0].name, len(way.lost)) == ("rods", "rods", 1)
    way.lost.clear()
    campaign.archive()
    assert (campaign.archived, len(way.lost)) == (True, 1)


@pytest.mark.parametrize(
    ("ending", "do", "how"),
    [
        ("/imports", lambda c: c.import_table({**_ROWS, "outcome": [1]}), r"Or import it once more with repeated='r"),
        ("/outcomes", lambda c: c.tell_table({"trial": [2], "outcome": [1]}), "Or tell it once more: what is recorded"),
    ],
)
def test_a_table_whose_answer_was_lost_says_how_to_find_out(
    http: TestClient, ending: str, do: Callable[[RemoteCampaign], Any], how: str
) -> None:
    way, campaign = flaky(http, "POST", ending)
    with pytest.raises(Broken, match=how):
        do(campaign)
    assert way.lost
    last = campaign.last_event()
    with suppress(Conflict):  # what the error says to do
        do(campaign)
    assert campaign.last_event() == last, "it was recorded once"


def test_a_campaign_that_was_made_though_the_answer_was_lost_is_in_the_list(http: TestClient, client: Client) -> None:
    way = Flaky(http, lambda _, url: url.endswith("/copies"))
    with pytest.raises(Broken, match=r"It is made if campaigns\(\) lists it"):
        Client(BASE, http=way).create("tubes", SPACE, seed=1)  # type: ignore[arg-type]
    assert client.open("tubes").last_event() == 0


def test_a_correction_that_is_recorded_is_given_again_though_the_outcome_is_another_since(client: Client) -> None:
    campaign = client.create("tubes", SPACE, seed=1)
    told = campaign.tell(campaign.ask(), "success").told_event
    fixed = campaign.correct(1, "failure", told_event=told, key="k")
    assert campaign.correct(1, "failure", told_event=told, key="k") == fixed
    assert campaign.last_event() == 3
    with pytest.raises(OutOfDate, match=f"that of event 3, not {told}"):
        campaign.correct(1, "failure", told_event=told, key="another")


@pytest.mark.parametrize("kind", [None, "corrected"])
def test_a_correction_under_a_key_is_no_telling(http: TestClient, client: Client, kind: str | None) -> None:
    campaign = client.create("tubes", SPACE, seed=1)
    told = campaign.tell(campaign.ask(), "success", key="told").told_event
    where, body = "/api/v1/campaigns/1/trials/1/outcome", {"outcome": "failure", "kind": kind, "told_event": told}
    for _ in range(2):
        assert http.put(where, json=body, headers={"Idempotency-Key": "k"}).json()["corrections"] == 1
    for other in ({**body, "kind": "told"}, {**body, "outcome": "success"}):
        assert http.put(where, json=other, headers={"Idempotency-Key": "k"}).status_code == 422
    assert campaign.last_event() == 3
