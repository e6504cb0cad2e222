"""Lab: the studies of a folder, with the numbers of their reports; and campaigns of simulated labs."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from html import unescape
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from sureshot import Campaign
from sureshot.demo.kept import keep
from sureshot.errors import CorruptLog
from sureshot.lab.report.reports import cost_table, score_table
from sureshot.lab.study.parts import load_rows
from sureshot.storage import CampaignSummary, Storage
from sureshot.web.opened import Held, Opened
from tests.web.studies import part


def shown(page: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


@pytest.fixture
def studies(tmp_path: Path) -> Path:
    for policy, cost in (("kg", 0.1), ("random", 0.3)):
        part(tmp_path / "studies" / "first", policy, cost)
    (tmp_path / "studies" / "empty").mkdir()
    part(tmp_path / "secret", "kg", 0.2)
    return tmp_path / "studies"


def test_without_studies_it_says_how_to_make_one(browser: TestClient) -> None:
    page = browser.get("/lab")
    assert page.status_code == 200
    assert "sureshot lab run" in page.text
    assert browser.get("/lab/first").status_code == 404


def test_studies_that_have_rows_are_listed(browser_of: Callable[..., TestClient], studies: Path) -> None:
    page = browser_of(studies=studies).get("/lab").text
    assert re.findall(r'href="/lab/([^"]+)"', page) == ["first"]


def test_a_study_has_the_numbers_of_its_report(browser_of: Callable[..., TestClient], studies: Path) -> None:
    text = shown(browser_of(studies=studies).get("/lab/first").text)
    rows = load_rows(studies / "first")
    for table in (cost_table(rows, 2), score_table(rows)):
        assert table.title in text
        assert table.note in text
        for name, cells in table.lines():
            for number, rest, _ in cells:
                assert f"{name} " in text
                assert f"{number} {rest.strip()}".strip() in text


def test_its_curves_are_data_and_an_image(browser_of: Callable[..., TestClient], studies: Path) -> None:
    browser = browser_of(studies=studies)
    page = browser.get("/lab/first").text
    links = [unescape(one) for one in re.findall(r'(?:data-chart|img src)="([^"]+)"', page)]
    assert [browser.get(one).headers["content-type"] for one in links] == ["application/json", "image/png"]
    data = browser.get(links[0]).json()["figure"]["data"]
    assert {one["name"] for one in data} == {"kg", "random"}


@pytest.mark.parametrize("name", ["..", "../secret", "..%2Fsecret", "%2e%2e/secret", "empty", "first/..", "/etc"])
def test_no_address_leads_out_of_the_folder(browser_of: Callable[..., TestClient], studies: Path, name: str) -> None:
    answer = browser_of(studies=studies).get(f"/lab/{name}", follow_redirects=False)
    assert answer.status_code == 404 or answer.url.path in ("/", "/lab", "/secret"), (answer.status_code, answer.url)
    assert "0.2" not in answer.text


def test_it_is_read_again_only_when_files_changed(
    browser_of: Callable[..., TestClient], studies: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sureshot.lab.report import shelf

    read: list[Path] = []
    monkeypatch.setattr(shelf, "load_rows", lambda folder: read.append(folder) or load_rows(folder))
    browser = browser_of(studies=studies)
    before = browser.get("/lab/first").text
    assert browser.get("/lab/first").text.count("random") == before.count("random")
    assert len(read) == 1
    part(studies / "first", "ucb", 0.2)
    assert "ucb" in browser.get("/lab/first").text
    assert len(read) == 2


def test_what_a_study_is_called_is_shown_as_text(browser_of: Callable[..., TestClient], studies: Path) -> None:
    page = browser_of(studies=studies).get("/lab/first").text
    assert "flat <world>" not in page
    assert "flat &lt;world&gt;" in page
    assert not re.search(r"""(?:src|href|action)\s*=\s*["'](?:[a-z]+:)?//""", page, re.I)


def test_simulated_campaigns_lead_to_their_truth(browser: TestClient, tubes: Campaign, store: Storage) -> None:
    tubes.tell_new(0, 1)
    keep(store, seed=1, first=1)
    page = browser.get("/lab").text
    assert re.findall(r'href="(/c/\d+/results[^"]*)"', page) == ["/c/2/results?reveal=true"]
    assert "The truth:" in shown(browser.get("/c/2/results?reveal=true").text)


def test_a_campaign_that_is_broken_does_not_hide_the_others(
    browser: TestClient, store: Storage, tubes: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    tubes.tell_new(0, "single")
    keep(store, author="Ann")
    whole = Opened.use_line

    def partly(opened: Opened, line: CampaignSummary) -> AbstractContextManager[Held]:
        if line.name == "tubes":
            raise CorruptLog("event 1 is not what was recorded")
        return whole(opened, line)

    monkeypatch.setattr(Opened, "use_line", partly)
    answer = browser.get("/lab")
    assert answer.status_code == 200
    assert 'href="/c/2' in answer.text
