"""What stopping rules save and what they lose: each run with the end that a rule gives it, beside the whole of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput
from sureshot.lab.report.intervals import RESAMPLES, bca
from sureshot.lab.report.panels import ContenderName, Panel, labels, panels, who_played
from sureshot.lab.report.statistics import AVERAGE, everywhere, resampled, runs_of, together
from sureshot.lab.report.tables import Cell, Table
from sureshot.lab.study.rows import STOPPED

__all__ = ["rules_in", "stopping_table", "stops"]

#: What is told of each rule, as a mean over runs with its interval.
NUMBERS = ("ended", "trials", "oc", "saved", "lost")


def rules_in(rows: Any) -> list[str]:
    r"""The stopping rules of a study whose rows these are; none where it has none.

    >>> import pandas as pd
    >>> rules_in(pd.DataFrame({"stopped": ["", "sure", "worked\nsure chance=0.8"]}))
    ['sure', 'sure chance=0.8', 'worked']
    """
    if STOPPED not in rows:
        return []
    return sorted({rule for said in rows[STOPPED].unique() for rule in said.split("\n") if rule})


def stops(rows: Any, *, seed: int = 0, resamples: int = RESAMPLES) -> Any:
    """For each world (and their average), contender and rule: the share of runs that it ended, the trials that were
    run, and the opportunity cost then; how many trials it saved of the budget and how much it lost by that, in pairs of
    the same run. Ends of 95 % BCa intervals stand beside the means, as ``lost_low`` and ``lost_high``.

    ``price`` is what it lost by each trial that it saved: it pays where a trial costs more than that, in chance of
    success of the final choice.
    """
    rules = rules_in(rows)
    if not rules:
        raise InvalidInput(
            "this study has no stopping rules: give it some (stopping=[...], or tables [[stopping]] in its file)."
        )
    every = panels(rows, "oc")
    ends = {panel.world: _ends(rows, panel, rules) for panel in every}
    parts = [_told(panel.world, [panel], panel.contenders, rules, ends, seed, resamples) for panel in every]
    if len(every) > 1 and everywhere(every):
        parts.append(_told(AVERAGE, every, everywhere(every), rules, ends, seed, resamples))
    return together(parts)


def _ends(rows: Any, panel: Panel, rules: Sequence[str]) -> Array:
    """After how many trials each rule ended each run, (R, K, rules): the budget where it did not."""
    part = rows[(rows["world"] == panel.world) & (rows[STOPPED] != "")]
    ends = np.full((len(panel.runs), len(panel.contenders), len(rules)), panel.steps[-1])
    place = {run: at for at, run in enumerate(panel.runs.tolist())}
    who = {one: at for at, one in enumerate(panel.contenders)}
    for policy, belief, run, n, said in part[["policy", "belief", "run", "n", STOPPED]].itertuples(index=False):
        if run in place:
            for rule in said.split("\n"):
                ends[place[run], who[ContenderName(str(policy), str(belief))], rules.index(rule)] = n
    return ends


def _told(
    name: str,
    every: Sequence[Panel],
    everyone: Sequence[ContenderName],
    rules: Sequence[str],
    ends: dict[str, Array],
    seed: int,
    resamples: int,
) -> Any:
    """The numbers of one world, or of the average over several."""
    import pandas as pd

    samples: dict[str, Array] = {}
    for panel in every:
        at = [panel.contenders.index(one) for one in everyone]
        end, values, last = ends[panel.world][:, at], panel.values[:, at], panel.steps[-1]
        cost = np.take_along_axis(values, np.searchsorted(panel.steps, end), axis=2)
        samples[panel.world] = np.stack([end < last, end, cost, last - end, cost - values[:, :, -1:]], axis=3)
    mean, draws, influence = resampled(samples, seed=seed, resamples=resamples)
    low, high = bca(mean, draws, influence)
    found = pd.DataFrame(
        [(name, one.policy, one.belief, rule) for one in everyone for rule in rules],
        columns=["world", "policy", "belief", "rule"],
    )
    found["runs"] = min(map(len, samples.values()))
    for ending, array in (("", mean), ("_low", low), ("_high", high)):
        found[[f"{number}{ending}" for number in NUMBERS]] = array.reshape(-1, len(NUMBERS))
    return found.assign(price=(found["lost"] / found["saved"]).where(found["saved"] > 0))


def stopping_table(rows: Any, *, seed: int = 0) -> Table:
    """Rules (rows; with their contender where there are several), averaged over worlds: what is saved, what is lost."""
    table = stops(rows, seed=seed)
    worlds = table["world"].unique()
    shown = table[table["world"] == (AVERAGE if AVERAGE in worlds else worlds[0])]
    everyone = who_played(rows)
    name = labels(everyone)
    columns: dict[str, dict[str, Cell]] = {}
    for row in shown.to_dict("records"):
        who = name[ContenderName(row["policy"], row["belief"])]
        label = row["rule"] if len(everyone) == 1 else f"{row['rule']}, {who}"
        cells = {
            words: Cell(row[number], row[f"{number}_low"], row[f"{number}_high"])
            for words, number in (("trials", "trials"), ("opportunity cost", "oc"), ("lost", "lost"))
        }
        cells = {"share ended": Cell(row["ended"]), **cells}
        if np.isfinite(row["price"]):
            cells["lost per trial saved"] = Cell(row["price"])
        for words, cell in cells.items():
            columns.setdefault(words, {})[label] = cell
    over = f"Averages over {len(worlds) - 1} worlds. " if AVERAGE in worlds else f"World {worlds[0]}. "
    note = (
        f"{over}{runs_of(shown)} runs of {rows['n'].max()} trials. In brackets: 95 % BCa bootstrap intervals over "
        "runs. Lost: the opportunity cost where the rule ended the run minus that after all trials, in pairs of the "
        "same run. A rule pays where a trial costs more than is lost per trial saved. A run that a rule ends only with "
        "its last trial is not counted as ended."
    )
    names = tuple(columns["share ended"])
    return Table("When to stop: what each rule saves and loses", "rule", names, columns, note)
