"""Lemma 1 by simulation: under the prior, what is predicted of the recommended alternative is what happens on average.

Worlds are drawn from the belief's own prior, outcomes from the world, and the alternative with the highest predictive
probability is recommended. For the exact posterior the average predicted probability of the recommended alternative is
the average true one. How far Laplace and ADF, full and diagonal, are from that is measured here, with fixed seeds.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
import pytest
from scipy import special

from sureshot import core

WORLDS, TRIALS, POOL, D = 1000, 12, 15, 4
LEARNERS = [(name, "laplace") for name in ("logit", "probit", "cloglog", "loglog")] + [("probit", "adf")]
LEARNER = pytest.mark.parametrize(("link", "method"), LEARNERS)


class Measured(NamedTuple):
    gap: float  # predicted minus true probability of the recommended alternative, averaged over worlds
    error: float  # its standard error
    covered: float  # share of true probabilities inside their 90 % interval
    log_score: float  # average log probability given to a new outcome of each alternative


@functools.cache
def measured(link: str, method: str, form: str) -> Measured:
    rng = np.random.default_rng(99)
    rows = np.empty((WORLDS, 3))
    prior = core.prior(D, link=link, method=method, covariance=form)
    for row in rows:
        w, X = rng.standard_normal(D), rng.standard_normal((POOL, D))
        true = prior.link.probability(X @ w)
        tried = rng.integers(0, POOL, TRIALS)
        belief, _ = core.observe_many(prior, X[tried], rng.random(TRIALS) < true[tried])
        p = core.predictive(belief, X)
        low, high = core.interval(belief, X, level=0.9)
        inside = np.clip(p, 1e-12, 1 - 1e-12)
        row[0] = p[p.argmax()] - true[p.argmax()]
        row[1] = ((low <= true) & (true <= high)).mean()
        row[2] = (true * np.log(inside) + (1 - true) * np.log1p(-inside)).mean()
    gap, covered, log_score = rows.mean(axis=0)
    return Measured(gap, rows[:, 0].std() / np.sqrt(WORLDS), covered, log_score)


def test_lemma_1_holds_for_the_exact_posterior() -> None:
    """The yardstick: posterior by weighting 4,000 draws from the prior, no code of ours."""
    rng = np.random.default_rng(4)
    off = np.empty(400)
    for i in range(400):
        w, X = rng.standard_normal(D), rng.standard_normal((POOL, D))
        draws = special.expit(rng.standard_normal((4000, D)) @ X.T)
        true = special.expit(X @ w)
        tried = rng.integers(0, POOL, TRIALS)
        y = rng.random(TRIALS) < true[tried]
        weight = np.where(y, draws[:, tried], 1 - draws[:, tried]).prod(axis=1)
        p = weight @ draws / weight.sum()
        off[i] = p.max() - true[p.argmax()]
    assert abs(off.mean()) < 3 * off.std() / np.sqrt(400)


@pytest.mark.parametrize("form", ["full", "diagonal"])
def test_assumed_density_filtering_is_calibrated_within_the_error_of_the_simulation(form) -> None:
    seen = measured("probit", "adf", form)
    assert abs(seen.gap) < 3 * seen.error
    assert seen.error < 0.005
    assert 0.87 < seen.covered < 0.93


@pytest.mark.parametrize("link", core.LINKS)
def test_laplace_is_cautious_about_the_recommended_by_a_few_per_cent(link) -> None:
    """The recursion keeps modes, which lie closer to zero than means: it promises less than it keeps."""
    seen = measured(link, "laplace", "full")
    assert -0.08 < seen.gap < 3 * seen.error
    assert seen.covered > 0.8


@LEARNER
def test_the_full_covariance_predicts_better_than_the_diagonal(link, method) -> None:
    full, diagonal = (measured(link, method, form) for form in ("full", "diagonal"))
    assert full.log_score > diagonal.log_score
    if method == "laplace":  # it keeps the diagonal of the precision: overconfident
        assert diagonal.covered < full.covered - 0.01


def test_before_any_outcome_the_prediction_is_the_average_over_worlds() -> None:
    rng = np.random.default_rng(5)
    x = np.array([1.0, -0.5, 0.2, 2.0])
    for link in core.LINKS.values():
        true = link.probability(rng.standard_normal((40_000, D)) @ x)
        assert core.predictive(core.prior(D, link=link), [x])[0] == pytest.approx(true.mean(), abs=4 * true.std() / 200)
