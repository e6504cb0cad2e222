"""bald, and the entropies that it is made of, against SciPy's integrals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import integrate, special, stats

from sureshot import core
from sureshot.policies import get_policy, scores, situation
from sureshot.policies.rules.bald import expected_entropy, information, outcome_entropy, score_entropy


@pytest.mark.parametrize("p", [0.0, 1e-12, 0.03, 0.5, 0.9, 1.0])
def test_the_entropy_of_an_outcome_is_scipys(p: float) -> None:
    assert outcome_entropy(np.array([p]))[0] == pytest.approx(stats.bernoulli(p).entropy(), abs=1e-13)


@pytest.mark.parametrize("link", list(core.LINKS))
@pytest.mark.parametrize(("mu", "s"), [(0.0, 1e-6), (0.4, 0.3), (-2.0, 0.99), (0.5, 1.0), (-3.0, 7.0), (5.0, 400.0)])
def test_the_expected_entropy_is_the_integral(link: str, mu: float, s: float) -> None:
    known = core.get_link(link)

    def integrand(f: float) -> float:
        p = float(known.probability(np.array(f)))
        h = 0.0 if p in (0.0, 1.0) else -p * math.log(p) - (1 - p) * math.log1p(-p)
        return h * math.exp(-((f - mu) ** 2) / (2 * s)) / math.sqrt(2 * math.pi * s)

    reach = 10 * np.sqrt(s)
    low, high = max(mu - reach, -45.0), min(mu + reach, 45.0)
    want, _ = integrate.quad(integrand, low, high, points=np.linspace(low, high, 9)[1:-1], epsabs=1e-12, limit=400)
    assert expected_entropy(known, np.array([mu]), np.array([s]))[0] == pytest.approx(want, abs=2e-11)


@pytest.mark.parametrize("link", list(core.LINKS))
def test_the_entropy_of_a_score_has_tails(link: str) -> None:
    found = score_entropy(core.get_link(link), np.array([-1e8, -800.0, 800.0, 1e8]))
    assert found.tolist() == pytest.approx([0.0, 0.0, 0.0, 0.0], abs=1e-300)


def test_a_pool_larger_than_a_block() -> None:
    mu, s = np.linspace(-5, 5, 5000), np.linspace(0.1, 30, 5000)
    whole = expected_entropy(core.LOGIT, mu, s)
    for i in (0, 4095, 4096, 4999):
        assert whole[i] == pytest.approx(expected_entropy(core.LOGIT, mu[i : i + 1], s[i : i + 1])[0], abs=1e-15)


def test_bald_is_the_mutual_information_of_outcome_and_weights_by_simulation() -> None:
    """I(y; w) = E[KL(y | w against y)], over draws of members and weights."""
    rng = np.random.default_rng(5)
    X = np.column_stack([np.ones(4), rng.uniform(-2, 2, (4, 2))])
    belief = core.mixture([core.prior(3, precision=0.5), core.prior(3, precision=4.0, link="cloglog")], [1, 2])
    belief, _ = core.observe_many(belief, X[[0, 1]], [1, 0])
    drawn = core.sample_probabilities(belief, X, rng, size=400_000)
    mean = drawn.mean(axis=0)
    divergence = special.rel_entr(drawn, mean) + special.rel_entr(1 - drawn, 1 - mean)
    want, error = divergence.mean(axis=0), divergence.std(axis=0) / np.sqrt(len(drawn))
    found = information(belief, X)
    assert (np.abs(found - want) < 5 * error + 1e-6).all()
    assert scores(get_policy("bald"), situation(belief, X), rng) == pytest.approx(found)


def test_bald_prefers_what_is_unknown_to_what_is_random() -> None:
    """A fair coin that is known to be one is the most uncertain outcome, and says nothing."""
    belief = core.gaussian([0.0, 1.0], [1e-9, 4.0])
    X = np.eye(2)
    assert information(belief, X)[0] < 1e-8
    assert information(belief, X)[1] > 0.1
    assert scores(get_policy("most-uncertain"), situation(belief, X), np.random.default_rng(0)).argmax() == 0
