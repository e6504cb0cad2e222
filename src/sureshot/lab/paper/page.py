"""The page that puts the paper's claims beside what was measured, as Markdown: written by the command, not by hand."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from textwrap import wrap

import numpy
import scipy

from sureshot._version import __version__
from sureshot.lab.paper.claims import Claim, spread
from sureshot.lab.paper.verdict import Verdict, share_of
from sureshot.lab.paper.watching import SHOWN, SceneResult

__all__ = ["MARKS", "Section", "error_section", "page", "prose", "scene_section", "table"]

#: A verdict in a table that is too narrow for words.
MARKS: dict[Verdict, str] = {"holds": "✓", "does not hold": "✗", "can't be told": "?"}


@dataclass(frozen=True)
class Section:
    """A figure with what belongs to it."""

    claims: Sequence[Claim]
    lines: Sequence[str]


def page(sections: Sequence[Section], *, command: str, seed: int, runs: int) -> str:
    """The whole page, with what made it: no names of hosts, users or folders."""
    machine = (
        f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}, Python {platform.python_version()}, "
        f"NumPy {numpy.__version__}, SciPy {scipy.__version__}, sureshot {__version__}"
    )
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
        "```console",
        f"$ {command}",
        "```",
        "",
        f"Seed {seed}, {runs} runs, {datetime.now(UTC).date().isoformat()}; {machine}.",
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


def scene_section(result: SceneResult, picture: str) -> Section:
    """Figure 1 or 2."""
    scene, seen = result.scene, result.seen
    claims = [result.claims["found"], result.claims["boundary"]]
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
    return Section(claims, lines)


def error_section(results: Sequence[SceneResult], picture: str) -> Section:
    """Figure 3."""
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
                    spread(one.claims["error"].found) if one.claims["error"].found else "",
                )
                for one in results
            ),
        ),
    ]
    return Section([one.claims["error"] for one in results], lines)


def prose(text: str) -> list[str]:
    """A paragraph in lines of at most 120 characters."""
    return wrap(" ".join(text.split()), 120, break_long_words=False, break_on_hyphens=False)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table in Markdown.

    >>> table(("n", "found"), [("3", "38 %")])
    ['| n | found |', '|---|---|', '| 3 | 38 % |']
    """
    cells = ["|" + "---|" * len(head)]
    return [f"| {' | '.join(head)} |", *cells, *(f"| {' | '.join(row)} |" for row in rows)]
