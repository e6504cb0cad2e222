from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize, stats

from sureshot import theory
from sureshot.core import prior
from sureshot.lab.play.beliefs import PAPER
from sureshot.lab.theory import bound as page
from sureshot.lab.theory.bound import Sphere, bound, bounded
from sureshot.lab.theory.computing import Computing, grid
from sureshot.lab.theory.long import EXACT, Long, Way
from tests.lab.theory.runs_by_hand import WEIGHTS, played


def test_truths_of_the_ball_are_those_of_the_prior_within_it():
    """Against draws from the prior that happen to lie in a ball that is not too small."""
    drawn = [Sphere(2, 4, radius=0.3).draw(np.random.default_rng(i), 1) for i in range(2000)]
    assert all(np.allclose(np.linalg.norm(one.X[0], axis=1), 1.0) for one in drawn[:20])
    lengths = np.linalg.norm([one.weights for one in drawn], axis=1)
    normal = np.linalg.norm(np.random.default_rng(1).standard_normal((200_000, 2)), axis=1)
    assert lengths.max() <= 0.3
    assert stats.ks_2samp(lengths, normal[normal < 0.3]).pvalue > 0.001


def test_each_bound_is_that_of_the_theory_and_the_distance_of_a_minimiser():
    runs = played(np.random.default_rng(3).integers(0, 5, (2, 50)).tolist())
    seen = bounded(runs, None, 2, 2)
    X = runs.staged(2).truth.X[0]
    scale = np.linalg.norm(X, axis=1).max()
    rows, y, w = X[runs.picks[1]] / scale, runs.outcomes[1], WEIGHTS * scale
    start = prior(2, precision=1 / scale**2)
    for at, n in enumerate(grid(50)):
        sign = 2 * y[:n] - 1
        top = optimize.minimize(
            lambda v, sign=sign, n=n: np.logaddexp(0, -sign * (rows[:n] @ v)).sum() + 0.5 * v @ v / scale**2,
            np.zeros(2),
        ).x
        assert seen["error"][0, at] == pytest.approx(np.linalg.norm(top - w), abs=1e-4)
        assert seen["holds"][0, at] == pytest.approx(theory.error_bound(start, rows[:n], y[:n], w), rel=1e-9)
        assert seen["sharper"][0, at] == pytest.approx(theory.sharper_bound(start, rows[:n], y[:n], w), rel=1e-9)
        assert seen["error"][0, at] <= seen["sharper"][0, at] <= seen["holds"][0, at] / 2 + 1e-9
        assert seen["statement"][0, at] == pytest.approx(theory.bound_as_stated(start, rows[:n], w).bound, rel=1e-9)
        assert seen["proof"][0, at] >= seen["statement"][0, at]


@pytest.fixture
def little(monkeypatch):
    monkeypatch.setattr(page, "TRIALS", 10)
    monkeypatch.setattr(page, "M", 8)
    long = Long(Way("random", PAPER), played(np.random.default_rng(3).integers(0, 5, (12, 20)).tolist()), None)
    monkeypatch.setattr(page, "long_runs", lambda *_: {EXACT: long})


def test_the_theorem_fails_and_the_bound_holds(tmp_path, little):
    section = bound(Computing(runs=120, seed=1, folder=tmp_path))
    told = [one.verdict for one in section.findings]
    assert told == ["does not hold"] * 5 + ["holds"] * 6
    assert any(f"{theory.ball_probability(11, 1 / 16):.2g}" in line for line in section.after)


def test_bounds_that_are_too_small_or_large_change_the_verdicts(tmp_path, monkeypatch, little):
    true = page.theory.bound_as_stated

    class Wrong:
        def __getattr__(self, name):
            return getattr(theory, name)

        def error_bound(self, *_, **__):
            return 0.01

        sharper_bound = error_bound

        def bound_as_stated(self, *given, **more):
            return type("Huge", (), {"bound": 100.0 + true(*given, **more).bound})

    monkeypatch.setattr(page, "theory", Wrong())
    section = bound(Computing(runs=120, seed=1, folder=tmp_path))
    told = [one.verdict for one in section.findings]
    assert told[:4] == ["holds"] * 4
    assert told[5:] == ["does not hold"] * 6
