"""The bench: each state says its own sentence, and its numbers are the campaign's."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pandas as pd
import pytest
from fastapi.testclient import TestClient

from sureshot import Campaign, Space
from sureshot.campaign.answers.wording import INTERVAL, LOOK_AROUND
from sureshot.campaign.view import View
from sureshot.said import said
from sureshot.storage import Storage
from sureshot.web.pages import bench
from sureshot.web.security.token_file import add_token
from sureshot.web.words import of_a_made_one, on_the_page

from ..conftest import post

LINK = re.compile(r'href="([^"]+)"')


def seen(browser: TestClient, path: str = "/c/1") -> str:
    """The text of a page, without tags and with single spaces."""
    answer = browser.get(path)
    assert answer.status_code == 200, answer.text
    return text_of(answer.text)


def text_of(page: str) -> str:
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page)))


def play(campaign: Campaign, n: int) -> None:
    for _ in range(n):
        trial = campaign.ask()
        campaign.tell(trial, trial.levels["power"] in (10, 12))


def test_nothing_tried(browser: TestClient, tubes: Campaign) -> None:
    page = seen(browser)
    assert LOOK_AROUND in page
    assert LOOK_AROUND == "Nothing is known yet: the first trials look around."
    assert "0 of 10 trials asked" in page
    assert "Ask for a trial" in page
    assert "You could not choose yet: nothing was tried so far." in page


def test_the_trial_to_run_now(browser: TestClient, tubes: Campaign) -> None:
    play(tubes, 3)
    trial = tubes.ask()
    page = seen(browser)
    assert trial.heading == "Trial 4 of 10"
    for words in (trial.heading, trial.expectation, trial.changes, *(f"{k} {v}" for k, v in trial.pairs)):
        assert words in page
    assert re.fullmatch(r"We expect it to work in .+ of 100 runs \(\d+ to \d+\)\.", trial.expectation)
    assert "It worked: single" in page
    assert "It did not: double" in page


def test_what_stands_in_brackets_is_explained_where_it_is_first_seen(browser: TestClient, tubes: Campaign) -> None:
    assert INTERVAL not in seen(browser, "/")
    assert INTERVAL not in seen(browser)  # nothing stands in brackets yet
    play(tubes, 2)
    assert seen(browser, "/").count(INTERVAL) == 1
    assert f"{tubes.best().sureness} {INTERVAL}" in seen(browser)
    trial = tubes.ask()
    page = seen(browser)
    assert f"{trial.expectation} {INTERVAL}" in page
    assert page.count(INTERVAL) == 1
    assert seen(browser, "/c/1/plate").count(INTERVAL) == 1


def test_all_pending(browser: TestClient, tubes: Campaign) -> None:
    tubes.ask_batch(3)
    page = seen(browser)
    assert "You could not choose yet: no outcome has come so far." in page
    assert LOOK_AROUND in page
    assert "Still running" in page


def test_the_first_of_those_asked_last_is_to_run_now(browser: TestClient, tubes: Campaign) -> None:
    tubes.ask()
    tubes.ask_batch(3)
    head, _, rest = seen(browser).partition("Still running")
    assert "Trial 2 of 10" in head
    assert [int(n) for n in re.findall(r"Trial (\d+) power", rest)] == [1, 3, 4]
    tubes.tell(2, "single")
    assert "Trial 3 of 10" in seen(browser).partition("Still running")[0]


def test_if_you_stopped_now_says_what_the_campaign_says(browser: TestClient, tubes: Campaign) -> None:
    play(tubes, 5)
    best, advice = tubes.best(), tubes.advice()
    apart = seen(browser).partition("If you stopped now")[2]
    assert f"{best.choice}: {best.sureness}" in apart
    assert said(advice.words, on_the_page)[1:] in apart
    panel = browser.get("/c/1").text.partition('class="panel calm stop"')[2].partition("</section>")[0]
    assert "<button" not in panel
    assert "<form" not in panel


def test_the_budget_is_used(browser: TestClient, store: Storage) -> None:
    made = Campaign.create("short", Space.grid(power=[8, 10, 12]), budget=2, seed=1, storage=store)
    play(made, 2)
    page = seen(browser)
    assert "The budget is used" in page
    assert "See the results" in page
    assert "Go on all the same" in page
    assert "Ask for a trial" not in page
    answer = post(browser, "/c/1", "/c/1/ask")
    assert answer.status_code == 409
    assert "The budget is 2 trials, 2 are used and 1 more asked for" in text_of(answer.text)
    assert post(browser, "/c/1", "/c/1/ask", beyond="yes").status_code == 303
    assert made.status().used == 3


def test_a_stopping_rule_says_stop(browser: TestClient, store: Storage) -> None:
    made = Campaign.create("known", Space.grid(gas=["Ar", "N2"]), stopping="worked times=2", seed=1, storage=store)
    assert "Enough is known" not in seen(browser)
    made.tell_new({"gas": "Ar"}, 3, of=3)
    made.tell_new({"gas": "N2"}, 0, of=3)
    page = seen(browser)
    assert "Enough is known" in page
    assert f"{str(made.advice())[:1].upper()}{str(made.advice())[1:]}" in page
    assert "Ask for a trial" not in page
    answer = post(browser, "/c/1", "/c/1/ask")
    assert answer.status_code == 409
    assert "The stopping rule 'worked' says stop" in text_of(answer.text)
    assert post(browser, "/c/1", "/c/1/ask", beyond="yes").status_code == 303
    assert made.status().used == 1
    assert "Trial 3" in seen(browser)


def test_a_caution_stands_above_what_one_would_choose(browser: TestClient, store: Storage) -> None:
    made = Campaign.create("bent", Space.grid(power=[8, 10, 12, 14]), shape="straight", seed=1, storage=store)
    for row, won in enumerate([0, 30, 30, 0]):
        made.tell_new(row, won, of=30)
    (caution, *_) = made.best().cautions
    page = seen(browser)
    assert said(caution, of_a_made_one)[1:] in page
    assert page.index("! Careful:") < page.index("If you stopped now")


def test_what_a_caution_says_can_be_done_from_the_page(browser: TestClient, store: Storage) -> None:
    made = Campaign.create("bent & <b>", Space.grid(power=[8, 10, 12, 14]), shape="straight", seed=1, storage=store)
    for row, won in enumerate([0, 30, 30, 0]):
        made.tell_new(row, won, of=30)
    page = browser.get("/c/1").text
    links = [unescape(one) for one in re.findall(r'class="care"><p>.*?</p>', page, re.S) for one in LINK.findall(one)]
    assert set(links) == {"/new/like?old=1&name=bent+%26+%3Cb%3E-2&shape=auto", "/c/1/results#calibration-head"}
    assert 'id="calibration-head"' in browser.get("/c/1/results").text
    form = browser.get(next(one for one in links if "like" in one)).text
    assert re.search(r'<option value="1" selected>bent &amp; &lt;b&gt;</option>', form)
    assert 'value="bent &amp; &lt;b&gt;-2"' in form
    assert re.search(r'<option value="auto" selected>', form)
    answer = post(browser, "/new/like", "/new/like", old="1", name="bent-2", shape="auto")
    assert answer.headers["location"] == "/c/2"
    assert Campaign.open("bent-2", store).best().cautions == ()


def test_a_column_that_should_not_be_there_is_left_out_in_a_new_campaign(
    browser_of: Callable[..., TestClient], store: Storage, tmp_path: Path
) -> None:
    table = {"sample": list("abcd"), "power": [8, 9, 8, 9]}
    Campaign.create("rows", Space.from_frame(table), seed=1, storage=store)
    told = "with a new campaign from the file, with “left out” for sample"
    page = browser_of().get("/c/1").text
    assert told in text_of(page)
    assert '<a href="/new">a new campaign from the file, with “left out” for sample</a>' in page
    file = tmp_path / "tokens.json"
    token = add_token(file, "Wall", "bench", made="today")
    page = browser_of(tokens=file).get("/c/1", headers={"authorization": f"Bearer {token}"}).text
    assert told in text_of(page)
    assert 'href="/new"' not in page  # who may not make a campaign is not led there


def test_what_was_recorded_and_undo_while_it_is_the_last(browser: TestClient, tubes: Campaign) -> None:
    trial = tubes.ask()
    to = post(browser, "/c/1", "/c/1/trials/1/tell", outcome="single").headers["location"]
    page = seen(browser, to)
    assert f"Recorded: trial 1 came out single ({trial.label})." in page
    assert "Undo: it was double" in page
    assert "Undo: it does not count" in page
    post(browser, "/c/1", "/c/1/trials/1/correct", outcome="double")
    assert tubes.row(1).outcome == "double"
    assert "Undo" not in seen(browser, to)  # another event came after it
    assert f"Recorded: trial 1 was corrected to double ({trial.label})." in seen(browser, "/c/1?done=3")


def test_undo_of_an_ask_and_of_a_withdrawal(browser: TestClient, tubes: Campaign) -> None:
    trial = tubes.ask()
    assert "Undo: give it back" in seen(browser, "/c/1?done=1")
    tubes.withdraw(1)
    page = seen(browser, "/c/1?done=2")
    assert f"Recorded: trial 1 was withdrawn: it was not run ({trial.label})." in page
    assert "It ran after all?" in page
    post(browser, "/c/1", "/c/1/new", alternative=trial.alternative, outcome="single")
    row = tubes.row(2)
    assert (row.alternative, row.outcome) == (trial.alternative, "single")


def test_focus_moves_to_what_is_new(browser: TestClient, tubes: Campaign) -> None:
    tubes.ask()
    assert "data-focus" not in browser.get("/c/1").text
    assert re.search(r'<h2 id="next" tabindex="-1" data-focus>', browser.get("/c/1?done=1").text)
    tubes.tell(1, "single")
    assert re.search(r'<button class="main large" data-focus>Ask for a trial', browser.get("/c/1?done=2").text)


def test_enter_in_a_note_presses_no_outcome(browser: TestClient, tubes: Campaign) -> None:
    tubes.ask()
    form = browser.get("/c/1").text.partition('class="tell"')[2].partition("</form>")[0]
    first = re.findall(r"<button[^>]*>", form)[0]
    assert first == '<button type="submit" disabled hidden>'


def test_many_running_trials_are_paged(browser: TestClient, tubes: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "LISTED", 2)
    tubes.ask_batch(4)
    tubes.ask_batch(2)
    page = seen(browser)
    assert "Page 1 of 3, 5 trials running" in page
    assert page.count("Note, did not run") == 2
    assert seen(browser, "/c/1?page=3").count("Note, did not run") == 1
    assert "Page 3 of 3" in seen(browser, "/c/1?page=99")


def test_how_many_is_refused_at_its_field(browser: TestClient, tubes: Campaign) -> None:
    for q in ("0", "many"):
        answer = post(browser, "/c/1", "/c/1/ask", q=q)
        assert answer.status_code == 422
        assert re.search(rf'name="q"[^>]*value="{q}" aria-invalid="true" aria-describedby="q-wrong"', answer.text)
    assert tubes.last_event() == 0


def test_everything_that_people_typed_is_text(browser: TestClient, store: Storage) -> None:
    evil = "<script>alert(1)</script>"
    space = Space.grid(power=["<i>8</i>", "10"])
    made = Campaign.create(evil, space, success="<img src=x>", failure='no"yes', seed=1, storage=store)
    made.ask_batch(2, author=evil)
    made.tell(1, "<img src=x>", note=evil, author=evil)
    for path in ("/c/1", "/c/1?done=3", "/c/1/plate"):
        page = browser.get(path).text
        for wrong in (evil, "<img", "<i>8", 'no"yes'):
            assert wrong not in page, (path, wrong)
    answer = post(browser, "/c/1", "/c/1/trials/1/tell", outcome='no"yes', note=evil)
    assert answer.status_code == 409
    assert evil not in answer.text
    assert "&lt;script&gt;" in answer.text


@pytest.mark.parametrize(("role", "forms"), [("read", False), ("bench", True)])
def test_who_may_only_look_sees_no_buttons(
    browser_of: Callable[..., TestClient], tubes: Campaign, tmp_path: Path, role: str, forms: bool
) -> None:
    path = tmp_path / "tokens.json"
    token = add_token(path, "Ann", role, made="2026-11-18")
    tubes.ask()
    browser = browser_of(tokens=path)
    page = browser.get("/c/1", headers={"Authorization": f"Bearer {token}"}).text
    page = page.partition("<main")[2].partition("</main>")[0]
    assert ("<form" in page) == forms
    assert ("You can look at this campaign, and not record anything." in page) != forms


def test_the_display_on_the_wall(browser_of: Callable[..., TestClient], tubes: Campaign) -> None:
    tubes.ask()
    page = browser_of(read_only=True).get("/c/1").text
    assert "This display only shows: nothing can be recorded here." in page
    assert "<form" not in page
    assert "<button" not in page.replace('<button type="button" class="copy"', "")


def test_rows_with_names_show_name_and_levels(browser: TestClient, store: Storage) -> None:
    table = pd.DataFrame({"sample": ["A1", "A2", "A3"], "power": [8, 10, 12]})
    made = Campaign.create("named", Space.from_frame(table, id="sample"), seed=1, storage=store)
    trial = made.ask()
    page = seen(browser)
    assert trial.label in page
    assert trial.details in page
    assert post(browser, "/c/1", "/c/1/new", **{"level.sample": "A3", "outcome": "success"}).status_code == 303
    assert made.row(2).id == "A3"


def test_an_answer_is_computed_once_until_something_is_recorded(
    browser: TestClient, tubes: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(tubes, 2)
    calls: list[int] = []
    best = Campaign.best
    monkeypatch.setattr(Campaign, "best", lambda self, *a: calls.append(1) or best(self, *a))
    seen(browser)
    seen(browser)
    assert len(calls) == 1
    tubes.ask()
    seen(browser)
    assert len(calls) == 2


def test_who_runs_experiments_does_not_wait_for_what_takes_long(
    browser_of: Callable[..., TestClient], tubes: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The buttons are there at once; what one would choose is there when it is looked at again."""
    play(tubes, 2)
    tubes.ask()
    go_on, best = threading.Event(), View.best
    monkeypatch.setattr(View, "best", lambda *a: best(*a) if go_on.wait(60) else None)
    browser = browser_of(patience=0.05)
    page = seen(browser)
    assert "It worked: single" in page
    assert "This is being worked out: 8 alternatives are compared after 2 outcomes. Look again" in page
    assert "The results are being worked out." in browser.get("/c/1/results").text
    told = post(browser, "/c/1", "/c/1/trials/3/tell", outcome="single", back="bench")  # nobody waits to record
    assert told.status_code == 303
    go_on.set()
    again = browser_of()
    assert tubes.best().choice in seen(again)
