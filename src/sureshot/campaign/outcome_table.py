"""A table of outcomes as columns: a file, a DataFrame, a mapping of columns or a list of rows.

Only the columns that a campaign needs are looked at; others may be as odd as they like. Outcomes stay as they were
written, to be judged by the campaign's words; alternatives and contexts get the kinds that the campaign has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from sureshot.campaign.answers.flat import own_name
from sureshot.campaign.model.pool import Pool
from sureshot.campaign.settings import bare_cells
from sureshot.errors import InvalidInput
from sureshot.said import Setting, Text
from sureshot.space.tables.cells import Place
from sureshot.space.tables.names import meant
from sureshot.space.tables.read import cells_in

__all__ = ["columns_of", "tries_name"]


def columns_of(
    data: Any, pool: Pool, *, outcome: str, of: str | None, passed_over: Callable[[object], bool]
) -> tuple[dict[str, list[Any]], Place, int, tuple[str, ...]]:
    """The cells of each column that is needed, how a person finds a row again, how many rows have an outcome that is
    passed over (of these no other cell is looked at), and which columns are not needed.

    Where the alternatives have names, a column of these is enough; levels are looked at where they are there too.
    """
    given = cells_in(data)
    called = None if pool.space.row_names is None else pool.space.row_names.column
    perhaps = {tries_name(pool, of), own_name(pool, "trial"), *([called] if called else [])}
    wanted = [*pool.space.names, *pool.context_names]
    names = [meant(name, [outcome, *perhaps, *wanted]) for name in given.names]
    if called is not None and called in names:
        wanted = [*(name for name in pool.space.names if name in names), *pool.context_names]
    results = [
        name for name in (outcome, of, *sorted(perhaps - {outcome, of})) if name and (name in names or name == of)
    ]
    _check_names(names, [outcome, *results, *wanted], given.file or "the table", outcome=outcome, of=of)
    outcomes = given.column(names.index(outcome))
    kept = [i for i, cell in enumerate(outcomes) if not passed_over(cell)]
    given = given.some(kept)
    coded = [bare_cells(pool, name, *given.coded(names.index(name)), given.place) for name in wanted]
    found = {name: given.column(names.index(name)) for name in results}
    if wanted:
        kinds = {name: kind for name, kind in pool.kinds.items() if name in wanted}
        table = replace(given, headers=wanted, coded=coded.__getitem__).table(kinds=kinds)
        found |= {column.name: column.values().tolist() for column in table.columns}
    others = [name for at, name in enumerate(given.names) if names[at] not in (*results, *wanted)]
    return found, given.place, len(outcomes) - len(kept), tuple(others)


def tries_name(pool: Pool, of: str | None) -> str:
    """The column that says of how many tries: the one that is named, else ``of``, if there is one."""
    return of or own_name(pool, "of")


def _check_names(names: list[str], needed: Sequence[str], what: str, *, outcome: str, of: str | None) -> None:
    for i, name in enumerate(names):
        if name in names[:i] and name in needed:
            raise InvalidInput(
                f"columns must have different names, got {name!r} for columns {names.index(name) + 1} and {i + 1}: "
                "rename or remove one."
            )
    for name in needed:
        if name not in names:
            raise _missing(name, names, needed, what, outcome=outcome, of=of)


def _missing(
    name: str, got: list[str], needed: Sequence[str], what: str, *, outcome: str, of: str | None
) -> InvalidInput:
    """The error for a column that a table lacks, with the one that is probably meant."""
    spare = [other for other in got if other not in needed]
    lower = {other.lower(): other for other in spare}
    close = get_close_matches(name.lower(), lower, n=1)
    meant = lower[close[0]] if close else None
    if name not in (outcome, of):
        fix = f"rename {meant!r}" if meant else "add it"
    else:
        option = "outcome" if name == outcome else "of"
        yours = meant or (spare[0] if len(spare) == 1 else "...")
        fix = Text("name yours with ", Setting(option, yours), ", or add it")
    return InvalidInput(f"{what} must have a column {name!r}, got {', '.join(got)}", fix=fix)
