"""Trials as flat columns, for a data frame or a CSV file: one cell for each parameter and each column of the case.

Plain lists by name, so that a command need not load pandas to write a file. A column of ours whose name a parameter
has gets another: ``outcome`` becomes ``trial_outcome``.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from sureshot.campaign.answers.trial import Trial, TrialRow
from sureshot.campaign.model.pool import Pool

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Columns", "frame_of", "outcome_columns", "own_name", "plate_columns", "trial_columns"]

Columns: TypeAlias = dict[str, list[Any]]

#: Columns that hold whole numbers or others, some of them missing; and moments.
_WHOLE = ("successes", "of", "told_event", "withdrawn_event")
_NUMBERS = ("chance", "value")
_MOMENTS = ("opened_at", "told_at")


def own_name(pool: Pool, name: str) -> str:
    """What a column of ours is called beside those of this campaign.

    >>> from sureshot import Campaign, Space
    >>> made = Campaign.create("odd", Space.grid(outcome=["A", "B"]), storage=":memory:")
    >>> own_name(made.spec.pool, "outcome"), own_name(made.spec.pool, "of")
    ('trial_outcome', 'of')
    """
    return _free(name, {*pool.tried_names, *pool.context_names})


def _free(name: str, taken: Container[str]) -> str:
    while name in taken:
        name = f"trial_{name}"
    return name


def trial_columns(pool: Pool, rows: Sequence[TrialRow]) -> Columns:
    """Every trial and all that is known of it: what ``trials_frame()`` and ``history --csv`` give."""
    own: Columns = {
        "outcome": [_outcome(row) for row in rows],
        "successes": [row.successes for row in rows],
        "of": [row.of for row in rows],
        "state": [row.state for row in rows],
        "asked": [row.asked for row in rows],
        "chance": [row.probability for row in rows],
        "value": [row.value for row in rows],
        "opened_at": [row.opened_at for row in rows],
        "opened_by": [row.opened_by for row in rows],
        "told_at": [row.told_at for row in rows],
        "told_by": [row.told_by for row in rows],
        "opened_event": [row.opened_event for row in rows],
        "told_event": [row.told_event for row in rows],
        "withdrawn_event": [row.withdrawn_event for row in rows],
        "corrections": [row.corrections for row in rows],
        "notes": ["; ".join(row.notes) or None for row in rows],
    }
    return _joined(pool, {"trial": [row.trial for row in rows]}, rows, own)


def outcome_columns(pool: Pool, rows: Sequence[TrialRow]) -> Columns:
    """The outcomes that count and what they belong to, which an import takes back: what ``to_frame()`` and ``export
    run.csv`` give.
    """
    told = [row for row in rows if row.state == "told"]
    return _joined(pool, {}, told, {"outcome": [_outcome(row) for row in told], "of": [row.of for row in told]})


def plate_columns(pool: Pool, trials: Sequence[Trial]) -> Columns:
    """Trials that were handed out, with an empty column for their outcomes: what ``ask --csv`` writes."""
    return _joined(pool, {"trial": [one.number for one in trials]}, trials, {"outcome": [None] * len(trials)})


def frame_of(pool: Pool, columns: Columns) -> pd.DataFrame:
    """The columns as a data frame: moments as moments, whole numbers with gaps as such."""
    import pandas as pd

    frame = pd.DataFrame(columns)
    kinds = {**dict.fromkeys(_WHOLE, "Int64"), **dict.fromkeys(_NUMBERS, "float64")}
    for one in (*kinds, *_MOMENTS):
        name = own_name(pool, one)
        if name in frame:
            cells = frame[name]
            frame[name] = (
                cells.astype(kinds[one]) if one in kinds else pd.to_datetime(cells, utc=True, format="ISO8601")
            )
    return frame


def _outcome(row: TrialRow) -> str | int | None:
    """The campaign's word for one try, the number of successes for several: as they are told."""
    return row.outcome if row.of == 1 else row.successes


def _joined(pool: Pool, first: Columns, rows: Sequence[Trial | TrialRow], last: Columns) -> Columns:
    """The levels and the case of each row, between columns of ours."""
    names: Columns = {} if pool.space.row_names is None else {pool.space.row_names.column: [row.id for row in rows]}
    levels: Columns = {name: [row.levels.get(name) for row in rows] for name in pool.space.names}
    cases: list[Mapping[str, Any]] = [row.context or {} for row in rows]
    contexts: Columns = {name: [case.get(name) for case in cases] for name in pool.context_names}
    return {
        **{own_name(pool, name): cells for name, cells in first.items()},
        **names,
        **levels,
        **contexts,
        **{own_name(pool, name): cells for name, cells in last.items()},
    }
