"""KG(*) for a decision alone: the same choice, with the same value, as from the values of all candidates."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from sureshot import core
from sureshot.core import check
from sureshot.core.lookahead import knowledge_gradient_star, star_pool
from sureshot.core.numerics.stable import Array

EPSILON = 1e-9  # scores this close count as equal


def state(seed: int) -> tuple[core.Belief | core.Mixture, Array]:
    """A pool with heavy tails, copies or neither, and a belief after some outcomes."""
    rng = np.random.default_rng(seed)
    size, k = int(rng.integers(70, 140)), int(rng.integers(1, 6))
    Z = rng.standard_t(2.0, size=(size, k)) if seed % 3 == 0 else rng.normal(size=(size, k))
    if seed % 3 == 1:
        Z = Z[rng.integers(0, 2 * size // 3, size)]
    X = np.column_stack([np.ones(size), Z])
    belief: core.Belief | core.Mixture = core.auto_prior(k + 1, pool=X)
    if seed % 4 == 2:
        belief = core.prior(k + 1, precision=10.0 ** rng.uniform(-1, 1), link="probit")
    n = int(rng.integers(0, 25))
    won = rng.random(n) < core.LOGIT.probability(X @ rng.normal(size=k + 1))[:n]
    return core.observe_many(belief, X[rng.permutation(size)[:n]], won.astype(int))[0], X


@pytest.mark.parametrize("seed", range(16))
@pytest.mark.parametrize("rank", ["offline", "cost", "online"])
def test_the_choice_is_that_from_all_values(seed: int, rank: str) -> None:
    belief, X = state(seed)
    chance, cost = core.predictive(belief, X), np.random.default_rng(seed).uniform(0.5, 2.0, len(X))

    def worth(score: Array) -> Array:
        return {"offline": score, "cost": score / cost, "online": chance + 10.0 * score}[rank]

    quick, full = (knowledge_gradient_star(belief, X, trials_left=16, rank=r) for r in (worth, None))
    ranks, wanted = worth(quick.score), worth(full.score)
    chosen = np.flatnonzero(ranks >= ranks.max() - EPSILON)
    assert chosen.tolist() == np.flatnonzero(wanted >= wanted.max() - EPSILON).tolist()
    np.testing.assert_allclose(quick.values[chosen], full.values[chosen], rtol=0, atol=1e-12)


def test_only_the_promising_are_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where few may be the best: a tenth of all candidates in full, the others quickly and among few."""
    belief, X = state(9)
    full = list[int]()
    run = star_pool._run

    def counted(work: object, who: Array, *quickly: Array) -> object:
        full.append(0 if quickly else len(who))
        return run(work, who, *quickly)  # type: ignore[arg-type]

    monkeypatch.setattr(star_pool, "_run", counted)
    knowledge_gradient_star(belief, X, trials_left=16, rank=lambda score: score)
    assert 0 < sum(full) < len(X) / 2


def test_what_is_not_worked_out_is_no_more_than_it_is_worth() -> None:
    for seed in range(6):
        belief, X = state(seed)
        quick, full = (knowledge_gradient_star(belief, X, trials_left=16, rank=r) for r in (lambda v: v, None))
        assert (quick.values <= full.values + 2e-4).all()


def test_what_is_kept_of_a_pool_is_not_mixed_up_between_threads() -> None:
    rng = np.random.default_rng(5)
    pools = [check.frozen(rng.normal(size=(30, 3))) for _ in range(3)]
    beliefs = [core.gaussian(rng.normal(size=3), np.eye(3) * size, link="logit") for size in (0.5, 2.0, 5.0)]
    alone = [knowledge_gradient_star(*both, trials_left=4).score for both in zip(beliefs, pools, strict=True)]
    with ThreadPoolExecutor(3) as threads:
        jobs = [
            (k, threads.submit(knowledge_gradient_star, beliefs[k], pools[k], trials_left=4)) for k in [0, 1, 2] * 60
        ]
        assert all(np.array_equal(job.result().score, alone[k]) for k, job in jobs)


@pytest.mark.parametrize("seed", [98, 101, 191, 217, 286])
def test_what_the_heaviest_belief_does_not_see_is_seen(seed: int) -> None:
    """Alternatives go in pairs, one cheap and one dear; the heaviest of four beliefs knows of no pairs."""
    rng, n, others = np.random.default_rng(seed), 40, 30
    low = rng.uniform(-4, 0)
    parts = [rng.uniform(-1, 1, 1), rng.uniform(-4, 0) + 0.3 * rng.normal(size=n), low + 0.3 * rng.normal(size=n)]
    mean = np.concatenate([*parts, rng.uniform(-3, 0) + 0.1 * rng.normal(size=others)])
    spreads = [(0.5, 8, 0.7, 1.3, n), (1, 30, 0.7, 1.3, n), (0.1, 8, 0.9, 1.1, others)]
    each = [rng.uniform(a, b) * rng.uniform(c, d, size) for a, b, c, d, size in spreads]
    variance = np.concatenate([[0.01], *each])
    rho = np.where(rng.random(n) < 0.15, rng.uniform(0.9, 0.999), rng.uniform(0, 0.3, n))
    cov, i = np.diag(variance), np.arange(1, n + 1)
    cov[i, i + n] = cov[i + n, i] = rho * np.sqrt(variance[i] * variance[i + n])
    alone, paired = core.gaussian(mean, np.diag(variance)), core.gaussian(mean, cov)
    belief = core.mixture([alone, paired, paired, paired], [0.26, *[0.74 / 3] * 3])
    cost = np.where(np.isin(np.arange(len(mean)), i + n), 1000.0, 1.0)
    quick = knowledge_gradient_star(belief, np.eye(len(mean)), rank=lambda score: score / cost).score / cost
    full = knowledge_gradient_star(belief, np.eye(len(mean))).score / cost
    assert full[quick.argmax()] == pytest.approx(full.max(), rel=1e-9)
