"""Figure 4 on the page: nine panels, and every comparison with its interval and its verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import ascii_lowercase
from typing import Any

from sureshot.lab.paper.claims import names, rival_claims, spread
from sureshot.lab.paper.page import MARKS, Section, prose, table
from sureshot.lab.paper.rivals import Comparison, beats_rivals, beats_ucb, tally
from sureshot.lab.paper.setting import OWN, POLICIES, RIVALS, RULES, WHEN
from sureshot.lab.report.statistics import AVERAGE, average_means

__all__ = ["comparison_section", "in_the_papers_order"]

PAPER_RULE, OTHER_RULE = RULES


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
            counted = tally([one for one in own[value] if one.n == when and one.world != AVERAGE])
            body.append((words, names(when), *(str(counted[word]) for word in MARKS)))
    return table(("choice", "", *MARKS), body)


def _cell(one: Comparison) -> str:
    return f"{spread(one.found)} {MARKS[one.verdict]}"
