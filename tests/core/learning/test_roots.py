"""The root behind the Laplace update: guarded Newton against bisection, brentq and Lambert, and the steps it takes."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, special

from sureshot.core.learning.roots import map_score
from sureshot.core.links import CLOGLOG, LINKS, LOGIT, LOGLOG, PROBIT
from tests.core.truth import by_bisection

LINK = pytest.mark.parametrize("link", LINKS.values(), ids=str)
OUTCOME = pytest.mark.parametrize(("y", "of"), [(0, 1), (1, 1), (2, 5), (1, 1000)])


def grid(most_mu: float, most_s: float) -> tuple[np.ndarray, np.ndarray]:
    mu, s = np.meshgrid(np.linspace(-most_mu, most_mu, 61), np.logspace(-6, np.log10(most_s), 41))
    return mu.ravel(), s.ravel()


@LINK
@OUTCOME
@pytest.mark.parametrize("reach", [(6.0, 1e2), (30.0, 1e6), (800.0, 1e12)])
def test_newton_finds_what_bisection_finds(link, y, of, reach) -> None:
    mu, s = grid(*reach)
    z, _ = map_score(link, mu, s, y, of)
    want = by_bisection(link, mu, s, y, of)
    np.testing.assert_allclose(z, want, rtol=1e-12, atol=1e-12)


@LINK
@OUTCOME
def test_both_find_what_scipy_finds(link, y, of) -> None:
    for mu, s in [(0.0, 1.0), (-5.0, 80.0), (3.0, 0.01), (12.0, 1e4)]:

        def slope(f, mu=mu, s=s):
            return f - mu - s * link.score(f, y, of)

        want = optimize.brentq(slope, mu - 1e3, mu + 400.0, xtol=1e-14)
        assert map_score(link, mu, s, y, of)[0] == pytest.approx(want, abs=1e-11)
        assert by_bisection(link, mu, s, y, of) == pytest.approx(want, abs=1e-11)


@pytest.mark.parametrize("link", [LOGIT, PROBIT], ids=str)
@pytest.mark.parametrize("y", [0, 1])
def test_newton_needs_eight_steps_at_most_for_ordinary_beliefs(link, y) -> None:
    assert map_score(link, *grid(6.0, 1e2), y)[1].max() <= 8


@LINK
@pytest.mark.parametrize("y", [0, 1])
def test_newton_needs_few_steps_for_wide_beliefs(link, y) -> None:
    """17, and 20 where the score dies out doubly exponentially (a cloglog success, a loglog failure)."""
    most = 20 if (link, y) in ((CLOGLOG, 1), (LOGLOG, 0)) else 17
    for reach in ((6.0, 1e2), (30.0, 1e6)):
        assert map_score(link, *grid(*reach), y)[1].max() <= most


@pytest.mark.parametrize("s", [1e-12, 1e-3, 1.0, 1e4, 1e20])
@pytest.mark.parametrize("mu", [-50.0, 0.0, 40.0, 300.0, 690.0, 2e3, 1e6])
def test_the_closed_form_of_a_cloglog_failure_by_lambert(mu: float, s: float) -> None:
    """z = mu - W(s exp(mu)) = mu - ω(mu + log s), by Wright's omega; where exp(mu) overflows too."""
    with mp.workdps(60):
        x = mp.mpf(mu) + mp.log(mp.mpf(s))
        omega = mp.mpf(float(special.wrightomega(float(x))))
        for _ in range(6):  # Newton's steps for ω + log ω = x
            omega -= (omega + mp.log(omega) - x) / (1 + 1 / omega)
        want = float(mp.mpf(mu) - omega)
    z, _ = map_score(CLOGLOG, mu, s, 0)
    assert z == pytest.approx(want, rel=1e-12, abs=1e-12)
    mirrored, _ = map_score(LOGLOG, -mu, s, 1)
    assert mirrored == -z


@LINK
@given(
    mu=st.floats(-1e10, 1e10),
    log_s=st.floats(-60.0, 60.0),
    of=st.sampled_from([1, 2, 10, 10_000]),
    share=st.floats(0.0, 1.0),
)
def test_the_root_is_bracketed_to_rounding(link, mu, log_s, of, share) -> None:
    """Just below the answer the derivative of the log posterior is positive, just above negative."""
    s, y = float(np.exp(log_s)), round(share * of)
    z, steps = map_score(link, mu, s, y, of)
    assert np.isfinite(z)
    assert steps < 400
    wide = 1e-11 * (1.0 + max(abs(z), abs(mu) * 1e-4))
    with np.errstate(over="ignore"):
        assert (z - wide) - mu - s * link.score(z - wide, y, of) <= 0
        assert (z + wide) - mu - s * link.score(z + wide, y, of) >= 0


@LINK
def test_without_spread_nothing_moves_and_no_step_is_taken(link) -> None:
    mu = np.array([-800.0, 0.0, 800.0])
    z, steps = map_score(link, mu, 0.0, 0)
    np.testing.assert_array_equal(z, mu)
    assert steps.tolist() == [0, 0, 0]


def test_the_trap_of_a_two_cycle_is_escaped() -> None:
    """From mu = 30 with s = 1e6 plain Newton for a logit failure jumps to -1e6 and back to 30, for ever."""
    mu, s = 30.0, 1e6
    once = mu - (0.0 - s * LOGIT.score(mu, 0)) / (1 + s * LOGIT.curvature(mu, 0))
    back = once - (once - mu - s * LOGIT.score(once, 0)) / (1 + s * LOGIT.curvature(once, 0))
    assert once < -9e5
    assert back == pytest.approx(mu)
    z, steps = map_score(LOGIT, mu, s, 0)
    assert abs(z - mu - s * LOGIT.score(z, 0)) < 1e-9
    assert steps <= 17
