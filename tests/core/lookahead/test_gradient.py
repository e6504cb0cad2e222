"""The knowledge gradient against its definition, by loops in mpmath and by two-dimensional quadrature."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest
from scipy import stats

from sureshot import core
from sureshot.core.lookahead import finals, knowledge_gradient, knowledge_gradient_star, outlook
from sureshot.core.lookahead.joint import joint, predicted
from sureshot.errors import InvalidInput, UnknownName
from sureshot.space import Space, begin

mp.mp.dps = 20  # the same doubles as with thirty, in half the time

RNG = np.random.default_rng(20261115)
POOL = RNG.uniform(-2, 2, size=(5, 3))
MEAN = np.array([0.3, -0.4, 0.2])
VARIANCE = np.array([0.7, 1.9, 0.4])
_HALF = RNG.normal(size=(3, 3))
COV = _HALF @ _HALF.T + 0.3 * np.eye(3)


def mp_sigma(link: str, f: mp.mpf) -> mp.mpf:
    return {
        "logit": lambda: 1 / (1 + mp.exp(-f)),
        "probit": lambda: mp.ncdf(f),
        "cloglog": lambda: 1 - mp.exp(-mp.exp(f)),
        "loglog": lambda: mp.exp(-mp.exp(-f)),
    }[link]()


def mp_log_likelihood(link: str, f: mp.mpf, y: int) -> mp.mpf:
    p = mp_sigma(link, f)
    return mp.log(p if y else 1 - p)


def mp_predictive(link: str, mu: mp.mpf, s: mp.mpf) -> mp.mpf:
    """The paper's predictive probability: kappa for logit, exact for probit, the integral for the others."""
    if link == "logit":
        return mp_sigma("logit", mu / mp.sqrt(1 + mp.pi * s / 8))
    if link == "probit":
        return mp.ncdf(mu / mp.sqrt(1 + s))
    sd = mp.sqrt(s)
    return mp.quad(lambda z: mp.npdf(z) * mp_sigma(link, mu + sd * z), mp.linspace(-8, 8, 3))


def mp_update(
    link: str, method: str, mean: mp.matrix, cov: mp.matrix, x: mp.matrix, y: int, diagonal: bool
) -> tuple[mp.matrix, mp.matrix]:
    """Mean and covariance after one outcome, from the corrected formulas, with a root by mpmath."""
    d = len(x)
    mu, sx = (mean.T * x)[0], cov * x
    s = (x.T * sx)[0]
    if method == "adf":
        side, sd = (1 if y else -1), mp.sqrt(1 + s)
        z = side * mu / sd
        v = mp.npdf(z) / mp.ncdf(z)
        w = v * (v + z)
        after = cov - (w / (1 + s)) * sx * sx.T
        new_mean = mean + side * v / sd * sx
    else:
        score = lambda f: mp.diff(lambda g: mp_log_likelihood(link, g, y), f)  # noqa: E731
        z = mp.findroot(lambda f: f - mu - s * score(f), mu)
        t = -mp.diff(lambda g: mp_log_likelihood(link, g, y), z, 2)
        new_mean = mean + score(z) * sx
        precision = mp.inverse(cov) + t * x * x.T
        if diagonal:
            precision = mp.diag([precision[i, i] for i in range(d)])
        after = mp.inverse(precision)
    if diagonal:
        after = mp.diag([after[i, i] for i in range(d)])
    return new_mean, after


def mp_knowledge_gradient(link: str, method: str, mean: mp.matrix, cov: mp.matrix, diagonal: bool) -> list[float]:
    rows = [mp.matrix(row.tolist()) for row in POOL]

    def chances(m: mp.matrix, c: mp.matrix) -> list[mp.mpf]:
        return [mp_predictive(link, (m.T * x)[0], (x.T * c * x)[0]) for x in rows]

    now = chances(mean, cov)
    values = []
    for x, p in zip(rows, now, strict=True):
        won = max(chances(*mp_update(link, method, mean, cov, x, 1, diagonal)))
        lost = max(chances(*mp_update(link, method, mean, cov, x, 0, diagonal)))
        values.append(float(p * won + (1 - p) * lost - max(now)))
    return values


@pytest.mark.parametrize("form", ["diagonal", "full"])
@pytest.mark.parametrize(
    ("link", "method", "tolerance"),
    [
        ("logit", "laplace", 1e-12),  # Algorithm 2
        ("probit", "laplace", 1e-12),  # Algorithm 3
        ("probit", "adf", 1e-12),  # Algorithm 4
        ("cloglog", "laplace", 1e-6),  # predicted by a mixture of probits, 7e-8
        ("loglog", "laplace", 1e-6),
    ],
)
def test_every_algorithm_equals_its_loops_in_mpmath(link: str, method: str, tolerance: float, form: str) -> None:
    spread = VARIANCE if form == "diagonal" else COV
    belief = core.gaussian(MEAN, spread, link=link, method=method)
    cov = mp.diag(VARIANCE.tolist()) if form == "diagonal" else mp.matrix(COV.tolist())
    truth = mp_knowledge_gradient(link, method, mp.matrix(MEAN.tolist()), cov, form == "diagonal")
    np.testing.assert_allclose(knowledge_gradient(belief, POOL, lookahead="update"), truth, rtol=0, atol=tolerance)


@pytest.mark.parametrize("spread", [VARIANCE, COV], ids=["diagonal", "full"])
def test_exact_probit_equals_scipys_bivariate_normal(spread: np.ndarray) -> None:
    belief = core.gaussian(MEAN, spread, link="probit")
    cov = belief.cov
    truth = []
    for x in POOL:
        won, lost, now = [], [], []
        for z in POOL:
            s, s_z, c = x @ cov @ x, z @ cov @ z, x @ cov @ z
            latent = [[1 + s, c], [c, 1 + s_z]] if z is not x else None
            if latent is None:  # two outcomes of the same alternative share f, not their noise
                latent = [[1 + s, s], [s, 1 + s]]
            both = stats.multivariate_normal(cov=latent, abseps=1e-12, releps=1e-12, maxpts=10**6)
            j = both.cdf([MEAN @ x, MEAN @ z])
            p = stats.norm.cdf(MEAN @ z / np.sqrt(1 + s_z))
            won.append(j), lost.append(p - j), now.append(p)
        truth.append(max(won) + max(lost) - max(now))
    np.testing.assert_allclose(knowledge_gradient(belief, POOL), truth, atol=1e-9)


@pytest.mark.parametrize(("link", "tolerance"), [("logit", 1e-9), ("cloglog", 1e-6), ("loglog", 1e-6)])
def test_exact_equals_two_dimensional_quadrature(link: str, tolerance: float) -> None:
    belief = core.gaussian(MEAN, COV, link=link)
    nodes = np.linspace(-9, 9, 601)  # the trapezoid rule: Gauss-Hermite fails for scores this wide
    weights = stats.norm.pdf(nodes) * (nodes[1] - nodes[0])
    sigma = core.LINKS[link].probability
    table = np.empty((5, 5))
    for i, x in enumerate(POOL):
        for j, z in enumerate(POOL):
            s, c = x @ COV @ x, x @ COV @ z
            rest = max(z @ COV @ z - c * c / s, 0.0)
            f = MEAN @ x + np.sqrt(s) * nodes
            inner = sigma(MEAN @ z + c / np.sqrt(s) * nodes[:, None] + np.sqrt(rest) * nodes[None, :]) @ weights
            table[i, j] = weights @ (sigma(f) * inner)
    p = np.array([weights @ sigma(MEAN @ x + np.sqrt(x @ COV @ x) * nodes) for x in POOL])
    truth = table.max(axis=1) + (p - table).max(axis=1) - p.max()
    np.testing.assert_allclose(knowledge_gradient(belief, POOL), truth, rtol=0, atol=tolerance)


@pytest.mark.parametrize("link", ["logit", "probit", "cloglog", "loglog"])
def test_the_exact_form_is_a_martingale_and_never_negative(link: str) -> None:
    rng = np.random.default_rng(7)
    for _ in range(20 if link == "probit" else 3):
        d = int(rng.integers(1, 4))
        half = rng.normal(size=(d, d)) * rng.choice([0.05, 1.0, 4.0])
        belief = core.gaussian(rng.normal(size=d) * 2, half @ half.T + 1e-6 * np.eye(d), link=link)
        pool = rng.uniform(-3, 3, size=(4, d))
        ((_, success, failure),) = joint(belief, pool, pool, "exact")
        np.testing.assert_allclose(success + failure, np.tile(predicted(belief, pool, "exact"), (4, 1)), atol=1e-9)
        np.testing.assert_allclose(success, success.T, atol=1e-12)
        value = success.max(axis=1) + failure.max(axis=1) - predicted(belief, pool, "exact").max()
        assert value.min() > -1e-12


def test_a_mixture_is_the_weighted_sum_of_joint_probabilities() -> None:
    parts = [core.gaussian(MEAN, COV), core.gaussian(-MEAN, 0.1 * COV, link="probit")]
    mixed = core.mixture(parts, [3, 1])
    blocks = [next(iter(joint(one, POOL, POOL, "exact"))) for one in parts]
    success = 0.75 * blocks[0][1] + 0.25 * blocks[1][1]
    failure = 0.75 * blocks[0][2] + 0.25 * blocks[1][2]
    truth = success.max(axis=1) + failure.max(axis=1) - core.predictive(mixed, POOL).max()
    np.testing.assert_allclose(knowledge_gradient(mixed, POOL), truth, atol=1e-9)


@pytest.mark.parametrize("lookahead", ["exact", "update"])
def test_a_mixture_of_one_belief_twice_is_that_belief(lookahead: str) -> None:
    belief = core.gaussian(MEAN, COV)
    np.testing.assert_allclose(
        knowledge_gradient(core.mixture([belief, belief]), POOL, lookahead=lookahead),
        knowledge_gradient(belief, POOL, lookahead=lookahead),
        atol=1e-13,
    )


def test_groups_of_finals_are_averaged() -> None:
    belief = core.gaussian(MEAN, COV)
    groups = [POOL[:2], POOL[2:]]
    both = knowledge_gradient(belief, POOL, finals=finals(groups, [1, 3], d=3))
    each = [knowledge_gradient(belief, POOL, finals=finals([g], d=3)) for g in groups]
    np.testing.assert_allclose(both, 0.25 * each[0] + 0.75 * each[1], atol=1e-13)


@pytest.mark.parametrize("lookahead", ["exact", "update"])
def test_a_context_seen_many_times_gives_the_context_free_result_to_the_bit(lookahead: str) -> None:
    actions = np.array([[0.0, 1.0], [1.0, 0.0], [0.5, -1.0]])
    rows = core.in_context([0.3, 0.7], actions, interactions=True)
    belief = core.prior(rows.shape[1])
    belief, _ = core.observe(belief, rows[1], 0)
    seen = finals([rows] * 7, d=rows.shape[1])
    plain = knowledge_gradient(belief, rows, lookahead=lookahead)
    assert np.array_equal(knowledge_gradient(belief, rows, lookahead=lookahead, finals=seen), plain)


def test_bad_input_is_refused_with_the_rule_and_the_fix() -> None:
    belief = core.prior(3)
    with pytest.raises(InvalidInput, match="at least one alternative, got none"):
        knowledge_gradient(belief, np.empty((0, 3)))
    with pytest.raises(InvalidInput, match=r"shape \(n, 3\).*got \(4, 2\)"):
        knowledge_gradient(belief, np.ones((4, 2)))
    with pytest.raises(UnknownName, match="Did you mean 'exact'"):
        knowledge_gradient(belief, POOL, lookahead="exakt")
    with pytest.raises(InvalidInput, match="at least one group"):
        finals([], d=3)


@pytest.mark.parametrize("seed", range(6))
def test_the_outlook_is_the_best_of_all_by_the_definition(seed: int) -> None:
    """The few who may lead are found by KG(*)'s compiled code; the definition looks at every pair."""
    rng = np.random.default_rng(seed)
    space = Space.grid(a=list(range(6)), b=list(range(5)), c=["x", "y", "z"])
    _, X, start = begin(space)
    tried = rng.integers(len(X), size=int(rng.integers(0, 25)))
    belief = core.fit(start, X[tried], rng.integers(0, 2, size=len(tried))).belief
    for index in rng.integers(len(X), size=3).tolist():
        ((_, success, failure),) = joint(belief, X[index : index + 1], X, "exact")
        chance = core.predictive(belief, X[index : index + 1])[0]
        for (row, p), both, share in zip(
            outlook(belief, X, index), (failure[0], success[0]), (1 - chance, chance), strict=True
        ):
            assert p == pytest.approx(both.max() / share, abs=1e-7)
            assert both[row] == pytest.approx(both.max(), abs=1e-9)


@pytest.mark.parametrize("precision", [1e-5, 1e-8, 1e-16, 1e-40])
def test_the_outlook_of_a_belief_however_wide_takes_a_moment(precision: float) -> None:
    """KG(*)'s nodes are as many as the widest score's standard deviation: they would fill any memory."""
    X = np.array([[1.0, 0.0, 0.3], [1.0, 1.0, 0.1], [1.0, -1.0, 2.0], [1.0, 0.5, -1.0]])
    belief = core.prior(3, precision=precision)
    for index in range(4):
        ((_, success, failure),) = joint(belief, X[index : index + 1], X, "exact")
        for (row, p), both in zip(outlook(belief, X, index), (failure[0], success[0]), strict=True):
            assert p == pytest.approx(both.max() / 0.5, abs=1e-5)
            assert both[row] == pytest.approx(both.max(), abs=1e-5)


@pytest.mark.parametrize("far", [1e3, 3e3, 1e6, 1e12, 1e60])
def test_so_does_that_of_beliefs_however_far_apart(far: float) -> None:
    X = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, -1.0], [1.0, 0.5]])
    belief = core.mixture([core.prior(2), core.gaussian([0.0, far], [1.0, 1.0])])
    for index in range(4):
        ((_, success, failure),) = joint(belief, X[index : index + 1], X, "exact")
        chance = core.predictive(belief, X[index : index + 1])[0]
        for (row, p), both, share in zip(
            outlook(belief, X, index), (failure[0], success[0]), (1 - chance, chance), strict=True
        ):
            assert p == pytest.approx(both.max() / share, abs=1e-6)
            assert both[row] == pytest.approx(both.max(), abs=1e-6)
    assert (knowledge_gradient_star(belief, X).trials[-1] == 1) == (far > 2e3)
