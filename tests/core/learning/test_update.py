"""Updates against independent truth: SciPy's maximum and mpmath's derivatives for Laplace, sums over a fine grid of
weights for assumed density filtering and for the evidence.
"""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, special

from sureshot import core

#: The links by their definition, as mpmath reads them.
SIGMA = {
    "logit": lambda f: 1 / (1 + mp.exp(-f)),
    "probit": mp.ncdf,
    "cloglog": lambda f: -mp.expm1(-mp.exp(f)),
    "loglog": lambda f: mp.exp(-mp.exp(-f)),
}
PLAIN = {
    "logit": special.expit,
    "probit": special.ndtr,
    "cloglog": lambda f: -np.expm1(-np.exp(f)),
    "loglog": lambda f: np.exp(-np.exp(-f)),
}
MEAN = np.array([0.4, -0.7, 0.2])
COV = np.array([[2.0, 0.6, -0.3], [0.6, 1.0, 0.2], [-0.3, 0.2, 1.5]])
X1 = np.array([1.0, -0.8, 1.3])
LINK = pytest.mark.parametrize("link", PLAIN)
FORM = pytest.mark.parametrize("form", ["full", "diagonal"])
COUNT = pytest.mark.parametrize(("y", "of"), [(0, 1), (1, 1), (3, 7), (0, 4), (40, 50)])


def belief_of(form: str, link: str, method: str = "laplace", d: int = 3) -> core.Belief:
    cov = COV[:d, :d]
    return core.gaussian(MEAN[:d], cov if form == "full" else np.diag(cov), link=link, method=method)


def log_likelihood(link: str, f: mp.mpf, y: int, of: int) -> mp.mpf:
    p = SIGMA[link](f)
    return y * mp.log(p) + (of - y) * mp.log(1 - p)


@LINK
@FORM
@COUNT
def test_laplace_is_at_the_maximum_with_the_curvature_there(link, form, y, of) -> None:
    before = belief_of(form, link)
    precision = np.linalg.inv(before.cov)
    after, info = core.observe(before, X1, y, of=of)

    def loss(w):
        gap = w - MEAN
        p = np.clip(PLAIN[link](w @ X1), 1e-300, 1 - 1e-16)
        return 0.5 * gap @ precision @ gap - y * np.log(p) - (of - y) * np.log1p(-p)

    found = optimize.minimize(
        loss, MEAN, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-13, "maxiter": 4000}
    )
    np.testing.assert_allclose(after.mean, found.x, atol=3e-6)

    with mp.workdps(40):  # and to more digits: the gradient vanishes, the Hessian is the new precision
        f = mp.mpf(float(after.mean @ X1))
        slope = float(mp.diff(lambda v: log_likelihood(link, v, y, of), f))
        bend = -float(mp.diff(lambda v: log_likelihood(link, v, y, of), f, 2))
    np.testing.assert_allclose(precision @ (after.mean - MEAN), slope * X1, atol=1e-10 * of)
    hessian = precision + bend * np.outer(X1, X1)
    if form == "full":
        np.testing.assert_allclose(after.cov, np.linalg.inv(hessian), rtol=1e-10, atol=1e-12)
    else:
        np.testing.assert_allclose(1.0 / after.variance, np.diag(hessian), rtol=1e-11)
    assert info.curvature == pytest.approx(bend, rel=1e-9)
    assert info.shift == pytest.approx((after.mean - MEAN) @ X1, rel=1e-9)
    assert 0 < info.iterations < 40


def posterior_by_grid(link: str, cov: np.ndarray, y: int, of: int) -> tuple[float, np.ndarray, np.ndarray]:
    """Evidence, mean and covariance of two weights given the outcomes, by the trapezoid rule: exact to rounding for
    smooth integrands that die out.
    """
    step = np.linspace(-9, 9, 361)
    u = np.stack(np.meshgrid(step, step, indexing="ij"), axis=-1).reshape(-1, 2)
    w = MEAN[:2] + u @ np.linalg.cholesky(cov).T
    p = PLAIN[link](w @ X1[:2])
    mass = np.exp(-0.5 * (u * u).sum(1)) / (2 * np.pi) * (step[1] - step[0]) ** 2 * p**y * (1 - p) ** (of - y)
    evidence = mass.sum()
    mean = mass @ w / evidence
    return evidence, mean, (w - mean).T @ ((w - mean) * mass[:, None]) / evidence


@FORM
@COUNT
def test_assumed_density_filtering_keeps_the_exact_moments(form, y, of) -> None:
    before = belief_of(form, "probit", "adf", d=2)
    after, info = core.observe(before, X1[:2], y, of=of)
    evidence, mean, cov = posterior_by_grid("probit", before.cov, y, of)
    np.testing.assert_allclose(after.mean, mean, atol=1e-10)
    if form == "full":
        np.testing.assert_allclose(after.cov, cov, atol=1e-10)
    else:
        np.testing.assert_allclose(after.variance, np.diag(cov), atol=1e-10)
    assert info.evidence == pytest.approx(np.log(evidence), abs=1e-10)


@LINK
@FORM
@COUNT
def test_the_evidence_is_the_probability_of_what_was_seen(link, form, y, of) -> None:
    before = belief_of(form, link, d=2)
    _, info = core.observe(before, X1[:2], y, of=of)
    assert info.evidence == pytest.approx(np.log(posterior_by_grid(link, before.cov, y, of)[0]), abs=1e-10)


@pytest.mark.parametrize("link", ["logit", "cloglog", "loglog"])
@pytest.mark.parametrize(("mu", "s", "y"), [(-40.0, 1.0, 1), (-60.0, 25.0, 1), (45.0, 4.0, 0), (-300.0, 400.0, 1)])
def test_the_evidence_of_a_great_surprise_has_the_right_log(link, mu, s, y) -> None:
    """Below 1e-8 the nodes of the rule are laid about the top of the integrand."""
    _, info = core.observe(core.gaussian([mu], [s], link=link), [1.0], y)
    f, step = np.linspace(-700.0, 700.0, 700_001, retstep=True)
    g = f if link == "cloglog" else -f
    if link == "logit":
        log_p = -np.logaddexp(0.0, -f if y else f)
    elif (link == "cloglog") == bool(y):
        log_p = np.where(
            g < 3.0, np.log(-np.expm1(-np.exp(np.minimum(g, 3.0)))), np.log1p(-np.exp(-np.exp(np.maximum(g, 3.0))))
        )
    else:  # a cloglog failure, a loglog success
        log_p = -np.exp(g)
    log_density = -((f - mu) ** 2) / (2 * s) - 0.5 * np.log(2 * np.pi * s)
    assert info.evidence == pytest.approx(special.logsumexp(log_p + log_density) + np.log(step), abs=1e-9)


@LINK
@FORM
def test_a_history_is_its_outcomes_one_by_one(link, form) -> None:
    rng = np.random.default_rng(5)
    X, of = rng.standard_normal((25, 3)), rng.integers(1, 6, 25)
    y = rng.binomial(of, 0.4)
    together, infos = core.observe_many(belief_of(form, link), X, y, of=of)
    one = belief_of(form, link)
    for i in range(25):
        one, info = core.observe(one, X[i], y[i], of=of[i])
        for name in ("shift", "curvature", "iterations", "evidence"):
            assert getattr(infos, name)[i] == getattr(info, name)
    np.testing.assert_array_equal(together.mean, one.mean)
    np.testing.assert_array_equal(together.cov, one.cov)


def test_an_empty_history_changes_nothing() -> None:
    before = belief_of("full", "logit")
    after, info = core.observe_many(before, np.empty((0, 3)), [])
    np.testing.assert_array_equal(after.mean, before.mean)
    assert info.evidence.shape == (0,)


def test_outcomes_may_be_booleans_integers_or_numpy_scalars() -> None:
    before = core.prior(2)
    means = [
        core.observe(before, [1, 2], y)[0].mean for y in (1, True, 1.0, np.int64(1), np.bool_(True), np.array([1]))
    ]
    assert all(np.array_equal(mean, means[0]) for mean in means)


def test_a_full_update_tells_the_other_alternatives_as_the_formulas_say() -> None:
    """mu' <- mu' + r c and s' <- s' - t c²/(1 + t s), c = x' cov x."""
    before = belief_of("full", "logit")
    X = np.random.default_rng(2).standard_normal((6, 3))
    after, info = core.observe(before, X1, 1)
    s, c = X1 @ COV @ X1, X @ COV @ X1
    mu, v = before.moments(X)
    np.testing.assert_allclose(after.moments(X)[0], mu + info.shift / s * c, atol=1e-12)
    np.testing.assert_allclose(after.moments(X)[1], v - info.curvature * c**2 / (1 + info.curvature * s), atol=1e-12)


@given(seed=st.integers(0, 99_999), link=st.sampled_from(list(PLAIN)), form=st.sampled_from(["full", "diagonal"]))
def test_the_order_of_features_does_not_matter(seed, link, form) -> None:
    rng = np.random.default_rng(seed)
    X, y, order = rng.standard_normal((6, 4)), rng.integers(0, 2, 6), rng.permutation(4)
    mean, variance = rng.standard_normal(4), rng.uniform(0.1, 4.0, 4)
    made = [
        core.gaussian(m, v if form == "diagonal" else np.diag(v), link=link)
        for m, v in ((mean, variance), (mean[order], variance[order]))
    ]
    plain, info = core.observe_many(made[0], X, y)
    turned, turned_info = core.observe_many(made[1], X[:, order], y)
    np.testing.assert_allclose(turned.mean, plain.mean[order], atol=1e-10)
    np.testing.assert_allclose(turned.cov, plain.cov[np.ix_(order, order)], atol=1e-10)
    np.testing.assert_allclose(turned_info.evidence, info.evidence, atol=1e-10)


@given(
    seed=st.integers(0, 99_999),
    link=st.sampled_from(list(PLAIN)),
    form=st.sampled_from(["full", "diagonal"]),
    scale=st.lists(st.sampled_from([1e-6, 1e-3, 0.5, 2.0, 1e3, 1e6]), min_size=3, max_size=3),
)
def test_a_feature_scaled_with_its_prior_says_the_same(seed, link, form, scale) -> None:
    rng, by = np.random.default_rng(seed), np.array(scale)
    X, y = rng.standard_normal((6, 3)), rng.integers(0, 2, 6)
    plain, info = core.observe_many(core.prior(3, link=link, covariance=form), X, y)
    scaled, scaled_info = core.observe_many(core.prior(3, precision=by**2, link=link, covariance=form), X * by, y)
    np.testing.assert_allclose(scaled.mean * by, plain.mean, atol=1e-10)
    np.testing.assert_allclose(scaled.cov * np.outer(by, by), plain.cov, atol=1e-10)
    np.testing.assert_allclose(scaled_info.evidence, info.evidence, atol=1e-10)


@given(
    seed=st.integers(0, 99_999),
    pair=st.sampled_from([("logit", "logit"), ("probit", "probit"), ("cloglog", "loglog"), ("loglog", "cloglog")]),
    form=st.sampled_from(["full", "diagonal"]),
    method=st.sampled_from(["laplace", "adf", "ep"]),
)
def test_outcomes_and_scores_turned_round_say_the_same(seed, pair, form, method) -> None:
    """y -> 1 - y with x -> -x: the same belief under a symmetric link, and for cloglog that of loglog."""
    rng = np.random.default_rng(seed)
    X, of = rng.standard_normal((6, 3)), rng.integers(1, 4, 6)
    y = rng.binomial(of, 0.5)
    straight, mirrored = (core.prior(3, link=link, covariance=form, method=method) for link in pair)
    straight, info = core.observe_many(straight, X, y, of=of)
    mirrored, mirrored_info = core.observe_many(mirrored, -X, of - y, of=of)
    np.testing.assert_allclose(mirrored.mean, straight.mean, atol=1e-11)
    np.testing.assert_allclose(mirrored.cov, straight.cov, atol=1e-11)
    np.testing.assert_allclose(mirrored_info.evidence, info.evidence, atol=1e-11)


@pytest.mark.parametrize("covariance", ["full", "diagonal"])
def test_a_belief_that_reads_some_features_learns_the_same_one_by_one(covariance) -> None:
    """To the last bit. Some columns of many rows lie otherwise in memory than those of one row, and sums in compiled
    code ran in another order over them."""
    rng = np.random.default_rng(3)
    X = rng.standard_normal((40, 9))
    y = rng.integers(0, 2, 40)
    belief = core.prior(9, columns=[7, 3, 2, 0, 1, 5], covariance=covariance, link="cloglog")
    whole, _ = core.observe_many(belief, X, y)
    for x, outcome in zip(X, y, strict=True):
        belief, _ = core.observe(belief, x, outcome)
    np.testing.assert_array_equal(belief.mean, whole.mean)
    np.testing.assert_array_equal(belief.cov, whole.cov)
