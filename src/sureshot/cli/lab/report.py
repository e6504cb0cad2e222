"""``sureshot lab report``: the tables and pictures of a study, finished or not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sureshot.cli.options import Json
from sureshot.errors import InvalidInput

if TYPE_CHECKING:
    from sureshot.lab.report.panels import At
    from sureshot.lab.report.tables import Table

__all__ = ["parse_at", "report", "show_table"]


def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a study: results/<its name>.")],
    at: Annotated[
        str | None, typer.Option(help="After how many trials: 10,20,30; 'area' is the mean over all of them.")
    ] = None,
    reference: Annotated[
        str | None, typer.Option(help="Compare all with this policy, run by run; POLICY or POLICY/BELIEF.")
    ] = None,
    measure: Annotated[
        str, typer.Option(help="What to compare: oc, oc_plugin (the paper's), regret, successes, found_best, seconds.")
    ] = "oc",
    only: Annotated[list[str] | None, typer.Option(help="Only this policy, or POLICY/BELIEF; again for more.")] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Tables as Markdown.")] = False,
    latex: Annotated[bool, typer.Option("--latex", help="Tables as LaTeX (booktabs).")] = False,
    plot: Annotated[
        Path | None,
        typer.Option(help="Draw the curves into this .png, .svg, .pdf or .html; with --reference, differences."),
    ] = None,
    log: Annotated[bool, typer.Option("--log", help="Draw costs on a log scale.")] = False,
    seed: Annotated[int, typer.Option(help="The seed of the bootstrap.")] = 0,
    as_json: Json = False,
) -> None:
    """Show what a study found: means with intervals, verdicts against a reference, pictures."""
    from sureshot.cli.screen.output import print_data, print_json, tell
    from sureshot.lab.report import panels, plots, reports, stopping, tables
    from sureshot.lab.report.comparisons import FreeReference
    from sureshot.lab.report.summary import points_of
    from sureshot.lab.study.parts import load_rows
    from sureshot.viz import backend_for, save

    if markdown + latex + as_json > 1:
        raise InvalidInput("choose one of --markdown, --latex and --json.")
    if log and reference is not None:
        raise InvalidInput("choose one of --log and --reference: a difference may be below 0.")
    backend = "matplotlib" if plot is None else backend_for(plot)
    rows = load_rows(folder)
    if only:
        rows = panels.only(rows, only)
    when: list[At] = list(points_of(int(rows["n"].max()))) if at is None else parse_at(at)
    if as_json:
        print_json(_document(rows, when, measure, reference, seed))
    else:
        found = [reports.cost_table(rows, one, measure, seed=seed) for one in when]
        found.append(reports.score_table(rows, "oc_plugin" if measure == "oc_plugin" else "oc", seed=seed))
        if reference is not None:
            found += [reports.difference_table(rows, reference, one, measure, seed=seed) for one in when]
            if not panels.MEASURES[measure].more_is_better:
                try:
                    found.append(reports.ratio_table(rows, reference, when, measure, seed=seed))
                except FreeReference as error:
                    tell(f"No ratios: {error}")
        if stopping.rules_in(rows):
            found.append(stopping.stopping_table(rows, seed=seed))
        for table in (one for one in found if one.names):
            if markdown or latex:
                print_data((tables.markdown if markdown else tables.latex)(table) + "\n")
            else:
                show_table(table)
    if plot is not None:
        figure = (
            plots.cost_figure(rows, measure, log=log, seed=seed, backend=backend)
            if reference is None
            else plots.difference_figure(rows, reference, measure, seed=seed, backend=backend)
        )
        tell(f"Picture: {save(figure, plot)}")


def parse_at(text: str) -> list[At]:
    """Numbers of trials, between commas.

    >>> parse_at("10, 20,area")
    [10, 20, 'area']
    """
    found: list[At] = []
    for part in (one.strip() for one in text.split(",")):
        if part == "area":
            found.append("area")
        elif part.isdecimal():
            found.append(int(part))
        else:
            raise InvalidInput(f"--at must be numbers of trials or 'area', between commas, got {text!r}: 10,20,30.")
    return found


def show_table(table: Table) -> None:
    """A table on the screen: one column below the other where they don't fit side by side."""
    from rich.table import Table as Grid
    from rich.text import Text

    from sureshot.cli.screen.output import console
    from sureshot.lab.report.tables import decimals_of, plain

    screen = console()
    decimals = {name: decimals_of(column.values()) for name, column in table.columns.items()}

    def shown(name: str, row: str) -> Text:
        cell = table.columns[name].get(row)
        if cell is None:
            return Text("")
        number, rest = plain(cell, decimals[name])
        star = "*" if cell.bold and not cell.word else ""  # seen in a pipe too
        return Text.assemble((star + number, "bold" if cell.bold else ""), (rest, "dim"))

    widths = {name: max([len(name), *(shown(name, row).cell_len for row in table.names)]) + 2 for name in table.columns}
    room = screen.width - max(len(table.corner), *(len(row) for row in table.names)) - 2
    screen.print(table.title, style="bold")
    for part in _fitting(widths, room):
        grid = Grid(box=None, pad_edge=False, header_style="dim")
        grid.add_column(table.corner, no_wrap=True)
        for name in part:
            grid.add_column(name, justify="right", overflow="fold")
        for row in table.names:
            grid.add_row(row, *(shown(name, row) for name in part))
        screen.print(grid)
        screen.print()
    screen.print(table.note.replace("Bold:", "*:"), style="dim")
    screen.print()


def _fitting(widths: dict[str, int], room: int) -> list[list[str]]:
    """Columns in groups, each as many as fit side by side.

    >>> _fitting({"a": 5, "b": 5, "c": 20}, 12)
    [['a', 'b'], ['c']]
    """
    groups: list[list[str]] = [[]]
    left = room
    for name, width in widths.items():
        if groups[-1] and width > left:
            groups.append([])
            left = room
        groups[-1].append(name)
        left -= width
    return groups


def _document(rows: Any, when: list[At], measure: str, reference: str | None, seed: int) -> dict[str, Any]:
    """The same as flat records."""
    from sureshot.lab.report import comparisons, statistics, stopping

    tables = {
        "means": statistics.means(rows, measure, at=when, seed=seed),
        "average": statistics.average_means(rows, measure, at=when, seed=seed),
        "scorecard": statistics.scorecard(rows, seed=seed),
    }
    if stopping.rules_in(rows):
        tables["stopping"] = stopping.stops(rows, seed=seed)
    if reference is not None:
        tables["differences"] = comparisons.differences(rows, reference, measure, at=when, seed=seed)
        tables["average_differences"] = comparisons.average_differences(rows, reference, measure, at=when, seed=seed)
    return {"measure": measure, "reference": reference} | {
        name: table.to_dict("records") for name, table in tables.items()
    }
