"""Moment matching and expectation propagation against the exact posterior, on a couple of hundred random problems.

`docs/maths.md` has the numbers of a larger run. Intervals are held to the truth that the prior drew.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from sureshot import core
from tests.core.truth import by_importance, by_slices, problem

LINK = pytest.mark.parametrize("link", core.LINKS)
SHAPES = [(5, 15, 1.0), (5, 15, 3.0), (11, 30, 1.0), (11, 30, 3.0), (11, 30, 0.3)]


@LINK
def test_matched_moments_predict_far_better_than_recursive_laplace(link) -> None:
    """EP errs by a quarter of recursive Laplace at most, one pass by a third: on the average over fifty problems."""
    off: dict[str, list[float]] = {"laplace": [], "adf": [], "ep": []}
    logs = []
    for seed in range(10):
        for d, n, sd in SHAPES:
            pool, _, X, y = problem(link, seed, d, n, sd)
            priors = {how: core.prior(d, precision=sd**-2, link=link, method=how) for how in off}
            truth, log_z, draws = by_importance(priors["ep"], X, y, pool, np.random.default_rng(seed))
            assert draws > 1_000
            fitted = core.fit(priors["ep"], X, y)
            assert fitted.converged
            logs.append(fitted.evidence - log_z)
            said = {how: core.observe_many(priors[how], X, y)[0] for how in ("laplace", "adf")} | {"ep": fitted.belief}
            for how, belief in said.items():
                off[how].append(float(np.abs(core.predictive(belief, pool) - truth).mean()))
    laplace, adf, ep = (np.mean(off[how]) for how in ("laplace", "adf", "ep"))
    assert ep < laplace / 8  # measured 0.05 to 0.06, with ten times as many draws
    assert adf < laplace / 3  # measured 0.21 to 0.24
    assert np.abs(logs).mean() < 0.1
    assert np.abs(logs).max() < 0.5


def test_both_samplers_agree() -> None:
    pool, _, X, y = problem("logit", 3, 4, 20, 1.5)
    prior = core.prior(4, precision=1.5**-2)
    p, _, _ = by_importance(prior, X, y, pool, np.random.default_rng(0), draws=100_000)
    w = by_slices(prior, X, y, np.random.default_rng(1), 6_000)
    assert np.abs(core.LOGIT.probability(w @ pool.T).mean(axis=0) - p).mean() < 0.01


COVERED = [("logit", "plain"), ("logit", "mixture"), ("logit", "own"), ("probit", "plain"), ("cloglog", "plain")]


@pytest.mark.parametrize(("link", "kind"), COVERED)
def test_intervals_hold_the_truth_as_often_as_they_say(link, kind) -> None:
    """95 % intervals with the truth from the prior, trials half at random and half near the believed best."""
    runs, d, own = 120, 5, 0.5 if kind == "own" else 0.0
    over: dict[int, list[float]] = {3: [], 30: [], 100: []}
    best: list[bool] = []
    for run in range(runs):
        rng = np.random.default_rng([run, 7])
        sd = [0.5, 1.0, 2.0][run % 3]
        prior: core.Belief | core.Mixture = core.prior(d, precision=sd**-2, link=link, method="ep", own=own)
        if kind == "mixture":
            prior = core.prior_mixture(d, precisions=[4.0, 1.0, 0.25], links=[link], method="ep")
        pool = rng.standard_normal((60, d))
        pool[:, 0] = 1.0
        f = pool @ (sd * rng.standard_normal(d)) + np.sqrt(own) * rng.standard_normal(60)
        p = core.LINKS[link].probability(f)
        tried: list[int] = []
        belief = prior
        y = np.zeros(0, int)
        for n in over:
            few = np.argsort(-core.predictive(belief, pool))[:6]
            new = [int(rng.integers(60)) if i % 2 else int(rng.choice(few)) for i in range(n - len(tried))]
            tried += new
            y = np.append(y, (rng.random(len(new)) < p[new]).astype(int))
            belief = core.fit(prior, pool[tried], y).belief
            if isinstance(
                belief, core.Belief
            ):  # the interval of the score: that of p is the same, but p may round to 1
                mu, s = belief.moments(pool)
                held = np.abs(f - mu) <= special.ndtri(0.975) * np.sqrt(s)
            else:
                low, high = core.interval(belief, pool)
                held = (low <= p) & (p <= high)
            over[n].append(float(held.mean()))
            best.append(bool(held[core.predictive(belief, pool).argmax()]))
    for held in over.values():
        assert 0.93 <= np.mean(held) <= 0.97
    assert 0.93 <= np.mean(best) <= 0.975
