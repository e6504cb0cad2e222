"""Chance or value over two parameters of a campaign (or along the only one), with what was tried marked on it.

On a grid the other parameters are held where the recommendation has them, which the picture says; candidates of a table
are drawn all. What was tried elsewhere, or in another case, is marked too, but faintly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from sureshot.campaign.answers.recommend import Recommendation
from sureshot.campaign.answers.wording import in_case, joined, percent, percents, sentence, succeeded
from sureshot.campaign.log.ledger import Entry, Ledger
from sureshot.campaign.model.spec import Spec
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput, unknown_name
from sureshot.said import Setting
from sureshot.space.tables.column import Codes, Column, show
from sureshot.viz.effects import Effects, Panel
from sureshot.viz.field import Axis, Field, Mark
from sureshot.viz.palette import outcome_of

if TYPE_CHECKING:
    from sureshot.campaign.answers.predictions import Predictions

__all__ = ["AT_THE_EDGES", "DRAWN", "Measure", "axes_of", "drawn_rows", "field_of", "legend_of", "line_of"]

Measure = Literal["chance", "value"]
#: How a curve is to be read.
AT_THE_EDGES = (
    "The band is the 95 % interval. What was tried stands at the edges, larger where it was tried more often."
)
#: Candidates that are drawn, at most: of more, the likeliest.
DRAWN = 2000


def axes_of(spec: Spec, ranked: Sequence[str], x: str | None, y: str | None) -> list[Column]:
    """The parameters to draw, x first: those that are named, then those that are ``ranked`` first. One, if there is
    only one that differs.
    """
    space = spec.pool.space
    for field, name in (("x", x), ("y", y)):
        if name is not None and name not in space.names:
            raise unknown_name("parameter", name, space.names, field=field)
    if x is not None and x == y:
        raise InvalidInput("`x` and `y` must be two parameters", got=Setting("y", y), fix="name another")
    differ = [one.name for one in space.columns if len(np.unique(one.codes)) > 1]
    rest = [name for name in dict.fromkeys([*ranked, *differ, *space.names]) if name not in (x, y)]
    few = [name for name in rest if name in differ]
    if x is None and y is None and len(differ) < 2:
        return [space.column((few or rest)[0])]
    first = x if x is not None else few.pop(0) if few else rest.pop(0)
    left = [name for name in rest if name != first]
    second = y if y is not None else next((name for name in few if name != first), left[0] if left else None)
    return [space.column(first)] + ([] if second is None else [space.column(second)])


def legend_of(spec: Spec) -> dict[str, str]:
    """What each kind of mark means, in the campaign's words."""
    return {
        "best": "to choose",
        "next": "running, no outcome yet",
        "worked": spec.words.success,
        "failed": spec.words.failure,
        "both": f"{spec.words.success} and {spec.words.failure}",
    }


def drawn_rows(spec: Spec, best: Recommendation, axes: Sequence[Column]) -> list[int] | None:
    """Rows of the pool that are drawn: on a grid those that differ from the recommendation in nothing else than the
    axes; None: the likeliest of all, :data:`DRAWN` at most.
    """
    space = spec.pool.space
    if not space.is_grid:
        return None
    rows, shown = np.arange(len(space)), {axis.name for axis in axes}
    for one in space.columns:
        if one.name not in shown:
            rows = rows[one.codes[rows] == one.codes[best.alternative]]
    return [int(row) for row in rows]


def field_of(
    spec: Spec, ledger: Ledger, best: Recommendation, found: Predictions, axes: Sequence[Column], measure: Measure
) -> Field:
    """Over two parameters, or along one: what is ``found`` of the rows that are drawn."""
    space = spec.pool.space
    places = [_Place(column, ordered=space.is_grid or column.kind != "number") for column in axes]
    number = found.chance if measure == "chance" else found.value
    order = np.argsort(number, kind="stable")  # the highest on top
    order = order[~np.isnan(number[order])]
    rows = found.alternative[order]
    marks = _marks(spec, ledger, best, places, set(rows.tolist()))
    at = [place.of_rows(rows) for place in places]
    what = _measured(spec, measure)
    return Field(
        title=f"{what[:1].upper()}{what[1:]} over {joined([one.name for one in axes])}{in_case(best.context)}",
        note=_note(spec, best, axes, len(rows), any(one.faint for one in marks), measure),
        x=places[0].axis(),
        y=places[1].axis() if len(places) > 1 else Axis(name="", levels=("",)),
        at=np.column_stack([*at, np.zeros(len(rows))][:2]),
        number=np.asarray(number[order], dtype=np.float64),
        words=tuple(str(found[int(i)]) for i in order),
        measure=measure,
        measure_words=what,
        marks=marks,
        legend=legend_of(spec),
        alternative=tuple(rows.tolist()),
    )


def line_of(spec: Spec, ledger: Ledger, best: Recommendation, found: Predictions, column: Column) -> Effects:
    """Chances along the only parameter: a curve with its band."""
    order = np.argsort(_Place(column, ordered=True).of_rows(found.alternative), kind="stable")
    rows = found.alternative[order]
    tries, won = np.zeros(len(column), dtype=int), np.zeros(len(column), dtype=int)
    for entry in ledger.counted():
        if entry.alternative is not None and entry.context == best.context:
            tries[entry.alternative] += entry.of or 0
            won[entry.alternative] += entry.successes or 0
    panel = Panel(
        name=_named(column),
        levels=tuple(float(v) if column.kind == "number" else show(v) for v in column.levels[column.codes[rows]]),
        chance=tuple(found.chance[order].tolist()),
        low=tuple(found.low[order].tolist()),
        high=tuple(found.high[order].tolist()),
        tries=tuple(tries[rows].tolist()),
        successes=tuple(won[rows].tolist()),
        best=int(np.flatnonzero(rows == best.alternative)[0]),
    )
    what = _measured(spec, "chance")
    return Effects(
        title=f"{what[:1].upper()}{what[1:]} over {column.name}{in_case(best.context)}",
        note=AT_THE_EDGES,
        measure_words=what,
        panels=(panel,),
        legend=legend_of(spec),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """Where the levels of a parameter stand on its axis: one after the other, or at their numbers."""

    column: Column
    ordered: bool

    @property
    def levels(self) -> Codes:
        """The codes in the order of the axis: numbers rise, names are as they were given."""
        used = np.unique(self.column.codes)
        return used[np.argsort(self.column.levels[used], kind="stable")] if self.column.kind == "number" else used

    def axis(self) -> Axis:
        names = tuple(show(one) for one in self.column.levels[self.levels].tolist()) if self.ordered else ()
        return Axis(name=_named(self.column), levels=names)

    def of_rows(self, rows: NDArray[np.intp]) -> Array:
        """(n,): rows of the pool."""
        if not self.ordered:
            return np.asarray(self.column.numbers()[rows])
        rank = np.zeros(len(self.column.levels))
        rank[self.levels] = np.arange(len(self.levels))
        return np.asarray(rank[self.column.codes[rows]])

    def of_value(self, value: object) -> float | None:
        """Anything that was tried: between levels where it lies between them; None where it has no place."""
        code = int(self.column.lookup([value])[0])
        if code in self.levels:
            return float(np.flatnonzero(self.levels == code)[0]) if self.ordered else float(self.column.levels[code])
        if self.column.kind != "number" or not isinstance(value, int | float):
            return None
        if not self.ordered:
            return float(value)
        known = self.column.levels[self.levels].astype(np.float64)
        return float(np.interp(float(value), known, np.arange(len(known)))) if len(known) else None


def _marks(
    spec: Spec, ledger: Ledger, best: Recommendation, places: Sequence[_Place], drawn: set[int]
) -> tuple[Mark, ...]:
    """What was tried, what is running, and what to choose; what has no place on the axes is left out."""
    tried: dict[tuple[float, float, bool], list[int]] = {}
    words: dict[tuple[float, float, bool], str] = {}
    for entry in ledger.counted():
        at = _at(spec, entry, places)
        if at is not None:
            key = (*at, _faint(entry, best, drawn))
            won, of = tried.setdefault(key, [0, 0])
            tried[key] = [won + (entry.successes or 0), of + (entry.of or 0)]
            words.setdefault(key, spec.pool.label(entry))
    found = [
        Mark(
            x=x,
            y=y,
            kind=outcome_of(won, of),
            words=f"{words[x, y, faint]}: {succeeded(spec.words.success, won, of)}",
            faint=faint,
        )
        for (x, y, faint), (won, of) in tried.items()
    ]
    for entry in ledger.pending():
        at = _at(spec, entry, places)
        if at is not None:
            label = f"trial {entry.trial}, running: {spec.pool.label(entry)}"
            found.append(Mark(x=at[0], y=at[1], kind="next", words=label, faint=_faint(entry, best, drawn)))
    row = np.array([best.alternative])
    x, y = ([*(float(place.of_rows(row)[0]) for place in places), 0.0])[:2]
    sure = f"{percent(best.probability)} ({percents(*best.interval)})"
    found.append(Mark(x=x, y=y, kind="best", words=f"{best.choice}: {sure}"))
    return tuple(found)


def _at(spec: Spec, entry: Entry, places: Sequence[_Place]) -> tuple[float, float] | None:
    levels = spec.pool.levels(entry)
    found = [None if place.column.name not in levels else place.of_value(levels[place.column.name]) for place in places]
    x, y = ([*found, 0.0])[:2]
    return None if x is None or y is None else (x, y)


def _faint(entry: Entry, best: Recommendation, drawn: set[int]) -> bool:
    """Whether it was tried with other levels of what is not drawn, or in another case."""
    return entry.alternative not in drawn or entry.context != best.context


def _measured(spec: Spec, measure: Measure) -> str:
    return f"chance of {spec.words.success}" if measure == "chance" else "what a trial is expected to teach"


def _named(column: Column) -> str:
    return f"{column.name}, {column.unit}" if column.unit else column.name


def _note(spec: Spec, best: Recommendation, axes: Sequence[Column], rows: int, faint: bool, measure: Measure) -> str:
    space, told = spec.pool.space, []
    held = [one for one in space.columns if one.name not in {axis.name for axis in axes}]
    if measure == "value":
        told.append("in points that one more trial is expected to add to the chance of the final choice")
    if not space.is_grid:
        few = f"of {len(space):,} candidates, the {rows:,} likeliest are drawn"
        told.append(few if rows < len(space) else "each dot is a candidate")
    elif held:
        stays = "stays" if len(held) == 1 else "stay"
        told.append(f"{joined([one.label(best.alternative) for one in held])} {stays} as recommended")
    if faint:
        other = "in other cases, or " if spec.pool.contextual else ""
        told.append(f"small faint marks were tried {other}with other levels of what is not drawn")
    return " ".join(map(sentence, told))
