"""The whole of it with few runs: files, and a page whose numbers are those of the rows."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from sureshot.cli.screen.output import document
from sureshot.errors import InvalidInput
from sureshot.lab import load_rows
from sureshot.lab.paper import making
from sureshot.lab.paper.making import reproduce
from sureshot.lab.paper.page import in_the_papers_order
from sureshot.lab.paper.setting import POLICIES, RIVALS
from sureshot.lab.worlds import get_world
from sureshot.lab.worlds.real import uci

RUNS = 6
PNG, SVG = b"\x89PNG\r\n\x1a\n", b"<?xml"


def little_panels():
    """Two worlds in place of the nine."""
    return {"synthetic data, d = 2": get_world("synthetic", d=2, M=25), "noisy": get_world("noisy", d=2, M=25)}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory):
    """All four figures, the page in another folder than the figures."""
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(making, "panel_worlds", little_panels)
        told = []
        done = reproduce(
            runs=RUNS,
            seed=3,
            out=folder / "docs" / "pictures" / "again",
            page_to=folder / "docs" / "again.md",
            rows_in=folder / "rows",
            command="sureshot lab reproduce --runs 6 --seed 3",
            progress=lambda *words: told.append(words),
        )
    return folder, done, told


def test_every_figure_is_a_png_and_an_svg(made):
    folder, done, _ = made
    pictures = folder / "docs" / "pictures" / "again"
    for number in (1, 2, 3, 4):
        assert (pictures / f"figure{number}.png").read_bytes().startswith(PNG)
        assert (pictures / f"figure{number}.svg").read_bytes().startswith(SVG)
    assert set(done.files) == {*pictures.iterdir(), folder / "docs" / "again.md"}


def test_pictures_on_the_page_are_where_it_says(made):
    folder, _, _ = made
    page = (folder / "docs" / "again.md").read_text(encoding="utf-8")
    linked = re.findall(r"\(([^()\s]+\.(?:png|svg))\)", page)
    assert len(linked) == 8
    assert all((folder / "docs" / one).is_file() for one in linked)


def test_the_page_says_what_made_it(made):
    folder, _, told = made
    page = (folder / "docs" / "again.md").read_text(encoding="utf-8")
    assert "$ sureshot lab reproduce --runs 6 --seed 3" in page
    assert re.search(r"^Seed 3, 6 runs, 20\d\d-\d\d-\d\d; \d+ cores, .*NumPy", page, flags=re.MULTILINE)
    assert str(folder) not in page
    assert told[0] == (0, 2 * RUNS)
    assert told[-1] == (2 * len(POLICIES) * RUNS, 2 * len(POLICIES) * RUNS)


def test_every_claim_stands_on_the_page_with_its_verdict(made):
    folder, done, _ = made
    page = (folder / "docs" / "again.md").read_text(encoding="utf-8")
    assert [claim.figure for claim in done.claims] == [*"112233", *"4" * 15]
    for claim in done.claims:
        assert f"| {claim.figure} | {claim.says} | {claim.measured} | **{claim.verdict}** |" in page


def test_how_often_the_best_was_found_is_that_of_the_rows(made):
    folder, _, _ = made
    page = (folder / "docs" / "again.md").read_text(encoding="utf-8")
    rows = load_rows(folder / "rows" / "behaviour-seed-3")
    for world, figure in (("synthetic-d2", 1), ("synthetic-d3", 2)):
        won = (rows[rows["world"] == world].pivot_table(index="run", columns="n", values="oc_plugin") == 0).sum()
        ends = [stats.binomtest(int(one), RUNS).proportion_ci(method="wilson") for one in won]
        section = page.split(f"## Figure {figure}:")[1].split("\n## ")[0]
        assert "| found, % | " + " | ".join(f"{100 * one / RUNS:.1f}" for one in won) + " |" in section
        words = (f"{100 * one.low:.1f} to {100 * one.high:.1f}" for one in ends)
        assert "| 95 % interval | " + " | ".join(words) + " |" in section


def cells(page: str, heading: str) -> pd.DataFrame:
    """The first table under a heading, as text."""
    lines = page.split(heading, 1)[1].split("\n")
    begin = next(i for i, line in enumerate(lines) if line.startswith("|"))
    end = next(i for i in range(begin, len(lines)) if not lines[i].startswith("|"))
    split = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[begin:end]]
    return pd.DataFrame(split[2:], columns=split[0]).set_index(split[0][0])


@pytest.mark.parametrize(
    ("heading", "value"),
    [("by the mean weights, the paper's rule:", "oc_plugin"), ("by predicted probability:", "oc")],
)
def test_differences_on_average_over_worlds_are_those_of_the_rows(made, heading, value):
    folder, _, _ = made
    page = (folder / "docs" / "again.md").read_text(encoding="utf-8")
    shown = cells(page, f"The choice is made {heading}")
    rows = load_rows(folder / "rows" / "comparison-seed-3")
    mean = rows.groupby(["world", "policy", "n"])[value].mean().unstack("n")
    mean["area"] = mean.mean(axis=1)
    mean = 100 * mean.groupby("policy").mean()
    assert list(shown.index) == list(RIVALS)
    heads = {"after 5 trials": 5, "after 10 trials": 10, "after 30 trials": 30, "on average over all trials": "area"}
    for rival in RIVALS:
        for head, n in heads.items():
            assert float(shown.loc[rival, head].split(" ")[0]) == pytest.approx(
                mean.loc["kg", n] - mean.loc[rival, n], abs=0.0051
            )


def test_differences_in_each_world_are_those_of_the_rows(made):
    folder, _, _ = made
    page = (folder / "docs" / "again.md").read_text(encoding="utf-8")
    shown = cells(page, "**After 10 trials**")
    rows = load_rows(folder / "rows" / "comparison-seed-3")
    for title, world in little_panels().items():
        wide = rows[(rows["world"] == world.label) & (rows["n"] == 10)].pivot(
            index="run", columns="policy", values="oc_plugin"
        )
        for rival in RIVALS:
            gaps = 100 * (wide["kg"] - wide[rival]).to_numpy()
            value, low, high = map(float, re.findall(r"[-+]?\d+\.\d+", shown.loc[title, rival]))
            assert value == pytest.approx(gaps.mean(), abs=0.0051)
            assert gaps.min() - 0.0051 <= low <= value <= high <= gaps.max() + 0.0051
            if np.ptp(gaps) > 1:
                other = stats.bootstrap((gaps,), np.mean, method="BCa", rng=np.random.default_rng(0))
                ends = (other.confidence_interval.low, other.confidence_interval.high)
                assert (low, high) == pytest.approx(ends, abs=0.1 * np.ptp(gaps))  # six runs: resamples come in steps


def test_the_claims_count_what_the_tables_show(made):
    folder, done, _ = made
    page = (folder / "docs" / "again.md").read_text(encoding="utf-8")
    shown = cells(page, "**After 30 trials**").map(lambda cell: cell[-1]).to_numpy().ravel().tolist()
    claim = next(one for one in done.claims if one.figure == "4" and "after 30 trials" in one.says)
    assert claim.tally is not None
    words = {"✓": "holds", "✗": "does not hold", "?": "can't be told"}
    assert {mark: claim.tally.get(word, 0) for mark, word in words.items()} == {
        mark: shown.count(mark) for mark in words
    }


def test_again_is_the_same_and_computes_nothing(made, monkeypatch):
    folder, done, _ = made
    monkeypatch.setattr("sureshot.lab.study.runner.play_job", None)  # would be called for anything that is not finished
    more = reproduce([3], runs=RUNS, seed=3, out=folder / "other", rows_in=folder / "rows")
    assert more.claims == tuple(one for one in done.claims if one.figure == "3")
    for ending in ("png", "svg"):
        before = folder / "docs" / "pictures" / "again" / f"figure3.{ending}"
        assert (folder / "other" / f"figure3.{ending}").read_bytes() == before.read_bytes()


def test_figure_4_is_in_the_papers_order(made):
    folder, _, _ = made
    rows = load_rows(folder / "rows" / "comparison-seed-3")
    titles = {world.label: title for title, world in little_panels().items()}
    ordered = in_the_papers_order(rows, titles)
    assert list(ordered["world"].unique()) == ["(a) synthetic data, d = 2", "(b) noisy"]
    assert list(ordered["policy"].unique()) == list(POLICIES)
    assert sorted(ordered["oc"]) == sorted(rows["oc"])


def test_the_nine_panels():
    labels = ("sonar", "glass", "transfusion", "haberman", "wpbc", "planning-relax", "climate")
    assert tuple(world.label for world in making.panel_worlds().values())[:7] == labels
    assert list(making.panel_worlds().values())[7:] == [get_world("synthetic", d=d, M=200) for d in (10, 15)]


def test_a_missing_table_is_told_before_anything_is_computed(tmp_path, monkeypatch):
    monkeypatch.setenv("SURESHOT_DATA", str(tmp_path / "nowhere"))
    uci._fitted.cache_clear()  # what this process has read needs no file
    with pytest.raises(InvalidInput, match=r"SURESHOT_DATA.*sonar\.csv"):
        reproduce([1, 4], runs=2, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("given", "match"),
    [
        ({"figures": [5]}, "`figure` must be one of 1, 2, 3, 4, got 5"),
        ({"runs": 1}, "`runs` must be a whole number of 2 or more"),
        ({"runs": True}, "`runs` must be a whole number of 2 or more"),
    ],
)
def test_bad_input_is_refused_and_nothing_is_made(tmp_path, given, match):
    with pytest.raises(InvalidInput, match=match):
        reproduce(**{"figures": [1], "runs": 2} | given, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_claim_as_json_holds_it(made):
    _, done, _ = made
    first, last = document(done.claims[0]), next(document(one) for one in done.claims if "ucb in most" in one.says)
    assert set(first) == set(last) == {"figure", "says", "measured", "verdict", "found", "tally"}
    assert first["found"]["low"] <= first["found"]["value"] <= first["found"]["high"]
    assert sum(last["tally"].values()) == 2 * 4
    assert Path(done.files[0]).is_file()
