"""Trials as a table: shown, as a file, and told back."""

from __future__ import annotations

from typing import Any

from fastapi.testclient import TestClient

from sureshot import Actions, Campaign, Contexts, Space
from sureshot.storage import Storage

from ..conftest import post, secret_of
from .test_bench import seen, text_of


def test_several_at_once_as_a_table_and_as_a_file(browser: TestClient, tubes: Campaign) -> None:
    tubes.ask()
    to = post(browser, "/c/1", "/c/1/ask", q="3", key="p").headers["location"]
    assert to == "/c/1/plate?first=2&last=4&done=4"
    page = seen(browser, to)
    assert "tubes: 3 trials to run" in page
    answer = browser.get("/c/1/plate.csv?first=2&last=4")
    header, *rows = answer.text.splitlines()
    assert header == "trial,power,catalyst,outcome"
    assert [row.split(",")[0] for row in rows] == ["2", "3", "4"]
    assert 'attachment; filename="trials-1-2-to-4.csv"' in answer.headers["content-disposition"]
    assert len(browser.get("/c/1/plate.csv").text.splitlines()) == 5


def sent_back(browser: TestClient, text: str, name: str = "plate.csv") -> Any:
    secret = secret_of(browser.get("/c/1/plate").text)
    files = {"file": (name, text.encode(), "text/csv")}
    return browser.post("/c/1/plate", data={"form": secret}, files=files, follow_redirects=False)


def test_outcomes_come_back_in_the_file(browser: TestClient, tubes: Campaign) -> None:
    tubes.ask_batch(3)
    header, first, second, third = browser.get("/c/1/plate.csv").text.splitlines()
    answer = sent_back(browser, "\n".join([header, f"{first}single", second, f"{third}double"]))
    assert answer.status_code == 303
    page = seen(browser, answer.headers["location"])
    assert "2 outcomes recorded; 1 row without an outcome passed over." in page
    assert [tubes.row(n).state for n in (1, 2, 3)] == ["told", "pending", "told"]


def test_a_file_with_a_mistake_records_nothing(browser: TestClient, tubes: Campaign) -> None:
    tubes.ask_batch(2)
    header, first, second = browser.get("/c/1/plate.csv").text.splitlines()
    answer = sent_back(browser, "\n".join([header, f"{first}single", f"{second}purple"]))
    assert answer.status_code == 404
    assert "unknown outcome 'purple'" in text_of(answer.text).lower()
    assert tubes.status().told == 0
    assert sent_back(browser, "", name="").status_code == 422


def test_units_are_on_the_sheet_and_the_words_to_write(browser: TestClient, store: Storage) -> None:
    space = Space.grid(temperature=[80, 100], units={"temperature": "C"})
    made = Campaign.create("films", space, success="black phase", failure="yellow", seed=1, storage=store)
    made.ask_batch(2)
    page = seen(browser, "/c/1/plate")
    assert "temperature, C" in page
    assert "Black phase or yellow?" in page
    assert "Write black phase or yellow into the last column" in page
    assert browser.get("/c/1/plate.csv").text.startswith("trial,temperature,outcome")


def test_from_the_sheet_of_a_desk_one_goes_to_the_desk(browser: TestClient, store: Storage) -> None:
    made = Campaign.create("d", Actions(["a", "b"]), context=Contexts(ward=["A", "B"]), seed=1, storage=store)
    made.ask({"ward": "A"})
    page = seen(browser, "/c/1/plate")
    assert "To the desk" in page
    assert "To the bench" not in page


def test_a_level_that_a_spreadsheet_would_run_is_guarded_and_comes_back(browser: TestClient, store: Storage) -> None:
    space = Space.grid(group=["=1+1", "-OH", "H"], other=["x", "@y"])
    made = Campaign.create("groups", space, seed=1, storage=store)
    made.ask_batch(6)
    lines = browser.get("/c/1/plate.csv").text.splitlines()
    assert lines[0] == "trial,group,other,outcome"
    assert {cell for line in lines[1:] for cell in line.split(",")[1:3]} == {"'=1+1", "'-OH", "H", "x", "'@y"}
    answer = sent_back(browser, "\n".join([lines[0], *(f"{line}success" for line in lines[1:])]))
    assert answer.status_code == 303, text_of(answer.text)
    assert made.status().told == 6
    made.ask_batch(2)
    header, first, second = browser.get("/c/1/plate.csv").text.splitlines()
    other = "H" if ",H," not in first else "'-OH"
    number, _, rest = first.split(",", 2)
    assert sent_back(browser, f"{header}\n{number},{other},{rest}success\n{second}").status_code == 422
