"""What a campaign is made of, to look at before it is kept: settings, what each column is taken for, the first rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sureshot.campaign.answers.inputs import Input, case_inputs
from sureshot.campaign.answers.wording import count
from sureshot.campaign.document import Document
from sureshot.campaign.model.options import MIDDLE, option
from sureshot.campaign.model.pool import Pool
from sureshot.campaign.model.spec import Spec
from sureshot.space import ShapedDesign, Space
from sureshot.space.tables.column import Column, plain, show
from sureshot.space.tables.names import meant

__all__ = ["MadeOf", "Taken", "made_of", "settings"]

#: Rows that are shown, and names of a column that are listed.
FIRST, LISTED = 6, 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken(Document):
    """A column, and what it was taken for."""

    header: str  # as it stands in the file
    name: str | None  # of the parameter; None: it is none
    words: str  # what it was taken for, and what it holds


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeOf(Document):
    """What was understood."""

    settings: str  # how many alternatives there are
    columns: tuple[Taken, ...]
    cases: tuple[Taken, ...]  # the columns of a case, if every decision is made in one
    names: tuple[str, ...]  # of the columns of the first rows
    rows: tuple[tuple[str, ...], ...]  # the first alternatives, as a person reads them
    more: int  # alternatives that are not shown
    sees: str  # what may be learned about them
    notes: tuple[str, ...]  # what was read kindly, and what to beware of


def settings(space: Space) -> str:
    """How many alternatives there are.

    >>> settings(Space.grid(power=[8, 10], catalyst=["Fe", "Co", "Ni"]))
    '6 settings'
    """
    return count(len(space), "setting")


def made_of(spec: Spec, headers: Sequence[str] = ()) -> MadeOf:
    """What a campaign is made of; ``headers`` are those of its file, of which some may be left out.

    >>> from sureshot import Campaign
    >>> oven = Campaign.create("oven", Space.grid(power="8,10,12 W", gas=["Ar", "N2"]), storage=":memory:", seed=1)
    >>> found = made_of(oven.spec)
    >>> found.sees
    'May the best lie in the middle of a range? Outcomes decide (shape auto).'
    >>> found.settings, [one.words for one in found.columns], found.rows[0]
    ('6 settings', ['3 numbers from 8 to 12 W', '2 names: Ar, N2'], ('8 W', 'Ar'))
    """
    pool = spec.pool
    space = pool.space
    shown = range(min(len(space), FIRST))
    units = [one.unit for one in space.columns]
    rows = [
        tuple(
            " ".join(filter(None, (show(value), unit)))
            for value, unit in zip(space.row(i).values(), units, strict=True)
        )
        for i in shown
    ]
    if space.row_names is not None:
        rows = [(space.row_names.names[i], *row) for i, row in zip(shown, rows, strict=True)]
    return MadeOf(
        settings=settings(space),
        columns=tuple(_taken(space, one) for one in headers or space.names),
        cases=tuple(Taken(header=one.name, name=one.name, words=_asked(one)) for one in case_inputs(pool)),
        names=pool.tried_names,
        rows=tuple(rows),
        more=len(space) - len(rows),
        sees=_sees(pool),
        notes=tuple(dict.fromkeys((*space.notes, *pool.unvaried, *pool.cautions))),
    )


def _sees(pool: Pool) -> str:
    """What may be learned, as the question about it is answered; of a formula, that it says so."""
    if not isinstance(pool.design, ShapedDesign):
        return f"What is learned about a setting follows the {pool.model}."
    answer = option("shape").meanings[pool.design.shape].removesuffix(", the default")
    return f"{MIDDLE}? {answer[:1].upper()}{answer[1:]} ({pool.model})."


def _taken(space: Space, header: str) -> Taken:
    name = meant(header, space.names)
    if name in space.names:
        return Taken(header=header, name=name, words=_held(space.column(name)))
    names_rows = space.row_names is not None and meant(header, [space.row_names.column]) == space.row_names.column
    return Taken(header=header, name=None, words="names the rows" if names_rows else "left out")


def _held(column: Column) -> str:
    """What a column holds."""
    if len(column.levels) == 1:
        return f"always {show(plain(column.levels[0]))} {column.unit}".rstrip()
    if column.kind == "boolean":
        return "yes or no"
    if column.kind == "number":
        low, high = show(plain(column.levels.min())), show(plain(column.levels.max()))
        return f"{count(len(column.levels), 'number')} from {low} to {high} {column.unit}".rstrip()
    return _listed([show(plain(one)) for one in column.levels])


def _asked(one: Input) -> str:
    """What is asked for in a case."""
    if one.kind == "number":
        return f"a number, usually {one.hint}" if one.hint else "a number"
    return "yes or no" if one.kind == "boolean" else _listed(one.choices) if one.choices else one.hint


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - LISTED:,} more" if len(names) > LISTED else ""
    return f"{count(len(names), 'name')}: {', '.join(names[:LISTED])}{more}"
