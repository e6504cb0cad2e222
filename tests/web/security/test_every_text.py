"""Every text that a person can write is shown as text: on every page, in every answer, picture, report and card."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from markupsafe import escape

from sureshot import Campaign, Contexts, Space
from sureshot.storage import Storage
from tests.web.conftest import post, secret_of
from tests.web.routes import every_way

#: What a browser would run or follow, if it stood in a page as it is; {n} says which text it was.
NASTY = (
    '{n}<img src=x onerror=alert(1)><script>alert(1)</script><a href="javascript:alert(1)">\'"`&{{{{7*7}}}}${{7}}</p>'
)
UNIT = "<img src=x onerror=alert(1)>"
RAW = re.compile(r"\d+<(?:img|script|a href)|<img src=x")
#: What Plotly shows as it is: its own few tags, of which these are ours.
OURS = re.compile(r"</?b>|<br>|<span style=\"font-size: \d+px\">|</span>|<extra></extra>")


def nasty(n: int) -> str:
    return NASTY.format(n=n)


@pytest.fixture
def written(store: Storage) -> list[Campaign]:
    """Campaigns whose every text is such a one, a bench and a desk, with trials and notes by people of such names. Only
    names of columns can't be: they are words of letters and digits.
    """
    pool: dict[str, list[Any]] = {
        f"power [{UNIT}]": [8.0, 10.0, 12.0, 14.0] * 2,
        "gas": [nasty(3)] * 4 + [nasty(4)] * 4,
    }
    pool["sample"] = [f"{nasty(6)}{i}" for i in range(8)]
    said: dict[str, Any] = {"success": nasty(7), "failure": nasty(8), "seed": 1, "storage": store}
    bench = Campaign.create(nasty(9), Space.from_frame(pool, id="sample"), **said)
    cases = Contexts(age=(18, 90), ward=[nasty(12), nasty(13)])
    actions = Space.grid(drug=[nasty(15), nasty(16)])
    desk = Campaign.create(nasty(17), actions, context=cases, **said)
    case = {"age": 61, "ward": nasty(12)}
    for one, context in ((bench, None), (desk, case)):
        for outcome in (1, 0, 1):
            trial = one.ask(context, author=nasty(18))
            one.tell(trial, outcome, author=nasty(19), note=nasty(20))
        one.note(nasty(21), author=nasty(22))
        one.correct(1, 0, author=nasty(23), note=nasty(24))
        one.ask(context, author=nasty(25))
    return [bench, desk]


def test_no_address_answers_with_it_as_it_is(browser: TestClient, written: list[Campaign]) -> None:
    pages, pictures = 0, 0
    for way in every_way(browser.app):  # type: ignore[arg-type]
        if way.method != "GET":
            continue
        for number in (1, 2):
            path = re.sub(r"/(c|campaigns)/1", rf"/\1/{number}", way.path)
            kinds = ("field", "chance", "effects", "recommendation", "calibration")
            every = [path.replace("pictures/1.1", f"pictures/{kind}.json") for kind in kinds]
            for one in dict.fromkeys(every):
                answer = browser.get(one, params={"case.age": "61", "case.ward": nasty(12)})
                assert answer.status_code < 500, (one, answer.text)
                kind = answer.headers.get("content-type", "")
                assert answer.headers["x-content-type-options"] == "nosniff"
                if "html" in kind:
                    assert not RAW.search(answer.text), one
                    pages += str(escape(nasty(9)))[:20] in answer.text
                elif answer.status_code == 200 and "/pictures/" in one:
                    pictures += 1
                    for text in texts(answer.json()["figure"]):
                        assert "<" not in OURS.sub("", text), (one, text)
                else:
                    assert kind.partition(";")[0] in (
                        "application/json", "text/csv", "text/css", "text/javascript", "image/png", "text/plain", "",
                    ), one  # fmt: skip  # which no browser runs as a page
    assert pages > 5
    assert pictures >= 5


def texts(figure: Any) -> list[str]:
    """All texts in a figure of Plotly."""
    if isinstance(figure, str):
        return [figure]
    if isinstance(figure, dict):
        return [text for one in figure.values() for text in texts(one)]
    return [text for one in figure for text in texts(one)] if isinstance(figure, list) else []


@pytest.mark.parametrize("number", [0, 1])
def test_no_picture_page_or_card_holds_it_as_it_is(written: list[Campaign], number: int, tmp_path: Any) -> None:
    campaign = written[number]
    case = {"age": 61, "ward": nasty(12)} if number else None
    campaign.report(tmp_path / "report.html", context=case)
    report = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert str(escape(nasty(9 if not number else 17)))[:20] in report
    assert not RAW.search(report)
    for one in (campaign, campaign.best(case), campaign.trial(4), campaign.ask(case)):
        card = one._repr_html_()
        assert "&lt;script&gt;" in card
        assert not RAW.search(card)
    for kind in ("effects", "recommendation", "calibration", "chance"):
        for text in texts(campaign.plot(kind, context=None if kind == "calibration" else case).to_plotly_json()):
            assert "<" not in OURS.sub("", text), (kind, text)


@pytest.mark.parametrize(
    "form",
    [
        ("/new", {"name": nasty(1), "parameters.name": nasty(2), "parameters.levels": nasty(3), "do": "look"}),
        ("/new", {"name": "x", "parameters.name": "a", "parameters.levels": f"{nasty(3)}, b", "where": nasty(4)}),
        ("/new", {"name": "x", "parameters.name": "a", "parameters.levels": "1, 2", "success": nasty(5), "do": "look"}),
        ("/new/like", {"old": nasty(1), "name": nasty(2)}),
        ("/new/import", {"name": nasty(1)}),
        ("/c/1/rename", {"name": nasty(1) + "x" * 300}),
        ("/c/1/ask", {"q": nasty(1)}),
        ("/c/1/new", {"outcome": nasty(1), f"level.{nasty(2)}": nasty(3), "note": nasty(4)}),
        ("/c/1/trials/4/tell", {"outcome": nasty(1), "note": nasty(2), "back": nasty(3)}),
        ("/c/1/trials/1/correct", {"k": nasty(1), "n": nasty(2), "several": "yes", "note": nasty(3)}),
        ("/c/1/note", {"text": nasty(1), "trial": nasty(2), "back": nasty(3)}),
        ("/c/2/case", {"case.age": nasty(1), f"case.{nasty(99)}": nasty(2)}),
        ("/c/2/ask", {"case.age": nasty(1), "key": nasty(2)}),
        ("/who", {"who": nasty(1) + "x" * 300, "to": nasty(2)}),
        ("/login", {"token": nasty(1), "to": nasty(2)}),
    ],
    ids=lambda form: form[0],
)
def test_no_form_shows_what_was_typed_as_it_is(
    browser: TestClient, written: list[Campaign], form: tuple[str, dict[str, str]]
) -> None:
    path, fields = form
    answer = post(browser, "/", path, **fields)
    assert answer.status_code < 500, answer.text
    assert not RAW.search(answer.text)
    assert "\n" not in answer.headers.get("location", "")


@pytest.mark.parametrize("name", ["<script>.csv", "a<img src=x onerror=alert(1)>.csv", "a.csv<b>", "a\r\nb.csv"])
def test_no_name_of_a_file_is_shown_as_it_is(browser: TestClient, name: str) -> None:
    form = secret_of(browser.get("/new").text)
    for content in (b"power,gas\n8,Ar\n10,He\n", b"\xff\xff\xff", b""):
        files = {"candidates": (name, content, "text/csv")}
        answer = browser.post("/new", data={"form": form, "do": "look", "name": "x"}, files=files)
        assert answer.status_code < 500
        assert not re.search(r"<script>|<img src=x|<b>\.|csv<b>", answer.text)


def test_the_page_of_a_browser_that_is_not_logged_in_shows_no_address_as_it_is(
    browser_of: Callable[..., TestClient], tmp_path: Any
) -> None:
    from sureshot.web.security.token_file import add_token

    add_token(tmp_path / "tokens.json", "Ann", "bench", made="today")
    stranger = browser_of(tokens=tmp_path / "tokens.json")
    for path in (f"/c/1?x={nasty(1)}", f"/{nasty(1)}", f"/login?to=/{nasty(1)}", f"/c/{nasty(1)}"):
        answer = stranger.get(path)
        assert not RAW.search(answer.text)
        assert "<script>alert" not in answer.text
