"""What a campaign answers over HTTP: its own records, number by number, with a tag."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi.testclient import TestClient

from sureshot import Actions, Campaign, Contexts
from sureshot.said import document
from sureshot.storage import Storage

A = "/api/v1/campaigns/1"
CASE = {"age": 61, "ward": "A"}


@pytest.fixture
def tried(tubes: Campaign) -> Campaign:
    for trial in tubes.ask_batch(4):
        tubes.tell(trial, trial.number % 2)
    return tubes


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("best", lambda c: c.best()),
        ("advice", lambda c: c.advice()),
        ("advice?cost=0.02", lambda c: c.advice(cost=0.02)),
        ("effects", lambda c: c.effects()),
        ("why", lambda c: c.why()),
        ("trials/2/why", lambda c: c.why(2)),
        ("trials/2/asked", lambda c: c.trial(2)),
        ("calibration", lambda c: c.calibration()),
    ],
)
def test_an_answer_is_the_record_and_its_sentence(browser: TestClient, tried: Campaign, path: str, asked: Any) -> None:
    answer = browser.get(f"{A}/{path}")
    record = asked(tried)
    assert answer.json() == {**json.loads(json.dumps(document(record))), "words": str(record)}
    tag = answer.headers["etag"]
    assert browser.get(f"{A}/{path}", headers={"If-None-Match": tag}).status_code == 304
    tried.note("something happened")
    assert browser.get(f"{A}/{path}", headers={"If-None-Match": tag}).status_code == 200


def test_the_timeline(browser: TestClient, tried: Campaign) -> None:
    moments = browser.get(f"{A}/timeline").json()["moments"]
    assert [one["event"] for one in moments] == [one.event for one in tried.timeline()]


def test_a_case_is_a_json_object_in_one_query_parameter(browser: TestClient, store: Storage) -> None:
    cases = Contexts(age=(18, 90), ward=["A", "B"])
    desk = Campaign.create("desk", Actions(["treat", "wait"]), context=cases, policy="random", seed=1, storage=store)
    desk.tell_new("treat", 1, context=CASE)
    query = {"context": json.dumps(CASE)}
    assert browser.get(f"{A}/best", params=query).json()["context"] == {"age": 61.0, "ward": "A"}
    assert browser.get(f"{A}/best", params=query).json()["words"] == str(desk.best(CASE))
    for wrong in ("61", "{", '{"age": 61}', '{"age": "old", "ward": "A"}', '{"age": 61, "ward": "A", "sex": 1}'):
        assert browser.get(f"{A}/best", params={"context": wrong}).status_code == 422, wrong
    assert browser.get(f"{A}/best").status_code == 422, "a case is needed"
    chosen = browser.post(f"{A}/choices", json={"cases": [CASE, {**CASE, "ward": "B"}]}).json()
    assert [one["label"] for one in chosen["choices"]] == desk.choices([CASE, {**CASE, "ward": "B"}]).labels
    assert chosen["choices"][0]["levels"] == {"action": chosen["choices"][0]["label"].removeprefix("action ")}


def test_an_unknown_name_is_a_wrong_input_unless_the_address_says_it(browser: TestClient, tubes: Campaign) -> None:
    wrong = browser.get(f"{A}/predictions", params={"by": "colour"})
    assert (wrong.status_code, wrong.json()["error"]["field"]) == (422, "by")
    for nowhere in ("events/9", "trials/9", "trials/9/why", "why"):
        assert browser.get(f"{A}/{nowhere}").status_code == 404, nowhere


@pytest.mark.parametrize("path", ["best", "export", "trials.csv", "report"])
def test_who_looks_does_not_wait_for_who_records(browser: TestClient, tried: Campaign, path: str) -> None:
    with ThreadPoolExecutor(1) as apart, browser.app.state.opened.use(1):  # type: ignore[attr-defined]
        assert apart.submit(browser.get, f"{A}/{path}").result(60).is_success


def test_who_asks_about_settings_does_not_wait_for_who_records(browser: TestClient, tried: Campaign) -> None:
    with ThreadPoolExecutor(1) as apart, browser.app.state.opened.use(1):  # type: ignore[attr-defined]
        assert apart.submit(browser.post, f"{A}/predictions", json={"rows": [0]}).result(60).is_success
