"""History: every event in its words, in parts; corrections and withdrawals with their reasons; files; proof."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from fastapi.testclient import TestClient

from sureshot import Campaign, Space
from sureshot.storage import Storage, open_storage
from sureshot.web import Settings, create_app
from sureshot.web.pages.history import EVENTS
from tests.web.conftest import BASE, post


@pytest.fixture
def told(tubes: Campaign) -> Campaign:
    tubes.tell(tubes.ask(author="Ann"), "single", author="Ben", note="looked <b>fine</b>")  # 1, 2
    tubes.tell_new(0, 3, of=4)  # 3
    tubes.ask()  # 4
    return tubes


def rows_of(page: str) -> list[str]:
    return re.findall(r'<tr id="event-\d+".*?</tr>', page, re.S)


def shown(page: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def test_every_event_with_author_and_time_the_newest_first(browser: TestClient, told: Campaign) -> None:
    rows = rows_of(browser.get("/c/1/history").text)
    events = told.events()
    assert len(rows) == len(events) == 4
    for row, event in zip(rows, events, strict=True):
        assert event.words in shown(row)
        assert f'datetime="{event.at}"' in row
        assert (event.author or "") in shown(row)
        assert f"/c/1/results?to={event.number}" in row
    assert "<b>fine</b>" not in rows[2]
    assert "looked <b>fine</b>" in unescape(rows[2])


def test_events_come_before_files(browser: TestClient, told: Campaign) -> None:
    page = browser.get("/c/1/history").text
    assert page.index('id="event-1"') < page.index("Take it along")


def test_pages_follow_each_other_without_gaps(browser: TestClient, tubes: Campaign) -> None:
    for number in range(EVENTS + 60):
        tubes.note(f"note {number}")
    page = browser.get("/c/1/history").text
    seen = re.findall(r'id="event-(\d+)"', page)
    while link := re.search(r'rel="next" href="([^"]+)"', page):
        page = browser.get(unescape(link[1])).text
        seen += re.findall(r'id="event-(\d+)"', page)
    assert [int(one) for one in seen] == list(range(EVENTS + 60, 0, -1))
    back = re.search(r'rel="prev" href="([^"]+)"', page)
    assert back
    assert f'id="event-{EVENTS + 10}"' in browser.get(unescape(back[1])).text


def test_correct_with_a_reason(browser: TestClient, told: Campaign) -> None:
    answer = post(browser, "/c/1/history", "/c/1/trials/1/correct", outcome="double", note="misread", back="history")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/c/1/history?done=5"
    page = browser.get(answer.headers["location"]).text
    newest = rows_of(page)[0]
    assert "Trial 1 was corrected to double, from single" in shown(newest)
    assert "misread" in newest
    assert 'role="status"' in page
    assert told.history()[0].outcome == "double"


def test_withdraw_with_a_reason(browser: TestClient, told: Campaign) -> None:
    answer = post(browser, "/c/1/history", "/c/1/trials/2/withdraw", note="spilled", back="history")
    assert answer.headers["location"] == "/c/1/history?done=5"
    newest = rows_of(browser.get("/c/1/history").text)[0]
    assert "Trial 2 was withdrawn, with its outcome" in shown(newest)
    assert "spilled" in newest
    assert told.history()[1].state == "withdrawn"


def test_a_note_is_added(browser: TestClient, told: Campaign) -> None:
    answer = post(browser, "/c/1/history", "/c/1/note", text="a new bottle", trial="", back="history")
    assert answer.headers["location"].startswith("/c/1/history")
    assert told.status().notes == ("a new bottle",)


def test_what_can_be_done_is_offered_once_for_each_trial(browser: TestClient, told: Campaign) -> None:
    page = browser.get("/c/1/history").text
    assert re.findall(r'action="/c/1/trials/(\d+)/correct"', page) == ["2", "1"]  # trial 3 has no outcome yet
    assert re.findall(r'action="/c/1/trials/(\d+)/withdraw"', page) == ["3", "2", "1"]
    told.withdraw(2)
    assert 'action="/c/1/trials/2/' not in browser.get("/c/1/history").text


def test_who_may_only_look_is_offered_nothing(browser_of: Callable[..., TestClient], told: Campaign) -> None:
    page = browser_of(read_only=True).get("/c/1/history")
    assert page.status_code == 200
    assert 'method="post"' not in page.text


class TestFiles:
    def test_trials(self, browser: TestClient, told: Campaign) -> None:
        told.note("=SUM(A1)", trial=1)
        answer = browser.get("/c/1/trials.csv")
        rows = list(csv.DictReader(io.StringIO(answer.text)))
        assert [row["trial"] for row in rows] == ["1", "2", "3"]
        assert [row["outcome"] for row in rows] == ["single", "3", ""]
        assert rows[0]["notes"] == "looked <b>fine</b>; =SUM(A1)"
        told.note("@x", trial=3)
        rows = list(csv.DictReader(io.StringIO(browser.get("/c/1/trials.csv").text)))
        assert rows[2]["notes"] == "'@x"

    def test_the_whole_campaign_goes_into_another_store(self, browser: TestClient, told: Campaign) -> None:
        answer = browser.get("/c/1/campaign.json")
        assert answer.headers["content-disposition"].startswith('attachment; filename="tubes.json"')
        other = open_storage(":memory:")
        again = Campaign.import_export(json.loads(answer.text), storage=other)
        assert again.events() == told.events()
        other.close()

    def test_any_name_makes_a_safe_file_name(self, browser: TestClient, store: Storage) -> None:
        Campaign.create('Röhren/"; x=../..', Space.grid(power=[1, 2]), storage=store, seed=1)
        said = browser.get("/c/1/campaign.json").headers["content-disposition"]
        assert re.fullmatch(r"attachment; filename=\"[\w.-]+\"; filename\*=UTF-8''[\w.%-]+", said), said


class TestProof:
    def test_an_intact_history_is_said_to_be(self, browser: TestClient, told: Campaign) -> None:
        assert told.proved() in shown(browser.get("/c/1/history?verify=true").text)

    def test_a_changed_row_is_found(self, tmp_path: Any) -> None:
        import sqlite3

        path = tmp_path / "lab.db"
        made = Campaign.create("tubes", Space.grid(power=[1, 2]), seed=1, storage=path)
        made.tell_new(0, 1), made.tell_new(1, 0)
        with TestClient(create_app(Settings(storage=str(path))), base_url=BASE) as browser:
            assert browser.get("/c/1/history?verify=true").status_code == 200
            base = sqlite3.connect(path)
            for (trigger,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
                base.execute(f'DROP TRIGGER "{trigger}"')
            base.execute("UPDATE event SET successes = 1 WHERE number = 2")
            base.commit()
            base.close()
            answer = browser.get("/c/1/history?verify=true")
            assert answer.status_code == 503
            assert "event 2 is not what was recorded after event 1" in answer.text
        made.storage.close()


def test_nothing_recorded_yet(browser: TestClient, tubes: Campaign) -> None:
    assert "Nothing was recorded yet." in browser.get("/c/1/history").text


def test_no_page_asks_another_address(browser: TestClient, told: Campaign) -> None:
    page = browser.get("/c/1/history").text
    assert not re.search(r"""(?:src|href|action)\s*=\s*["'](?:[a-z]+:)?//""", page, re.I)
    assert "style=" not in page
