"""Expected improvement, against SciPy's integral and by simulation."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy import integrate

from sureshot import core
from sureshot.policies import get_policy, scores, situation
from sureshot.policies.rules.expected_improvement import expected_improvement

ROOT = math.sqrt(2 * math.pi)
RNG = np.random.default_rng(8)
POOL = np.column_stack([np.ones(7), RNG.uniform(-3, 3, (7, 2))])


@pytest.mark.parametrize("link", list(core.LINKS))
@pytest.mark.parametrize(("mu", "s"), [(0.3, 1e-8), (-1.0, 0.4), (2.0, 0.999), (0.0, 1.0), (-2.0, 9.0), (1.0, 1e4)])
@pytest.mark.parametrize("best", [1e-6, 0.3, 0.8, 0.9999])
def test_it_is_the_integral(link: str, mu: float, s: float, best: float) -> None:
    belief = core.gaussian([mu], [s], link=link)
    known = core.get_link(link)
    edge, sd = float(known.inverse(np.array(best))), np.sqrt(s)

    def integrand(f: float) -> float:
        return float(known.probability(np.array(f)) - best) * math.exp(-0.5 * ((f - mu) / sd) ** 2) / sd / ROOT

    low, high = max(edge, mu - 12 * sd), mu + 12 * sd
    want = 0.0
    if low < high:
        cuts = sorted(
            {low, high, *(c for c in (mu, mu - sd, mu + sd, -5.0, 0.0, 2.0, 5.0, 10.0, 40.0) if low < c < high)}
        )
        want = sum(integrate.quad(integrand, a, b, epsabs=1e-13)[0] for a, b in pairwise(cuts))
    assert expected_improvement(belief, np.ones((1, 1)), best)[0] == pytest.approx(want, abs=1e-10)


def test_of_a_mixture_of_links_by_simulation() -> None:
    belief = core.mixture([core.prior(3, precision=0.5), core.prior(3, link="loglog")], [1, 2])
    belief, _ = core.observe_many(belief, POOL[[0, 1]], [1, 0])
    gain = np.maximum(core.sample_probabilities(belief, POOL, RNG, size=200_000) - 0.6, 0.0)
    error = gain.std(axis=0) / np.sqrt(len(gain))
    assert (np.abs(expected_improvement(belief, POOL, 0.6) - gain.mean(axis=0)) < 5 * error + 1e-9).all()


def test_a_pool_larger_than_a_block() -> None:
    belief, X = core.prior(2), np.column_stack([np.ones(5000), np.linspace(-3, 3, 5000)])
    whole = expected_improvement(belief, X, 0.6)
    for i in (0, 4095, 4096, 4999):
        assert whole[i] == pytest.approx(expected_improvement(belief, X[i : i + 1], 0.6)[0], abs=1e-15)


def test_the_best_is_of_what_was_measured_or_of_all() -> None:
    belief, _ = core.observe_many(core.prior(3), POOL[[2, 3]], [0, 1])
    p = core.predictive(belief, POOL)
    assert p.argmax() not in (2, 3)
    now = situation(belief, POOL, rows=POOL[[2, 3]], outcomes=[0, 1])
    measured, over_all = (scores(get_policy("expected-improvement", best=b), now, RNG) for b in ("measured", "all"))
    assert measured == pytest.approx(expected_improvement(belief, POOL, max(p[2], p[3])))
    assert over_all == pytest.approx(expected_improvement(belief, POOL, p.max()))
    fresh = situation(belief, POOL)
    assert scores(get_policy("expected-improvement"), fresh, RNG) == pytest.approx(over_all)
    case = situation(belief, POOL, rows=POOL[[2, 3]], outcomes=[0, 1], contextual=True)
    assert scores(get_policy("expected-improvement"), case, RNG) == pytest.approx(over_all)
    assert get_policy("expected-improvement").abilities.starts == 5
