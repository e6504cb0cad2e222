"""A table of numbers with intervals, as Markdown and as LaTeX. What the tables of a study are: :mod:`.reports`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import floor, isfinite, log10
from statistics import median

from sureshot.cards import card
from sureshot.lab.report.escaped import in_latex, in_markdown

__all__ = ["Cell", "Table", "latex", "markdown", "plain"]


@dataclass(frozen=True)
class Cell:
    """A number with its interval, if it has one, and a word on it, if there is one."""

    number: float
    low: float | None = None
    high: float | None = None
    word: str = ""
    bold: bool = False


@dataclass(frozen=True)
class Table:
    """Rows by name, columns by name, and a note on how to read them. A cell that is missing stays empty."""

    title: str
    corner: str  # what the names of the rows are
    names: tuple[str, ...]
    columns: Mapping[str, Mapping[str, Cell]]  # by the column's name, then by the row's
    note: str = ""

    def lines(self) -> list[tuple[str, list[tuple[str, str, bool]]]]:
        """Each row by its name with its cells: the number, what follows it, and whether it is bold."""
        columns = [(column, decimals_of(column.values())) for column in self.columns.values()]
        return [
            (
                row,
                [
                    (*plain(column[row], decimals), column[row].bold) if row in column else ("", "", False)
                    for column, decimals in columns
                ],
            )
            for row in self.names
        ]

    def _repr_html_(self) -> str:
        def shown(one: Cell, decimals: int | None) -> str:
            number, rest = plain(one, decimals)
            return f"{'*' if one.bold else ''}{number}{rest}"

        rows = [(name, *cells) for name, cells in _rows(self, shown)]
        note = [self.note.replace("Bold:", "*:")] if self.note else []
        return card(self.title, columns=(self.corner, *self.columns), rows=rows, quiet=note)


def markdown(table: Table) -> str:
    """The table as Markdown: a bold title, the pipes, the note."""

    def shown(cell: Cell, decimals: int | None) -> str:
        number, rest = plain(cell, decimals)
        return (f"**{number}**" if cell.bold else number) + rest

    head = [in_markdown(name) for name in (table.corner, *table.columns)]
    lines = [_pipes(head), _pipes(["---"] + ["---:"] * len(table.columns))]
    lines += [_pipes([in_markdown(name), *row]) for name, row in _rows(table, shown)]
    note = [] if not table.note else ["", in_markdown(table.note)]
    return "\n".join([f"**{in_markdown(table.title)}**", "", *lines, *note, ""])


def latex(table: Table) -> str:
    r"""The table as LaTeX; it needs ``\usepackage{booktabs}``."""

    def shown(cell: Cell, decimals: int | None) -> str:
        number, rest = (part.replace("−", "$-$").replace("∞", r"$\infty$") for part in plain(cell, decimals))
        small = rf" {{\scriptsize {rest.strip()}}}" if rest else ""
        return (rf"\textbf{{{number}}}" if cell.bold else number) + small

    head = [in_latex(name) for name in (table.corner, *table.columns)]
    body = [" & ".join([in_latex(name), *row]) + r" \\" for name, row in _rows(table, shown)]
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{in_latex(table.title)}. {in_latex(table.note)}}}",
            rf"\begin{{tabular}}{{l{'r' * len(table.columns)}}}",
            r"\toprule",
            " & ".join(head) + r" \\",
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def plain(cell: Cell, decimals: int | None) -> tuple[str, str]:
    """The number, and what follows it: the interval and the word.

    >>> plain(Cell(-0.12345, -0.2, 0.01, "better"), 3)
    ('−0.123', ' [−0.200, 0.010] better')
    """
    ends = ""
    if cell.low is not None and cell.high is not None:
        ends = f" [{_digits(cell.low, decimals)}, {_digits(cell.high, decimals)}]"
    return _digits(cell.number, decimals), ends + (f" {cell.word}" if cell.word else "")


def decimals_of(cells: Iterable[Cell]) -> int | None:
    """As many decimals as give a typical half-width two digits; None where there are no intervals.

    >>> decimals_of([Cell(0.5, 0.486, 0.514)])
    3
    """
    halves = [(one.high - one.low) / 2 for one in cells if one.low is not None and one.high is not None]
    wide = [half for half in halves if half > 0 and isfinite(half)]
    return min(max(1 - floor(log10(median(wide))), 0), 6) if wide else 3 if halves else None


def _rows(table: Table, shown: Callable[[Cell, int | None], str]) -> Iterable[tuple[str, list[str]]]:
    columns = [(column, decimals_of(column.values())) for column in table.columns.values()]
    for row in table.names:
        yield row, [shown(column[row], decimals) if row in column else "" for column, decimals in columns]


def _digits(value: float, decimals: int | None) -> str:
    if not isfinite(value):
        return "∞" if value > 0 else "−∞"
    text = f"{value:.3g}" if decimals is None else f"{value:.{decimals}f}"
    return "−" + text[1:] if text.startswith("-") and text.strip("-0.") else text.removeprefix("-")


def _pipes(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
