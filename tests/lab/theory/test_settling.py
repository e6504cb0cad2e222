from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

from sureshot.core import fit, observe_many, prior
from sureshot.lab.play.beliefs import PAPER, BeliefRecipe
from sureshot.lab.theory import settling as page
from sureshot.lab.theory.computing import Computing, Played
from sureshot.lab.theory.long import EXACT, PAPERS, RANDOM, Long, Way
from sureshot.lab.theory.settling import believed, settled, settling
from tests.lab.theory.runs_by_hand import Line, played

EP = Way("random", BeliefRecipe("ep", prior=1.0))
OLD = Way("kg", PAPER)
N = 100


@pytest.fixture(scope="module")
def at_random():
    return played(np.random.default_rng(2).integers(0, 5, (40, N)).tolist())


def test_beliefs_are_those_of_the_core(at_random):
    X, tried, y = at_random.staged(3).truth.X[0], at_random.picks[2], at_random.outcomes[2]
    for n, found in zip((5, 100), believed(at_random, EP, 3, [5, 100]), strict=True):
        other = fit(prior(2, method="ep"), X[tried[:n]], y[:n]).belief
        np.testing.assert_allclose(found.mean, other.mean, atol=1e-12)
    for n, found in zip((5, 100), believed(at_random, OLD, 3, [5, 100]), strict=True):
        other, _ = observe_many(prior(2, covariance="diagonal"), X[tried[:n]], y[:n])
        np.testing.assert_allclose(found.mean, other.mean, atol=1e-12)


def test_what_is_measured_is_what_draws_of_the_weights_say(at_random):
    seen = settled(at_random, EP, 3, 3)
    X, true = at_random.staged(3).truth.X[0], at_random.staged(3).truth.at(0)[0]
    predictions = []
    for at, belief in enumerate(believed(at_random, EP, 3, [5, 10, 20, 50, 100])):
        w = np.random.default_rng(1).multivariate_normal(belief.mean, belief.cov, 100_000)
        best = np.bincount((w @ X.T).argmax(axis=1), minlength=5) / len(w)
        p = expit(w @ X.T).mean(axis=0)
        predictions.append(p)
        assert seen["mass"][0, at] == pytest.approx(best[4], abs=0.04)  # four errors of 2000 draws
        assert seen["claimed"][0, at] == pytest.approx(best[p.argmax()], abs=0.04)
        assert seen["right"][0, at] == float(p.argmax() == 4)
        assert seen["truth"][0, at] == pytest.approx(np.abs(p - true).mean(), abs=0.004)
    moved = [np.abs(p - predictions[-1]).mean() for p in predictions]
    np.testing.assert_allclose(seen["last"][0], moved, atol=0.006)
    trend = [((predictions[-1] - p) * (p - 0.5)).mean() for p in predictions]
    np.testing.assert_allclose(seen["trend"][0], trend, atol=0.003)


def test_verdicts(at_random, tmp_path, monkeypatch):
    """Trials at random, once they begin, settle on the truth; with labels turned round they settle on the worst."""
    monkeypatch.setattr(page, "TRIALS", N)
    turned = Played(Line(), at_random.seed, at_random.picks, 1 - at_random.outcomes)
    stuck = played([[0] * N] * 40)
    late = at_random.picks.copy()
    late[:, :10] = 0
    runs = {EXACT: Long(EP, played(late.tolist()), None), PAPERS: Long(EP, turned, None), RANDOM: Long(EP, stuck, None)}
    monkeypatch.setattr(page, "long_runs", lambda *_: runs)
    section = settling(Computing(runs=400, seed=1, folder=tmp_path))
    told = {}
    for one in section.findings:
        told.setdefault(one.says.split(":")[0], []).append(one.verdict)
    converge, _, nearer, more, trusted = range(5)
    assert [told[EXACT][at] for at in (converge, nearer, more)] == ["holds"] * 3
    assert [told[PAPERS][at] for at in (nearer, more, trusted)] == ["does not hold"] * 3
    assert told[RANDOM][more] != "holds"
