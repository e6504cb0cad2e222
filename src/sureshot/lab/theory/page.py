"""The page of the theorems, as Markdown: written by the command, not by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from sureshot.lab.report.markdown import console, made_on, prose, table
from sureshot.lab.theory.computing import share
from sureshot.lab.theory.statement import Section

__all__ = ["page"]


def page(sections: Sequence[Section], *, pictures: Mapping[str, str], command: str, seed: int, runs: int) -> str:
    """The whole page; ``pictures`` says where each picture is, seen from the page."""
    findings = [one for section in sections for one in section.findings]
    lines = [
        "# What the theorems say, and what we measured",
        "",
        "<!-- Written by the command below. Do not edit: change sureshot.lab.theory and run it again. -->",
        "",
        *prose(
            """The paper behind sureshot proves that its policy learns what it should: its section 5.3 and the
            proofs in the appendix. Proofs are about exact posteriors and trials without end; a computer has
            approximate beliefs and stops. Here each statement stands in words, with what was computed of it, and
            whether it holds for what is really run. [The paper, corrected](paper.md) says what is wrong in print. The
            forms and margins of the statements were chosen while looking at seed 1: any other seed is a fair test."""
        ),
        "",
        *console(command),
        "",
        *prose(
            f"""Seed {seed}; {runs:,} runs of Lemma 1, {share(runs, "states"):,} random states or cases,
            {share(runs, "long"):,} long runs; {made_on()}."""
        ),
        "",
        "## The statements",
        "",
        *table(
            ("paper", "statement", "measured (95 % interval)", "verdict"),
            ((one.where, one.says, one.measured, f"**{one.verdict}**") for one in findings),
        ),
        "",
        *prose(
            """*Holds*, *does not hold*: the whole 95 % interval lies on that side, and for differences the p-value
            is below 0.05. *Can't be told*: anything else; more runs may tell. A statement that two numbers are
            equal holds if the whole interval is within the stated margin and does not hold if all of it is outside.
            One that something never happens does not hold if it happened once; if it never did, the interval says
            how rare it must be. So a single verdict of *holds* or *does not hold* is wrong in about 5 % of such
            pages at most, but for "never", where *holds* means that it was not seen. Verdicts are not corrected for
            being many: of twenty about what is in truth undecided, expect one to be wrong. A finite run proves no
            limit: such statements are about the stated numbers of trials. Shares have Wilson intervals, means BCa
            bootstrap intervals over runs; p-values come from flipped signs. Chances and their differences are in
            points: 1 point is a hundredth."""
        ),
        "",
    ]
    for section in sections:
        lines += [f"## {section.title}", "", *section.before, ""]
        for name, (shows, _) in section.pictures.items():
            lines += [f"![{shows}]({PurePosixPath(pictures[name])})", "", f"*{shows}*", ""]
        lines += [*section.after, ""] if section.after else []
    return "\n".join(lines).rstrip() + "\n"
