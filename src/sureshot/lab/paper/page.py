"""The page that puts the paper's claims beside what was measured, as Markdown: written by the command, not by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any

from sureshot.lab.paper.claims import (
    Claim,
    Comparison,
    beats_rivals,
    beats_ucb,
    error_claim,
    names,
    rival_claims,
    scene_claims,
)
from sureshot.lab.paper.scenes import SHOWN, SceneResult
from sureshot.lab.paper.setting import OWN, POLICIES, RIVALS, RULES, WHEN
from sureshot.lab.report.markdown import console, made_on, prose, table
from sureshot.lab.report.statistics import AVERAGE, average_means
from sureshot.lab.report.verdicts import Verdict, mean_of, share_of, spread

__all__ = ["Section", "comparison_section", "error_section", "in_the_papers_order", "page", "scene_section"]

PAPER_RULE = next(iter(RULES))

#: A verdict in a table that is too narrow for words.
MARKS: dict[Verdict, str] = {"holds": "✓", "does not hold": "✗", "can't be told": "?"}


@dataclass(frozen=True)
class Section:
    """A figure with what belongs to it."""

    claims: Sequence[Claim]
    lines: Sequence[str]


def page(sections: Sequence[Section], *, command: str, seed: int, runs: int) -> str:
    """The whole page, with what made it: no names of hosts, users or folders."""
    claims = [claim for section in sections for claim in section.claims]
    lines = [
        "# The paper, again",
        "",
        "<!-- Written by the command below. Do not edit: change sureshot.lab.paper and run it again. -->",
        "",
        *prose(
            f"""The figures of the paper's section 6, made anew, and its claims beside what was measured. The paper
            shows single runs (figures 1 to 3) and means of 100 runs without intervals (figure 4); here every claim is
            a statement about all runs, measured in {runs} of them."""
        ),
        "",
        *console(command),
        "",
        f"Seed {seed}, {runs} runs, {made_on()}.",
        "",
        "## The claims",
        "",
        *table(
            ("figure", "claim", "measured (95 % interval)", "verdict"),
            ((claim.figure, claim.says, claim.measured, f"**{claim.verdict}**") for claim in claims),
        ),
        "",
        *prose(
            """*Holds* or *does not hold*: the whole 95 % interval lies on one side and, for differences, the p-value is
            below 0.05. *Can't be told*: anything else; more runs may tell. Probabilities have Wilson intervals.
            Differences are taken within each run (all policies meet the same truth and the same labels); their
            intervals are BCa bootstrap intervals over runs, their p-values come from flipped signs. The comparisons of
            figure 4 are corrected after Holm: all worlds, rivals and numbers of trials together, the averages over
            worlds among themselves. *Costs*: the mean opportunity cost. Differences of probabilities are in points: 1
            point is a hundredth."""
        ),
        "",
    ]
    for section in sections:
        lines += [*section.lines, ""]
    return "\n".join(lines).rstrip() + "\n"


def scene_section(result: SceneResult, picture: str, *, seed: int) -> Section:
    """Figure 1 or 2."""
    scene, seen = result.scene, result.seen
    shares = [share_of(int(column.sum()), len(column)) for column in seen.found.T]
    lines = [
        f"## Figure {scene.figure}: {scene.title}",
        "",
        f"[![KG values at trials 1 to {scene.trials} in one run.]({picture}.png)]({picture}.svg)",
        "",
        *prose(
            f"""Trials 1 to {scene.trials} of run {SHOWN}: the first run of this seed, not a chosen one. Colour
            and size show the knowledge gradient of each alternative by Algorithm 2 when the trial is chosen; each panel
            has its own scale. Star: the true best alternative. Red square: the alternative to be tried, which has the
            largest value. Pink circle: the implementation decision (the largest m·x) if the budget ends with this
            trial, so after its outcome. Values below 0 come from Algorithm 2's approximation: a trial can't make the
            expected choice worse (erratum 12 of the corrected paper)."""
        ),
        "",
        f"Over all {len(seen.found)} runs: how often the implementation decision is the true best, after each trial.",
        "",
        *table(
            ("trials", *(str(n + 1) for n in range(len(shares)))),
            (
                ("found, %", *(f"{100 * one.value:.1f}" for one in shares)),
                ("95 % interval", *(f"{100 * one.low:.1f} to {100 * one.high:.1f}" for one in shares)),
            ),
        ),
    ]
    return Section(scene_claims(scene, seen, seed=seed), lines)


def error_section(results: Sequence[SceneResult], picture: str, *, seed: int) -> Section:
    """Figure 3."""
    more = [
        mean_of(one.seen.error_best - one.seen.error_mean, seed=seed, name=f"error {one.scene.figure}")
        for one in results
    ]
    afters = " and ".join(f"{one.scene.error_after} trials (d = {one.scene.d})" for one in results)
    lines = [
        "## Figure 3: where the prediction errs",
        "",
        f"[![Absolute error of the predicted probability, one run each.]({picture}.png)]({picture}.svg)",
        "",
        *prose(
            f"""The absolute difference between the predicted and the true success probability after {afters}, in the
            runs of figures 1 and 2, on one scale. Star: the true best alternative."""
        ),
        "",
        "Over all runs, in points of probability:",
        "",
        *table(
            ("", "at the true best", "mean of all alternatives", "difference (95 % interval)"),
            (
                (
                    f"d = {one.scene.d}, after {one.scene.error_after} trials",
                    f"{100 * one.seen.error_best.mean():.2f}",
                    f"{100 * one.seen.error_mean.mean():.2f}",
                    spread(error),
                )
                for one, error in zip(results, more, strict=True)
            ),
        ),
    ]
    return Section([error_claim(one.scene, one.seen, error) for one, error in zip(results, more, strict=True)], lines)


def comparison_section(rows: Any, titles: Mapping[str, str], picture: str, *, seed: int) -> Section:
    """Claims and tables from the rows of figure 4; ``titles`` says how each world is called on the page."""
    own = {value: beats_rivals(rows, value, seed=seed) for value in RULES}
    ucb = {value: beats_ucb(rows, value, seed=seed) for value in RULES}
    lines = [
        "## Figure 4: against other policies",
        "",
        f"[![Opportunity cost over the number of trials, nine panels.]({picture}.png)]({picture}.svg)",
        "",
        *prose(
            """Mean opportunity cost over the number of trials, with a band of the 95 % intervals of the mean. All
            policies learn by the paper's belief (a diagonal covariance, a unit prior); the choice is made by the mean
            weights, as in the paper. expected-improvement begins with 5 random trials, which count. Where the paper is
            silent (the two synthetic pools have 200 alternatives, UCI attributes are standardised, the true weights
            are a ridge fit plus a perturbation drawn for each run), see the corrected paper."""
        ),
        "",
        "### Mean over the nine worlds",
        "",
        "Opportunity cost in points of probability (95 % interval), every world counting the same.",
        "",
        *_levels(rows, seed),
        "",
        f"### {OWN} against each rival, on average over the nine worlds",
        "",
        f"Opportunity cost of {OWN} minus the rival's, in points (95 % interval): below 0 if {OWN} is better.",
        ", ".join(f"{mark} {words}" for words, mark in MARKS.items()) + ".",
        "",
    ]
    for value, words in RULES.items():
        lines += [f"The choice is made {words}:", "", *_averages(own[value], "than"), ""]
    lines += [f"### {OWN} against each rival, world by world", "", "By the paper's rule.", ""]
    for when in WHEN:
        lines += [f"**{names(when).capitalize()}**", "", *_worlds(own[PAPER_RULE], titles, when), ""]
    lines += [
        "How many of these comparisons hold, do not hold, can't be told:",
        "",
        *_tallies(own),
        "",
        "### Against ucb",
        "",
        "Opportunity cost minus that of ucb, in points (95 % interval), on average over the nine worlds.",
        "",
    ]
    for value, words in RULES.items():
        lines += [f"The choice is made {words}:", "", *_averages(ucb[value], "policy"), ""]
    return Section(rival_claims(own[PAPER_RULE], ucb[PAPER_RULE]), lines)


def in_the_papers_order(rows: Any, titles: Mapping[str, str]) -> Any:
    """Worlds by the letters and titles of their panels, policies as the paper lists them."""
    letters = {
        world: f"({letter}) {title}" for letter, (world, title) in zip(ascii_lowercase, titles.items(), strict=False)
    }
    places = {name: at for at, name in enumerate(POLICIES)}
    ordered = rows.assign(world=rows["world"].map(letters), place=rows["policy"].map(places))
    return ordered.sort_values(["world", "place", "run", "n"], ignore_index=True).drop(columns="place")


def _levels(rows: Any, seed: int) -> list[str]:
    found = average_means(rows, PAPER_RULE, at=WHEN, seed=seed).set_index(["policy", "n"])
    lines = []
    for policy in POLICIES:
        cells = (found.loc[(policy, when)] for when in WHEN)
        lines.append((policy, *(f"{100 * c['mean']:.2f} ({100 * c.low:.2f} to {100 * c.high:.2f})" for c in cells)))
    return table(("policy", *map(names, WHEN)), lines)


def _averages(found: Sequence[Comparison], who: str) -> list[str]:
    cells = {(getattr(one, who), one.n): one for one in found if one.world == AVERAGE}
    body = [(name, *(_cell(cells[name, when]) for when in WHEN)) for name in POLICIES if (name, WHEN[0]) in cells]
    return table(("rival" if who == "than" else "policy", *map(names, WHEN)), body)


def _worlds(found: Sequence[Comparison], titles: Mapping[str, str], when: object) -> list[str]:
    cells = {(one.world, one.than): one for one in found if one.n == when and one.world != AVERAGE}
    body = [(title, *(_cell(cells[world, rival]) for rival in RIVALS)) for world, title in titles.items()]
    return table(("world", *RIVALS), body)


def _tallies(own: Mapping[str, Sequence[Comparison]]) -> list[str]:
    body = []
    for value, words in RULES.items():
        for when in WHEN:
            counted = Counter(one.verdict for one in own[value] if one.n == when and one.world != AVERAGE)
            body.append((words, names(when), *(str(counted[word]) for word in MARKS)))
    return table(("choice", "", *MARKS), body)


def _cell(one: Comparison) -> str:
    return f"{spread(one.found)} {MARKS[one.verdict]}"
