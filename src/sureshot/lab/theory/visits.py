"""Every alternative is tried infinitely often, and in the end the best is found (paper, section 5.3).

The proof of Theorem `MLE` shows that the knowledge gradient, with ties within ε broken at random, tries everything
again and again; Theorem `consistency` that it is asymptotically optimal. Both need values that are never negative and
vanish for what is known: those of the exact look-ahead.
"""

from __future__ import annotations

import numpy as np

from sureshot.core.numerics.stable import Array
from sureshot.lab.report.markdown import prose, table
from sureshot.lab.report.verdicts import Estimate, band_of, mean_of, percent, share_of, spread, verdict
from sureshot.lab.theory.computing import Computing, Played, grid, share
from sureshot.lab.theory.drawing import Curve, Panel, curves
from sureshot.lab.theory.long import EXACT, PAPERS, TRIALS, D, Long, M, long_runs
from sureshot.lab.theory.statement import Finding, Section
from sureshot.policies.rules.kg import NOTHING

__all__ = ["NEARLY_ALL", "late", "spread_out", "visits"]

#: What is to hold in nearly all runs holds in more than this share of them.
NEARLY_ALL = 0.9


def late(played: Played) -> Array:
    """How often each alternative was tried in the second half of each run, (R, M)."""
    half = played.picks[:, played.budget // 2 :]
    return np.array([np.bincount(one, minlength=M) for one in half], dtype=np.float64)


def spread_out(played: Played, when: list[int]) -> tuple[Array, Array]:
    """Visits of the alternative tried least, and the share of the one tried most, after these trials: (R, G) each."""
    counts = np.array(
        [[np.bincount(one[:n], minlength=M) for n in when] for one in played.picks], dtype=np.float64
    )  # (R, G, M)
    return counts.min(axis=2), counts.max(axis=2) / np.array(when)


def visits(how: Computing) -> Section:
    """Visits and opportunity cost along the long runs."""
    runs = long_runs(how)
    when = grid(TRIALS)
    findings, lines = [], []
    panels: dict[str, list[Curve]] = {"fewest": [], "most": [], "cost": []}
    for name, one in runs.items():
        in_half = late(one.played)
        everyone = share_of(int((in_half.min(axis=1) > 0).sum()), len(in_half))
        findings.append(
            Finding(
                "MLE theorem, proof",
                f"{name}: trials {TRIALS // 2 + 1} to {TRIALS} include all {M} alternatives, in more than 9 of 10 runs",
                f"in {percent(everyone)} of the runs",
                verdict(everyone, claim="above", of=NEARLY_ALL),
                everyone,
            )
        )
        fewest, most = spread_out(one.played, when)
        cost = _costs(one, when)
        for key, values in (("fewest", fewest), ("most", 100 * most), ("cost", 100 * cost)):
            panels[key].append(_curve(name, when, values, how.seed, key))
        lines.append(
            (
                name,
                f"{in_half.min(axis=1).mean():.1f}",
                f"{100 * (in_half.max(axis=1) / in_half.sum(axis=1)).mean():.1f} %",
                f"{100 * cost[:, when.index(TRIALS // 10)].mean():.2f}",
                f"{100 * cost[:, -1].mean():.2f}",
                _at_rest(one),
            )
        )
    for name, one in runs.items():
        cost = _costs(one, when)
        early, end = cost[:, when.index(TRIALS // 10)], cost[:, -1]
        gained = mean_of(end - early, seed=how.seed, name=f"cost {name}")
        findings.append(
            Finding(
                "asymptotic optimality",
                f"{name}: the choice after {TRIALS} trials costs less than that after {TRIALS // 10}",
                f"{100 * end.mean():.2f} and {100 * early.mean():.2f} points: {spread(gained)}",
                verdict(gained, claim="below"),
                gained,
            )
        )
    if {EXACT, PAPERS} <= set(runs):
        both = mean_of(_costs(runs[EXACT], when)[:, -1] - _costs(runs[PAPERS], when)[:, -1], seed=how.seed, name="both")
        findings.append(
            Finding(
                "asymptotic optimality",
                f"after {TRIALS} trials the choice of {EXACT} costs less than that of {PAPERS}",
                f"{spread(both)} points",
                verdict(both, claim="below"),
                both,
            )
        )
    picture = curves(
        [
            Panel("visits of the alternative tried least", panels["fewest"]),
            Panel("share of the one tried most, %", panels["most"]),
            Panel("opportunity cost of the choice, points", panels["cost"], log=True, floor=0.01),
        ],
        x="trials (bands: 95 % intervals of the mean)",
        log_x=True,
    )
    return Section(
        "Every alternative is tried again and again, and the best is found (MLE theorem, asymptotic optimality)",
        findings,
        prose(
            f"""The knowledge gradient with exact values, and ties broken at random, tries every alternative
            infinitely often: once nothing has any value left, everything is tied. So in the end the best is found.
            {share(how.runs, "long")} runs of {TRIALS} trials ({M} alternatives with {D} features from [-3, 3] and a
            constant, truth from the unit prior); the exact form looks ahead from a belief by expectation
            propagation, and values below 1e-9 count as 0. Truths of Algorithms 3 and 4 are probit, of the others
            logit. "Infinitely often" can't be seen in a finite run; what can be seen is whether, after
            {TRIALS // 2} trials, everything is still being tried. The theorem says nothing about when that begins."""
        ),
        {"visits": ("Visits of the least and the most tried alternative, and opportunity cost, over trials.", picture)},
        [
            *table(
                (
                    "trials chosen by",
                    "second half: visits of the one tried least",
                    "share of the one tried most",
                    f"cost after {TRIALS // 10}, points",
                    f"after {TRIALS}",
                    "runs with no value left",
                ),
                lines,
            ),
            "",
            *prose(
                f"""*Runs with no value left*: those in which the largest knowledge gradient at the last trial is
                below 1e-9, so that every alternative is tied. Algorithms 2 to 4 rarely come to that: the largest of
                their values stays above 0, by the error of their own update, and the trials go to that alternative.
                The theorem is not about them. Tried alike, each of the {M} alternatives would take {100 / M:.0f} %
                of the trials. What the choice loses by it is small where the alternative that takes the trials is a
                good one."""
            ),
        ],
    )


def _at_rest(one: Long) -> str:
    """In how many runs nothing has any value left at the last trial."""
    largest = one.rows[one.rows["n"] == TRIALS]["max_kg"].to_numpy(dtype=np.float64)
    return "-" if np.isnan(largest).any() else percent(share_of(int((largest < NOTHING).sum()), len(largest)))


def _costs(one: Long, when: list[int]) -> Array:
    """The opportunity cost of the choice after these trials, (R, G)."""
    return np.asarray(one.rows.pivot_table(index="run", columns="n", values="oc")[when].to_numpy(dtype=np.float64))


def _curve(name: str, when: list[int], values: Array, seed: int, key: str) -> Curve:
    found: list[Estimate] = [
        band_of(column, seed=seed, name=f"{key} {name} {n}") for n, column in zip(when, values.T, strict=True)
    ]
    return Curve.of(name, when, found)
