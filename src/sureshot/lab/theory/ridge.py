"""What a prior does to the estimate (paper, section 5.3): its bias and its variance, with λ and with 2λ as printed."""

from __future__ import annotations

from functools import partial

import numpy as np

from sureshot import theory
from sureshot.core import fit, prior
from sureshot.core.links import LOGIT
from sureshot.core.numerics.stable import Array
from sureshot.lab.play.run import stream
from sureshot.lab.report.markdown import prose
from sureshot.lab.report.verdicts import Estimate, mean_of
from sureshot.lab.theory.computing import Computing, share
from sureshot.lab.theory.drawing import dots
from sureshot.lab.theory.statement import Finding, Section, equals
from sureshot.lab.worlds.synthetic import with_constant

__all__ = ["design", "penalised", "ridge"]

M, TIMES, PRECISION = 20, 50, 10.0
TRUE = (0.3, 1.0, -0.8)
#: A ratio this close to 1 is right, for a formula of first order.
WITHIN = 0.15
#: The two readings of the formula, by the factor of λ.
FACTORS = {"with λ": 1.0, "with 2λ, as printed": 2.0}


def design(seed: int) -> Array:
    """Twenty alternatives, each tried 50 times."""
    return with_constant(stream(seed, "ridge", "design").uniform(-1.0, 1.0, (M, len(TRUE) - 1)))


def penalised(seed: int, precision: float, first: int, last: int) -> dict[str, Array]:
    """The estimate with the prior, and how far it is from that without, for new outcomes of the same trials: (R, d)."""
    X, of = design(seed), np.full(M, TIMES)
    chance = LOGIT.probability(X @ np.array(TRUE))
    start = prior(len(TRUE), precision=precision)
    drawn, away = [], []
    for one in range(first, last + 1):
        y = stream(seed, "ridge", one).binomial(of, chance)
        top = fit(start, X, y, of=of).belief.mean
        drawn.append(top)
        away.append(top - theory.maximum_likelihood(X, y, of=of).weights)
    return {"estimate": np.array(drawn), "away": np.array(away)}


def ridge(how: Computing) -> Section:
    """Bias and variance over new outcomes."""
    cases = share(how.runs, "runs")
    seen = how.columns("ridge", partial(penalised, how.seed, PRECISION), cases)
    information = theory.fisher_information(design(how.seed), np.array(TRUE), of=np.full(M, TIMES))
    centred = seen["estimate"] - seen["estimate"].mean(axis=0)
    findings, shown = [], {}
    for words, factor in FACTORS.items():
        pull = theory.ridge_bias(information, TRUE, factor * PRECISION)
        spread = float(np.trace(theory.ridge_variance(information, factor * PRECISION)))
        ratios = {
            "bias": mean_of(seen["away"] @ pull / (pull @ pull), seed=how.seed, name=f"bias {words}"),
            "variance": mean_of(
                (centred**2).sum(axis=1) / spread * cases / (cases - 1), seed=how.seed, name=f"variance {words}"
            ),
        }
        shown[words] = {f"measured {key} over the formula's": one for key, one in ratios.items()}
        findings += [
            Finding(
                "after the MLE theorem",
                f"{key} of the estimate with a prior, {words}: the formula is right within {WITHIN:.0%}".replace(
                    "%", " %"
                ),
                f"measured over formula: {one.value:.3f} ({one.low:.3f} to {one.high:.3f})",
                equals(Estimate(one.value, one.low, one.high), to=1.0, within=WITHIN),
                one,
            )
            for key, one in ratios.items()
        ]
    axis = "ratio, 95 % interval; 1 is right"
    return Section(
        "What the prior does to the estimate (ridge bias and variance)",
        findings,
        prose(
            f"""A prior draws the estimate to 0 and makes it vary less. The paper gives both effects for many
            outcomes, with 2λ; with its own penalty, half of λ times the squared length, it is λ (erratum 9 of the
            corrected paper). {M} alternatives were tried {TIMES} times each, λ = {PRECISION:g}, and {cases:,} times
            new outcomes were drawn. *Bias*: how far the prior moves the estimate from the one without a prior on
            the same outcomes, along the direction of the formula. (The estimate without a prior has a bias of its
            own, away from 0, which the formula leaves out.) *Variance*: the sum of the variances of the weights."""
        ),
        {
            "ridge": (
                "Measured over predicted bias and variance, with λ and with 2λ.",
                dots(shown, x=(axis, axis), right=1.0),
            )
        },
    )
