"""What the belief comes to (paper, section 5.3): predictions converge, the true best gets all mass."""

from __future__ import annotations

from functools import partial

import numpy as np

from sureshot import theory
from sureshot.core import Belief, Mixture, predictive
from sureshot.core.numerics.stable import Array
from sureshot.lab.play.run import stream
from sureshot.lab.report.markdown import prose, table
from sureshot.lab.report.verdicts import Estimate, band_of, mean_of, spread, verdict
from sureshot.lab.theory.computing import Computing, Played, grid, share
from sureshot.lab.theory.drawing import Curve, Panel, curves
from sureshot.lab.theory.long import EXACT, PAPERS, RANDOM, TRIALS, Way, long_runs
from sureshot.lab.theory.statement import Finding, Section, equals

__all__ = ["believed", "settled", "settling"]

WAYS = (EXACT, PAPERS, RANDOM)
#: Draws of the weights behind each probability of being the best.
DRAWS = 2000
#: A difference of mass that is of no account, and a trend.
WITHIN, FLAT = 0.05, 0.1
#: What is measured: see :func:`settled`.
COLUMNS = ("last", "trend", "side", "truth", "mass", "claimed", "right")


def believed(played: Played, way: Way, run: int, when: list[int]) -> list[Belief | Mixture]:
    """What was believed after these trials of a run."""
    fact = played.staged(run).truth
    X, start = way.belief.begin(fact)
    found, now, seen = [], start, 0
    for n in when:
        tried, outcomes = played.picks[run - 1, :n], played.outcomes[run - 1, :n]
        now = way.belief.learn(start, now, X[0][tried], outcomes, n - seen)
        found.append(now)
        seen = n
    return found


def settled(played: Played, way: Way, first: int, last: int) -> dict[str, Array]:
    """Along runs ``first`` to ``last``, (R, G) each: how far predictions are from the last ones and from the truth, the
    mass at the true best, the mass at the belief's own favourite, and whether that is the true best.

    ``trend`` is the mean over alternatives of (last - now)·(now - ½), which is 0 on average for a martingale, and
    ``side`` the mean of (now - ½)².
    """
    when = grid(played.budget)
    found: dict[str, list[Array]] = {key: [] for key in COLUMNS}
    for run in range(first, last + 1):
        fact = played.staged(run).truth
        X, true = fact.X[0], fact.at(0)[0]
        best = int(true.argmax())
        beliefs = believed(played, way, run, when)
        predicted = np.array([predictive(one, X) for one in beliefs])
        favourites = predicted.argmax(axis=1)
        rng = stream(played.seed, "mass", way.policy, way.belief.label, run)
        mass = [theory.mass_at_best(one, X, best, rng, draws=DRAWS).mass for one in beliefs]
        claimed = [
            theory.mass_at_best(one, X, int(at), rng, draws=DRAWS).mass
            for one, at in zip(beliefs, favourites, strict=True)
        ]
        found["last"].append(np.abs(predicted - predicted[-1]).mean(axis=1))
        found["trend"].append(((predicted[-1] - predicted) * (predicted - 0.5)).mean(axis=1))
        found["side"].append(((predicted - 0.5) ** 2).mean(axis=1))
        found["truth"].append(np.abs(predicted - true).mean(axis=1))
        found["mass"].append(np.array(mass))
        found["claimed"].append(np.array(claimed))
        found["right"].append((favourites == best).astype(float))
    return {key: np.array(values) for key, values in found.items()}


def settling(how: Computing) -> Section:
    """The beliefs along the long runs."""
    runs = long_runs(how, WAYS)
    when, cases = grid(TRIALS), share(how.runs, "long")
    seen = {
        name: how.columns(f"settling-{at}", partial(settled, one.played, one.way), cases)
        for at, (name, one) in enumerate(runs.items(), start=1)
    }
    tenth, fifth = when.index(TRIALS // 10), when.index(TRIALS // 5)

    def grown(name: str, key: str, early: int) -> Estimate:
        values = seen[name][key]
        return mean_of(values[:, -1] - values[:, early], seed=how.seed, name=f"{key} {name}")

    findings = []
    for name in seen:
        moved = mean_of(
            seen[name]["last"][:, fifth] - seen[name]["last"][:, tenth], seed=how.seed, name=f"moved {name}"
        )
        findings.append(
            Finding(
                "lemma of section 5.3",
                f"{name}: predictions after {TRIALS // 5} trials are closer to the last ones than after {TRIALS // 10}",
                f"mean distance {spread(moved)} points",
                verdict(moved, claim="below"),
                moved,
            )
        )
    for name, columns in seen.items():
        trend, side = columns["trend"][:, tenth], columns["side"][:, tenth]
        slope = mean_of(trend / side.mean(), seed=how.seed, name=f"trend {name}")
        findings.append(
            Finding(
                "lemma of section 5.3, proof",
                f"{name}: from trial {TRIALS // 10} to {TRIALS} predictions have no trend (martingale), within "
                f"{100 * FLAT:.0f} %",
                f"each point away from one half moves {100 * slope.value:+.1f} % farther "
                f"({100 * slope.low:+.1f} to {100 * slope.high:+.1f} %)",
                equals(slope, within=FLAT),
                slope,
            )
        )
    for name in seen:
        far = seen[name]["truth"]
        nearer = mean_of(far[:, -1] - 0.5 * far[:, tenth], seed=how.seed, name=f"truth {name}")
        findings.append(
            Finding(
                "asymptotic optimality",
                f"{name}: after {TRIALS} trials predictions are less than half as far from the truth as after "
                f"{TRIALS // 10}",
                f"{100 * far[:, -1].mean():.1f} and {100 * far[:, tenth].mean():.1f} points; the first minus half of "
                f"the second {spread(nearer)}",
                verdict(nearer, claim="below"),
                nearer,
            )
        )
    for name in seen:
        more = grown(name, "mass", tenth)
        findings.append(
            Finding(
                "asymptotic optimality",
                f"{name}: the belief gives the true best more mass after {TRIALS} trials than after {TRIALS // 10}",
                f"{spread(more)} points",
                verdict(more, claim="above"),
                more,
            )
        )
    for name, columns in seen.items():
        over = mean_of(columns["claimed"][:, -1] - columns["right"][:, -1], seed=how.seed, name=f"over {name}")
        findings.append(
            Finding(
                "beside asymptotic optimality",
                f"{name}: after {TRIALS} trials the belief is as sure of its favourite as that is right, within "
                f"{100 * WITHIN:.0f} points",
                f"{spread(over)} points surer than right",
                equals(over, within=WITHIN),
                over,
            )
        )
    drawn = (
        ("mass at the true best, %", "mass", when, False),
        ("distance of predictions from the truth, points", "truth", when, True),
        ("distance from the last predictions, points", "last", when[:-1], True),
    )
    panels = [
        Panel(
            title,
            [_curve(name, at, 100 * columns[key][:, : len(at)], how.seed, key) for name, columns in seen.items()],
            log=log,
        )
        for title, key, at, log in drawn
    ]
    lines = [
        (
            name,
            *(
                f"{100 * columns[key][:, at].mean():.1f}"
                for key in ("mass", "claimed", "right", "truth")
                for at in (tenth, -1)
            ),
        )
        for name, columns in seen.items()
    ]
    heads = (
        "mass at the true best, %",
        "mass at the favourite, %",
        "favourite is the best, %",
        "predictions off, points",
    )
    return Section(
        "The belief settles, and on the true best (lemma of section 5.3, asymptotic optimality)",
        findings,
        prose(
            f"""Predictions converge, whatever is tried, since each is a bounded martingale. If everything is tried
            again and again they converge to the truth, and the probability that the belief gives to the true best
            goes to 1. The beliefs along the {cases} long runs: how far the predicted chances of all alternatives
            are from the true ones and from those after {TRIALS} trials, and the mass at the true best ({DRAWS:,}
            draws of the weights from the belief). Errors that fall as the root of the number of trials are 3.2
            times smaller after ten times the trials; "less than half" asks for less. An approximate belief need not
            be a martingale, so the lemma does not cover it. A martingale has no trend: where a prediction stands
            now says nothing about where it goes. So what it moves later, times how far it is from one half now, is
            0 on average."""
        ),
        {
            "settling": (
                "Mass at the true best, and how far predictions are from the truth and from the last ones.",
                curves(panels, x="trials (bands: 95 % intervals of the mean)", log_x=True),
            )
        },
        [
            *table(
                ("trials chosen by", *(f"{head}: after {n}" for head in heads for n in (TRIALS // 10, TRIALS))), lines
            ),
            "",
            *prose(
                """*Favourite*: the alternative with the largest predicted chance. A belief that deserves trust
                gives its favourite as much mass as the favourite is right."""
            ),
        ],
    )


def _curve(name: str, when: list[int], values: Array, seed: int, key: str) -> Curve:
    found = [band_of(column, seed=seed, name=f"{key} {name} {n}") for n, column in zip(when, values.T, strict=True)]
    return Curve.of(name, when, found)
