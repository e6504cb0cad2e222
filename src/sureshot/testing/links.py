"""What a link must do, as a class of tests that a link of your own can run.

In a test file of yours:

    from sureshot.testing import LinkConformance

    class TestMyLink(LinkConformance):
        link = MY_LINK

pytest collects the class and runs every ``test_`` method. None of them knows a formula of the link: each holds one part
of the record to another, to a finite difference, or to SciPy's integral or maximum.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
from scipy import integrate, optimize, special

from sureshot.core.beliefs.belief import gaussian
from sureshot.core.learning.update import observe
from sureshot.core.links import Link, OutcomeTerms
from sureshot.core.numerics.quadrature import outcome_probability
from sureshot.core.numerics.stable import Array

__all__ = ["LinkConformance"]

#: Scores over which a link varies; a link much narrower or wider than these should be rescaled.
NEAR = np.linspace(-6.0, 6.0, 241)
#: Scores at which exp, erfc and their inverses under- and overflow.
FAR = np.array([20.0, 36.0, 37.0, 40.0, 100.0, 700.0, 710.0, 750.0, 1e3, 1e4, 1e8])
#: Finite differences of step H of order four lose about eight of sixteen digits.
H, DIFFERENCE = 1e-3, 1e-7


class LinkConformance:
    """Tests that every link passes; set ``link`` in a subclass. A failure is an ``AssertionError`` that says where."""

    link: Link

    def test_the_probability_increases_from_zero_to_one(self) -> None:
        """Success gets more likely with the score, all the way from 0 to 1."""
        p = self.link.probability(NEAR)
        _hold((p >= 0) & (p <= 1), "probability must lie between 0 and 1", NEAR, p)
        told_apart = (p[1:] > 1e-12) & (p[1:] < 1 - 1e-12)
        _hold((np.diff(p) > 0) | ~told_apart, "probability must increase", NEAR[1:], p[1:])
        _hold(np.diff(p) >= 0, "probability must not decrease", NEAR[1:], p[1:])
        ends = self.link.probability(np.array([-1e8, 1e8]))
        assert ends.tolist() == [0.0, 1.0], f"probability must run from 0 to 1, ends at {ends}"

    def test_the_log_likelihoods_are_the_logs_of_the_probabilities(self) -> None:
        """exp(log-likelihood) of success is the probability, of failure its complement."""
        p = self.link.probability(NEAR)
        _close(np.exp(self.link.success.log_likelihood(NEAR)), p, 1e-12, "success.log_likelihood")
        _close(np.exp(self.link.failure.log_likelihood(NEAR)), 1.0 - p, 1e-12, "failure.log_likelihood")

    def test_the_scores_are_derivatives_of_the_log_likelihoods(self) -> None:
        """Against differences of the log-likelihood."""
        for name, terms in self._outcomes():
            _close(terms.score(NEAR), _derivative(terms.log_likelihood, NEAR), DIFFERENCE, f"{name}.score")

    def test_the_curvatures_are_minus_the_derivatives_of_the_scores(self) -> None:
        """Against differences of the score."""
        for name, terms in self._outcomes():
            _close(terms.curvature(NEAR), -_derivative(terms.score, NEAR), DIFFERENCE, f"{name}.curvature")

    def test_the_log_likelihoods_are_concave(self) -> None:
        """No curvature is negative, and chords lie below: else an update may have two maxima or none."""
        scores = np.concatenate([-FAR[::-1], NEAR, FAR])
        for name, terms in self._outcomes():
            t = terms.curvature(scores)
            _hold(t >= 0, f"{name}.curvature must not be negative", scores, t)
            r = terms.score(scores)
            with np.errstate(invalid="ignore"):
                rise = np.diff(r)
            _hold(~(rise > 1e-12), f"{name}.score must not increase", scores[1:], r[1:])

    def test_the_tails_are_finite_or_properly_infinite(self) -> None:
        """No NaN, no warning and no wrong sign out to scores of 1e8, where all but one of the values have a limit."""
        scores = np.concatenate([-FAR, FAR])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                p = self.link.probability(scores)
                values = {
                    f"{name}.{part}": getattr(terms, part)(scores)
                    for name, terms in self._outcomes()
                    for part in ("log_likelihood", "score", "curvature")
                }
            except Warning as warning:
                raise AssertionError(f"a link must not warn in its tails, got: {warning}") from warning
        _hold((p >= 0) & (p <= 1), "probability must lie in [0, 1]", scores, p)
        for name, value in values.items():
            side = 1.0 if name in ("success.score", "success.curvature", "failure.curvature") else -1.0
            _hold(side * value >= 0, f"{name} must be {'>= 0' if side > 0 else '<= 0'}", scores, value)
        for name, sign in (("success", 1.0), ("failure", -1.0)):
            seen = values[f"{name}.log_likelihood"]
            likely, ruled_out = sign * scores > 700, sign * scores < -700
            _hold(seen[likely] > -1e-6, f"{name} must be all but certain", scores[likely], seen[likely])
            _hold(seen[ruled_out] < -36, f"{name} must be all but ruled out", scores[ruled_out], seen[ruled_out])

    def test_the_inverse_finds_the_score_of_a_probability(self) -> None:
        """There and back, from 1e-9 to 1 - 1e-9."""
        p = np.concatenate([np.logspace(-9, -1, 17), np.linspace(0.15, 0.85, 15), 1.0 - np.logspace(-1, -9, 17)])
        back = self.link.probability(self.link.inverse(p))
        _close(back, p, 1e-9, "probability(inverse(p))", scale=np.minimum(p, 1.0 - p) + 1e-6)

    def test_the_flag_of_symmetry_is_honest(self) -> None:
        """``symmetric`` says whether σ(-f) = 1 - σ(f)."""
        gap = np.abs(self.link.probability(-NEAR) - (1.0 - self.link.probability(NEAR))).max()
        assert self.link.symmetric == (gap < 1e-12), (
            f"symmetric={self.link.symmetric}, yet σ(-f) and 1 - σ(f) differ by {gap:.3g}"
        )

    def test_functions_keep_the_shape_they_are_given(self) -> None:
        """A number, a vector and a matrix of scores give back the same shape."""
        functions = [self.link.probability]
        functions += [f for _, terms in self._outcomes() for f in (terms.log_likelihood, terms.score, terms.curvature)]
        for shape in ((), (3,), (2, 3)):
            for function in functions:
                got = np.shape(function(np.full(shape, 0.3)))
                assert got == shape, f"scores of shape {shape} must give values of shape {shape}, got {got}"

    def test_the_predictive_probability_is_the_integral(self) -> None:
        """The core's quadrature, whose step suits links about one unit wide, against SciPy's adaptive one."""
        for mu in (-3.0, 0.0, 1.5):
            for s in (0.01, 0.9, 1.1, 25.0):

                def integrand(v: float, mu: float = mu, sd: float = np.sqrt(s)) -> float:
                    weight = np.exp(-0.5 * v * v) / np.sqrt(2 * np.pi)
                    return float(self.link.probability(np.array(mu + sd * v)) * weight)

                true, _ = integrate.quad(integrand, -12, 12, epsabs=1e-12, epsrel=1e-12, limit=500)
                for y, want in ((1, true), (0, 1.0 - true)):
                    got = float(outcome_probability(self.link, mu, s, y))
                    assert abs(got - want) < 1e-9, f"P(y={y}) for f ~ N({mu}, {s}) must be {want}, got {got}"

    def test_an_update_is_at_the_maximum(self) -> None:
        """``observe`` on one weight against SciPy's bounded maximisation and a difference of the log-likelihood."""
        for mu, s, y, of in ((0.0, 1.0, 1, 1), (-2.0, 9.0, 1, 1), (2.0, 9.0, 0, 1), (0.5, 4.0, 2, 5)):

            def loss(f: float, mu: float = mu, s: float = s, y: int = y, of: int = of) -> float:
                return float((f - mu) ** 2 / (2 * s) - self.link.log_likelihood(f, y, of))

            top = optimize.minimize_scalar(loss, bounds=(mu - 20, mu + 20), method="bounded", options={"xatol": 1e-10})
            belief, _ = observe(gaussian([mu], [s], link=self.link), [1.0], y, of=of)
            z, variance = float(belief.mean[0]), float(belief.variance[0])
            at = f"after {y} of {of} at N({mu}, {s})"
            assert abs(z - top.x) < 1e-6, f"the mean {at} must be {top.x}, got {z}"
            slope = _derivative(lambda f, y=y, of=of: self.link.score(f, y, of), np.array(z))  # type: ignore[misc]
            want = 1.0 / (1.0 / s - float(slope))
            assert abs(variance - want) < 1e-6 * want, f"the variance {at} must be {want}, got {variance}"

    def test_the_mixture_of_probits_is_as_close_as_it_says(self) -> None:
        """``probits``, if there is one, is within its stated ``error`` of the probability."""
        mixture = self.link.probits
        if mixture is None:
            return
        f = np.concatenate([np.linspace(-60, 60, 4801), -FAR, FAR])
        mixed = special.ndtr((f[:, None] - mixture.shifts) / mixture.scales) @ mixture.weights
        off = np.abs(mixed - self.link.probability(f)).max()
        assert off <= mixture.error + 1e-14, f"probits.error is {mixture.error:g}, yet the mixture is off by {off:.3g}"

    def _outcomes(self) -> tuple[tuple[str, OutcomeTerms], tuple[str, OutcomeTerms]]:
        return ("success", self.link.success), ("failure", self.link.failure)


def _derivative(function: Callable[[Array], Array], f: Array) -> Array:
    """The central difference of order four."""
    one, two = function(f + H) - function(f - H), function(f + 2 * H) - function(f - 2 * H)
    return np.asarray((8.0 * one - two) / (12.0 * H))


def _close(got: Array, want: Array, tolerance: float, what: str, scale: Array | None = None) -> None:
    off = np.abs(got - want) > tolerance * ((1.0 + np.abs(want)) if scale is None else scale)
    off |= np.isnan(got)
    if off.any():
        i = int(np.flatnonzero(off)[0])
        raise AssertionError(f"{what} must be {want[i]}, got {got[i]} (point {i} of {len(want)})")


def _hold(true: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], rule: str, scores: Array, values: Array) -> None:
    if not true.all():
        i = int(np.flatnonzero(~true)[0])
        raise AssertionError(f"{rule}, got {values[i]} at f={scores[i]:g}")
