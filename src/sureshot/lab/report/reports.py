"""The tables of a study: costs, differences to a reference, ratios, all in one. The best and its equals are bold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sureshot.lab.report.comparisons import UNTOLD, FreeReference, average_differences, differences, leaders, ratios
from sureshot.lab.report.panels import MEASURES, At, ContenderName, Panel, find_contender, labels, panels, who_played
from sureshot.lab.report.statistics import AVERAGE, average_means, everywhere, means, runs_of, together
from sureshot.lab.report.tables import Cell, Table

__all__ = ["cost_table", "difference_table", "ratio_table", "score_table", "when"]

Column = dict[ContenderName, Cell]
BOLD = "Bold: the best mean and those not told apart from it (flipped signs, Holm, 5 %)."
INTERVALS = "In brackets: 95 % BCa bootstrap intervals over runs."


def cost_table(rows: Any, at: At, value: str = "oc", *, seed: int = 0) -> Table:
    """Means of contenders (rows) in worlds (columns) after ``at`` trials, and their average over worlds."""
    every = panels(rows, value)
    measure = MEASURES[value]
    table = means(rows, value, at=[at], seed=seed)
    columns = _columns(table, "world", "mean")
    groups = {panel.world: [panel] for panel in every}
    if len(every) > 1 and everywhere(every):
        columns |= _columns(average_means(rows, value, at=[at], seed=seed), "world", "mean")
        groups[AVERAGE] = every
    for name, group in groups.items():
        columns[name] = _embolden(columns[name], group, at, value, seed)
    how = INTERVALS if value != "found_best" else "In brackets: 95 % Wilson intervals (of the average: bootstrap)."
    note = f"{runs_of(table)} runs. {how} {BOLD}"
    return _table(rows, f"{measure.words.capitalize()}, {when(at)}", columns, note, falling=measure.more_is_better)


def difference_table(rows: Any, reference: str, at: At, value: str = "oc", *, seed: int = 0) -> Table:
    """Differences to a reference (rows: contenders, columns: worlds), with verdicts; what is told apart is bold."""
    table = differences(rows, reference, value, at=[at], seed=seed)
    columns = _columns(table, "world", "difference", "verdict")
    if len(columns) > 1:
        average = average_differences(rows, reference, value, at=[at], seed=seed)
        columns |= _columns(average, "world", "difference", "verdict")
    columns = {
        name: {one: replace(cell, bold=cell.word != UNTOLD) for one, cell in column.items()}
        for name, column in columns.items()
    }
    note = (
        f"{runs_of(table)} runs. Pairs of the same run. {INTERVALS} Verdicts: flipped signs, 5 %, Holm-corrected over "
        "the worlds and contenders of this table, the averages among themselves."
    )
    measure = MEASURES[value]
    title = f"{measure.words.capitalize()} minus that of {_name(rows, reference)}, {when(at)}"
    return _table(rows, title, columns, note, falling=measure.more_is_better)


def ratio_table(rows: Any, reference: str, at: Sequence[At], value: str = "oc", *, seed: int = 0) -> Table:
    """Average over worlds by that of the reference (rows: contenders, columns: numbers of trials).

    Numbers of trials at which the reference costs nothing are left out; if it never costs anything, that is an error.
    """
    parts, free = [], []
    for one in at:
        try:
            parts.append(ratios(rows, reference, value, at=[one], seed=seed))
        except FreeReference:
            free.append(one)
            if len(free) == len(at):
                raise
    table = together(parts)
    columns = {when(name): column for name, column in _columns(table, "n", "ratio").items()}
    note = f"{runs_of(table)} runs. {INTERVALS} Runs drawn within worlds, the same for both."
    if free:
        note += f" At {', '.join(map(when, free))} the reference costs nothing, and there is no ratio."
    title = f"{MEASURES[value].words.capitalize()}, averaged over worlds, by that of {_name(rows, reference)}"
    return _table(rows, title, columns, note)


def score_table(rows: Any, value: str = "oc", *, seed: int = 0) -> Table:
    """Contenders in one row each, averaged over worlds: the whole curve, its end, best found, successes, time.

    Like every average it has only those in it that played all worlds.
    """
    every = panels(rows, value)
    end = every[0].steps[-1]
    wanted: dict[str, tuple[str, At]] = {
        "mean over n": (value, "area"),
        when(end): (value, end),
        f"best found, {when(end)}": ("found_best", end),
        f"successes, {when(end)}": ("successes", end),
    }
    columns = {}
    for name, (column, at) in wanted.items():
        table = average_means(rows, column, at=[at], seed=seed)
        columns[name] = _embolden(
            _columns(table, "world", "mean").get(AVERAGE, {}), panels(rows, column), at, column, seed
        )
    spent = average_means(rows, "seconds", at=["area"], resamples=1)
    columns["ms a trial"] = {
        one: Cell(1000 * cell.number) for one, cell in _columns(spent, "world", "mean").get(AVERAGE, {}).items()
    }
    worlds = f"Averages over {len(every)} worlds. " if len(every) > 1 else ""
    note = f"{worlds}{runs_of(table)} runs. {INTERVALS} {BOLD}"
    return _table(rows, f"{MEASURES[value].words.capitalize()}, successes and time", columns, note, order="mean over n")


def when(at: At) -> str:
    """A number of trials in words.

    >>> when(10), when("area")
    ('n = 10', 'mean over n')
    """
    return "mean over n" if at == "area" else f"n = {at}"


def _columns(table: Any, by: str, number: str, word: str | None = None) -> dict[Any, Column]:
    """Rows of a statistic as columns of cells."""
    columns: dict[Any, Column] = {}
    for row in table.to_dict("records"):
        cell = Cell(row[number], row["low"], row["high"], row[word] if word else "")
        columns.setdefault(row[by], {})[ContenderName(row["policy"], row["belief"])] = cell
    return columns


def _embolden(column: Column, group: Sequence[Panel], at: At, value: str, seed: int) -> Column:
    everyone = list(column)
    kept = leaders(group, everyone, at, more_is_better=MEASURES[value].more_is_better, seed=seed)
    return {one: replace(column[one], bold=bool(bold)) for one, bold in zip(everyone, kept, strict=True)}


def _table(
    rows: Any, title: str, columns: Mapping[str, Column], note: str, *, order: str | None = None, falling: bool = False
) -> Table:
    """Contenders sorted by one column (the last if not said), the best first."""
    by = columns[order or list(columns)[-1]] if columns else {}
    name = labels(who_played(rows))
    everyone = [one for one in name if any(one in column for column in columns.values())]
    worst = float("-inf") if falling else float("inf")
    everyone.sort(key=lambda one: by[one].number if one in by else worst, reverse=falling)
    body = {head: {name[one]: cell for one, cell in column.items()} for head, column in columns.items()}
    return Table(title, "policy", tuple(name[one] for one in everyone), body, note)


def _name(rows: Any, reference: str) -> str:
    names = labels(who_played(rows))
    return names[find_contender(reference, names)]
