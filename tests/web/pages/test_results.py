"""Results: the campaign's own numbers and sentences, in their order, sorted and paged on the server."""

from __future__ import annotations

import csv
import io
import json
import re
from html import unescape
from typing import Any

import pytest
from fastapi.testclient import TestClient

from sureshot import Actions, Campaign, Contexts, Space
from sureshot.campaign.answers.wording import percent, percents
from sureshot.demo import reveal
from sureshot.demo.kept import keep, world_of
from sureshot.storage import Storage
from sureshot.web.pages.results import ROWS

OUTCOMES = ((7, 4), (0, 1), (6, 3), (2, 0), (5, 2), (3, 1))


@pytest.fixture
def tried(tubes: Campaign) -> Campaign:
    for row, won in OUTCOMES:
        tubes.tell_new(row, won, of=4, author="Ann")
    for outcome in (1, 0):
        tubes.tell(tubes.ask(), outcome)
    return tubes


def shown(page: str) -> str:
    """A page's text as a person reads it."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def table_of(page: str) -> list[list[str]]:
    body = re.search(r"<tbody>(.*?)</tbody>", page, re.S)
    assert body
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", body[1], re.S)
    return [[shown(cell) for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.S)] for row in rows]


def alternatives_of(page: str) -> list[int]:
    return [int(one) for one in re.findall(r'data-alternative="(\d+)"', page)]


def test_what_to_choose_is_said_as_the_campaign_says_it(browser: TestClient, tried: Campaign) -> None:
    text = shown(browser.get("/c/1/results").text)
    best, advice = tried.best(), tried.advice()
    assert f"{best.choice}: {best.sureness}" in text
    assert advice.words[1:] in text
    assert all(sentence in text for sentence in tried.effects().sentences)
    if best.not_most_successful:
        assert best.not_most_successful in text


def test_the_parts_stand_in_their_order(browser: TestClient, tried: Campaign) -> None:
    page = browser.get("/c/1/results").text
    order = [
        'aria-label="What we would choose"',
        "When to stop:",
        'id="alternatives"',
        'id="effects-head"',
        'id="field-head"',
        'id="changed-head"',
        'id="calibration-head"',
        "Take it along",
    ]
    places = [page.index(one) for one in order]
    assert places == sorted(places)


def test_cautions_come_first(browser: TestClient, store: Storage) -> None:
    """Whatever is tried, half of it works: no model of the parameters helps."""
    made = Campaign.create("coin", Space.grid(power=[1, 2, 3], gas=["a", "b"]), seed=1, storage=store)
    for row in range(6):
        made.tell_new(row, 40, of=80)
    cautions = made.best().cautions
    assert cautions, "the model is wrong, and nobody says so"
    page = browser.get("/c/1/results").text
    assert page.index("Careful:") < page.index('aria-label="What we would choose"')
    assert cautions[0].partition(":")[0][1:] in shown(page)


def test_the_table_has_the_campaigns_numbers(browser: TestClient, tried: Campaign) -> None:
    page = browser.get("/c/1/results").text
    found = tried.predictions(top=ROWS)
    rows = table_of(page)
    assert alternatives_of(page) == found.alternative.tolist()
    for i, row in enumerate(rows):
        one = found[i]
        chance = f"{percent(one.chance)} ({percents(one.low, one.high)})"
        assert row[0].endswith(f"{chance} {found.settings(i)}")  # the settings for who has a phone
        assert row[2:4] == [f"{one.levels['power']:.0f}", one.levels["catalyst"]]  # after the bar
        assert row[-1] == (f"{one.successes} of {one.tries}" if one.tries else "")
    assert "to choose" in rows[0][0]
    assert all("to choose" not in row[0] for row in rows[1:])


@pytest.mark.parametrize(
    ("query", "asked", "sort"),
    [
        ("by=power&order=rising", {"by": "power", "rising": True}, "ascending"),
        ("by=power&order=falling", {"by": "power", "rising": False}, "descending"),
        ("by=tries", {"by": "tries"}, "descending"),
        ("by=value", {"by": "value"}, "descending"),
        ("by=chance&order=rising", {"by": "chance", "rising": True}, "ascending"),
    ],
)
def test_the_server_sorts(browser: TestClient, tried: Campaign, query: str, asked: dict[str, Any], sort: str) -> None:
    page = browser.get(f"/c/1/results?{query}").text
    assert alternatives_of(page) == tried.predictions(**asked).alternative.tolist()
    assert re.findall(r'aria-sort="(ascending|descending)"', page) == [sort]


def test_pages_follow_each_other_without_gaps(browser: TestClient, store: Storage) -> None:
    made = Campaign.create("many", Space.grid(a=list(range(12)), b=list(range(5))), seed=1, storage=store)
    made.tell_new(7, 1), made.tell_new(30, 0)
    first = browser.get("/c/1/results").text
    seen = alternatives_of(first)
    page, visited = first, 1
    while link := re.search(r'rel="next" href="([^"]+)"', page):
        page = browser.get(unescape(link[1])).text
        seen += alternatives_of(page)
        visited += 1
    assert visited == 3
    assert seen == made.predictions().alternative.tolist()
    assert "Page 3 of 3" in shown(browser.get("/c/1/results?page=99").text)


def test_an_unknown_column_is_refused_with_words(browser: TestClient, tried: Campaign) -> None:
    answer = browser.get("/c/1/results?by=pwoer")
    assert answer.status_code == 404
    assert "Did you mean 'power'?" in unescape(answer.text)


def test_as_it_was_after_an_event(browser: TestClient, tried: Campaign) -> None:
    page = browser.get("/c/1/results?to=2").text
    then = tried.rewind(2)
    assert "as it was after event 2" in page
    assert f"{then.best().choice}: {then.best().sureness}" in shown(page)
    assert alternatives_of(page) == then.predictions(top=ROWS).alternative.tolist()
    links = [unescape(one) for one in re.findall(r'(?:href|data-chart)="(/c/1/[^"]*\?[^"]*)"', page)]
    assert links
    assert all("to=2" in one for one in links if "As it is now" not in one and one != "/c/1/results"), links
    assert browser.get("/c/1/results?to=999").status_code == 422


def test_nothing_is_known_yet(browser: TestClient, tubes: Campaign) -> None:
    page = browser.get("/c/1/results")
    assert page.status_code == 200
    assert "Nothing is known yet" in page.text
    assert "data-chart" not in page.text
    assert "<table" not in page.text


class TestCases:
    @pytest.fixture
    def desk(self, store: Storage) -> Campaign:
        made = Campaign.create(
            "desk",
            Actions(["treat", "wait"]),
            context=Contexts(ward=["A", "B"], age=(18, 90)),
            storage=store,
            seed=1,
        )
        for action, ward, won in (("treat", "A", 8), ("wait", "A", 2), ("treat", "B", 1), ("wait", "B", 9)):
            made.tell_new(action, won, of=10, context={"ward": ward, "age": 40})
        return made

    def test_a_case_is_asked_for_first(self, browser: TestClient, desk: Campaign) -> None:
        page = browser.get("/c/1/results").text
        assert "In which case?" in page
        assert 'aria-label="What we would choose"' not in page
        assert all(sentence in shown(page) for sentence in desk.effects().sentences)  # averaged over the cases

    @pytest.mark.parametrize(("ward", "action"), [("A", "treat"), ("B", "wait")])
    def test_then_all_is_about_it(self, browser: TestClient, desk: Campaign, ward: str, action: str) -> None:
        page = browser.get(f"/c/1/results?case.ward={ward}&case.age=40").text
        best = desk.best({"ward": ward, "age": 40})
        assert best.levels["action"] == action
        assert f"{best.choice}: {best.sureness}" in shown(page)
        assert f'<option value="{ward}" selected>{ward}</option>' in page

    @pytest.mark.usefixtures("desk")
    def test_what_is_wrong_is_said_there_and_kept(self, browser: TestClient) -> None:
        answer = browser.get("/c/1/results?case.ward=A&case.age=old")
        assert answer.status_code == 422
        assert 'class="wrong"' in answer.text
        assert 'value="old"' in answer.text
        assert 'aria-invalid="true"' in answer.text


class TestTruth:
    def test_it_is_revealed_on_request_only(self, browser: TestClient, store: Storage) -> None:
        made = keep(store, seed=1, first=4)
        world = world_of(made)
        assert world is not None
        found = reveal(world, made)
        before = browser.get("/c/1/results").text
        assert "Reveal the truth" in before
        assert found.words not in shown(before)
        link = re.search(r'href="([^"]+)">Reveal the truth', before)
        assert link
        page = browser.get(unescape(link[1])).text
        assert found.words in shown(page)
        column = 2  # after the chance and its bar
        for row, alternative in zip(table_of(page), alternatives_of(page), strict=True):
            assert row[column] == percent(world.chance(alternative))

    @pytest.mark.usefixtures("tried")
    def test_a_real_lab_has_no_such_button(self, browser: TestClient) -> None:
        page = browser.get("/c/1/results?reveal=true").text
        assert "truth" not in page.lower()


@pytest.mark.usefixtures("tried")
class TestPictures:
    @pytest.mark.parametrize("kind", ["chance", "value", "effects", "recommendation", "calibration"])
    def test_each_is_data_and_an_image(self, browser: TestClient, kind: str) -> None:
        answer = browser.get(f"/c/1/pictures/{kind}.json")
        assert answer.headers["content-type"] == "application/json"
        found = answer.json()
        assert found["figure"]["data"]
        assert found["title"]
        image = browser.get(f"/c/1/pictures/{kind}.png")
        assert image.headers["content-type"] == "image/png"
        assert image.content.startswith(b"\x89PNG")

    def test_the_page_names_pictures_that_are_there(self, browser: TestClient, tried: Campaign) -> None:
        page = browser.get("/c/1/results?x=catalyst&y=power&measure=value").text
        links = [unescape(one) for one in re.findall(r'(?:data-chart|img src)="([^"]+)"', page)]
        assert len(links) == 6  # calibration has too few tries for a picture, and says so
        assert tried.calibration().words in shown(page)
        assert {browser.get(one).status_code for one in links} == {200}
        assert any("value.json?x=catalyst&y=power" in one for one in links)
        assert all(re.search(r'alt="[^"]{20,}"', one) for one in re.findall(r"<img[^>]+>", page))

    def test_a_point_knows_its_alternative(self, browser: TestClient, tried: Campaign) -> None:
        found = browser.get("/c/1/pictures/chance.json?x=power&y=catalyst").json()["figure"]["data"][0]
        assert sorted(one for row in found["customdata"] for one in row) == list(range(8))
        chances = dict(
            zip(*(getattr(tried.predictions(), name).tolist() for name in ("alternative", "chance")), strict=True)
        )
        numbers = found["z"] if isinstance(found["z"], list) else None
        if numbers is not None:
            for row, which in zip(numbers, found["customdata"], strict=True):
                assert row == pytest.approx([chances[one] for one in which])

    def test_no_other_is_drawn(self, browser: TestClient) -> None:
        assert browser.get("/c/1/pictures/convergence.json").status_code == 404
        assert browser.get("/c/1/pictures/chance.exe").status_code == 422

    def test_the_script_is_that_of_the_installed_package(self, browser: TestClient) -> None:
        from plotly.offline import get_plotlyjs

        link = re.search(r'src="(/static-plotly/[^"]+)"', browser.get("/c/1/results").text)
        assert link
        answer = browser.get(link[1])
        assert answer.text == get_plotlyjs()
        assert "immutable" in answer.headers["cache-control"]

    def test_the_script_still_looks_for_our_stylesheet(self) -> None:
        """By its id and its class: then it puts no styles into the page, which the policy forbids."""
        from plotly.offline import get_plotlyjs

        script = get_plotlyjs()
        assert '"plotly.js-style-"' in script
        assert ".no-inline-styles" in script


class TestFiles:
    def test_every_alternative(self, browser: TestClient, tried: Campaign) -> None:
        answer = browser.get("/c/1/alternatives.csv")
        assert answer.headers["content-disposition"].startswith('attachment; filename="tubes-alternatives.csv"')
        rows = list(csv.DictReader(io.StringIO(answer.text)))
        found = tried.predictions()
        assert [int(row["alternative"]) for row in rows] == found.alternative.tolist()
        assert [float(row["chance"]) for row in rows] == pytest.approx(found.chance.tolist())

    def test_a_formula_is_not_run_by_a_spreadsheet(self, browser: TestClient, store: Storage) -> None:
        made = Campaign.create("=1+1", Space.grid(solvent=["=cmd|x", "-OH"], power=[-3, 4]), seed=1, storage=store)
        made.tell_new(0, 1)
        answer = browser.get("/c/1/alternatives.csv")
        rows = list(csv.DictReader(io.StringIO(answer.text)))
        assert {row["solvent"] for row in rows} == {"'=cmd|x", "'-OH"}
        assert {row["power"] for row in rows} == {"-3", "4"}
        assert "=" not in answer.headers["content-disposition"].partition('"')[2].partition('"')[0]

    def test_the_report_opens_offline(self, browser: TestClient, tried: Campaign) -> None:
        answer = browser.get("/c/1/report.html")
        assert answer.headers["content-disposition"].startswith('attachment; filename="tubes.html"')
        assert f"{tried.best().choice}: {tried.best().sureness}" in unescape(answer.text)
        assert "default-src 'none'" in unescape(answer.text)  # the page itself forbids the browser to ask anybody
        bare = re.sub(r"<script.*?</script>", "", answer.text, flags=re.S)
        assert not re.search(r'(?:src|href)="(?:https?:)?//', bare)


def test_whatever_it_is_called_is_shown_as_text(browser: TestClient, store: Storage) -> None:
    name = '<script>alert("x")</script>'
    space = Space.grid(power=[8, 10, 12], catalyst=["<i>Fe", "Co&amp;'\""])
    made = Campaign.create(name, space, success="<u>single", failure="double", seed=1, storage=store)
    for row in range(6):
        made.tell_new(row, row % 2)
    page = browser.get("/c/1/results").text
    assert not re.search(r"<script>alert|<i>Fe|<u>single", page)
    assert name in unescape(page)
    for link in re.findall(r'data-chart="([^"]+)"', page):
        assert "<i>Fe" not in json.dumps(browser.get(unescape(link)).json()["figure"])  # Plotly reads tags, too


def test_no_page_asks_another_address(browser: TestClient, tried: Campaign) -> None:
    page = browser.get("/c/1/results").text
    assert not re.search(r"""(?:src|href|action)\s*=\s*["'](?:[a-z]+:)?//""", page, re.I)
    assert "style=" not in page
    assert not re.search(r"<script(?![^>]*src=)", page)
