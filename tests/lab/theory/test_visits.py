from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from sureshot.lab.play.beliefs import PAPER
from sureshot.lab.theory import visits as page
from sureshot.lab.theory.computing import Computing, grid, share
from sureshot.lab.theory.long import EXACT, PAPERS, Long, Way
from sureshot.lab.theory.visits import late, spread_out, visits
from tests.lab.theory.runs_by_hand import played

ROUND = [n % 5 for n in range(100)]
STUCK = [0, 1, 2, 3, 4] * 2 + [2] * 90


@pytest.fixture(autouse=True)
def little(monkeypatch):
    monkeypatch.setattr(page, "M", 5)
    monkeypatch.setattr(page, "TRIALS", 100)


def test_visits_are_counted():
    runs = played([ROUND, STUCK])
    assert late(runs).tolist() == [[10.0] * 5, [0.0, 0.0, 50.0, 0.0, 0.0]]
    fewest, most = spread_out(runs, [5, 20, 100])
    assert fewest.tolist() == [[1.0, 4.0, 20.0], [1.0, 2.0, 2.0]]
    np.testing.assert_allclose(most, [[0.2, 0.2, 0.2], [0.2, 12 / 20, 92 / 100]])


def test_grids_and_shares():
    assert grid(100) == [5, 10, 20, 50, 100]
    assert grid(5) == [5]
    assert [share(1500, kind) for kind in ("runs", "states", "long")] == [1500, 300, 150]
    assert share(2, "runs") == share(2, "states") == share(2, "long") == 2


def made(picks, costs) -> Long:
    """Runs with these picks, and opportunity costs that fall from the first of the two to the second."""
    runs = played(picks)
    lines = [
        {
            "run": run,
            "n": n,
            "oc": costs[0] + (costs[1] - costs[0]) * (n > 50),
            "max_kg": 0.0 if costs[1] == 0 else 1e-3,
        }
        for run in range(1, len(picks) + 1)
        for n in range(1, 101)
    ]
    return Long(Way("kg", PAPER), runs, pd.DataFrame(lines))


def test_verdicts_follow_the_visits_and_the_costs(tmp_path, monkeypatch):
    found = {EXACT: made([ROUND] * 40, (0.1, 0.0)), PAPERS: made([STUCK] * 40, (0.1, 0.1))}
    monkeypatch.setattr(page, "long_runs", lambda *_: found)
    section = visits(Computing(runs=400, seed=1, folder=tmp_path))
    told = {one.says.split(":")[0]: one.verdict for one in section.findings[:2]}
    assert told == {EXACT: "holds", PAPERS: "does not hold"}
    assert [one.verdict for one in section.findings[2:]] == ["holds", "can't be told", "holds"]
    swapped = {EXACT: found[PAPERS], PAPERS: found[EXACT]}
    monkeypatch.setattr(page, "long_runs", lambda *_: swapped)
    other = visits(Computing(runs=400, seed=1, folder=tmp_path))
    assert [one.verdict for one in other.findings] == [
        "does not hold",
        "holds",
        "can't be told",
        "holds",
        "does not hold",
    ]
    assert any("100.0 % (91.2 to 100.0 %)" in line for line in section.after)  # of 40 runs no value is left
