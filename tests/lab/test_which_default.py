"""``docs/default.md`` says what its rows say, and has a contender for each that its studies name."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest

from sureshot.lab import read_study
from sureshot.lab.worlds import paper_worlds

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "default.md").read_text(encoding="utf-8")
AT = (10, 20, 30)


@pytest.fixture(scope="module")
def costs() -> pd.DataFrame:
    """Mean cost over the nine worlds of Figure 4, run by run; a row for each contender and n."""
    kept = pd.read_parquet(DOCS / "studies" / "which-default.parquet")
    nine = kept[(kept.study == "which-default") & kept.world.isin([world.label for world in paper_worlds()])]
    return nine.pivot_table("oc", ["policy", "belief", "n"], "run", aggfunc=lambda cost: cost.sum() / 9)


def named(file: str) -> set[tuple[str, str]]:
    return {(one.label, one.belief.label) for one in read_study(DOCS / "studies" / file).contenders}


@pytest.mark.parametrize("file", ["which-default.toml", "which-default-others.toml"])
def test_every_contender_of_the_studies_is_on_the_page(file: str, costs: pd.DataFrame) -> None:
    for policy, belief in named(file):
        assert re.search(rf"^\| {policy} \| {belief} \|", PAGE, flags=re.MULTILINE), (policy, belief)
        assert (policy, belief) in {key[:2] for key in costs.index}


def test_the_table_that_decided_is_that_of_the_rows(costs: pd.DataFrame) -> None:
    first = costs.loc[("kg", "paper")].mean(axis=1)
    for policy, belief in named("which-default.toml"):
        own = costs.loc[(policy, belief)].mean(axis=1)
        cells = re.search(rf"^\| {policy} \| {belief} \| (0\..*) \|$", PAGE, flags=re.MULTILINE)
        assert cells is not None
        shown = re.findall(r"(0\.\d{4}) ± 0\.\d{4} \| (\d\.\d\d|1)", cells[1])
        for n, (cost, ratio) in zip(AT, shown, strict=True):
            assert float(cost) == pytest.approx(own[n], abs=6e-5)
            assert float(ratio) == pytest.approx(own[n] / first[n], abs=6e-3)


def test_the_other_contenders_stand_with_their_runs_and_costs(costs: pd.DataFrame) -> None:
    first = costs.loc[("kg", "paper")]
    for policy, belief in named("which-default-others.toml"):
        cells = re.search(rf"^\| {policy} \| {belief} \| (\d+) \| (.*) \|$", PAGE, flags=re.MULTILINE)
        assert cells is not None
        runs = list(range(1, int(cells[1]) + 1))
        own = costs.loc[(policy, belief)][runs]
        assert not own.isna().any(axis=None)
        for n, ratio in zip(AT, re.findall(r"(\d\.\d\d) \(", cells[2]), strict=True):
            assert float(ratio) == pytest.approx(own.loc[n].mean() / first.loc[n, runs].mean(), abs=6e-3)
