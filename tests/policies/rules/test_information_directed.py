"""Information-directed sampling: estimates against quadrature, choices against a grid."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest
from scipy import special, stats

from sureshot import core
from sureshot.policies import get_policy, situation
from sureshot.policies.rules.information_directed import best_pair, explained, regret_and_information
from tests.policies.picks import pick

MEAN, SD = np.array([0.4, 0.0]), np.array([0.7, 1.5])
TWO = core.gaussian(MEAN, SD**2)
POOL = np.eye(2)


def _grid() -> tuple[np.ndarray, np.ndarray]:
    """Probabilities of the two independent alternatives on a fine grid of their scores, and its masses."""
    z = np.linspace(-7, 7, 1401)
    mass = np.outer(stats.norm.pdf(z), stats.norm.pdf(z)) * (z[1] - z[0]) ** 2
    f, g = np.meshgrid(MEAN[0] + SD[0] * z, MEAN[1] + SD[1] * z, indexing="ij")
    return special.expit(np.stack([f, g])), mass


def test_regret_and_information_are_the_integrals() -> None:
    P, mass = _grid()
    p = (P * mass).sum(axis=(1, 2))
    first = P[0] > P[1]
    share = (mass * first).sum()
    given = np.stack([(P * mass * first).sum(axis=(1, 2)) / share, (P * mass * ~first).sum(axis=(1, 2)) / (1 - share)])
    want = share * (given[0] - p) ** 2 + (1 - share) * (given[1] - p) ** 2
    drawn = core.sample_probabilities(TWO, POOL, np.random.default_rng(0), size=200_000)
    regret, information = regret_and_information(drawn)
    assert regret == pytest.approx((P.max(axis=0) * mass).sum() - p, abs=0.003)
    assert information == pytest.approx(want, abs=0.0008)


def test_few_draws_do_not_invent_information() -> None:
    """Groups that mean nothing: the variance of their means is all noise, and is taken off on average."""
    rng = np.random.default_rng(1)
    left = []
    for _ in range(300):
        _, between, noise = explained(rng.random((60, 3)), rng.integers(12, size=60))
        assert between.min() > 0.0
        left.append(between - noise)
    spread = np.std(left, axis=0) / np.sqrt(300)
    assert (np.abs(np.mean(left, axis=0)) < 4.5 * spread).all()
    assert np.mean(left) < 0.1 / 12 / 12  # of a variance of 1/12 the 12 groups would show 11/60 uncorrected


def test_groups_are_means_by_hand() -> None:
    P = np.array([[0.1, 0.5], [0.3, 0.5], [0.8, 0.2], [0.4, 0.6]])
    mean, between, noise = explained(P, np.array([7, 2, 7, 2]))
    assert mean == pytest.approx([0.4, 0.45])
    assert between == pytest.approx([0.0025, 0.01])  # the means are 0.35 and 0.55, 0.45 and 0.35
    within = np.array([2 * 0.05**2 + 2 * 0.35**2, 2 * 0.05**2 + 2 * 0.15**2]) / 4
    assert noise == pytest.approx(within * 1 / 2)


@pytest.mark.parametrize("seed", range(12))
def test_the_best_pair_beats_every_mixture_of_two_on_a_grid(seed: int) -> None:
    rng = np.random.default_rng(seed)
    regret, information = rng.random(6) ** 2 + 0.01, rng.random(6) ** 3
    a, b, q = best_pair(regret, information)
    found = (q * regret[a] + (1 - q) * regret[b]) ** 2 / (q * information[a] + (1 - q) * information[b])
    share = np.linspace(0, 1, 2001)
    least = min(
        (
            (share * regret[i] + (1 - share) * regret[j]) ** 2 / (share * information[i] + (1 - share) * information[j])
        ).min()
        for i, j in combinations_with_replacement(range(6), 2)
    )
    assert found <= least * (1 + 1e-12)
    assert found == pytest.approx(least, rel=1e-4)


def test_without_information_or_regret_the_best_is_tried() -> None:
    assert best_pair(np.array([0.3, 0.1]), np.zeros(2))[:2] == (1, 1)
    assert best_pair(np.array([0.0, 0.1]), np.array([0.0, 0.4]))[:2] == (0, 0)


def test_choices_are_drawn_from_the_pair() -> None:
    """Two alternatives, many draws: the share of the first is that of the minimum of the exact ratio."""
    P, mass = _grid()
    p = (P * mass).sum(axis=(1, 2))
    regret = (P.max(axis=0) * mass).sum() - p
    first = P[0] > P[1]
    share = (mass * first).sum()
    given = np.stack([(P * mass * first).sum(axis=(1, 2)) / share, (P * mass * ~first).sum(axis=(1, 2)) / (1 - share)])
    information = share * (given[0] - p) ** 2 + (1 - share) * (given[1] - p) ** 2
    q = np.linspace(0, 1, 10_001)
    ratio = (q * regret[0] + (1 - q) * regret[1]) ** 2 / (q * information[0] + (1 - q) * information[1])
    want = q[ratio.argmin()]
    assert 0.05 < want < 0.95
    rng, policy, now = np.random.default_rng(2), get_policy("information-directed", draws=4096), situation(TWO, POOL)
    found = np.mean([pick(policy, now, rng) == 0 for _ in range(600)])
    assert found == pytest.approx(want, abs=0.08)
