from itertools import product

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from sureshot.lab.report.intervals import bca, flip_p, flipped_means, holm, resampled_means


def costs(rng, runs, zeros=0.5):
    """Opportunity costs: many zeros, the rest skewed. Their mean is (1 - zeros) * 0.6 / 4.6."""
    return np.where(rng.random(runs) < zeros, 0.0, rng.beta(0.6, 4.0, size=runs))


def mean_interval(values, rng, resamples=9999):
    samples = values[:, None]
    mean = samples.mean(axis=0)
    draws = resampled_means(samples, rng=rng, resamples=resamples)
    low, high = bca(mean, draws, (samples - mean) / len(samples))
    return low[0], high[0]


@pytest.mark.parametrize("runs", [25, 200])
def test_bca_is_scipys(runs):
    values = costs(np.random.default_rng(runs), runs)
    rng = np.random.default_rng(1)
    theirs = stats.bootstrap((values,), np.mean, n_resamples=40_000, method="BCa", rng=rng, batch=2000)
    width = np.diff(theirs.confidence_interval)[0]
    ours = mean_interval(values, np.random.default_rng(2), resamples=40_000)
    np.testing.assert_allclose(ours, theirs.confidence_interval, atol=0.015 * width)


def test_for_normal_numbers_it_is_the_t_interval():
    values = np.random.default_rng(3).normal(2.0, 1.0, size=400)
    t = stats.ttest_1samp(values, 0.0).confidence_interval(0.95)
    np.testing.assert_allclose(mean_interval(values, np.random.default_rng(4)), t, atol=0.03 * (t.high - t.low))


def test_resampled_means_are_means_of_runs_drawn_with_replacement():
    values = np.array([[0.0, 10.0], [1.0, 20.0], [5.0, 60.0]])
    possible = {tuple(np.mean(values[list(rows)], axis=0).round(9)) for rows in product(range(3), repeat=3)}
    draws = resampled_means(values, rng=np.random.default_rng(5), resamples=3000)
    assert {
        tuple(one) for one in draws.round(9)
    } == possible  # both columns by the same rows, and all 10 that there are
    np.testing.assert_allclose(draws.var(axis=0), values.var(axis=0) / 3, rtol=0.1)


def test_interval_of_costs_covers_their_mean():
    rng = np.random.default_rng(6)
    truth = 0.5 * 0.6 / 4.6
    found = [mean_interval(costs(rng, 100), rng, resamples=999) for _ in range(1000)]
    below = np.mean([high < truth for _, high in found])
    above = np.mean([low > truth for low, _ in found])
    assert 0.012 < below < 0.042  # 0.025 and a Monte Carlo error of 0.005
    assert 0.012 < above < 0.042


def test_paired_interval_covers_the_difference():
    rng = np.random.default_rng(7)
    missed = 0
    for _ in range(800):
        shared = rng.exponential(1.0, size=80)  # hard for both
        first, second = shared + costs(rng, 80), shared + 0.5 * costs(rng, 80)
        low, high = mean_interval(first - second, rng, resamples=999)
        missed += not low <= 0.25 * 0.6 / 4.6 <= high
    assert 0.03 < missed / 800 < 0.075


def test_nothing_varies_so_nothing_is_uncertain():
    assert mean_interval(np.zeros(10), np.random.default_rng(8)) == (0.0, 0.0)
    assert mean_interval(np.full(10, 0.1), np.random.default_rng(8)) == (0.1, 0.1)


def test_flips_against_all_of_them():
    gaps = np.array([0.3, -0.1, 0.0, 0.2, 0.4, 0.0, -0.05])
    signs = np.array(list(product([-1, 1], repeat=len(gaps))))
    exact = np.mean(np.abs((signs * gaps).mean(axis=1)) >= abs(gaps.mean()) - 1e-12)
    flipped = flipped_means(gaps[:, None], rng=np.random.default_rng(9), resamples=40_000)
    np.testing.assert_allclose(flip_p(gaps[[0]] * 0 + gaps.mean(), flipped), exact, atol=0.01)
    theirs = stats.permutation_test(
        (gaps, np.zeros(7)), lambda x, y, axis: (x - y).mean(axis=axis), permutation_type="samples", vectorized=True
    )
    assert exact == pytest.approx(theirs.pvalue)


def test_three_differences_among_zeros_are_not_many():
    gaps = np.zeros((100, 1))
    gaps[:3] = 1.0
    flipped = flipped_means(gaps, rng=np.random.default_rng(10))
    np.testing.assert_allclose(flip_p(gaps.mean(axis=0), flipped), 0.25, atol=0.02)


def test_flips_find_nothing_where_nothing_is():
    rng = np.random.default_rng(11)
    p = []
    for _ in range(1000):  # a skewed difference of mean 0: not the same policy twice, but no better
        gaps = (costs(rng, 80) - 0.5 * 0.6 / 4.6)[:, None]
        p.append(flip_p(gaps.mean(axis=0), flipped_means(gaps, rng=rng, resamples=499))[0])
    assert 0.03 < np.mean(np.array(p) <= 0.05) < 0.08


def test_holm_is_statsmodels():
    rng = np.random.default_rng(12)
    for size in (1, 2, 5, 40):
        p = rng.random(size) ** 3
        p[: size // 2] = p[0]  # ties
        np.testing.assert_allclose(holm(p), multipletests(p, method="holm")[1])
