"""Tables in JSON: all rows or none, and predictions in pages."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient

from sureshot import Campaign

A = "/api/v1/campaigns/1"


@pytest.mark.parametrize(
    "table",
    [
        [{"power": 8, "catalyst": "Fe", "outcome": "single"}, {"power": 10, "catalyst": "Co", "outcome": 0}],
        {"power": [8, 10], "catalyst": ["Fe", "Co"], "outcome": ["single", "double"]},
    ],
    ids=["rows", "columns"],
)
def test_a_table_is_imported_whole_and_once(browser: TestClient, tubes: Campaign, table: Any) -> None:
    answer = browser.post(f"{A}/imports", json={"table": table})
    assert (answer.status_code, answer.json()["recorded"], answer.json()["trials"]) == (201, 2, [1, 2])
    assert browser.post(f"{A}/imports", json={"table": table}).status_code == 409
    assert browser.post(f"{A}/imports", json={"table": table, "repeated": "skip"}).json()["recorded"] == 0
    assert len(tubes.history()) == 2


def test_one_wrong_row_refuses_all_and_says_where(browser: TestClient, tubes: Campaign) -> None:
    table = {"power": [8, 10], "catalyst": ["Fe", "Co"], "outcome": ["single", "what"]}
    answer = browser.post(f"{A}/imports", json={"table": table})
    assert (answer.status_code, answer.json()["error"]["place"]) == (422, "row 1")
    assert tubes.history() == ()


@pytest.mark.parametrize("table", ["/etc/passwd", 3, None, [1], [["a"]], {"power": 8}])
def test_what_is_no_table_is_refused_and_never_read_as_a_file(browser: TestClient, tubes: Campaign, table: Any) -> None:
    for path, name in (("imports", "table"), ("outcomes", "table"), ("choices", "cases"), ("predictions", "rows")):
        answer = browser.post(f"{A}/{path}", json={name: table})
        if (path, table) != ("predictions", [1]):  # that is a row
            assert answer.status_code == 422
            assert "root:" not in answer.text


def test_outcomes_of_a_plate_may_be_sent_again(browser: TestClient, tubes: Campaign) -> None:
    tubes.ask_batch(3)
    table = {"trial": [1, 2, 3], "outcome": ["single", None, "double"]}
    assert browser.post(f"{A}/outcomes", json={"table": table}).json()["trials"] == [1, 3]
    again = browser.post(f"{A}/outcomes", json={"table": table}).json()
    assert (again["trials"], again["already"], again["blank"]) == ([], 2, 1)
    other = browser.post(f"{A}/outcomes", json={"table": {"trial": [1], "outcome": ["double"]}})
    assert other.status_code == 409


def test_predictions_come_in_pages_the_likeliest_first(browser: TestClient, tubes: Campaign) -> None:
    tubes.tell_new(3, 4, of=4)
    every, offset = list[Any](), 0
    while offset is not None:
        page = browser.get(f"{A}/predictions?limit=3&offset={offset}").json()
        assert len(page["predictions"]) <= 3
        every += page["predictions"]
        offset = page["next"]
    found = tubes.predictions()
    assert [one["alternative"] for one in every] == found.alternative.tolist()
    assert [one["chance"] for one in every] == found.chance.tolist()
    assert browser.get(f"{A}/predictions?offset=1000").json()["predictions"] == []


def test_settings_that_are_not_in_the_pool_are_predicted_too(browser: TestClient, tubes: Campaign) -> None:
    rows = [0, {"power": 9, "catalyst": "Fe"}]
    found = browser.post(f"{A}/predictions", json={"rows": rows}).json()["predictions"]
    assert [one["alternative"] for one in found] == [0, None]
