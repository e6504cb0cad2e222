"""A run seen through the theory, number by number."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from sureshot import core
from sureshot.core.lookahead import knowledge_gradient
from sureshot.errors import InvalidInput, UnknownName
from sureshot.theory import conditions, trace


def run(n=30, M=6, d=3, seed=1):
    rng = np.random.default_rng(seed)
    X, w = rng.standard_normal((M, d)), rng.standard_normal(d)
    tried = rng.integers(0, M, n)
    return X, w, tried, (rng.random(n) < special.expit(X[tried] @ w)).astype(int)


def test_every_number_is_what_its_name_says():
    X, w, tried, y = run()
    seen = trace(X, tried, y, w, prior=core.prior(3))
    assert seen.n.tolist() == list(range(31))
    for n in (0, 1, 2, 7, 30):
        rows = X[tried[:n]]
        assert seen.visits[n].tolist() == [int((tried[:n] == i).sum()) for i in range(6)]
        p = special.expit(rows @ w)
        values = np.linalg.svd(np.sqrt(p * (1 - p))[:, None] * rows, compute_uv=False) ** 2
        values = np.concatenate([values, np.zeros(3 - len(values))])
        assert seen.largest[n] == pytest.approx(values.max(), rel=1e-10)
        assert seen.smallest[n] == pytest.approx(values.min(), rel=1e-8, abs=1e-14)
        belief = core.prior(3)
        for x, outcome in zip(rows, y, strict=False):
            belief, _ = core.observe(belief, x, int(outcome))
        assert seen.max_kg[n] == pytest.approx(knowledge_gradient(belief, X).max(), rel=1e-9)
    assert np.isinf(seen.condition[:3]).all()  # two rows do not span three weights
    p = special.expit(X[tried] @ w)
    F = X[tried].T @ ((p * (1 - p))[:, None] * X[tried])
    assert seen.condition[30] == pytest.approx(np.linalg.cond(F), rel=1e-9)
    assert seen.fewest.tolist() == [min(one) for one in seen.visits.tolist()]
    assert seen.longest == np.linalg.norm(X, axis=1).max()


def test_some_moments_are_the_same_as_these_of_all():
    X, w, tried, y = run()
    every, some = (trace(X, tried, y, w, prior=core.prior(3), at=at) for at in (None, [0, 5, 29]))
    assert some.n.tolist() == [0, 5, 29]
    for name in ("visits", "max_kg", "smallest", "largest", "condition"):
        np.testing.assert_allclose(getattr(some, name), getattr(every, name)[[0, 5, 29]], rtol=1e-9, atol=1e-14)


def test_the_link_is_the_belief_s_or_the_world_s():
    X, w, tried, y = run(n=12)
    for link in core.LINKS:
        F = sum(unit(link, X[i], w) for i in tried)
        for seen in (
            trace(X, tried, y, w, prior=core.prior(3, link=link), at=[12]),
            trace(X, tried, y, w, prior=core.prior_mixture(3, links=["logit", "probit"]), link=link, at=[12]),
        ):
            assert seen.largest[0] == pytest.approx(np.linalg.eigvalsh(F)[-1], rel=1e-8)


def unit(link, x, w):
    """One outcome's information, from the chance of success and its numeric slope."""
    law, f, h = core.get_link(link), x @ w, 1e-5
    p = float(law.probability(np.array(f)))
    slope = float(law.probability(np.array(f + h)) - law.probability(np.array(f - h))) / (2 * h)
    return slope**2 / (p * (1 - p)) * np.outer(x, x)


def test_other_look_aheads_are_the_core_s():
    X, w, tried, y = run(n=5)
    prior = core.prior(3, covariance="diagonal")
    seen = trace(X, tried, y, w, prior=prior, lookahead="update", at=[5])
    belief, _ = core.observe_many(prior, X[tried], y)
    assert seen.max_kg[0] == pytest.approx(knowledge_gradient(belief, X, lookahead="update").max(), rel=1e-12)


def test_all_conditions_are_met_where_alternatives_are_tried_in_turn():
    X, w, _, _ = run(seed=3)
    tried = np.arange(600) % 6
    y = (np.random.default_rng(4).random(600) < special.expit(X[tried] @ w)).astype(int)
    at = [0, 1, 2, *range(6, 601, 6)]
    seen = trace(X, tried, y, w, prior=core.prior(3), at=at)
    found = conditions(seen)
    assert found.c1_longest == np.linalg.norm(X, axis=1).max()
    assert found.c2_since == 6
    assert found.c2_worst == pytest.approx(found.c2_last, rel=1e-9)  # the same after each round
    assert found.c3_smallest == pytest.approx(100 * seen.smallest[3], rel=1e-9)
    assert found.c3_growth == pytest.approx(1.0, abs=1e-9)
    assert seen.max_kg[-1] < 0.2 * seen.max_kg[0]  # and the knowledge gradient vanishes


def test_c2_and_c3_are_broken_where_only_two_of_three_directions_are_tried():
    X = np.eye(3)
    seen = trace(X, [0, 1] * 20, [0, 1] * 20, np.zeros(3), prior=core.prior(3), at=[1, 10, 20, 40])
    found = conditions(seen)
    assert (found.c2_since, found.c2_worst, found.c2_last, found.c3_smallest) == (None, np.inf, np.inf, 0.0)
    assert np.isnan(found.c3_growth)
    assert seen.fewest.tolist() == [0, 0, 0, 0]


def test_c2_is_broken_slowly_where_one_direction_is_tried_ever_less():
    """Alternative 1 at trials 1, 4, 9, 16, ...: smallest grows as √n, and the ratio with it."""
    n = 2500
    tried = np.zeros(n, dtype=int)
    tried[np.arange(1, 51) ** 2 - 1] = 1
    at = np.unique(np.geomspace(20, n, 40).astype(int))
    found = conditions(trace(np.eye(2), tried, np.zeros(n), np.zeros(2), prior=core.prior(2), at=at))
    assert found.c3_growth == pytest.approx(0.5, abs=0.1)
    assert found.c2_last > 45
    assert found.c2_worst == pytest.approx(found.c2_last, rel=0.1)


def test_growth_is_that_of_the_second_half():
    """Both alternatives in turn for 500 trials, then only the first: from there on the smallest stands still."""
    tried = np.concatenate([np.arange(500) % 2, np.zeros(1500, dtype=int)])
    found = conditions(
        trace(np.eye(2), tried, np.zeros(2000), np.zeros(2), prior=core.prior(2), at=range(0, 2001, 100))
    )
    assert found.c3_growth == pytest.approx(0.0, abs=1e-12)
    assert found.c3_smallest == pytest.approx(250 / 4, rel=1e-12)


X2, PRIOR = [[1.0, 0.0], [0.0, 1.0]], core.prior(2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: trace(X2, [0, 2], [0, 1], [0, 0], prior=PRIOR), "one row of `X` for each trial, 0 to 1, got tried=2"),
        (lambda: trace(X2, [-1], [0], [0, 0], prior=PRIOR), "`tried` must hold one row of `X` for each trial"),
        (lambda: trace(X2, [0.5], [0], [0, 0], prior=PRIOR), "`tried` must hold one row of `X` for each trial"),
        (lambda: trace(X2, [[0]], [0], [0, 0], prior=PRIOR), r"`tried` must hold .* got shape \(1, 1\)"),
        (lambda: trace(X2, [0], [2], [0, 0], prior=PRIOR), "`y` must be 0"),
        (lambda: trace(X2, [0, 1], [1], [0, 0], prior=PRIOR), "`y` must hold one number for each of the 2"),
        (lambda: trace(X2, [0], [1], [0, 0, 0], prior=PRIOR), r"`X` must have shape \(n, 3\)"),
        (lambda: trace(X2, [0], [1], [0, np.nan], prior=PRIOR), "`w_true` must be finite"),
        (lambda: trace(X2, [0], [1], [0, 0], prior=core.prior(3)), "`prior` must be about rows of 2 features"),
        (lambda: trace(X2, [0], [1], [0, 0], prior="x"), "`prior` must be a belief, got str"),  # type: ignore[arg-type]
        (lambda: trace(X2, [0], [1], [0, 0], prior=PRIOR, at=[2]), "`at` must lie between 0 and 1"),
        (lambda: trace(X2, [0], [1], [0, 0], prior=PRIOR, at=[1, 0]), "`at` must hold rising whole numbers"),
        (lambda: trace(X2, [0], [1], [0, 0], prior=PRIOR, at=[]), "`at` must hold rising whole numbers"),
        (lambda: trace(X2, [0], [1], [0, 0], prior=PRIOR, at=[0.5]), "`at` must hold rising whole numbers"),  # type: ignore[list-item]
        (
            lambda: trace(X2, [0], [1], [0, 0], prior=core.prior_mixture(2, links=["logit", "probit"])),
            r"`link` must be given where beliefs have several links \(logit, probit\)",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(call, message):
    with pytest.raises(InvalidInput, match=message):
        call()


def test_an_unknown_link_or_look_ahead_is_refused():
    with pytest.raises(UnknownName, match="unknown link"):
        trace(X2, [0], [1], [0, 0], prior=PRIOR, link="logitt")
    with pytest.raises(UnknownName, match="unknown lookahead"):
        trace(X2, [0], [1], [0, 0], prior=PRIOR, lookahead="deep")  # type: ignore[arg-type]
