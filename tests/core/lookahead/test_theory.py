"""What the paper proves of the knowledge gradient, and where it does not hold for its own algorithms."""

from __future__ import annotations

import numpy as np
from scipy import optimize, stats

from sureshot import core
from sureshot.core.lookahead import knowledge_gradient
from sureshot.core.lookahead.joint import joint


def states(count: int, d: int, link: str, form: str, seed: int) -> list[tuple[core.Belief, np.ndarray]]:
    """Beliefs after a few random outcomes, and the pool they are about."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        pool = rng.uniform(-3, 3, size=(15, d))
        n = int(rng.integers(0, 8))
        belief, _ = core.observe_many(
            core.prior(d, link=link, covariance=form), pool[rng.integers(0, 15, size=n)], rng.integers(0, 2, size=n)
        )
        found.append((belief, pool))
    return found


def test_proposition_1_holds_for_the_exact_form() -> None:
    for belief, pool in states(40, 3, "probit", "full", seed=1):
        assert knowledge_gradient(belief, pool).min() >= 0.0
        ((_, success, failure),) = joint(belief, pool, pool, "exact")
        now = core.predictive(belief, pool).max()
        assert (success.max(axis=1) + failure.max(axis=1) - now).min() > -1e-13  # before anything is clipped


def test_erratum_12_proposition_1_fails_for_algorithm_2() -> None:
    negative = [
        (knowledge_gradient(belief, pool, lookahead="update") < -1e-6).any()
        for belief, pool in states(60, 3, "logit", "diagonal", seed=2)
    ]
    # in a good part of the states the approximate look-ahead says that some experiment would do harm
    assert np.mean(negative) > 0.2


def test_erratum_12_one_alternative_can_take_most_of_the_visits_of_algorithm_2() -> None:
    rng = np.random.default_rng(4)
    pool = rng.uniform(-3, 3, size=(20, 2))
    w = rng.normal(size=2)
    belief = core.prior(2, covariance="diagonal")
    visits = np.zeros(20, dtype=int)
    for _ in range(300):
        i = int(knowledge_gradient(belief, pool, lookahead="update").argmax())
        visits[i] += 1
        y = int(rng.random() < core.LOGIT.probability(pool[i] @ w))
        belief, _ = core.observe(belief, pool[i], y)
    assert visits.max() > 150
    assert (
        visits == 0
    ).any()  # "every alternative is measured infinitely often" is far off after 15 rounds of the pool


def test_erratum_3_the_curvature_as_printed_picks_another_alternative() -> None:
    """Algorithm 3 as printed takes v(z)(v(z) + z) at z = w·x also for a failure, where z must be -w·x."""
    differ = 0
    for belief, pool in states(40, 3, "probit", "diagonal", seed=6):
        mu, s = belief.moments(pool)
        printed = np.zeros(len(pool))
        for i, x in enumerate(pool):
            p = stats.norm.cdf(mu[i] / np.sqrt(1 + s[i]))
            for side, chance in ((1, p), (-1, 1 - p)):
                ratio = lambda z: np.exp(stats.norm.logpdf(z) - stats.norm.logcdf(z))  # noqa: E731
                root = lambda z: z - side * mu[i] - s[i] * ratio(z)  # noqa: B023, E731
                z = optimize.brentq(root, side * mu[i] - 1e-9, side * mu[i] + s[i] * ratio(side * mu[i]) + 1e-9)
                shown = side * z  # w·x, where the printed formula evaluates both outcomes
                t = ratio(shown) * (ratio(shown) + shown)
                mean = belief.mean + side * ratio(z) * belief.spread * x
                variance = 1 / (1 / belief.spread + t * x * x)
                printed[i] += chance * stats.norm.cdf(pool @ mean / np.sqrt(1 + pool**2 @ variance)).max()
        right = knowledge_gradient(belief, pool, lookahead="update")
        differ += int(printed.argmax() != right.argmax())
    assert differ > 10


def test_the_knowledge_gradient_can_be_zero_everywhere() -> None:
    """When no single outcome can change the best alternative, one step ahead sees no value at all."""
    pool = np.array([[1.0, 0.0], [0.0, 1.0]])
    belief = core.gaussian([3.0, -3.0], [0.01, 0.01], link="probit")
    assert knowledge_gradient(belief, pool).max() < 1e-12
