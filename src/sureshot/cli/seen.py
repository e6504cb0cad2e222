"""What is believed, on the screen: tables that fit the terminal, and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sureshot.campaign.answers.wording import case, count, percent, percents, points
from sureshot.cli.screen.output import console
from sureshot.cli.show import noted

if TYPE_CHECKING:
    from rich.table import Table

    from sureshot.campaign import Effects, Predictions
    from sureshot.campaign.answers.cases import Choices

__all__ = ["choices", "effects", "noted_below", "predictions"]

#: Columns of a terminal that the answers beside the levels take.
ANSWERS = 44


def predictions(found: Predictions) -> None:
    """A row for each alternative: its levels, its chance, what one more trial is worth, what was tried."""
    screen = console()
    rows = [found[i] for i in range(len(found))]
    cells = [list(row.levels.values()) for row in rows]
    heads = [f"{name} ({unit})" if unit else name for name, unit in found.units.items()]
    texts = [["" if one is None else _shown(one) for one in row] for row in cells]
    widths = [max(map(len, column)) for column in zip(heads, *texts, strict=True)]
    table = _table()
    if found.names is not None:
        table.add_column(found.names.column, overflow="fold")
    if sum(widths) + len(widths) <= screen.width - ANSWERS:
        for k, head in enumerate(heads):
            number = all(isinstance(row[k], float) for row in cells)
            table.add_column(head, justify="right" if number else "left", no_wrap=True)
    else:
        texts = [[found.settings(i)] for i in range(len(rows))]
        table.add_column("settings", overflow="fold")
    table.add_column("chance", justify="right", no_wrap=True)
    table.add_column("95 %", justify="right", no_wrap=True)
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column("tried", justify="right", no_wrap=True)
    for row, text in zip(rows, texts, strict=True):
        text = text if found.names is None else [row.id or "", *text]
        value = "" if row.value is None else points(row.value).removesuffix(" points")
        tried = f"{row.successes} of {row.tries}" if row.tries else ""
        table.add_row(*text, percent(row.chance), percents(row.low, row.high), value, tried)
    if found.context:
        screen.print(f"In the case {case(found.context)}:")
    screen.print(table)
    if found.ranked and len(found) < found.total:
        screen.print(f"The {len(found):,} likeliest of {count(found.total, 'alternative')}.", style="dim")
    screen.print(found.legend, style="dim")
    noted_below(found.cautions, found.notes)


def effects(found: Effects) -> None:
    """A sentence for each parameter, the clearest first, and how to see more."""
    screen = console()
    if found.context:
        screen.print(f"In the case {case(found.context)}:")
    for line in found.sentences:
        screen.print(line)
    noted_below(found.cautions, ())
    if found.outcomes:
        screen.print(found.legend, style="dim")
        screen.print("See more: sureshot predict, sureshot plot", style="dim")


def choices(found: Choices) -> None:
    """A row for each case: what to choose, and its chance."""
    table = _table()
    for name in (*found.contexts[0], "choose"):
        table.add_column(name, overflow="fold")
    for name in ("chance", "95 %"):
        table.add_column(name, justify="right", no_wrap=True)
    for i, context in enumerate(found.contexts):
        likely = percent(float(found.chance[i])), percents(float(found.low[i]), float(found.high[i]))
        table.add_row(*map(_shown, context.values()), found.labels[i], *likely)
    console().print(table)
    noted_below(found.cautions, found.notes)


def noted_below(cautions: Sequence[str], notes: Sequence[str]) -> None:
    """What to beware of, under what it is about."""
    noted(console(), (*cautions, *notes))


def _table() -> Table:
    from rich.table import Table

    return Table(box=None, pad_edge=False, header_style="dim")


def _shown(value: Any) -> str:
    from sureshot.space.tables.column import show

    return show(value)
