"""Trials over HTTP: handed out once under a key, told once, corrected only by whoever has seen what they correct."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from sureshot import Campaign, Space
from sureshot.storage import Storage, open_storage
from sureshot.web import Settings
from tests.web.app import app_over
from tests.web.conftest import BASE

A = "/api/v1/campaigns/1"


def error(answer: Any) -> dict[str, Any]:
    assert list(answer.json()) == ["error"]
    return answer.json()["error"]


def key(text: str) -> dict[str, str]:
    return {"Idempotency-Key": text}


def test_the_same_key_and_body_give_the_same_trials(browser: TestClient, tubes: Campaign) -> None:
    first = browser.post(f"{A}/trials", json={"q": 2}, headers=key("a"))
    again = browser.post(f"{A}/trials", json={"q": 2}, headers=key("a"))
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    assert [one["number"] for one in first.json()["trials"]] == [1, 2]
    assert browser.post(f"{A}/trials", json={}, headers=key("b")).json()["trials"][0]["number"] == 3
    assert len(tubes.history()) == 3


def test_another_body_under_the_same_key_is_refused(browser: TestClient, tubes: Campaign) -> None:
    browser.post(f"{A}/trials", json={"q": 2}, headers=key("a"))
    answer = browser.post(f"{A}/trials", json={"q": 1}, headers=key("a"))
    assert (answer.status_code, error(answer)["field"]) == (422, "key")
    assert len(tubes.history()) == 2


def test_a_key_is_known_to_the_next_server(store: Storage, tubes: Campaign) -> None:
    answers = []
    for _ in range(2):
        with TestClient(app_over(Settings(), store), base_url=BASE) as server:
            answers.append(server.post(f"{A}/trials", json={}, headers=key("a")))
    assert [one.status_code for one in answers] == [201, 200]
    assert answers[0].json() == answers[1].json()


def test_the_same_request_under_way_is_a_conflict_that_says_when_to_come_back(
    browser: TestClient, tubes: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, go_on = threading.Event(), threading.Event()
    real = Campaign.ask_batch

    def slow(self: Campaign, *given: Any, **named: Any) -> Any:
        started.set()
        assert go_on.wait(30)
        return real(self, *given, **named)

    monkeypatch.setattr(Campaign, "ask_batch", slow)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(browser.post, f"{A}/trials", json={}, headers=key("a"))
        assert started.wait(30)
        second = browser.post(f"{A}/trials", json={}, headers=key("a"))
        go_on.set()
        assert first.result().status_code == 201
    assert (second.status_code, second.headers["retry-after"]) == (409, "1")
    assert error(second)["kind"] == "InFlight"
    assert browser.post(f"{A}/trials", json={}, headers=key("a")).status_code == 200
    assert len(tubes.history()) == 1


def test_an_outcome_may_be_repeated_and_another_one_must_know_what_it_corrects(
    browser: TestClient, tubes: Campaign
) -> None:
    tubes.ask()
    put: Callable[..., Any] = lambda word, **more: browser.put(f"{A}/trials/1/outcome", json={"outcome": word}, **more)  # noqa: E731
    first = put("single")
    assert (first.status_code, first.json()["outcome"]) == (200, "single")
    assert put("SINGLE").json() == first.json()
    assert put("double").status_code == 428
    assert tubes.last_event() == 2, "the same outcome again records nothing"
    old = first.headers["etag"]
    fixed = put("double", headers={"If-Match": old})
    assert (fixed.status_code, fixed.json()["corrections"]) == (200, 1)
    late = put("single", headers={"If-Match": old})
    assert (late.status_code, error(late)["kind"]) == (412, "Changed")
    assert put("double", headers={"If-Match": old}).status_code == 200, "what is there already is no conflict"
    assert tubes.row(1).outcome == "double"
    assert tubes.last_event() == 3


def test_an_outcome_that_is_no_word_of_the_campaign_is_a_wrong_input(browser: TestClient, tubes: Campaign) -> None:
    tubes.ask()
    answer = browser.put(f"{A}/trials/1/outcome", json={"outcome": "singel"})
    assert (answer.status_code, error(answer)["field"]) == (422, "outcome")
    assert "Did you mean 'single'?" in error(answer)["message"]


def test_a_trial_is_abandoned_only_by_saying_so(browser: TestClient, tubes: Campaign) -> None:
    tubes.ask()
    assert browser.put(f"{A}/trials/1/outcome", json={}).status_code == 422
    answer = browser.post(f"{A}/trials/1/abandon", json={"note": "broken"})
    assert (answer.json()["state"], answer.json()["notes"]) == ("withdrawn", ["broken"])
    assert browser.post(f"{A}/trials/1/abandon").status_code == 409
    assert browser.put(f"{A}/trials/1/outcome", json={"outcome": "single"}).status_code == 409


def test_the_tag_of_a_trial_changes_with_what_happens_to_it(browser: TestClient, tubes: Campaign) -> None:
    tubes.ask_batch(2)
    tags = [browser.get(f"{A}/trials/1").headers["etag"]]
    assert browser.get(f"{A}/trials/1", headers={"If-None-Match": tags[0]}).status_code == 304
    for happens in (
        lambda: tubes.note("warm", trial=1),
        lambda: tubes.tell(1, "single"),
        lambda: tubes.correct(1, "double"),
        lambda: tubes.withdraw(1),
    ):
        happens()
        tags.append(browser.get(f"{A}/trials/1").headers["etag"])
    assert len(set(tags)) == 5
    tubes.tell(2, "single")
    assert browser.get(f"{A}/trials/1").headers["etag"] == tags[-1], "another trial is another matter"


def test_the_history_comes_in_pages(browser: TestClient, tubes: Campaign) -> None:
    tubes.ask_batch(5)
    tubes.tell(2, "single")
    first = browser.get(f"{A}/trials?limit=3").json()
    assert ([one["trial"] for one in first["trials"]], first["next"]) == ([1, 2, 3], 3)
    rest = browser.get(f"{A}/trials?limit=3&after=3").json()
    assert ([one["trial"] for one in rest["trials"]], rest["next"]) == ([4, 5], None)
    assert [one["trial"] for one in browser.get(f"{A}/trials?state=told").json()["trials"]] == [2]


def test_experiments_notes_and_what_was_expected(browser: TestClient, tubes: Campaign) -> None:
    levels = {"power": 8, "catalyst": "Fe"}
    made = browser.post(f"{A}/experiments", json={"alternative": levels, "outcome": 3, "of": 4})
    assert (made.status_code, made.json()["successes"], made.json()["asked"]) == (201, 3, False)
    assert browser.get(f"{A}/trials/1/asked").status_code == 422
    assert browser.post(f"{A}/notes", json={"text": "a new bottle"}).status_code == 204
    assert browser.post(f"{A}/notes", json={"text": "cold", "trial": 9}).status_code == 404
    assert tubes.status().notes == ("a new bottle",)
    twice = [browser.post(f"{A}/experiments", json={"alternative": 1, "outcome": 1}, headers=key("x")) for _ in "ab"]
    assert [one.status_code for one in twice] == [201, 200]
    assert twice[0].json() == twice[1].json()
    unknown = browser.post(f"{A}/experiments", json={"alternative": {"power": 8, "catalyst": "Cu"}, "outcome": 1})
    assert unknown.status_code == 422


@pytest.mark.parametrize("with_keys", [True, False])
def test_two_clients_at_once_lose_nothing_and_double_nothing(with_keys: bool, tmp_path: Path) -> None:
    from sureshot import Client

    with closing(open_storage(f"sqlite:///{tmp_path}/store.db")) as store:
        grid = Space.grid(power=[8, 10, 12, 14], catalyst=["Fe", "Co"])
        made = Campaign.create("shared", grid, policy="random", budget=24, seed=1, storage=store)
        with TestClient(app_over(Settings(), store), base_url=BASE) as http:

            def work(who: str) -> list[int]:
                campaign = Client(BASE, http=http).open("shared")
                numbers = []
                for i in range(12):
                    under = f"{who} {i}" if with_keys else None
                    trial = campaign.ask(author=who, key=under)
                    if with_keys:
                        assert campaign.ask(author=who, key=under).number == trial.number
                    campaign.tell(trial, trial.alternative % 2, author=who)
                    numbers.append(trial.number)
                return numbers

            with ThreadPoolExecutor(2) as pool:
                given = list(pool.map(work, ["Ann", "Bob"]))
        assert sorted(given[0] + given[1]) == list(range(1, 25))
        rows = made.history()
        assert all(row.state == "told" and row.opened_by == row.told_by for row in rows)
        assert {row.trial for row in rows if row.told_by == "Ann"} == set(given[0])
        assert made.last_event() == 48
        made.verify()


def test_two_keys_in_one_request_are_refused(browser: TestClient, tubes: Campaign) -> None:
    both = [("Idempotency-Key", "one"), ("Idempotency-Key", "two")]
    found = browser.post(f"{A}/notes", json={"text": "warm"}, headers=both)
    assert (found.status_code, error(found)["field"]) == (422, "key")
    assert tubes.last_event() == 0
    assert browser.post(f"{A}/notes", json={"text": "warm"}, headers=[both[0], both[0]]).status_code == 204
