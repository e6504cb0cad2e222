"""The compiled loop and the NumPy definition are twins: same beliefs, same information, wherever both can go."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sureshot import core
from sureshot.core.learning import step as fold
from sureshot.core.learning import update
from sureshot.core.learning.compiled import step as twin
from sureshot.core.numerics import twins
from sureshot.core.numerics.twins import CODES, code_of

LEARNERS = [(name, method) for method in ("laplace", "adf") for name in core.LINKS]
LEARNER = pytest.mark.parametrize(("link", "method"), LEARNERS)
FORM = pytest.mark.parametrize("form", ["full", "diagonal"])


def both_ways(belief: core.Belief, X, y, of, monkeypatch):
    """The same history through compiled code and through NumPy."""
    assert code_of(belief.link) is not None, "Numba must be installed for this test to mean anything"
    quick = core.observe_many(belief, X, y, of=of)
    with monkeypatch.context() as patch:
        patch.setattr(update, "code_of", lambda _: None)
        return quick, core.observe_many(belief, X, y, of=of)


def assert_same(quick, slow) -> None:
    (one, one_info), (two, two_info) = quick, slow
    np.testing.assert_allclose(one.mean, two.mean, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(one.cov, two.cov, rtol=1e-9, atol=1e-11)
    for name in ("shift", "curvature", "evidence"):
        np.testing.assert_allclose(getattr(one_info, name), getattr(two_info, name), rtol=1e-9, atol=1e-10)


@LEARNER
@FORM
@pytest.mark.parametrize("most", [1, 6])
def test_compiled_and_numpy_agree_on_an_ordinary_history(link, method, form, most, monkeypatch) -> None:
    rng = np.random.default_rng(11)
    X, of = rng.standard_normal((40, 4)), rng.integers(1, most + 1, 40)
    X[7] = 0.0
    y = rng.binomial(of, 0.5)
    belief = core.prior(4, precision=[0.1, 1.0, 2.0, 10.0], covariance=form, link=link, method=method)
    quick, slow = both_ways(belief, X, y, of, monkeypatch)
    assert_same(quick, slow)
    np.testing.assert_array_equal(quick[1].iterations, slow[1].iterations)


@LEARNER
@FORM
def test_compiled_and_numpy_agree_on_a_wild_history(link, method, form, monkeypatch) -> None:
    rng = np.random.default_rng(12)
    X = rng.standard_normal((20, 3)) * 10.0 ** rng.integers(-3, 4, (20, 3))
    belief = core.gaussian([3.0, -20.0, 400.0], [1e-2, 4.0, 9.0] if form == "diagonal" else np.diag([1e-2, 4.0, 9.0]))
    belief = core.gaussian(belief.mean, belief.cov if form == "full" else belief.variance, link=link, method=method)
    assert_same(*both_ways(belief, X, rng.integers(0, 2, 20), None, monkeypatch))


@LEARNER
@given(
    mu=st.floats(-60.0, 60.0),
    log_s=st.floats(-12.0, 12.0),
    of=st.sampled_from([1, 1, 3, 200]),
    share=st.floats(0.0, 1.0),
)
@settings(max_examples=60)
def test_compiled_and_numpy_learn_the_same_from_any_score(link, method, mu, log_s, of, share) -> None:
    s, won = float(np.exp(log_s)), float(round(share * of))
    known = core.LINKS[link]
    r, t, _, evidence = twin.learn_with_evidence(CODES[known], method == "adf", mu, s, won, of - won)
    want = fold._learn_with_evidence(known, method, mu, s, won, of - won)
    noise = 1e-12 * (abs(mu) + 1.0)  # of a shift: the last digits of the score itself
    assert r * s == pytest.approx(want[0] * s, rel=1e-7, abs=noise)
    assert t * s == pytest.approx(want[1] * s, rel=1e-6, abs=1e-9)
    assert evidence == pytest.approx(want[3], rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("form", ["full", "diagonal"])
def test_the_rank_one_update_is_the_matrix_formula(form) -> None:
    """cov - t/(1 + t s)·(cov x)(cov x)', or its counterpart for variances alone."""
    rng = np.random.default_rng(3)
    half = rng.standard_normal((5, 8))
    cov, x = half @ half.T, rng.standard_normal(5)
    belief = core.gaussian(np.zeros(5), cov if form == "full" else np.diag(cov), link="probit")
    after, info = core.observe(belief, x, 1)
    t = float(info.curvature)
    if form == "full":
        s = x @ cov @ x
        np.testing.assert_allclose(after.cov, cov - t / (1 + t * s) * np.outer(cov @ x, cov @ x), atol=1e-11)
    else:
        np.testing.assert_allclose(after.variance, 1 / (1 / np.diag(cov) + t * x**2), rtol=1e-12)


def test_a_link_of_ones_own_takes_the_numpy_path() -> None:
    own = core.Link("own", core.LOGIT.probability, core.LOGIT.inverse, core.LOGIT.success, core.LOGIT.failure)
    assert code_of(own) is None
    X, y = np.random.default_rng(0).standard_normal((10, 2)), np.arange(10) % 2
    ours, _ = core.observe_many(core.prior(2, link=own), X, y)
    known, _ = core.observe_many(core.prior(2), X, y)
    np.testing.assert_allclose(ours.mean, known.mean, atol=1e-12)
    np.testing.assert_allclose(ours.cov, known.cov, atol=1e-12)


def test_numba_is_left_alone_when_it_is_switched_off() -> None:
    script = (
        "import sys; from sureshot import core\n"
        "belief, info = core.observe(core.prior(2), [1.0, -1.0], 1)\n"
        "print(belief.mean.round(6).tolist(), 'numba' in sys.modules)"
    )
    env = {**os.environ, "SURESHOT_NO_NUMBA": "1"}
    out = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True).stdout
    mean = core.observe(core.prior(2), [1.0, -1.0], 1)[0].mean.round(6).tolist()
    assert out.strip() == f"{mean} False"


def test_every_link_of_the_table_is_compiled() -> None:
    assert twins.available()
    assert set(CODES) == {core.LOGIT, core.PROBIT, core.CLOGLOG, core.LOGLOG}
