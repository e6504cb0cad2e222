"""What is recorded, over HTTP: events, exports and tables as the campaign gives them."""

from __future__ import annotations

import csv
import io

import pytest
from fastapi.testclient import TestClient

from sureshot import Campaign, Space
from sureshot.storage import Storage

A = "/api/v1/campaigns/1"


@pytest.fixture
def tried(tubes: Campaign) -> Campaign:
    for trial in tubes.ask_batch(3):
        tubes.tell(trial, trial.number % 2, author="Ann")
    return tubes


def test_events_come_in_pages_as_they_are_exported(browser: TestClient, tried: Campaign) -> None:
    every, after = [], 0
    while after is not None:
        page = browser.get(f"{A}/events?limit=4&after={after}").json()
        every += page["events"]
        after = page["next"]
    assert every == tried.export()["events"]
    assert browser.get(f"{A}/events?after=99").json() == {"events": [], "next": None}


def test_an_export_is_whole_and_proves_itself(browser: TestClient, tried: Campaign, store: Storage) -> None:
    found = browser.get(f"{A}/export").json()
    assert found == tried.export()
    assert Campaign.import_export(found, as_name="copy", storage=store).best() == tried.best()
    assert browser.get(f"{A}/spec").json() == tried.spec.to_dict()
    assert browser.get(f"{A}/posterior").json() == tried.posterior()
    proved = browser.get(f"{A}/verify").json()
    assert proved == {"verified": True, "events": 6, "words": tried.proved()}


def test_what_happened_comes_in_pages_the_newest_first(browser: TestClient, tried: Campaign) -> None:
    first = browser.get(f"{A}/happened?limit=4").json()
    rest = browser.get(f"{A}/happened?limit=4&before={first['next']}").json()
    assert [one["number"] for one in first["events"] + rest["events"]] == [6, 5, 4, 3, 2, 1]
    assert rest["next"] is None
    assert first["events"][0]["words"] == tried.events(most=1)[0].words


def test_tables_and_the_report_are_files_to_keep(browser: TestClient, tried: Campaign) -> None:
    trials = browser.get(f"{A}/trials.csv")
    assert trials.headers["content-type"] == "text/csv; charset=utf-8"
    assert (
        trials.headers["content-disposition"]
        == "attachment; filename=\"tubes-trials.csv\"; filename*=UTF-8''tubes-trials.csv"
    )
    rows = list(csv.DictReader(io.StringIO(trials.text)))
    assert [row["told_by"] for row in rows] == ["Ann"] * 3
    outcomes = list(csv.DictReader(io.StringIO(browser.get(f"{A}/outcomes.csv").text)))
    assert [row["outcome"] for row in outcomes] == ["single", "double", "single"]
    tried.note("=HYPERLINK(1)", trial=1)  # which a spreadsheet would run
    rows = list(csv.DictReader(io.StringIO(browser.get(f"{A}/trials.csv").text)))
    assert rows[0]["notes"].endswith("'=HYPERLINK(1)") == rows[0]["notes"].startswith("'=")
    report = browser.get(f"{A}/report")
    assert report.headers["content-disposition"].startswith("attachment")
    assert "unsafe" not in report.headers["content-security-policy"]
    assert tried.best().label in report.text


def test_a_name_of_any_sort_is_shown_as_text_and_makes_a_plain_file_name(browser: TestClient, store: Storage) -> None:
    name = '<script>alert("x")</script>'
    Campaign.create(name, Space.grid(power=[8, 10]), policy="random", storage=store)
    assert browser.get(A).json()["name"] == name
    assert browser.get(A).headers["content-type"] == "application/json"
    report = browser.get(f"{A}/report")
    assert "<script>alert" not in report.text
    assert "<" not in report.headers["content-disposition"]
