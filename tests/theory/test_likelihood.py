"""Fisher information, separation and the maximum likelihood estimate against statsmodels, SciPy and whole numbers."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import optimize, special, stats

from sureshot.errors import InvalidInput, UnknownName
from sureshot.theory import fisher_information, log_likelihood, maximum_likelihood, separation

LINKS = ["logit", "probit", "cloglog", "loglog"]
THEIRS = {
    "logit": sm.families.links.Logit(),
    "probit": sm.families.links.Probit(),
    "cloglog": sm.families.links.CLogLog(),
    "loglog": sm.families.links.LogLog(),
}
CHANCES = {  # written down again
    "logit": special.expit,
    "probit": stats.norm.cdf,
    "cloglog": lambda f: -np.expm1(-np.exp(f)),
    "loglog": lambda f: np.exp(-np.exp(-f)),
}


def history(link, seed, n=120, d=3, trials=False):
    rng = np.random.default_rng(seed)
    X = np.column_stack([np.ones(n), rng.standard_normal((n, d - 1)) * [3.0, 0.02][: d - 1]])
    w = np.array([0.2, 0.3, 20.0])[:d]
    of = rng.integers(1, 6, n) if trials else np.ones(n, dtype=int)
    return X, rng.binomial(of, CHANCES[link](X @ w)), of


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("trials", [False, True])
def test_the_estimate_and_its_covariance_are_those_of_statsmodels(link, trials):
    X, y, of = history(link, seed=1, trials=trials)
    ours = maximum_likelihood(X, y, of=of if trials else None, link=link)
    glm = sm.GLM(np.column_stack([y, of - y]), X, family=sm.families.Binomial(THEIRS[link]))
    theirs = glm.fit(tol=1e-14, maxiter=200)
    np.testing.assert_allclose(ours.weights, theirs.params, rtol=1e-7)
    np.testing.assert_allclose(ours.covariance, theirs.cov_params(), rtol=1e-6)
    if not trials:
        assert ours.log_likelihood == pytest.approx(theirs.llf, rel=1e-10)
    coefficients = special.gammaln(of + 1) - special.gammaln(y + 1) - special.gammaln(of - y + 1)
    true = stats.binom.logpmf(y, of, CHANCES[link](X @ ours.weights)).sum() - coefficients.sum()
    assert ours.log_likelihood == pytest.approx(true, rel=1e-10)
    assert log_likelihood(X, y, ours.weights, link=link, of=of) == pytest.approx(true, rel=1e-10)


@pytest.mark.parametrize("link", LINKS)
def test_no_other_weights_make_the_outcomes_more_probable(link):
    X, y, _ = history(link, seed=2, n=40, d=2)
    found = maximum_likelihood(X, y, link=link)

    def loss(w):
        p = CHANCES[link](X @ w)
        return -np.log(np.where(y == 1, p, 1 - p)).sum()

    least = optimize.minimize(loss, np.zeros(2), method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-13})
    np.testing.assert_allclose(found.weights, least.x, atol=2e-6)
    assert found.log_likelihood == pytest.approx(-least.fun, abs=1e-10)


@pytest.mark.parametrize("link", LINKS)
def test_the_information_is_the_mean_square_of_the_score(link):
    """E[(d log p(y)/dw)²] over y, with derivatives by finite differences of log p, and p'²/(p(1-p)) by mpmath's p."""
    rng = np.random.default_rng(3)
    X, w, of, h = rng.standard_normal((6, 2)), rng.standard_normal(2), np.array([1, 2, 1, 7, 1, 3]), 1e-6
    expected = np.zeros((2, 2))
    for x, k in zip(X, of, strict=True):
        f = x @ w
        p = CHANCES[link](f)
        up, down = CHANCES[link](f + h), CHANCES[link](f - h)
        success = (np.log(up) - np.log(down)) / 2 / h
        failure = (np.log1p(-up) - np.log1p(-down)) / 2 / h
        expected += k * (p * success**2 + (1 - p) * failure**2) * np.outer(x, x)
    np.testing.assert_allclose(fisher_information(X, w, link=link, of=of), expected, rtol=1e-7)


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("f", [-800.0, -40.0, -5.0, 5.0, 40.0, 800.0])
def test_the_information_is_right_in_the_tails(link, f):
    """Against 60 digits; where it is below the smallest float it is 0 and no NaN."""
    import mpmath

    with mpmath.workdps(60):
        t = mpmath.mpf(f)
        if link == "logit":
            true = 1 / ((1 + mpmath.exp(-t)) * (1 + mpmath.exp(t)))
        elif link == "probit":
            right = mpmath.erfc(abs(t) / mpmath.sqrt(2)) / 2
            true = mpmath.npdf(t) ** 2 / (right * (1 - right))
        else:
            u = mpmath.exp(t if link == "cloglog" else -t)
            true = u**2 / (mpmath.expm1(u)) if u < 1e6 else mpmath.mpf(0)
    found = fisher_information([[1.0]], [f], link=link)[0, 0]
    assert found == pytest.approx(float(true), rel=1e-10, abs=1e-300)


# Separation


def cone(X, won, lost):
    """By whole numbers: of all v with z·v >= 0 for each turned row, which rows some v is strict at.

    That cone is spanned by its edges if rows span the space, and each edge is orthogonal to d - 1 independent rows, so
    that trying all of these finds every edge.
    """
    Z = [tuple(x) for x, k in zip(X.tolist(), won, strict=True) if k]
    Z += [tuple(-v for v in x) for x, k in zip(X.tolist(), lost, strict=True) if k]
    d = X.shape[1]
    edges = set()
    for rows in combinations(sorted(set(Z)), d - 1):
        v = [-rows[0][1], rows[0][0]] if d == 2 else np.cross(rows[0], rows[1]).tolist()
        if any(v):
            edges |= {tuple(v), tuple(-one for one in v)}
    inside = [v for v in edges if all(sum(a * b for a, b in zip(z, v, strict=True)) >= 0 for z in Z)]
    middle = [sum(parts) for parts in zip(*inside, strict=True)] if inside else [0] * d
    return [sum(a * b for a, b in zip(z, middle, strict=True)) > 0 for z in Z]


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("trials", [False, True])
def test_separation_is_found_where_whole_numbers_say_there_is_some(d, trials):
    rng, seen = np.random.default_rng(40 + d + trials), []
    while len(seen) < 100:
        n = int(rng.integers(d, 9))
        X = rng.integers(-2, 3, (n, d))
        if np.linalg.matrix_rank(X) < d:
            continue
        lean = rng.integers(-2, 3, d)
        of = rng.integers(1, 3, n) if trials else np.ones(n, dtype=int)
        y = np.where(rng.random(n) < 0.75, np.where(X @ lean >= 0, of, 0), rng.integers(0, of + 1))
        strict = cone(X, y, of - y)
        kind = "complete" if all(strict) else "quasi-complete" if any(strict) else "none"
        found = separation(X, y, of=of)
        assert found.kind == kind
        seen.append(kind)
        sides = np.concatenate([np.flatnonzero(y > 0), np.flatnonzero(of - y > 0)])
        assert set(np.flatnonzero(found.separated)) == set(sides[strict])
        if kind == "none":
            assert found.direction is None
            estimate = maximum_likelihood(X, y, of=of)
            slope = X.T @ (y - of * special.expit(X @ estimate.weights))
            assert np.abs(slope).max() < 1e-9
        else:
            turned = np.where(y > 0, 1, -1) * (X @ found.direction)
            assert np.linalg.norm(found.direction) == pytest.approx(1.0)
            assert turned.min() > -1e-9
            assert (turned[found.separated] > 1e-3).all()
            with pytest.raises(InvalidInput, match=f"`y` must overlap .* got {kind} separation"):
                maximum_likelihood(X, y, of=of)
    assert min(seen.count(kind) for kind in ("complete", "quasi-complete", "none")) >= 5


def test_separation_does_not_depend_on_the_units_of_columns():
    rng = np.random.default_rng(5)
    X = np.column_stack([np.ones(30), rng.standard_normal((30, 2))])
    units = np.array([1.0, 1e-7, 1e9])
    apart = (X[:, 1] + X[:, 2] > 0.3).astype(int)
    mixed = apart.copy()
    mixed[:3] = 1 - mixed[:3]
    for y, kind in ((apart, "complete"), (mixed, "none")):
        assert separation(X, y).kind == separation(X * units, y).kind == kind
    found = maximum_likelihood(X * units, mixed)
    np.testing.assert_allclose(found.weights * units, maximum_likelihood(X, mixed).weights, rtol=1e-8)


@pytest.mark.parametrize("link", LINKS)
def test_where_outcomes_are_separated_the_likelihood_has_no_maximum(link):
    """It rises along the direction that was found, without end: the reason for the refusal."""
    X, y = np.array([[1.0, -1.0], [1.0, 0.0], [1.0, 0.0], [1.0, 2.0]]), np.array([0, 0, 1, 1])
    found = separation(X, y)
    assert found.kind == "quasi-complete"
    assert found.separated.tolist() == [True, False, False, True]
    start = np.array([0.2, 0.1])
    along = [log_likelihood(X, y, start + t * found.direction, link=link) for t in (0.0, 1.0, 4.0, 16.0)]
    assert np.diff(along).min() > 0


@pytest.mark.parametrize("by", [1e-3, 1e-6, 1e-8])
def test_the_smallest_overlap_and_the_smallest_margin_are_seen(by):
    rows = np.array([[1.0, -1.0], [1.0, 0.0], [1.0, by], [1.0, 1.0]])
    assert separation(rows, [0, 1, 0, 1]).kind == "none"  # a failure beyond a success
    assert separation(rows, [0, 0, 1, 1]).kind == "complete"


def test_only_successes_are_separated_and_rows_of_zeros_are_on_no_side():
    assert separation([[1.0, 0.5], [1.0, 3.0]], [1, 1]).kind == "complete"
    assert separation([[0.0], [1.0], [2.0]], [0, 1, 1]).kind == "quasi-complete"
    assert separation(np.empty((0, 2)), []).kind == "none"


def test_nearly_separated_outcomes_are_fitted():
    """One outcome on the wrong side, by little: a finite maximum far out."""
    X = np.column_stack([np.ones(40), np.linspace(-1, 1, 40)])
    y = (X[:, 1] > 0).astype(int)
    y[[19, 20]] = 1, 0
    found = maximum_likelihood(X, y)
    slope = X.T @ (y - special.expit(X @ found.weights))
    assert np.abs(slope).max() < 1e-10
    assert 10 < found.weights[1] < 100


# Bad input

X, Y = [[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]], [0, 1, 0]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: maximum_likelihood([[1.0, 2.0], [2.0, 4.0]], [0, 1]), "must have 2 independent columns .* got 1 in 2"),
        (lambda: maximum_likelihood([[1.0, 2.0]], [1]), "must have 2 independent columns .* got 1 in 1"),
        (lambda: maximum_likelihood(np.empty((0, 2)), []), "must have 2 independent columns .* got 0 in 0 rows: drop"),
        (lambda: maximum_likelihood(np.empty((3, 0)), Y), r"`X` must have shape \(n, d\)"),
        (lambda: maximum_likelihood([1.0, 2.0], [1, 0]), r"`X` must have shape \(n, d\)"),
        (lambda: maximum_likelihood([[1.0, np.nan]] * 3, Y), r"`X` must be finite, got X\[0, 1\]=nan"),
        (lambda: maximum_likelihood(X, [0, 1]), "`y` must hold one number for each of the 3"),
        (lambda: maximum_likelihood(X, [0, 1, -1]), "`y` must be 0"),
        (lambda: maximum_likelihood(X, [0, 1, 4], of=[1, 1, 3]), "`y` must lie between 0 and `of`"),
        (lambda: maximum_likelihood(X, [0, 0, 1]), "got complete separation .3 of 3 rows .* prior with core.fit"),
        (lambda: separation(X, [0, 2, 1]), "`y` must be 0"),
        (lambda: separation([["a", "b"]], [1]), "`X` must be an array of numbers"),
        (lambda: fisher_information(X, [1.0]), r"`X` must have shape \(n, 1\)"),
        (lambda: fisher_information(X, [1.0, np.inf]), "`w` must be finite"),
        (lambda: fisher_information(X, [1.0, 1.0], of=[0, 1, 1]), "`of` must be at least 1 trial"),
        (lambda: fisher_information(X, [1.0, 1.0], of=[1.5, 1, 1]), "`of` must be a whole number"),
        (lambda: log_likelihood(X, Y, []), "`w` must be a vector"),
    ],
)
def test_what_makes_no_sense_is_refused(call, message):
    with pytest.raises(InvalidInput, match=message):
        call()


def test_an_unknown_link_is_refused():
    for call in (lambda: maximum_likelihood(X, Y, link="logitt"), lambda: fisher_information(X, [1, 1], link="logitt")):
        with pytest.raises(UnknownName, match="Did you mean 'logit'"):
            call()


def test_what_is_found_cannot_be_changed():
    found = maximum_likelihood([[1.0], [1.0]], [0, 1])
    for array in (found.weights, found.information):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0.0
