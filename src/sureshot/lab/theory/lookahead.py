"""Proposition 1 (a trial never makes the expected choice worse) and the martingale that its proof rests on.

Both are about one look ahead from a random state: a belief after a few random outcomes, and a pool. The exact
look-ahead averages over outcomes under the belief itself. Algorithms 2, 3 and 4 of the paper average over what their
own approximate updates would predict, and an approximate update need not average out to where it began.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from sureshot.core import Belief, observe_many, prior
from sureshot.core.beliefs.belief import Covariance, Method
from sureshot.core.lookahead import Lookahead
from sureshot.core.lookahead.joint import joint, predicted
from sureshot.core.numerics.stable import Array
from sureshot.lab.play.run import stream
from sureshot.lab.report.markdown import prose, table
from sureshot.lab.report.verdicts import Estimate, mean_of, percent, share_of
from sureshot.lab.theory.computing import Computing, share
from sureshot.lab.theory.drawing import dots
from sureshot.lab.theory.statement import Finding, Section, never, small
from sureshot.lab.worlds.synthetic import with_constant

__all__ = ["FORMS", "Form", "lookahead", "looked_ahead", "measured", "state"]


@dataclass(frozen=True)
class Form:
    """A way to look ahead, with the belief that it looks from."""

    link: str
    method: Method
    covariance: Covariance
    lookahead: Lookahead


#: By what the page calls them: the exact form, the paper's algorithms, and these with a full covariance.
FORMS = {
    "exact, logit": Form("logit", "ep", "full", "exact"),
    "exact, probit": Form("probit", "ep", "full", "exact"),
    "Algorithm 2 (logit, Laplace)": Form("logit", "laplace", "diagonal", "update"),
    "Algorithm 3 (probit, Laplace)": Form("probit", "laplace", "diagonal", "update"),
    "Algorithm 4 (probit, moments)": Form("probit", "adf", "diagonal", "update"),
    "Algorithm 2, full covariance": Form("logit", "laplace", "full", "update"),
    "Algorithm 3, full covariance": Form("probit", "laplace", "full", "update"),
    "Algorithm 4, full covariance": Form("probit", "adf", "full", "update"),
}
#: Those that the page has a verdict for; the others are in its table.
JUDGED = tuple(FORMS)[:5]
#: Alternatives and features of a state, and the most outcomes it has seen.
M, D, SEEN = 15, 3, 8
#: A value below minus this is negative beyond rounding and the links' approximation (1e-10).
NEGATIVE = 1e-8


def state(form: Form, rng: np.random.Generator) -> tuple[Belief, Array]:
    """A belief after 0 to 8 outcomes of alternatives at random, and the pool."""
    pool = with_constant(rng.uniform(-3.0, 3.0, (M, D)))
    n = int(rng.integers(0, SEEN + 1))
    rows, outcomes = rng.integers(0, M, n), rng.integers(0, 2, n)
    start = prior(D + 1, link=form.link, method=form.method, covariance=form.covariance)
    return observe_many(start, pool[rows], outcomes)[0], pool


def measured(belief: Belief, pool: Array, how: Lookahead) -> tuple[float, float]:
    """The smallest knowledge gradient, before anything is clipped, and the largest |E p(x' | y) - p(x')|."""
    now = predicted(belief, pool, how)
    least, off = np.inf, 0.0
    for _, success, failure in joint(belief, pool, pool, how):
        least = min(least, float((success.max(axis=1) + failure.max(axis=1)).min() - now.max()))
        off = max(off, float(np.abs(success + failure - now).max()))
    return least, off


def looked_ahead(form: Form, seed: int, first: int, last: int) -> dict[str, Array]:
    """Of random states: the smallest value of a trial, and how far off the martingale is."""
    found = [measured(*state(form, stream(seed, "state", one)), form.lookahead) for one in range(first, last + 1)]
    least, off = np.array(found).T
    return {"least": least, "off": off}


def lookahead(how: Computing) -> Section:
    """Both statements, for every way to look ahead."""
    states = share(how.runs, "states")
    seen = {
        words: how.columns(f"lookahead-{at}", partial(looked_ahead, form, how.seed), states)
        for at, (words, form) in enumerate(FORMS.items(), start=1)
    }
    shown, lines = {}, []
    for words, columns in seen.items():
        least, off = columns["least"], columns["off"]
        often = share_of(int((least < -NEGATIVE).sum()), states)
        shown[words] = {
            "states with a negative value": _scaled(often, 100),
            "the martingale is off by": _scaled(_mean(off, how.seed, words), 100),
        }
        lines.append((words, percent(often), small(least.min()), small(off.mean()), small(off.max())))
    findings = [
        _judged(
            words,
            seen[words]["least"] < -NEGATIVE,
            "the knowledge gradient is never negative",
            f"smallest {small(seen[words]['least'].min())}",
            "Proposition 1",
            "negative for some alternative",
        )
        for words in JUDGED
    ]
    findings += [
        _judged(
            words,
            seen[words]["off"] > NEGATIVE,
            "the prediction after a trial is on average that before it",
            f"by {small(seen[words]['off'].max())} at most",
            "Proposition 1, proof",
            "off for some pair of alternatives",
        )
        for words in JUDGED
    ]
    picture = dots(
        shown,
        x=("% of states, 95 % interval", "points of probability (log), worst pair of a state, mean"),
        log=(False, True),
    )
    return Section(
        "A trial is never expected to harm (Proposition 1), and predictions are a martingale",
        findings,
        prose(
            f"""The knowledge gradient of an alternative is how much one trial of it is expected to raise the chance
            of the final choice. It can't be negative: more knowledge can be ignored. The proof needs that the
            prediction after the trial is, on average over its outcomes, the prediction before it (a martingale).
            Both were looked at in {states:,} random states for each way to look ahead: {M} alternatives with {D}
            features from [-3, 3] and a constant, unit prior, 0 to {SEEN} outcomes at random. A value counts as
            negative below -1e-8, which is far above what rounding does."""
        ),
        {
            "lookahead": (
                "Share of states with a negative knowledge gradient, and how far the martingale is off.",
                picture,
            )
        },
        [
            *table(
                ("look-ahead", "states with a negative value", "smallest value", "martingale off: mean", "most"),
                lines,
            ),
            "",
            *prose(
                """*Martingale off*: the largest difference between the prediction before a trial and the average
                prediction after it, over all pairs of alternatives in a state; its mean and its largest over
                states. Values are in points of probability. A negative value says that a trial would do harm, which
                is impossible: it measures the error of the approximate update, not the trial. A statement about
                "never" is refuted by one case; that none was seen says only, with 95 % confidence, that it is rarer
                than the upper end of the interval."""
            ),
        ],
    )


def _mean(values: Array, seed: int, words: str) -> Estimate:
    return mean_of(values, seed=seed, name=f"martingale {words}")


def _scaled(one: Estimate, scale: float) -> Estimate:
    return Estimate(scale * one.value, scale * one.low, scale * one.high)


def _judged(words: str, broken: NDArray[np.bool_], says: str, most: str, where: str, what: str) -> Finding:
    """That something never happens, in all these states."""
    told, often = never(int(broken.sum()), len(broken))
    return Finding(
        where, f"{words}: {says}", f"{what} in {percent(often)} of {len(broken):,} states; {most}", told, often
    )
