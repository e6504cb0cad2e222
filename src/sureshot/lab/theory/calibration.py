"""Lemma 1 (paper, section 2): a choice works as often as it is predicted to, on average over truths from the prior.

The lemma is about the exact posterior, whatever the policy. Beliefs are approximations of it, so the same comparison
says how far each can be trusted: it is a test of calibration at the one alternative that counts.
"""

from __future__ import annotations

from typing import Any

from sureshot.lab.play.beliefs import PAPER, BeliefRecipe
from sureshot.lab.play.world import World
from sureshot.lab.report.markdown import prose, table
from sureshot.lab.report.verdicts import Estimate, band_of, mean_of, spread
from sureshot.lab.study.study import Study, contenders
from sureshot.lab.theory.computing import Computing, share
from sureshot.lab.theory.drawing import Curve, Panel, curves
from sureshot.lab.theory.statement import Finding, Section, equals
from sureshot.lab.worlds import get_world

__all__ = ["BELIEFS", "POLICIES", "WITHIN", "calibration", "calibration_study", "gap"]

#: The beliefs that are compared, by what the page calls them. All begin with the prior that truths come from.
BELIEFS = {
    "expectation propagation": BeliefRecipe("ep", prior=1.0),
    "moment matching, one pass": BeliefRecipe("adf", method="adf", prior=1.0),
    "Laplace, full covariance": BeliefRecipe("laplace", method="laplace", prior=1.0),
    "Laplace, diagonal (the paper's)": PAPER,
}
#: How the trials are chosen, and in words: the lemma holds for any policy.
POLICIES = {"random": "trials at random", "kg-exact": "trials by the knowledge gradient"}
TRIALS = 20
#: A difference of one point of probability is of no account.
WITHIN = 0.01


def calibration_world() -> World:
    """Thirty alternatives with five features and a constant; their scores have a standard deviation of about 4."""
    return get_world("synthetic", d=5, M=30)


def calibration_study(*, runs: int, seed: int) -> Study:
    """Every belief under every policy."""
    field = contenders(POLICIES, BELIEFS.values())
    return Study(f"calibration-seed-{seed}", (calibration_world(),), field, seed=seed, runs=runs, budget=TRIALS)


def gap(rows: Any, policy: str, belief: str, n: int, *, seed: int) -> Estimate:
    """Mean of predicted minus true chance of the choice after ``n`` trials."""
    own = rows[(rows["policy"] == policy) & (rows["belief"] == belief) & (rows["n"] == n)]
    away = (own["predicted"] - own["true"]).to_numpy()
    estimated = mean_of if n == TRIALS else band_of  # a verdict needs more than a band
    return estimated(away, seed=seed, name=f"calibration {policy} {belief} {n}")


def calibration(how: Computing) -> Section:
    """The lemma by simulation."""
    rows = how.study(calibration_study(runs=share(how.runs, "runs"), seed=how.seed))
    when = [*(n for n in (1, 2, 5, 10, 15) if n < TRIALS), TRIALS]
    found = {
        (policy, words, n): gap(rows, policy, recipe.label, n, seed=how.seed)
        for policy in POLICIES
        for words, recipe in BELIEFS.items()
        for n in when
    }
    findings = []
    for words in BELIEFS:
        for policy, chosen in POLICIES.items():
            one = found[policy, words, TRIALS]
            findings.append(
                Finding(
                    "Lemma 1",
                    f"{words}, {chosen}: after {TRIALS} trials the choice works as often as predicted, within 1 point",
                    f"predicted minus true: {spread(one)} points",
                    equals(one, within=WITHIN),
                    one,
                )
            )
    panels = [
        Panel(
            chosen,
            [Curve.of(words, when, [found[policy, words, n] for n in when], scale=100) for words in BELIEFS],
            band=(-100 * WITHIN, 100 * WITHIN),
        )
        for policy, chosen in POLICIES.items()
    ]
    picture = curves(panels, y="predicted minus true, points", x="trials (bands: 95 % intervals; grey: within 1 point)")
    shown = [*when[2:3], TRIALS]
    return Section(
        "A choice works as often as predicted (Lemma 1)",
        findings,
        prose(
            f"""The lemma: if the truth is drawn from the prior and you choose what has the largest predicted
            chance, then on average that chance is the true one, whatever the policy that chose the trials. So
            nothing is lost by judging a policy by its own predictions. The proof needs the exact posterior, which
            nobody has: the belief is an approximation. {share(how.runs, "runs"):,} truths were drawn from the prior
            (5 features from [-3, 3] and a constant, unit prior, 30 alternatives); for each, {TRIALS} trials were
            made and the chance predicted for the choice was compared with its true one."""
        ),
        {"calibration": ("Predicted minus true chance of the choice over the number of trials.", picture)},
        [
            *table(
                ("belief", *(f"{chosen}: after {n}" for chosen in POLICIES.values() for n in shown)),
                (
                    (words, *(spread(found[policy, words, n]) for policy in POLICIES for n in shown))
                    for words in BELIEFS
                ),
            ),
            "",
            "Predicted minus true chance of the choice, in points (95 % interval).",
            "",
            *prose(
                """Below 0 the belief promises less than it keeps, above 0 more. Laplace's belief is too cautious
                about what it prefers, since it draws strong effects towards 0 and widens them; moment matching and
                expectation propagation are what a campaign uses."""
            ),
        ],
    )
