"""What is recorded by a form, once, and what is said where it can't be."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from typing import Any

import pytest
from fastapi.testclient import TestClient

from sureshot import Campaign
from sureshot.campaign.answers.wording import told_meanwhile
from sureshot.demo.kept import LAB, keep, world_of
from sureshot.storage import Storage

from ..conftest import post, secret_of


def kinds(campaign: Campaign) -> list[str]:
    return [one["kind"] for one in campaign.export()["events"]]


def led_to(answer: Any) -> str:
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


@pytest.fixture
def asked(tubes: Campaign) -> Campaign:
    """One trial is waiting."""
    tubes.ask(author="Ann")
    return tubes


def test_ask_records_a_trial_and_leads_back(browser: TestClient, tubes: Campaign) -> None:
    assert led_to(post(browser, "/c/1", "/c/1/ask", key="a")) == "/c/1?done=1"
    assert kinds(tubes) == ["asked"]


def test_looking_records_nothing(browser: TestClient, tubes: Campaign) -> None:
    for path in ("/c/1", "/c/1?done=7", "/c/1?done=0"):
        assert browser.get(path).status_code == 200
    assert tubes.last_event() == 0
    for path in ("/c/1/ask", "/c/1/trials/1/tell", "/c/1/trials/1/withdraw", "/c/1/note", "/c/1/new"):
        assert browser.get(path).status_code == 405
    assert tubes.last_event() == 0


def test_asked_twice_under_one_key_is_one_trial(browser: TestClient, tubes: Campaign) -> None:
    first, second = (led_to(post(browser, "/c/1", "/c/1/ask", key="press-1")) for _ in range(2))
    assert first == second == "/c/1?done=1"
    assert kinds(tubes) == ["asked"]


def test_tell_in_the_campaigns_words_with_a_note(browser: TestClient, asked: Campaign) -> None:
    to = led_to(post(browser, "/c/1", "/c/1/trials/1/tell", outcome="single", note="a bit <b>dark</b>"))
    assert to == "/c/1?done=2"
    row = asked.row(1)
    assert (row.state, row.outcome, row.notes) == ("told", "single", ("a bit <b>dark</b>",))


def test_several_tries(browser: TestClient, asked: Campaign) -> None:
    led_to(post(browser, "/c/1", "/c/1/trials/1/tell", k="7", n="10", several="yes"))
    assert (asked.row(1).successes, asked.row(1).of) == (7, 10)


def test_several_tries_that_can_not_be_are_said_at_their_field(browser: TestClient, asked: Campaign) -> None:
    answer = post(browser, "/c/1", "/c/1/trials/1/tell", k="11", n="10", several="yes", note="kept")
    assert answer.status_code == 422
    assert re.search(r'name="k"[^>]*value="11" aria-invalid="true" aria-describedby="wrong"', answer.text)
    assert re.search(r'name="n"[^>]*value="10" aria-invalid="true"', answer.text)
    assert 'value="kept"' in answer.text
    assert asked.row(1).state == "pending"


def test_the_same_outcome_again_is_recorded_once_and_said_quietly(browser: TestClient, asked: Campaign) -> None:
    first, second = (
        led_to(post(browser, "/c/1", "/c/1/trials/1/tell", outcome="single", note="dark")) for _ in range(2)
    )
    assert (first, second) == ("/c/1?done=2", "/c/1?done=2&again=1")
    assert kinds(asked) == ["asked", "told"]
    assert "This was recorded already, and not once more." in browser.get(second).text


def test_the_same_outcome_by_another_keeps_the_note(browser: TestClient, asked: Campaign) -> None:
    asked.tell(1, "single", author="Ann")
    to = led_to(post(browser, "/c/1", "/c/1/trials/1/tell", outcome="single", note="second look"))
    assert to == "/c/1?done=3"
    assert asked.row(1).notes == ("second look",)


def test_another_outcome_than_somebody_told_is_shown_with_both(browser: TestClient, asked: Campaign) -> None:
    asked.tell(1, "single", author="Ann")
    answer = post(browser, "/c/1", "/c/1/trials/1/tell", outcome="double", note='half "yellow" <i>')
    row = asked.row(1)
    assert answer.status_code == 409
    said = told_meanwhile(1, "single", "Ann", row.told_at or "", None)
    assert said.startswith("Somebody else told trial 1 meanwhile: single, by Ann")
    assert said in unescape(answer.text)
    assert "Correct: it was double" in answer.text
    assert "Leave it: single" in answer.text
    assert 'value="half &#34;yellow&#34; &lt;i&gt;"' in answer.text
    assert kinds(asked) == ["asked", "told"]
    led_to(
        browser.post(
            "/c/1/trials/1/correct", data={"form": secret_of(answer.text), "outcome": "double"}, follow_redirects=False
        )
    )
    assert (asked.row(1).outcome, asked.row(1).corrections) == ("double", 1)


def test_a_correction_is_recorded_once(browser: TestClient, asked: Campaign) -> None:
    asked.tell(1, "single")
    first, second = (led_to(post(browser, "/c/1", "/c/1/trials/1/correct", outcome="double")) for _ in range(2))
    assert (first, second) == ("/c/1?done=3", "/c/1?done=3&again=1")
    assert kinds(asked) == ["asked", "told", "corrected"]


def test_nothing_to_correct_yet(browser: TestClient, asked: Campaign) -> None:
    answer = post(browser, "/c/1", "/c/1/trials/1/correct", outcome="double")
    assert answer.status_code == 409
    assert "has no outcome to correct yet" in answer.text
    assert kinds(asked) == ["asked"]


def test_did_not_run(browser: TestClient, asked: Campaign) -> None:
    first, second = (
        led_to(post(browser, "/c/1", "/c/1/trials/1/withdraw", note="broke", pending="yes")) for _ in range(2)
    )
    assert (first, second) == ("/c/1?done=2", "/c/1?done=2&again=1")
    assert (asked.row(1).state, asked.row(1).notes) == ("withdrawn", ("broke",))


def test_did_not_run_takes_out_no_outcome_that_somebody_told_meanwhile(browser: TestClient, asked: Campaign) -> None:
    asked.tell(1, "single", author="Ann")
    answer = post(browser, "/c/1", "/c/1/trials/1/withdraw", pending="yes", note="broke")
    assert answer.status_code == 409
    assert "Somebody else told trial 1 meanwhile: single, by Ann" in answer.text
    assert asked.row(1).state == "told"
    led_to(post(browser, "/c/1", "/c/1/trials/1/withdraw"))  # one that knows of the outcome does
    assert asked.row(1).state == "withdrawn"


def test_told_after_it_was_taken_out(browser: TestClient, asked: Campaign) -> None:
    asked.withdraw(1, author="Ann")
    answer = post(browser, "/c/1", "/c/1/trials/1/tell", outcome="single", note="it ran")
    assert answer.status_code == 409
    assert "was withdrawn by Ann" in answer.text
    assert "it ran" in answer.text
    assert kinds(asked) == ["asked", "withdrawn"]


def test_an_experiment_that_was_never_asked_once(browser: TestClient, tubes: Campaign) -> None:
    fields = {"level.power": "14", "level.catalyst": "Co", "outcome": "single", "note": "old", "key": "k"}
    for _ in range(2):
        assert led_to(post(browser, "/c/1", "/c/1/new", **fields)) == "/c/1?done=1"
    row = tubes.row(1)
    assert (row.levels, row.outcome, row.notes, row.asked) == (
        {"power": 14.0, "catalyst": "Co"},
        "single",
        ("old",),
        False,
    )
    assert kinds(tubes) == ["told"]


def test_an_experiment_that_can_not_be_keeps_what_was_typed(browser: TestClient, tubes: Campaign) -> None:
    fields = {"level.power": "warm", "level.catalyst": "Co", "outcome": "single", "note": "kept"}
    answer = post(browser, "/c/1", "/c/1/new", **fields)
    assert answer.status_code == 422
    assert 'value="warm"' in answer.text
    assert 'value="kept"' in answer.text
    assert '<option value="Co" selected>' in answer.text
    assert tubes.last_event() == 0


def test_notes(browser: TestClient, asked: Campaign) -> None:
    first, second = (led_to(post(browser, "/c/1", "/c/1/note", text="new lamp", back="history")) for _ in range(2))
    assert (first, second) == ("/c/1/history?done=2", "/c/1/history?done=2&again=1")
    led_to(post(browser, "/c/1", "/c/1/note", text="new lamp", trial="1"))
    assert asked.status().notes == ("new lamp",)
    assert asked.row(1).notes == ("new lamp",)
    assert post(browser, "/c/1", "/c/1/note", text="  ").status_code == 422


@pytest.mark.parametrize(("back", "path"), [("bench", "/c/1"), ("history", "/c/1/history"), ("//evil.example", "/c/1")])
def test_where_the_browser_is_led(browser: TestClient, asked: Campaign, back: str, path: str) -> None:
    to = led_to(post(browser, "/c/1", "/c/1/trials/1/tell", outcome="single", back=back))
    assert to == f"{path}?done=2"


@pytest.mark.parametrize("path", ["ask", "trials/1/tell", "trials/1/correct", "trials/1/withdraw", "note", "new"])
def test_without_the_secret_of_a_form_nothing_is_recorded(browser: TestClient, asked: Campaign, path: str) -> None:
    browser.get("/c/1")
    for given in ({}, {"form": "0" * 64}):
        answer = browser.post(f"/c/1/{path}", data={**given, "outcome": "single", "text": "hm"})
        assert answer.status_code == 403
    assert kinds(asked) == ["asked"]


def test_a_server_that_only_shows_records_nothing(browser_of: Any, asked: Campaign) -> None:
    browser = browser_of(read_only=True)
    page = browser.get("/c/1").text
    assert "<form" not in page
    assert "This display only shows" in page
    answer = browser.post("/c/1/trials/1/tell", data={"outcome": "single"})
    assert answer.status_code == 403
    assert asked.row(1).state == "pending"


def test_an_unknown_trial_or_campaign(browser: TestClient, asked: Campaign) -> None:
    assert post(browser, "/c/1", "/c/1/trials/9/tell", outcome="single").status_code == 404
    assert post(browser, "/c/1", "/c/7/ask").status_code == 404
    assert post(browser, "/c/1", "/c/1/trials/1/tell", outcome="purple").status_code == 404
    assert kinds(asked) == ["asked"]


def test_two_browsers_at_once_tell_one_trial_once(browser_of: Any, asked: Campaign) -> None:
    browsers = [browser_of() for _ in range(2)]
    secrets = [secret_of(one.get("/c/1").text) for one in browsers]

    def press(i: int) -> int:
        browser, outcome = browsers[i % 2], ("single", "double")[i % 2]
        fields = {"form": secrets[i % 2], "outcome": outcome}
        return int(browser.post("/c/1/trials/1/tell", data=fields, follow_redirects=False).status_code)

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(press, range(8)))
    assert kinds(asked) == ["asked", "told"]
    won = asked.row(1).successes
    assert [code == 303 for code in found] == [(i % 2 == 0) == bool(won) for i in range(8)]


def test_presses_at_once_under_one_key_ask_once(browser_of: Any, tubes: Campaign) -> None:
    browsers = [browser_of() for _ in range(2)]
    secrets = [secret_of(one.get("/c/1").text) for one in browsers]

    def press(i: int) -> str:
        fields = {"form": secrets[i % 2], "key": "one press"}
        return led_to(browsers[i % 2].post("/c/1/ask", data=fields, follow_redirects=False))

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(press, range(6))) == {"/c/1?done=1"}
    assert kinds(tubes) == ["asked"]


def test_the_simulated_lab_runs_a_trial_once(browser: TestClient, store: Storage) -> None:
    made = keep(store, seed=1, first=0)
    made.ask()
    assert "Let the simulated lab run it" in browser.get("/c/1").text
    before = made.last_event()
    for _ in range(2):
        answer = post(browser, "/c/1", "/c/1/trials/1/simulate")
        assert led_to(answer) == f"/c/1?done={before + 1}"
    assert made.last_event() == before + 1
    row, world = made.row(1), world_of(made)
    assert world is not None
    assert row.successes == int(world.answers(1)[0, row.alternative])
    assert made.events()[0].author == LAB


def test_no_simulated_lab_runs_a_real_experiment(browser: TestClient, asked: Campaign) -> None:
    assert "simulated" not in browser.get("/c/1").text
    answer = post(browser, "/c/1", "/c/1/trials/1/simulate")
    assert answer.status_code == 422
    assert "is not of a simulated lab" in answer.text
    assert asked.row(1).state == "pending"
