"""How far the estimate of the weights is from the true ones after n outcomes: the paper's theorem, and one that holds.

Notation. The prior is N(m, S) with precision P = S⁻¹, whose smallest and largest eigenvalues are λ_min and λ_max;
Ψ(w) = -½ (w - m)'P(w - m) + log-likelihood, and wⁿ is where Ψ is largest. D = ‖S^-½ (w* - m)‖ says how unusual the true
weights are under the prior.

**As stated** (paper, section 5.2): with probability P_d(M) over w*, E‖wⁿ - w*‖ <= (C_min + λ_min)/2. Three things are
wrong with it (docs/paper.md, erratum 10). Its proof bounds where the *expected* Ψ is largest, not how far the maximum
of Ψ is expected to be, so that it is false: :func:`bound_as_stated` is the number, not a bound. The statement takes the
mean over outcomes in C_min, the proof the sum. And it says little: in that event w* is within λ_min/16 of the prior
mean, which is closer, without any outcome, than the λ_min/2 and more that the theorem promises after n of them.

**What holds**: :func:`error_bound` and :func:`sharper_bound`, for every sequence of alternatives and outcomes, however
they were chosen.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from sureshot.core import LOGIT, Belief, Link, check, fit
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput, unknown_name
from sureshot.theory.ball import ball_probability, log_ball_probability
from sureshot.theory.check import gaussian_prior, logistic, short_rows, weights_of
from sureshot.theory.likelihood import fisher_information

__all__ = [
    "StatedBound",
    "ball_radius",
    "bound_as_stated",
    "c_min",
    "error_bound",
    "log_posterior",
    "posterior_gap",
    "satisfies_condition",
    "sharper_bound",
]

Form = Literal["statement", "proof"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedBound:
    """What the paper's theorem states. It is false in general: see :func:`error_bound` for what holds."""

    bound: float  # (C_min + λ_min)/2, said to bound the expected distance of the estimate from the true weights ...
    probability: float  # ... with this probability over the true weights, P_d(M)
    log_probability: float  # its logarithm, where it is too small for a float
    radius: float  # M
    c_min: float
    smallest_precision: float  # λ_min


def ball_radius(prior: Belief) -> float:
    """M = λ_min²/(16 √λ_max), with the smallest and largest eigenvalues of the prior's precision.

    >>> from sureshot import core
    >>> ball_radius(core.prior(11))
    0.0625
    """
    least, most = _precision_range(gaussian_prior(prior))
    return least**2 / (16.0 * math.sqrt(most))


def c_min(
    X: ArrayLike, w_true: ArrayLike, *, link: str | Link = LOGIT, of: ArrayLike | None = None, form: Form = "statement"
) -> float:
    """C_min, the smallest eigenvalue of the information of the outcomes about the true weights.

    ``form="statement"`` takes the mean over outcomes, (1/n) Σ σ(1-σ) x x', as the theorem is printed; ``"proof"`` their
    sum, as its proof has it. The paper has the logistic link; others take the expected information, p'²/(p(1-p)).

    >>> c_min([[1.0], [1.0]], [0.0]), c_min([[1.0], [1.0]], [0.0], form="proof")
    (0.25, 0.5)
    """
    if form not in get_args(Form):
        raise unknown_name("form", form, get_args(Form))
    w = weights_of(w_true, "w_true")
    rows = check.features(X, "X", len(w))
    if form == "statement" and not len(rows):
        raise InvalidInput("`X` must hold at least one outcome, whose mean is taken, got none.")
    least = _least(fisher_information(rows, w, link=link, of=of))  # refuses a wrong `of`
    n = float(np.broadcast_to(1.0 if of is None else np.asarray(of, float), len(rows)).sum())
    return least / n if form == "statement" else least


def bound_as_stated(
    prior: Belief,
    X: ArrayLike,
    w_true: ArrayLike,
    *,
    link: str | Link | None = None,
    of: ArrayLike | None = None,
    form: Form = "statement",
) -> StatedBound:
    """What the paper's theorem states, number by number. **It is false in general**, and vacuous where it is true.

    (C_min + λ_min)/2 is to bound E‖wⁿ - w*‖ with probability P_d(M) over w* ~ prior. Counterexample: one weight with
    precision 0.01, the true one equal to the prior mean, one outcome at x = 1. The theorem promises 0.13; the estimate
    is 3.4 away after a success, and as far after a failure.

    >>> from sureshot import core
    >>> flat = core.prior(1, precision=0.01)
    >>> round(bound_as_stated(flat, [[1.0]], [0.0]).bound, 3), abs(core.fit(flat, [[1.0]], [1]).belief.mean).round(1)
    (0.13, array([3.4]))
    """
    belief = gaussian_prior(prior)
    w = check.vector(w_true, "w_true", belief.d)
    rows = short_rows(check.features(X, "X", belief.d), "X")
    smallest = c_min(rows, w, link=logistic(belief.link if link is None else link), of=of, form=form)
    least, _ = _precision_range(belief)
    radius = ball_radius(belief)
    return StatedBound(
        bound=0.5 * (smallest + least),
        probability=ball_probability(belief.d, radius),
        log_probability=log_ball_probability(belief.d, radius),
        radius=radius,
        c_min=smallest,
        smallest_precision=least,
    )


def error_bound(
    prior: Belief, X: ArrayLike, y: ArrayLike, w_true: ArrayLike, *, of: ArrayLike | None = None, gap: float = 0.0
) -> float:
    """A bound on ‖wⁿ - w*‖ that holds, for the logistic link, any outcomes, and rows no longer than 1.

    It is the root R of

        -A + λ_min R/2 + nC (e⁻ᴿ + R - 1)/R = 0,

    A = √λ_max D + ‖Σ (y - σ) x‖, nC = λ_min(Σ σ(1-σ) x x'), both at w*. It shrinks with n where the information grows
    faster than the pull A, which under fixed alternatives is about √n of it.

    Derivation. Let w = w* + Δ, R = ‖Δ‖, b = Δ·x, s = w*·x and ρ = σ(1 - σ). Ψ(w*) - Ψ(w) has two parts. The prior's is
    Δ'P(w* - m) + ½ Δ'PΔ >= -√λ_max D R + ½ λ_min R². The outcomes' is, by Taylor,
    -Δ·Σ (y - σ(s)) x + Σ b² ∫₀¹ (1 - t) ρ(s + tb) dt. As |ρ'/ρ| = |1 - 2σ| <= 1 and, for ‖x‖ <= 1, |b| <= R, there
    ρ(s + tb) >= ρ(s) e^(-t|b|) >= ρ(s) e^(-tR), and ∫₀¹ (1 - t) e^(-tR) dt = (e⁻ᴿ + R - 1)/R². Together
    Ψ(w*) - Ψ(w) >= R · (the left side above), and that side increases with R: beyond its root Ψ(w) < Ψ(w*), where no
    maximum is.

    ``gap``: the same for any ŵ with Ψ(ŵ) >= Ψ(wⁿ) - gap, such as an approximate estimate: R times the left side is then
    at most ``gap``, which :func:`posterior_gap` measures.

    >>> from sureshot import core
    >>> X, y = [[1.0], [1.0], [-1.0]], [1, 0, 0]
    >>> estimate = core.fit(core.prior(1), X, y).belief.mean
    >>> abs(float(estimate[0]) - 0.5) <= error_bound(core.prior(1), X, y, [0.5])
    True
    """
    if isinstance(gap, bool) or not isinstance(gap, int | float | np.number) or not 0.0 <= gap < np.inf:
        raise InvalidInput("`gap` must be a finite number of at least 0", got=gap, fix="take it from posterior_gap")
    pull, precision, information = _strengths(prior, X, y, w_true, of)

    def excess(R: float) -> float:
        return R * (-pull + R * (0.5 * precision + information * _phi(R))) - gap

    low, high = (
        (pull + math.sqrt(pull**2 + 2.0 * strength * gap)) / strength
        for strength in (precision + information, precision)
    )  # the information counts in full, or for nothing
    return _root(excess, low, high)


def sharper_bound(
    prior: Belief, X: ArrayLike, y: ArrayLike, w_true: ArrayLike, *, of: ArrayLike | None = None
) -> float:
    """A bound on ‖wⁿ - w*‖ below half of :func:`error_bound`, for the very maximum of Ψ and no approximation of it.

    The root R of -A + λ_min R + nC (1 - e⁻ᴿ) = 0. The derivation is the same with slopes in place of values: along Δ
    the slope of Ψ at w* + Δ is -R · (the left side) at most, by ∫₀¹ e^(-tR) dt = (1 - e⁻ᴿ)/R, and at a maximum it is 0.
    Without outcomes, under a prior of one precision, it is the distance itself.

    >>> from sureshot import core
    >>> none = np.empty((0, 2)), []
    >>> sharper_bound(core.prior(2), *none, [3.0, 4.0]), error_bound(core.prior(2), *none, [3.0, 4.0])
    (5.0, 10.0)
    """
    pull, precision, information = _strengths(prior, X, y, w_true, of)

    def excess(R: float) -> float:
        return -pull + precision * R - information * math.expm1(-R)

    return _root(excess, pull / (precision + information), pull / precision)


#: Weights beyond have no square.
_HUGE = 1e100


def log_posterior(prior: Belief, X: ArrayLike, y: ArrayLike, w: ArrayLike, *, of: ArrayLike | None = None) -> float:
    """Ψ(w) = -½ (w - m)'S⁻¹(w - m) + log-likelihood: the log posterior density, up to a constant (paper, section 4.1).

    >>> from sureshot import core
    >>> round(log_posterior(core.prior(1), [[1.0]], [1], [2.0]), 3)  # -2 + log σ(2)
    -2.127
    """
    belief = gaussian_prior(prior)
    at = check.vector(w, "w", belief.d)
    if np.abs(at).max() > _HUGE:
        raise InvalidInput(f"`w` must be within {_HUGE:g} of 0, or its square overflows, got {np.abs(at).max():g}.")
    rows = check.features(X, "X", belief.d)
    won, lost = check.counts(y, of, len(rows))
    scaled = _precision_root(belief) @ (at - belief.mean)
    return float(belief.link.log_likelihood(rows @ at, won, won + lost).sum() - 0.5 * scaled @ scaled)


def posterior_gap(prior: Belief, X: ArrayLike, y: ArrayLike, w_hat: ArrayLike, *, of: ArrayLike | None = None) -> float:
    """Ψ(wⁿ) - Ψ(ŵ) >= 0: how far the log posterior at an estimate ``w_hat`` is below its maximum.

    >>> from sureshot import core
    >>> exact = core.fit(core.prior(1), [[1.0], [-1.0]], [1, 1]).belief.mean
    >>> posterior_gap(core.prior(1), [[1.0], [-1.0]], [1, 1], exact)
    0.0
    """
    hat = check.vector(w_hat, "w_hat", gaussian_prior(prior).d)
    at = log_posterior(prior, X, y, hat, of=of)
    top = fit(_by_laplace(prior), X, y, of=of).belief.mean
    return max(log_posterior(prior, X, y, top, of=of) - at, 0.0)


def satisfies_condition(
    prior: Belief, X: ArrayLike, y: ArrayLike, w_hat: ArrayLike, *, of: ArrayLike | None = None
) -> bool:
    """Whether an estimate ŵ meets the theorem's condition on approximations: Ψ(ŵ) >= Ψ(wⁿ) - λ_min³/32.

    The paper claims its bound for such estimates too. What holds for them is ``error_bound(..., gap=λ_min³/32)``.

    >>> from sureshot import core
    >>> satisfies_condition(core.prior(1), [[1.0]], [1], [0.4]), satisfies_condition(core.prior(1), [[1.0]], [1], [3.0])
    (True, False)
    """
    least, _ = _precision_range(gaussian_prior(prior))
    return posterior_gap(prior, X, y, w_hat, of=of) <= least**3 / 32.0


def _by_laplace(prior: Belief) -> Belief:
    return replace(prior, method="laplace")  # whose mean is where Ψ is largest, whatever the link


def _precision_root(belief: Belief) -> Array:
    """A (d, d) matrix B with S⁻¹ = B'B: of cov = L' diag(spread) L it is diag(spread)^-½ L'⁻¹."""
    scale = 1.0 / np.sqrt(belief.spread)
    if belief.factor is None:
        return np.diag(scale)
    return np.asarray(scale[:, None] * np.linalg.inv(belief.factor.T))


def _precision_range(belief: Belief) -> tuple[float, float]:
    """The smallest and the largest eigenvalue of the precision."""
    if belief.factor is None:
        return float(1.0 / belief.spread.max()), float(1.0 / belief.spread.min())
    each = np.linalg.svd(_precision_root(belief), compute_uv=False) ** 2
    return float(each[-1]), float(each[0])


def _least(information: Array) -> float:
    return max(float(np.linalg.eigvalsh(information)[0]), 0.0)


def _phi(R: float) -> float:
    """(e⁻ᴿ + R - 1)/R², which is ½ at 0: by its series where the difference would lose digits."""
    if R > 0.5:
        return (math.expm1(-R) + R) / R**2
    term, total = 0.5, 0.5
    for k in range(3, 20):
        term *= -R / k
        total += term
    return total


def _strengths(
    prior: Belief, X: ArrayLike, y: ArrayLike, w_true: ArrayLike, of: ArrayLike | None
) -> tuple[float, float, float]:
    """A, λ_min and nC of what was given, checked."""
    belief = gaussian_prior(prior)
    logistic(belief.link)
    w = check.vector(w_true, "w_true", belief.d)
    rows = short_rows(check.features(X, "X", belief.d), "X")
    won, lost = check.counts(y, of, len(rows))
    least, most = _precision_range(belief)
    unusual = float(np.linalg.norm(_precision_root(belief) @ (w - belief.mean)))
    pull = math.sqrt(most) * unusual + float(np.linalg.norm(LOGIT.score(rows @ w, won, won + lost) @ rows))
    return pull, least, _least(fisher_information(rows, w, of=won + lost)) if len(rows) else 0.0


def _root(excess: Callable[[float], float], low: float, high: float) -> float:
    """Where ``excess``, which increases, is 0: from ``low`` to ``high``, but for rounding."""
    if excess(low) >= 0.0:
        return low
    if excess(high) <= 0.0:
        return high
    from scipy import optimize

    return float(optimize.brentq(excess, low, high, xtol=1e-300, rtol=1e-14))
