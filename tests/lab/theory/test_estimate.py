from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats
from scipy.special import expit

from sureshot.lab.play.beliefs import PAPER
from sureshot.lab.theory import estimate as page
from sureshot.lab.theory.computing import Computing, Played, grid
from sureshot.lab.theory.estimate import REGION, estimate, estimated
from sureshot.lab.theory.long import EXACT, PAPERS, RANDOM, Long, Way
from tests.lab.theory.runs_by_hand import WEIGHTS, Line, played

N = 100


@pytest.fixture(scope="module")
def at_random():
    rng = np.random.default_rng(1)
    return played(rng.integers(0, 5, (25, N)).tolist())


def test_the_estimate_is_that_of_statsmodels(at_random):
    seen = estimated(at_random, 7, 8)
    X = at_random.staged(1).truth.X[0]
    for row, run in enumerate((7, 8)):
        for column, n in enumerate(grid(N)):
            tried, y = at_random.picks[run - 1, :n], at_random.outcomes[run - 1, :n]
            rows = X[tried]
            p = expit(rows @ WEIGHTS)
            F = rows.T @ (rows * (p * (1 - p))[:, None])
            ends = np.linalg.eigvalsh(F)
            assert (seen["smallest"][row, column], seen["largest"][row, column]) == pytest.approx(
                (max(ends[0], 0), ends[-1]), abs=1e-12
            )
            if n < 50:
                continue
            top = sm.Logit(y, rows).fit(disp=0).params
            away = top - WEIGHTS
            assert seen["error"][row, column] == pytest.approx(np.linalg.norm(away), rel=1e-5)
            assert seen["Q"][row, column] == pytest.approx(away @ F @ away, rel=1e-5)


def test_where_there_is_no_estimate_both_are_infinite():
    one_place = played([[2] * 10])
    seen = estimated(one_place, 1, 1)
    assert np.isinf(seen["error"]).all()
    assert np.isinf(seen["Q"]).all()
    assert seen["smallest"].max() < 1e-12


@pytest.fixture
def little(monkeypatch):
    monkeypatch.setattr(page, "TRIALS", N)
    monkeypatch.setattr(page, "WITHIN", 0.2)
    monkeypatch.setattr(page, "D", 1)
    monkeypatch.setattr(page, "REGION", float(stats.chi2.ppf(0.95, 2)))


def test_verdicts(at_random, tmp_path, monkeypatch, little):
    """Trials at random: as the theorem says. Stuck at one place: no estimate. Labels of another truth: not normal."""
    stuck = played([[4] * 5 + [0] * 5 + [4] * (N - 10)] * 25)
    false = Played(Line(), at_random.seed, at_random.picks, 1 - at_random.outcomes)
    way = Way("kg", PAPER)
    runs = {name: Long(way, one, None) for name, one in ((EXACT, at_random), (PAPERS, stuck), (RANDOM, false))}
    monkeypatch.setattr(page, "long_runs", lambda *_: runs)
    section = estimate(Computing(runs=250, seed=1, folder=tmp_path))
    told = {(one.where, one.says.split(":")[0], i // 3): one.verdict for i, one in enumerate(section.findings)}
    assert told["MLE theorem", EXACT, 0] == "holds"  # consistent
    assert told["MLE theorem", RANDOM, 0] != "holds"
    assert told["MLE theorem", EXACT, 1] == "holds"  # normal
    assert told["MLE theorem", RANDOM, 1] == "does not hold"
    assert told["MLE theorem, C3", EXACT, 2] == "holds"
    assert told["MLE theorem, C2", PAPERS, 3] == "does not hold"  # all trials but a few at one alternative


def test_the_region_is_that_of_chi_square():
    draws = np.random.default_rng(1).standard_normal((200_000, 3))
    assert ((draws**2).sum(axis=1) < REGION).mean() == pytest.approx(0.95, abs=0.002)
