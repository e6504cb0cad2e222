"""Campaigns over HTTP: made from options, listed in pages, renamed, deleted only as they were seen."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from sureshot import Campaign, Space
from sureshot.campaign import fields
from sureshot.storage import Storage
from sureshot.web.api.bodies import Recipe
from sureshot.web.security.token_file import add_token

A = "/api/v1"
GRID = {"power": [8, 10, 12], "catalyst": ["Fe", "Co"]}


def test_a_campaign_is_made_from_the_options_of_every_other_shell(browser: TestClient, store: Storage) -> None:
    said = {"name": "tubes", "parameters": GRID, "where": ["power <= 10"], "budget": 9, "seed": 3, "policy": "thompson"}
    answer = browser.post(f"{A}/campaigns", json=said)
    assert (answer.status_code, answer.headers["location"]) == (201, f"{A}/campaigns/1")
    found = answer.json()
    assert (found["id"], found["alternatives"], found["budget"], found["seed"]) == (1, 4, 9, 3)
    assert found["policy"]["name"] == "thompson"
    assert found["words"] == str(Campaign.open("tubes", store).status())
    assert browser.get(f"{A}/campaigns/1").json() == found


def test_every_option_but_those_that_name_files_is_one_of_the_recipe() -> None:
    assert set(Recipe.model_fields) == {one.name for one in fields()} - {"candidates", "storage"} | {"table"}


def test_alternatives_may_be_a_table(browser: TestClient, store: Storage) -> None:
    rows = [{"sample": "A1", "power": 8, "price": 2.0}, {"sample": "A2", "power": 10, "price": 3.5}]
    said = {"name": "rows", "table": rows, "id": "sample", "cost": "price", "without": []}
    assert browser.post(f"{A}/campaigns", json=said).status_code == 201
    assert Campaign.open("rows", store).spec.pool.space.label(1) == "sample A2"
    columns = {"name": "columns", "table": {"power": [8, 10, 12]}}
    assert browser.post(f"{A}/campaigns", json=columns).json()["alternatives"] == 3


def test_a_campaign_may_decide_in_contexts_and_begin_with_what_another_learned(browser: TestClient) -> None:
    desk = {"name": "desk", "parameters": {"action": ["treat", "wait"]}, "context": {"age": "18:90", "ward": "A,B"}}
    assert browser.post(f"{A}/campaigns", json=desk).status_code == 201
    browser.post(f"{A}/campaigns", json={"name": "first", "parameters": GRID, "formula": "power + catalyst"})
    browser.post(f"{A}/campaigns/2/experiments", json={"alternative": 0, "outcome": 1})
    learned = browser.get(f"{A}/campaigns/2/posterior").json()
    next_one = {"name": "next", "parameters": GRID, "formula": "power + catalyst", "prior": learned}
    assert browser.post(f"{A}/campaigns", json=next_one).status_code == 201


@pytest.mark.parametrize(
    ("said", "field", "says"),
    [
        ({"candidates": "/etc/passwd"}, "candidates", "can't be said over the network"),
        ({"storage": "sqlite:///elsewhere.db"}, "storage", "can't be said over the network"),
        ({"prior": "/etc/passwd"}, "prior", "must be"),
        ({"prior": "learned.json"}, "prior", "must be"),
        ({"budget": "30"}, "budget", "must be a whole number"),
        ({"budget": True}, "budget", "must be a whole number"),
        ({"budget": 0}, "budget", "at least 1"),
        ({"bugdet": 30}, "bugdet", "Did you mean 'budget'?"),
        ({"parameters": {}}, "parameters", "one of the two"),
        ({"table": [{"power": 8}]}, "parameters", "one of the two"),
        ({"table": "rows.csv"}, "table", "valid list"),
        ({"policy": "kg-start"}, "policy", "unknown policy"),
        ({"prior": {"belief": 1}}, "prior", "posterior"),
        ({"name": "a\nb"}, "name", "printable"),
        ({"name": None}, "name", "must be text"),
    ],
)
def test_what_is_wrong_is_said_at_its_option(browser: TestClient, said: dict[str, Any], field: str, says: str) -> None:
    body = json.dumps({"name": "tubes", "parameters": GRID, **said})
    answer = browser.post(f"{A}/campaigns", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 422, answer.text
    error = answer.json()["error"]
    assert says in error["message"]
    assert error["field"] == field
    assert browser.get(f"{A}/campaigns").json()["campaigns"] == []


def test_a_name_that_is_taken_is_a_conflict(browser: TestClient, tubes: Campaign) -> None:
    answer = browser.post(f"{A}/campaigns", json={"name": "tubes", "parameters": GRID})
    assert (answer.status_code, answer.json()["error"]["field"]) == (409, "name")


def test_a_campaign_that_is_renamed_as_soon_as_it_is_made_is_still_the_one_that_was_made(
    browser: TestClient, store: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = Campaign.create

    def renamed_at_once(*given: Any, **said: Any) -> Campaign:
        made = make(*given, **said)
        store.rename_campaign(made.number, "other")
        return made

    monkeypatch.setattr(Campaign, "create", renamed_at_once)
    answer = browser.post(f"{A}/campaigns", json={"name": "tubes", "parameters": GRID})
    assert (answer.status_code, answer.headers["location"]) == (201, f"{A}/campaigns/1")
    assert answer.json()["name"] == "other"


def test_the_list_comes_in_pages_and_by_name(browser: TestClient, store: Storage) -> None:
    for name in "abcde":
        Campaign.create(name, Space.grid(power=[8, 10]), policy="random", storage=store)
    Campaign.open("b", store).archive()
    names, after = list[str](), 0
    while after is not None:
        page = browser.get(f"{A}/campaigns?limit=2&after={after}").json()
        names += [one["name"] for one in page["campaigns"]]
        after = page["next"]
    assert names == ["a", "c", "d", "e"]
    assert len(browser.get(f"{A}/campaigns?archived=true").json()["campaigns"]) == 5
    (found,) = browser.get(f"{A}/campaigns?name=b").json()["campaigns"]
    assert found["id"] == 2
    assert found["archived_at"]


def test_a_campaign_is_renamed_and_archived_and_its_tag_says_so(browser: TestClient, tubes: Campaign) -> None:
    tag = browser.get(f"{A}/campaigns/1").headers["etag"]
    assert browser.get(f"{A}/campaigns/1", headers={"If-None-Match": tag}).status_code == 304
    answer = browser.patch(f"{A}/campaigns/1", json={"name": "tubes 2", "archived": True})
    assert (answer.json()["name"], answer.json()["archived_at"] is None) == ("tubes 2", False)
    assert browser.get(f"{A}/campaigns/1", headers={"If-None-Match": tag}).status_code == 200
    old = browser.patch(f"{A}/campaigns/1", json={"name": "tubes 3"}, headers={"If-Match": tag})
    assert old.status_code == 412
    assert browser.patch(f"{A}/campaigns/1", json={"archived": False}).json()["archived_at"] is None


def test_what_another_process_renamed_or_archived_is_seen(browser: TestClient, tubes: Campaign, store: Storage) -> None:
    browser.get(f"{A}/campaigns/1")
    elsewhere = Campaign.open("tubes", store)
    elsewhere.rename("renamed")
    elsewhere.archive()
    found = browser.get(f"{A}/campaigns/1").json()
    assert (found["name"], found["archived_at"] is None) == ("renamed", False)


def test_a_campaign_is_deleted_only_as_it_was_seen_and_its_copy_is_given_back(
    browser: TestClient, tubes: Campaign
) -> None:
    tubes.ask()
    assert browser.delete(f"{A}/campaigns/1").status_code == 428
    tag = browser.get(f"{A}/campaigns/1").headers["etag"]
    tubes.tell(1, "single")
    assert browser.delete(f"{A}/campaigns/1", headers={"If-Match": tag}).status_code == 412
    now = browser.get(f"{A}/campaigns/1").headers["etag"]
    gone = browser.delete(f"{A}/campaigns/1", headers={"If-Match": now})
    assert (gone.status_code, len(gone.json()["events"])) == (200, 2)
    assert browser.get(f"{A}/campaigns/1").status_code == 404
    again = browser.post(f"{A}/copies", json={"export": gone.json(), "as_name": "again"})
    assert (again.status_code, again.json()["id"], again.json()["told"]) == (201, 2, 1)


@pytest.mark.parametrize(
    "spoil",
    [{"digest": "0" * 64}, {"events": None}, {"spec": {}}, {"seed": "x"}, {"version": 9}, {"created_at": "soon"}],
)
def test_a_copy_that_was_changed_is_refused(browser: TestClient, tubes: Campaign, spoil: dict[str, Any]) -> None:
    tubes.ask()
    export = {**tubes.export(), **spoil}
    answer = browser.post(f"{A}/copies", json={"export": export, "as_name": "again"})
    assert answer.status_code == 422  # the store is well
    assert len(browser.get(f"{A}/campaigns").json()["campaigns"]) == 1


@pytest.mark.parametrize(
    "change", [{"space": 1}, {"prior": []}, {"design": {"version": 2}}, {"contexts": 5}, {"context_ranges": [1]}]
)
def test_a_copy_that_sureshot_did_not_write_is_refused_though_its_digests_agree(
    browser: TestClient, tubes: Campaign, change: dict[str, Any]
) -> None:
    from datetime import datetime

    from sureshot.storage.chain import new_record

    export = tubes.export()
    export["spec"] = {**export["spec"], **change}
    at = datetime.fromisoformat(export["created_at"])
    export["digest"] = new_record("forged", export["spec"], export["seed"], at).digest
    answer = browser.post(f"{A}/copies", json={"export": export, "as_name": "forged"})
    assert answer.status_code == 422, answer.text


def test_who_may_do_what(browser_of: Callable[..., TestClient], tubes: Campaign, tmp_path: Path) -> None:
    file = tmp_path / "tokens.json"
    tokens = {role: add_token(file, role, role, made="now") for role in ("read", "bench", "admin")}
    server = browser_of(tokens=file)
    asks: list[tuple[str, str, str, Any]] = [
        ("read", "GET", "/campaigns/1/best", None),
        ("bench", "POST", "/campaigns/1/trials", {}),
        ("bench", "POST", "/campaigns/1/notes", {"text": "hello"}),
        ("admin", "POST", "/campaigns", {"name": "other", "parameters": GRID}),
        ("admin", "PATCH", "/campaigns/1", {"archived": False}),
        ("admin", "DELETE", "/campaigns/1", None),
    ]
    rank = ["read", "bench", "admin"]
    for needed, method, path, body in asks:
        assert server.request(method, A + path, json=body).status_code == 401
        for role in rank:
            head = {"Authorization": f"Bearer {tokens[role]}"}
            status = server.request(method, A + path, json=body, headers=head).status_code
            assert (status == 403) == (rank.index(role) < rank.index(needed)), (role, method, path)
