"""Theorem `MLE` (paper, section 5.3): the maximum likelihood estimate from adaptive trials is consistent and normal.

Its conditions: bounded features (C1), a bounded condition number of the Fisher information (C2), and a smallest
eigenvalue that grows without end (C3).
"""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy import stats

from sureshot import theory
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput
from sureshot.lab.report.markdown import prose, table
from sureshot.lab.report.verdicts import Estimate, mean_of, percent, share_of, verdict
from sureshot.lab.theory.computing import Computing, Played, grid, share
from sureshot.lab.theory.drawing import Curve, Panel, curves, quantiles
from sureshot.lab.theory.long import EXACT, PAPERS, RANDOM, TRIALS, D, long_runs
from sureshot.lab.theory.statement import Finding, Section, equals

__all__ = ["estimate", "estimated"]

WAYS = (EXACT, PAPERS, RANDOM)
#: The region that is to hold the truth in 95 % of runs: Q below this.
REGION = float(stats.chi2.ppf(0.95, D + 1))
#: A coverage this close to 95 % is right.
WITHIN = 0.05
#: On the scale of log10.
HALF = float(np.log10(0.5))
#: In pictures, for what does not exist.
NONE = 1e6


def estimated(played: Played, first: int, last: int) -> dict[str, Array]:
    """Along runs ``first`` to ``last``, (R, G) each: how far the estimate is from the truth, Q, and the largest and
    smallest eigenvalue of the information. Where there is no estimate, distance and Q are infinite.
    """
    when = grid(played.budget)
    found: dict[str, list[list[float]]] = {"error": [], "Q": [], "smallest": [], "largest": []}
    for run in range(first, last + 1):
        fact = played.staged(run).truth
        X, w = fact.X[0], np.asarray(fact.weights)
        line: dict[str, list[float]] = {key: [] for key in found}
        for n in when:
            tried, won = played.visits(run, n, len(X))
            rows = tried > 0
            information = theory.fisher_information(X[rows], w, of=tried[rows])
            ends = np.linalg.eigvalsh(information)
            error = q = np.inf
            try:
                top = theory.maximum_likelihood(X[rows], won[rows], of=tried[rows]).weights
                error, q = float(np.linalg.norm(top - w)), theory.wald(top, w, information).statistic
            except InvalidInput:  # separated outcomes, or too few alternatives: there is no maximum
                pass
            for key, value in zip(found, (error, q, max(float(ends[0]), 0.0), float(ends[-1])), strict=True):
                line[key].append(value)
        for key, values in line.items():
            found[key].append(values)
    return {key: np.array(values) for key, values in found.items()}


def estimate(how: Computing) -> Section:
    """The estimate and the conditions along the long runs."""
    runs = long_runs(how, WAYS)
    when, cases = grid(TRIALS), share(how.runs, "long")
    seen = {
        name: how.columns(f"estimate-{at}", partial(estimated, one.played), cases)
        for at, (name, one) in enumerate(runs.items(), start=1)
    }
    tenth = when.index(TRIALS // 10)
    findings = []
    for name, columns in seen.items():
        shrunk = _ratio(columns["error"], tenth, how.seed, f"error {name}")
        findings.append(
            Finding(
                "MLE theorem",
                f"{name}: after {TRIALS} trials the estimate is less than half as far off as after {TRIALS // 10}",
                _times("the error", shrunk),
                verdict(Estimate(shrunk.value, shrunk.low, shrunk.high), claim="below", of=HALF),
                shrunk,
            )
        )
    for name, columns in seen.items():
        inside = share_of(int((columns["Q"][:, -1] <= REGION).sum()), cases)
        findings.append(
            Finding(
                "MLE theorem",
                f"{name}: after {TRIALS} trials the 95 % region holds the truth in 90 to 100 % of runs",
                f"in {percent(inside)}",
                equals(inside, to=0.95, within=WITHIN),
                inside,
            )
        )
    for name, columns in seen.items():
        grown = _ratio(columns["smallest"], tenth, how.seed, f"smallest {name}")
        findings.append(
            Finding(
                "MLE theorem, C3",
                f"{name}: the smallest eigenvalue of the information grows from trial {TRIALS // 10} to {TRIALS}",
                _times("it", grown),
                verdict(grown, claim="above"),
                grown,
            )
        )
    for name, columns in seen.items():
        ratio = _ratio(_condition(columns), tenth, how.seed, f"condition {name}")
        findings.append(
            Finding(
                "MLE theorem, C2",
                f"{name}: the condition number does not grow from trial {TRIALS // 10} to {TRIALS}",
                _times("it", ratio),
                verdict(ratio, claim="below"),
                ratio,
            )
        )
    lines = [
        (
            name,
            _of_those(columns),
            ", ".join(f"{100 * np.isfinite(columns['error'][:, at]).mean():.0f} %" for at in (tenth, -1)),
            *(f"{np.median(columns['error'][:, at]):.2f}" for at in (tenth, -1)),
            *(f"{np.median(columns['smallest'][:, at]):.2f}" for at in (tenth, -1)),
            *(f"{np.median(_condition(columns)[:, at]):.3g}" for at in (tenth, -1)),
        )
        for name, columns in seen.items()
    ]
    return Section(
        "The estimate from adaptive trials is consistent and normal (MLE theorem)",
        findings,
        prose(
            f"""The weights that make the outcomes most probable, without any prior, are said to come to the true
            ones, with normal errors, though each trial was chosen in the light of the earlier outcomes. Normal
            means that Q, the squared distance to the true weights in units of the Fisher information F, is
            chi-square with {D + 1} degrees of freedom, so that the 95 % region (Q below {REGION:.2f}) holds the
            truth in 95 % of runs. The proof needs that F grows without end (C3) and about as fast in all directions
            (C2); that features are bounded (C1) is true of any finite set of alternatives. The {cases} long runs of
            the section before, read again at {", ".join(map(str, when))} trials. Where outcomes are separated there
            is no estimate; such a run counts as one whose region misses the truth."""
        ),
        {
            "estimate": (
                f"Q after {TRIALS} trials against chi-square quantiles; on the line it is as normal as claimed. "
                "Marks on the upper edge lie beyond it, or have no estimate.",
                quantiles(
                    {name: columns["Q"][:, -1] for name, columns in seen.items()},
                    lambda p: stats.chi2.ppf(p, D + 1),
                    x=f"quantiles of chi-square with {D + 1} degrees of freedom",
                    y=f"Q after {TRIALS} trials",
                    most=16.0,
                ),
            ),
            "conditions": (
                "Error of the estimate, smallest eigenvalue and condition number of the information, over trials.",
                curves(
                    [
                        Panel(
                            title,
                            [_quartiles(name, when, part(columns)) for name, columns in seen.items()],
                            log=True,
                            floor=floor,
                            ceiling=ceiling,
                        )
                        for title, part, floor, ceiling in (
                            ("distance of the estimate from the truth", lambda columns: columns["error"], 0.05, 20.0),
                            ("smallest eigenvalue of F", lambda columns: columns["smallest"], 0.005, None),
                            ("condition number of F", _condition, 1.0, 5000.0),
                        )
                    ],
                    x="trials (lines: median; bands: middle half of the runs; no line while most have no estimate)",
                    log_x=True,
                ),
            ),
        },
        [
            *table(
                (
                    "trials chosen by",
                    f"region holds the truth after {TRIALS}, of runs with an estimate",
                    f"an estimate exists after {TRIALS // 10}, {TRIALS}",
                    f"median error after {TRIALS // 10}",
                    f"after {TRIALS}",
                    f"median smallest eigenvalue after {TRIALS // 10}",
                    f"after {TRIALS}",
                    f"median condition number after {TRIALS // 10}",
                    f"after {TRIALS}",
                ),
                lines,
            ),
            "",
            *prose(
                """"... times" is the geometric mean over runs of the ratio of the two numbers, with its 95 %
                interval, over the runs where both exist."""
            ),
        ],
    )


def _of_those(columns: dict[str, Array]) -> str:
    """How often the region holds the truth, of the runs that have an estimate at the end."""
    known = columns["Q"][:, -1][np.isfinite(columns["Q"][:, -1])]
    return percent(share_of(int((known <= REGION).sum()), len(known))) if len(known) else "-"


def _condition(columns: dict[str, Array]) -> Array:
    """Largest over smallest eigenvalue; infinite while the trials do not span all weights."""
    smallest, largest = columns["smallest"], columns["largest"]
    regular = smallest > 1e-10 * largest
    return np.where(regular, largest / np.where(regular, smallest, 1.0), np.inf)


def _ratio(values: Array, early: int, seed: int, name: str) -> Estimate:
    """Mean log10 of the last number over an earlier one, over the runs that have both."""
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log10(values[:, -1]) - np.log10(values[:, early])
    known = logs[np.isfinite(logs)]
    if len(known) < 2:
        return Estimate(np.nan, -np.inf, np.inf)
    return mean_of(known, seed=seed, name=name)


def _times(what: str, logs: Estimate) -> str:
    if not np.isfinite(logs.value):
        return "in no two runs do both numbers exist"
    value, low, high = (10.0**one for one in (logs.value, logs.low, logs.high))
    return f"{what} becomes {value:.2f} times ({low:.2f} to {high:.2f})"


def _quartiles(name: str, when: list[int], values: Array) -> Curve:
    """The median and the middle half; no line while more than half of the runs have no such number."""
    low, middle, high = np.quantile(np.minimum(values, NONE), (0.25, 0.5, 0.75), axis=0)
    return Curve(name, when, np.where(middle < NONE, middle, np.nan).tolist(), low.tolist(), high.tolist())
