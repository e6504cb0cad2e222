"""Proposition 2: an alternative that was tried without end has nothing left to teach."""

from __future__ import annotations

from functools import partial

import numpy as np

from sureshot.core import fit, observe_many, prior
from sureshot.core.links import LOGIT
from sureshot.core.lookahead import knowledge_gradient
from sureshot.core.numerics.stable import Array
from sureshot.lab.play.run import stream
from sureshot.lab.report.markdown import prose
from sureshot.lab.report.verdicts import Estimate, mean_of, verdict
from sureshot.lab.theory.computing import Computing, share
from sureshot.lab.theory.drawing import Curve, Panel, curves
from sureshot.lab.theory.statement import Finding, Section, small
from sureshot.lab.worlds.synthetic import with_constant

__all__ = ["NOTHING", "WHEN", "repeats", "tried_again"]

#: After so many trials of the one alternative.
WHEN = (1, 3, 10, 30, 100, 300, 1000)
#: Less than a tenth of a point is nothing.
NOTHING = 0.001
M, D = 20, 2
KINDS = {
    "exact": "exact look-ahead, expectation propagation",
    "update": "Algorithm 2, size of its value",
}


def tried_again(seed: int, first: int, last: int) -> dict[str, Array]:
    """The knowledge gradient of an alternative that was tried 1, 3, 10, ... times, all others never."""
    found: dict[str, list[list[float]]] = {kind: [] for kind in KINDS}
    for one in range(first, last + 1):
        rng = stream(seed, "repeats", one)
        pool = with_constant(rng.uniform(-3.0, 3.0, (M, D)))
        x = pool[:1]
        outcomes = (rng.random(WHEN[-1]) < LOGIT.probability(x[0] @ rng.standard_normal(D + 1))).astype(int)
        matched, paper = prior(D + 1, method="ep"), prior(D + 1, covariance="diagonal")
        exact, update, before = [], [], 0
        for n in WHEN:
            believed = fit(matched, x, [int(outcomes[:n].sum())], of=[n]).belief
            exact.append(float(knowledge_gradient(believed, pool)[0]))
            paper, _ = observe_many(paper, np.repeat(x, n - before, axis=0), outcomes[before:n])
            update.append(abs(float(knowledge_gradient(paper, pool, lookahead="update")[0])))
            before = n
        found["exact"].append(exact)
        found["update"].append(update)
    return {kind: np.array(values) for kind, values in found.items()}


def repeats(how: Computing) -> Section:
    """The value of one more trial of an alternative, over how often it was tried."""
    cases = share(how.runs, "states")
    seen = how.columns("repeats", partial(tried_again, how.seed), cases)
    found = {
        kind: [_mean(column, how.seed, f"{kind} {n}") for n, column in zip(WHEN, values.T, strict=True)]
        for kind, values in seen.items()
    }
    findings = [
        Finding(
            "Proposition 2",
            f"{words}: after {WHEN[-1]:,} trials of an alternative one more is worth less than 0.1 points",
            f"{_written(found[kind][-1])}; after the first trial {_written(found[kind][0])}",
            verdict(_without_p(found[kind][-1]), claim="below", of=NOTHING),
            found[kind][-1],
        )
        for kind, words in KINDS.items()
    ]
    lines = [Curve.of(words, WHEN, found[kind], scale=100) for kind, words in KINDS.items()]
    picture = curves(
        [Panel("the value of one more trial", lines, log=True, floor=1e-4)],
        x="trials of the alternative (bands: 95 % intervals)",
        y="mean value, points",
        log_x=True,
    )
    return Section(
        "What was tried without end has nothing left to teach (Proposition 2)",
        findings,
        prose(
            f"""If an alternative is tried infinitely often, its success probability is known, and one more trial of
            it is worth nothing. In {cases:,} cases ({M} alternatives with {D} features from [-3, 3] and a constant,
            truth from the unit prior) one alternative was tried up to {WHEN[-1]:,} times and no other at all; the
            value of one more trial of it was computed on the way. Values of Algorithm 2 may be negative, so their
            size is taken."""
        ),
        {"repeats": ("The mean value of one more trial of an alternative over how often it was tried.", picture)},
    )


def _mean(values: Array, seed: int, name: str) -> Estimate:
    return mean_of(values, seed=seed, name=f"repeats {name}")


def _without_p(one: Estimate) -> Estimate:
    """The p-value is about a mean of 0, which is not what is asked here."""
    return Estimate(one.value, one.low, one.high)


def _written(one: Estimate) -> str:
    return (
        f"{small(one.value)} ({small(one.low)} to {small(one.high)})".replace(" points (", " (")
        .replace(" points to", " to")
        .replace(" points)", ") points")
    )
