"""The finite-time theorem (paper, section 5.2): as stated, and a bound that holds.

As stated: with probability P_d(M) over the truth, the mean distance of the estimate from the true weights is at most
half of C_min + λ_min. It is looked at where it claims something: for truths within the ball of radius M. The other
bound is looked at there, for truths from the prior, and along the long runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from sureshot import theory
from sureshot.core import fit, prior
from sureshot.core.links import LOGIT
from sureshot.core.numerics.stable import Array
from sureshot.lab.play.world import Truth, World, truth
from sureshot.lab.report.markdown import prose, table
from sureshot.lab.report.verdicts import Estimate, band_of, mean_of, percent, verdict
from sureshot.lab.study.study import Study, contenders
from sureshot.lab.theory.computing import Computing, Played, grid, share
from sureshot.lab.theory.drawing import Curve, Panel, curves
from sureshot.lab.theory.long import EXACT, LONG, long_runs
from sureshot.lab.theory.statement import Finding, Section, never

__all__ = ["Sphere", "bound", "bounded"]

#: As many weights as the paper's larger synthetic problem; a unit prior.
WEIGHTS, PRECISION = 11, 1.0
M, TRIALS = 30, 50
#: A distance above a bound by less than this is rounding.
ROUNDING = 1e-9
POLICY = "kg-exact"
#: The bounds that hold, by their columns.
HOLDING = {"holds": "error_bound", "sharper": "sharper_bound"}


@dataclass(frozen=True)
class Sphere(World):
    """Alternatives of length 1 in any direction; weights from the unit prior, or from that part of it within
    ``radius``.
    """

    d: int
    M: int
    radius: float | None = None  # None: all of the prior

    @property
    def label(self) -> str:
        """With its parameters."""
        return f"sphere-d{self.d}-M{self.M}" + ("" if self.radius is None else f"-within-{self.radius:g}")

    def draw(self, rng: np.random.Generator, budget: int) -> Truth:
        """New rows and new weights."""
        X = rng.standard_normal((self.M, self.d))
        X /= np.linalg.norm(X, axis=1, keepdims=True)
        w = rng.standard_normal(self.d)
        if self.radius is not None:  # the density within so small a ball is even, but for exp(-radius²/2)
            w *= self.radius * rng.random() ** (1.0 / self.d) / np.linalg.norm(w)
        return truth(X, LOGIT.probability(X @ w), budget=budget, intercept=False, weights=w)


def bounded(played: Played, precision: float | None, first: int, last: int) -> dict[str, Array]:
    """Along runs ``first`` to ``last``, (R, G) each: the distance of the estimate, what the theorem states (with the
    mean of its statement and the sum of its proof), and the two bounds that hold.

    Without a ``precision`` rows are divided by the length of the longest, and the unit prior goes with them.
    """
    when = grid(played.budget)
    found: dict[str, list[list[float]]] = {key: [] for key in ("error", "statement", "proof", "holds", "sharper")}
    for run in range(first, last + 1):
        fact = played.staged(run).truth
        X, w = fact.X[0], np.asarray(fact.weights)
        scale = float(np.linalg.norm(X, axis=1).max()) if precision is None else 1.0
        X, w = X / scale, w * scale
        start = prior(len(w), precision=1.0 / scale**2 if precision is None else precision)
        line: dict[str, list[float]] = {key: [] for key in found}
        for n in when:
            tried, won = played.visits(run, n, len(X))
            seen = tried > 0
            rows, of, y = X[seen], tried[seen], won[seen]
            top = fit(start, rows, y, of=of).belief.mean
            line["error"].append(float(np.linalg.norm(top - w)))
            line["statement"].append(theory.bound_as_stated(start, rows, w, of=of).bound)
            line["proof"].append(theory.bound_as_stated(start, rows, w, of=of, form="proof").bound)
            line["holds"].append(theory.error_bound(start, rows, y, w, of=of))
            line["sharper"].append(theory.sharper_bound(start, rows, y, w, of=of))
        for key, values in line.items():
            found[key].append(values)
    return {key: np.array(values) for key, values in found.items()}


def bound(how: Computing) -> Section:
    """Both bounds, in three settings."""
    radius = theory.ball_radius(prior(WEIGHTS, precision=PRECISION))
    chance = theory.ball_probability(WEIGHTS, radius)
    cases = share(how.runs, "long")
    worlds = {"truths in the theorem's ball": Sphere(WEIGHTS, M, radius), "truths from the prior": Sphere(WEIGHTS, M)}
    field = contenders([POLICY], [LONG[EXACT].belief])
    rows = how.study(
        Study(f"bound-seed-{how.seed}", tuple(worlds.values()), field, seed=how.seed, runs=cases, budget=TRIALS)
    )
    works: dict[str, tuple[Played, float | None]] = {
        words: (Played.of(rows, world, POLICY, seed=how.seed), PRECISION) for words, world in worlds.items()
    }
    works["the long runs"] = (long_runs(how, (EXACT,))[EXACT].played, None)
    seen = {
        words: how.columns(f"bound-{at}", partial(bounded, *work), cases)
        for at, (words, work) in enumerate(works.items(), start=1)
    }
    inside, findings = seen["truths in the theorem's ball"], []
    for n in (10, TRIALS):
        at = grid(TRIALS).index(n)
        far = inside["error"][:, at].mean()
        for form, words in (("statement", "as stated"), ("proof", "with the sum of its proof")):
            over = mean_of(inside["error"][:, at] - inside[form][:, at], seed=how.seed, name=f"{form} {n}")
            findings.append(
                Finding(
                    "finite-time theorem",
                    f"{words}, truths in its ball: after {n} trials the mean distance is at most the bound",
                    f"distance {far:.2f}, bound {inside[form][:, at].mean():.2f}: {_above(over)}",
                    verdict(over, claim="below"),
                    over,
                )
            )
    findings.append(
        Finding(
            "beside the finite-time theorem",
            f"its event is likely (probability above one half) at d = {WEIGHTS}, λ = {PRECISION:g}",
            f"P_d(M) = {chance:.1e}, M = {radius:g} (computed, no simulation)",
            "holds" if chance > 0.5 else "does not hold",
        )
    )
    for words, columns in seen.items():
        for key, name in HOLDING.items():
            broken = columns["error"] > columns[key] + ROUNDING
            told, often = never(int(broken.any(axis=1).sum()), cases)
            findings.append(
                Finding(
                    "in its place",
                    f"{words}: the distance never exceeds `theory.{name}`",
                    f"exceeded in {percent(often)} of {cases} runs, at {broken.shape[1]} moments each",
                    told,
                    often,
                )
            )
    names = {
        "error": "distance of the estimate",
        "statement": "the theorem's bound, as stated",
        "proof": "with the sum of its proof",
        "holds": "a bound that holds",
        "sharper": "a sharper one that holds",
    }
    panels = [
        Panel(
            words,
            [_curve(name, grid(works[words][0].budget), columns[key], how.seed, words) for key, name in names.items()],
            log=True,
        )
        for words, columns in seen.items()
    ]
    likely = [(d, lam) for d in (2, 11) for lam in (1.0, 4.0, 10.0)]
    return Section(
        "How far the estimate is after n trials (finite-time theorem)",
        findings,
        prose(
            f"""With probability P_d(M) over the truth, says the theorem, the estimate is at most (C_min + λ_min)/2
            away from it on average: λ is the precision of the prior, C_min the smallest eigenvalue of the
            information (of its mean in the statement, of its sum in the proof), P_d(M) the probability of a ball of
            radius M about the prior mean. The proof bounds where the expected objective is largest, not how far the
            estimate is on average. Trials by the exact knowledge gradient among {M} alternatives of length 1 with
            {WEIGHTS} weights, {cases} runs each; the third setting are the long runs, rows divided by the length of
            the longest. In place of the theorem sureshot computes `theory.error_bound` and the sharper
            `theory.sharper_bound`, which follow from the outcomes and hold for every sequence of trials; they are
            loose."""
        ),
        {
            "bound": (
                "Mean distance of the estimate from the true weights, and the bounds, over trials.",
                curves(panels, x="trials (bands: 95 % intervals of the mean)", log_x=True),
            )
        },
        [
            "How likely it is that the theorem says anything:",
            "",
            *table(
                ("weights d", "precision λ", "M", "P_d(M)"),
                (
                    (str(d), f"{lam:g}", f"{reach:.3g}", f"{theory.ball_probability(d, reach):.2g}")
                    for d, lam in likely
                    for reach in (theory.ball_radius(prior(d, precision=lam)),)
                ),
            ),
            "",
            *prose(
                """Where it is likely (a large λ), the prior alone says more: the truth lies within λ/16 of the
                prior mean, and the theorem promises λ/2. The bounds that hold are roots that are computed for each
                run, so they differ from run to run; the picture shows their means."""
            ),
        ],
    )


def _above(over: Estimate) -> str:
    return f"above by {over.value:+.2f} ({over.low:+.2f} to {over.high:+.2f})"


def _curve(name: str, when: list[int], values: Array, seed: int, words: str) -> Curve:
    found = [band_of(one, seed=seed, name=f"{words} {name} {n}") for n, one in zip(when, values.T, strict=True)]
    return Curve.of(name, when, found)
