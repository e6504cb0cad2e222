"""The decision desk: a case in, an action out, outcomes later; what is only asked about is not recorded."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from sureshot import Actions, Campaign, Contexts
from sureshot.campaign.answers.wording import INTERVAL, percent, percents
from sureshot.errors import StorageError
from sureshot.storage import Storage
from sureshot.web.pages import desk as desk_page

from ..conftest import post, secret_of
from .test_bench import seen, text_of

CASE = {"case.age": "61", "case.ward": "A", "case.diabetic": "True"}
GIVEN = {"age": 61, "ward": "A", "diabetic": True}


@pytest.fixture
def desk(store: Storage) -> Campaign:
    contexts = Contexts(age=(18, 90), ward=["A", "B"], diabetic=bool)
    made = Campaign.create(
        "desk", Actions(["treat", "wait"]), context=contexts, success="well", failure="ill", seed=1, storage=store
    )
    for age, ward, action, won in ((30, "A", "treat", 4), (70, "B", "wait", 1), (50, "A", "wait", 1)):
        made.tell_new(action, won, of=5, context={"age": age, "ward": ward, "diabetic": age > 40})
    return made


def test_every_page_of_a_desk_calls_it_a_desk(browser: TestClient, desk: Campaign) -> None:
    for path in ("/c/1", "/c/1/results", "/c/1/history", "/c/1/plate"):
        page = browser.get(path).text
        tabs = re.findall(r'<a href="/c/1"[^>]*>(\w+)</a>', page)
        assert tabs == ["Desk"], path
        assert "To the bench" not in page


def test_an_empty_desk(browser: TestClient, store: Storage) -> None:
    Campaign.create("new", Actions(["a", "b"]), context=Contexts(ward=["A", "B"]), seed=1, storage=store)
    page = seen(browser)
    assert "Enter a case" in page
    assert "No case is waiting for its outcome: nothing is known yet, and the first cases look around." in page


def test_each_column_of_a_case_has_its_field(browser: TestClient, desk: Campaign) -> None:
    page = browser.get("/c/1").text
    assert re.search(r'name="case.age"[^>]*inputmode="decimal"[^>]*aria-describedby="case-1-hint"', page)
    assert '<span class="hint quiet" id="case-1-hint">18 to 90</span>' in page
    assert re.search(r'<select id="case-2" name="case.ward">.*?<option value="A">A</option>', page, re.DOTALL)
    assert re.search(r'name="case.diabetic">.*?<option value="True">yes</option>', page, re.DOTALL)


def test_a_case_gets_its_action_with_the_chances_of_each(browser: TestClient, desk: Campaign) -> None:
    before = desk.last_event()
    answer = post(browser, "/c/1", "/c/1/case", **CASE)
    assert answer.status_code == 200
    page, trial, every = text_of(answer.text), desk.preview(GIVEN), desk.predictions(context=GIVEN, values=False)
    assert f"{trial.expectation} {INTERVAL}" in page
    assert trial.changes in page
    for i in range(2):
        one = every[i]
        assert re.search(rf"{one.label}.*? {percent(one.chance)} ?{percents(one.low, one.high)}", page)
    assert "Take this action" in page
    assert desk.last_event() == before


def test_to_take_the_action_records_what_was_shown_once(browser: TestClient, desk: Campaign) -> None:
    shown, last = desk.preview(GIVEN), desk.last_event()
    for _ in range(2):
        answer = post(browser, "/c/1", "/c/1/ask", seen=last, key="k", **CASE)
        assert answer.headers["location"] == f"/c/1?done={last + 1}"
    row = desk.row(shown.number)
    assert (row.alternative, row.context, row.state) == (shown.alternative, GIVEN | {"age": 61.0}, "pending")
    assert desk.last_event() == last + 1
    page = seen(browser, f"/c/1?done={last + 1}")
    assert f"Recorded: trial {row.trial} was asked for: {row.label} in the case age 61, ward A, diabetic True." in page
    assert f"{row.label} in the case age 61" in page.partition("Open cases")[2]


def test_an_action_that_may_be_another_by_now_is_shown_first(browser: TestClient, desk: Campaign) -> None:
    last = desk.last_event()
    desk.note("meanwhile")
    answer = post(browser, "/c/1", "/c/1/ask", seen=last, key="k", **CASE)
    assert answer.status_code == 409
    assert "Somebody recorded something since you looked, and nothing was recorded for you." in text_of(answer.text)
    assert f'name="seen" value="{last + 1}"' in answer.text
    assert desk.last_event() == last + 1


def test_what_is_wrong_is_said_at_each_field_and_what_was_typed_is_kept(browser: TestClient, desk: Campaign) -> None:
    answer = post(browser, "/c/1", "/c/1/case", **{"case.age": "old", "case.ward": "B", "case.diabetic": ""})
    assert answer.status_code == 422
    assert re.search(r'value="old"[^>]*aria-describedby="case-1-hint case-1-wrong" aria-invalid="true"', answer.text)
    assert "Age must be a number, got &#39;old&#39;: fix it." in answer.text
    assert '<option value="B" selected>' in answer.text
    assert "Diabetic must be said: fill it in." in answer.text
    assert "case-2-wrong" not in answer.text


def test_a_case_outside_its_range_is_cautioned(browser: TestClient, desk: Campaign) -> None:
    page = text_of(post(browser, "/c/1", "/c/1/case", **CASE | {"case.age": "95"}).text)
    assert "Careful: Age 95 lies outside 18 to 90, the range that the campaign was made for." in page


def test_an_outcome_comes_later(browser: TestClient, desk: Campaign) -> None:
    trial = desk.ask(GIVEN)
    assert post(browser, "/c/1", f"/c/1/trials/{trial.number}/tell", outcome="well").status_code == 303
    assert desk.row(trial.number).outcome == "well"


def test_open_cases_are_paged(browser: TestClient, desk: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk_page, "LISTED", 2)
    for _ in range(3):
        desk.ask(GIVEN)
    page = seen(browser)
    assert "Page 1 of 2, 3 open cases" in page
    assert page.index("Trial 6,") < page.index("Trial 5,")
    assert "Trial 4," in seen(browser, "/c/1?page=2")


def sent(browser: TestClient, path: str, text: str, **more: Any) -> Any:
    secret = secret_of(browser.get("/c/1").text)
    files = {"file": ("cases.csv", text.encode(), "text/csv")}
    return browser.post(path, data={"form": secret, **more}, files=files, follow_redirects=False)


TABLE = "name,age,ward,diabetic\nx<b>,61,A,true\ny,95,B,false\n"


def test_many_cases_as_a_table_and_as_a_file(browser: TestClient, desk: Campaign) -> None:
    before, choices = desk.last_event(), desk.choices({"age": [61, 95], "ward": ["A", "B"], "diabetic": [True, False]})
    page = text_of(sent(browser, "/c/1/cases", TABLE).text)
    assert "What to choose in 2 cases" in page
    assert "x<b>" in page  # a column that is not asked for says whose case it is
    for i in range(2):
        told = f"{percent(choices.chance[i])} ({percents(choices.low[i], choices.high[i])})"
        assert f"{choices.labels[i]}{told}" in page
    assert "age 95 lies outside 18 to 90" in page
    header, first, _ = sent(browser, "/c/1/cases.csv", TABLE).text.splitlines()
    assert header == "name,age,ward,diabetic,action,chance,low,high"
    assert first.startswith(f"x<b>,61,A,true,{choices.levels['action'][0]},")
    assert desk.last_event() == before


def test_a_file_that_failed_midway_is_sent_again_and_no_case_is_taken_twice(
    browser: TestClient, desk: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = TABLE + "z,61,A,true\nx<b>,61,A,true\n"  # the last row is the first once more: another case
    ask, asked = Campaign.ask, []

    def fails_once(*given: Any, **more: Any) -> Any:
        asked.append(given)
        if len(asked) == 3:
            raise StorageError("the disk is full", fix="make room")
        return ask(*given, **more)

    monkeypatch.setattr(Campaign, "ask", fails_once)
    answer = sent(browser, "/c/1/cases/ask", table, key="batch")
    assert answer.status_code == 503
    assert "Before that, the action was taken in 2 cases of the file: send it again" in text_of(answer.text)
    assert desk.status().pending == (4, 5)
    (key,) = re.findall(r'action="/c/1/cases".*?name="key" value="([^"]+)"', answer.text, re.DOTALL)
    rest = table.replace("y,95,B,false\n", "")  # whoever leaves out a row that was taken loses nothing either
    assert sent(browser, "/c/1/cases/ask", rest, key=key).status_code == 303
    assert desk.status().pending == (4, 5, 6, 7)
    assert sent(browser, "/c/1/cases/ask", table, key=key).status_code == 303
    assert desk.status().pending == (4, 5, 6, 7)
    assert [desk.row(n).notes for n in (4, 5, 6, 7)] == [("name x<b>",), ("name y",), ("name z",), ("name x<b>",)]


def test_no_case_of_a_file_is_taken_if_what_it_says_beside_one_is_too_long(browser: TestClient, desk: Campaign) -> None:
    last = desk.last_event()
    answer = sent(browser, "/c/1/cases/ask", TABLE + f"{'z' * 10_000},61,A,true\n", key="batch")
    assert answer.status_code == 422
    assert "A note must have at most 10,000 characters, got 10,005" in text_of(answer.text)
    assert desk.last_event() == last  # the row is mended, which makes it another case: nothing may be taken by then


def test_actions_are_taken_in_each_case_of_a_file_once(browser: TestClient, desk: Campaign) -> None:
    for _ in range(2):
        answer = sent(browser, "/c/1/cases/ask", TABLE, key="batch")
        assert answer.headers["location"].startswith("/c/1/plate?first=4&last=5")
    assert [desk.row(n).context for n in (4, 5)] == [
        GIVEN | {"age": 61.0},
        {"age": 95.0, "ward": "B", "diabetic": False},
    ]
    assert desk.status().pending == (4, 5)
    assert [len(desk.row(n).notes) for n in (4, 5)] == [1, 1]  # whose case it is, once
    assert desk.row(4).notes[0].endswith("x<b>")
    assert "x&lt;b&gt;" in browser.get("/c/1").text


def test_a_file_that_can_not_be_read_is_said_at_its_field(browser: TestClient, desk: Campaign) -> None:
    answer = sent(browser, "/c/1/cases", "age,ward\n61,A\n")
    assert answer.status_code == 422
    assert "must have a column 'diabetic'" in text_of(answer.text)
    assert 'aria-describedby="file-wrong"' in answer.text


def test_the_budget_of_a_desk(browser: TestClient, store: Storage) -> None:
    made = Campaign.create("d", Actions(["a", "b"]), context=Contexts(ward=["A", "B"]), budget=1, seed=1, storage=store)
    made.ask({"ward": "A"})
    fields = {"case.ward": "B", "seen": "1"}
    answer = post(browser, "/c/1", "/c/1/ask", **fields)
    assert answer.status_code == 409
    assert "The budget is 1 trials, 1 are used" in text_of(answer.text)
    assert "Go on all the same: the budget of 1 trial is used" in text_of(answer.text)
    assert post(browser, "/c/1", "/c/1/ask", beyond="yes", **fields).status_code == 303


def test_a_display_shows_open_cases_and_asks_for_none(browser_of: Callable[..., TestClient], desk: Campaign) -> None:
    desk.ask(GIVEN)
    browser = browser_of(read_only=True)
    page = browser.get("/c/1").text
    assert "<form" not in page
    assert "Trial 4," in page
    assert browser.post("/c/1/case", data=CASE).status_code == 403
