"""What is believed of each alternative, or of any settings: its chance, how sure that is, what a trial is worth."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sureshot.campaign.answers.order import SORTED_BY, Order, checked_order, ordered
from sureshot.campaign.answers.values import values_of
from sureshot.campaign.answers.wording import in_case, no_values, noted, percent, percents, points, sentence
from sureshot.campaign.document import Document
from sureshot.campaign.log.ledger import Ledger, tally, unlisted
from sureshot.campaign.model.situation import situation_of
from sureshot.campaign.model.spec import Spec
from sureshot.campaign.settings import Settings
from sureshot.core import Belief, Mixture, interval, predictive
from sureshot.core.numerics.stable import Array
from sureshot.space import Space
from sureshot.space.beyond import beyond_levels
from sureshot.space.features.design import aligned
from sureshot.space.tables.column import Value, plain, setting
from sureshot.space.tables.frames import frame_of
from sureshot.space.tables.row_names import RowNames

__all__ = [
    "ANSWERS",
    "Prediction",
    "Predictions",
    "answer_names",
    "levels_of",
    "predicted",
    "unused",
]

#: Settings beyond the levels that are named one by one, at most.
NAMED = 5
#: What is told of each alternative, after its levels.
ANSWERS = ("chance", "low", "high", "value", "tries", "successes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction(Document):
    """What is believed of one alternative."""

    alternative: int | None  # row of the pool; None: not in it
    label: str
    levels: dict[str, Value | None]
    chance: float
    low: float  # 95 %
    high: float
    value: float | None  # what one more trial of it adds to the success probability of the final choice; None: unknown
    tries: int  # of its own, in all cases
    successes: int
    id: str | None = None  # the name of its row, where a column names the rows; then that is its label

    def __str__(self) -> str:
        worth = "" if self.value is None else f", value of a trial {points(self.value)}"
        return sentence(f"{self.label}: {percent(self.chance)} ({percents(self.low, self.high)}){worth}")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Predictions:
    """What is believed of n alternatives: of the whole pool or the first of it, the likeliest to succeed first; or of
    those that were asked about, in the order given.
    """

    campaign: str
    success: str
    context: dict[str, Value] | None
    total: int  # alternatives in the pool
    ranked: bool  # whether they are of the pool in an order: of their chances, if no other is said
    units: dict[str, str]  # of the parameters, in order
    alternative: NDArray[np.intp]  # (n,) rows of the pool; -1: not in it
    levels: dict[str, Sequence[Value | None] | NDArray[Any]]  # (n,) of each parameter
    chance: Array  # (n,)
    low: Array  # (n,) 95 %
    high: Array  # (n,)
    value: Array  # (n,) NaN where it was not computed
    tries: NDArray[np.int64]  # (n,)
    successes: NDArray[np.int64]  # (n,)
    offset: int = 0  # how many of the pool stand before them in that order
    names: RowNames | None = None  # what the rows of the pool are called, where a column says so
    cautions: tuple[str, ...] = ()  # what is wrong with the model
    notes: tuple[str, ...] = ()  # settings beyond the levels, values that were not computed

    def __len__(self) -> int:
        return len(self.chance)

    def __getitem__(self, i: int) -> Prediction:
        row = int(self.alternative[i])
        called = self.names if row >= 0 else None
        return Prediction(
            alternative=row if row >= 0 else None,
            label=self.settings(i) if called is None else called.label(row),
            id=None if called is None else called.names[row],
            levels=self._levels(i),
            chance=float(self.chance[i]),
            low=float(self.low[i]),
            high=float(self.high[i]),
            value=None if np.isnan(self.value[i]) else float(self.value[i]),
            tries=int(self.tries[i]),
            successes=int(self.successes[i]),
        )

    def settings(self, i: int) -> str:
        """The levels of one of them as a person reads them, also where it has a name."""
        levels = self._levels(i).items()
        return ", ".join(setting(name, one, self.units[name]) for name, one in levels if one is not None)

    def _levels(self, i: int) -> dict[str, Value | None]:
        found = {name: values[i] for name, values in self.levels.items()}
        return {name: None if one is None else plain(one) for name, one in found.items()}

    def first(self, n: int) -> Predictions:
        """The first ``n`` of them."""
        some = slice(0, n)
        arrays = {name: getattr(self, name)[some] for name in ("alternative", *ANSWERS)}
        return replace(self, levels={name: values[some] for name, values in self.levels.items()}, **arrays)

    @property
    def legend(self) -> str:
        """What the numbers mean."""
        return (
            f"Chance of {self.success} with its 95 % interval; value: points that one more trial is expected to add to "
            "the chance of the final choice."
        )

    def numbers(self) -> list[int | None]:
        """The rows of the pool; None for what is not in it."""
        return [int(row) if row >= 0 else None for row in self.alternative]

    @property
    def answers(self) -> dict[str, str]:
        """What each answer's column is called: by its name, unless a parameter has it (:func:`unused`)."""
        return unused(ANSWERS, [*self.units, *self.ids])

    @property
    def ids(self) -> dict[str, list[str | None]]:
        """The names of the rows under their column, None for what is not in the pool; empty where rows have none."""
        if self.names is None:
            return {}
        every = self.names.names
        return {self.names.column: [every[row] if row >= 0 else None for row in self.alternative.tolist()]}

    def columns(self) -> dict[str, Any]:
        """Names of rows, levels and answers, by the name of their column."""
        return {**self.ids, **self.levels, **{called: getattr(self, name) for name, called in self.answers.items()}}

    def to_frame(self, like: object = None) -> Any:
        """A pandas DataFrame, whose index is the row of the pool; or a frame of the library that ``like`` is from, with
        the row as its first column.
        """
        known = self.numbers()
        if like is not None:
            blank = {self.answers["value"]: [None if np.isnan(one) else float(one) for one in self.value]}
            return frame_of({"alternative": known, **self.columns(), **blank}, like)
        import pandas as pd

        kind = "int64" if None not in known else "Int64"
        frame = pd.DataFrame(self.columns(), index=pd.Index(known, dtype=kind, name="alternative"))
        frame.attrs.update(cautions=list(self.cautions), notes=list(self.notes))
        return frame

    def to_dict(self) -> dict[str, Any]:
        """All of it, for ``json.dumps``."""
        return {
            "campaign": self.campaign,
            "success": self.success,
            "context": self.context,
            "alternatives": self.total,
            "predictions": [self[i].to_dict() for i in range(len(self))],
            "cautions": list(self.cautions),
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        head = f"Chance of {self.success}{in_case(self.context)}, and what one more trial is worth:"
        return "\n".join([head, *(str(self[i]) for i in range(min(len(self), 10)))]) + noted(self.cautions + self.notes)


def unused(names: Sequence[str], taken: Collection[str]) -> dict[str, str]:
    """What columns are called beside others: by their names, with an underscore behind where one is taken.

    >>> unused(["chance", "value"], ["power", "value"])
    {'chance': 'chance', 'value': 'value_'}
    """
    found: dict[str, str] = {}
    for name in names:
        called = name
        while called in taken or called in found.values():
            called += "_"
        found[name] = called
    return found


def answer_names(space: Space) -> dict[str, str]:
    """What each answer's column is called beside the parameters of a space, and the names of its rows."""
    names = () if space.row_names is None else (space.row_names.column,)
    return unused(ANSWERS, [*space.names, *names])


def predicted(
    name: str,
    spec: Spec,
    ledger: Ledger,
    belief: Belief | Mixture,
    X: Array,
    context: dict[str, Value] | None,
    asked: Settings | None,
    rng: np.random.Generator,
    *,
    order: Order,
    raised: Sequence[str] = (),
    values: bool = True,
) -> Predictions:
    """What is believed of the alternatives ``X`` in a (checked) ``context``, all or a part of them in this ``order``;
    or of those ``asked`` about; without ``values``, only their chances. ``rng`` draws how more than a few pending
    trials may turn out.

    Of a part, intervals and values are computed for that part alone, unless it is sorted by values.
    """
    now, ranked = situation_of(spec, ledger, belief, X, context), asked is None
    space, value = spec.pool.space, None
    if asked is None:
        called = answer_names(space)
        wanted = checked_order(space, [called[name] for name in SORTED_BY], order)
        every: Array | None = None

        def every_value() -> Array:
            nonlocal every
            likeliest = np.argsort(-now.probability, kind="stable")
            every = np.empty(len(X))
            every[likeliest] = values_of(now, X[likeliest], Settings(likeliest, {}), rng, ranked=True)
            return every

        found = ordered(space, ledger, now.probability, wanted, every_value)[wanted.part]
        asked, chance, rows = Settings(found, {}), now.probability[found], X[found]
        value = None if every is None else every[found]
    else:
        rows = _features(spec, asked, X, context)
        chance = predictive(belief, rows)
    low, high = interval(belief, rows)
    if value is None:
        value = values_of(now, rows, asked, rng, ranked=ranked) if values else np.full(len(rows), np.nan)
    known = int(np.isfinite(value).sum())
    tries, won = _tried(ledger, asked)
    return Predictions(
        campaign=name,
        success=spec.words.success,
        context=context,
        total=len(X),
        ranked=ranked,
        units={one.name: one.unit for one in spec.pool.space.columns},
        alternative=asked.rows,
        levels=levels_of(spec, asked),
        chance=chance,
        low=low,
        high=high,
        value=value,
        tries=tries,
        successes=won,
        offset=order.offset if ranked else 0,
        names=spec.pool.space.row_names,
        cautions=(*raised, *spec.pool.unusual(context)),
        notes=(*_beyond(spec, asked), *([no_values(known, len(rows))] if values and known < len(rows) else [])),
    )


def _features(spec: Spec, asked: Settings, X: Array, context: Mapping[str, Value] | None) -> Array:
    rows = X[np.maximum(asked.rows, 0)]
    if asked.outside:
        table = aligned(list(asked.outside.values()), spec.pool.design.action.inputs)
        rows[list(asked.outside)] = spec.pool.encoded(table, [context] if context else ())
    return rows


def levels_of(spec: Spec, asked: Settings) -> dict[str, Any]:
    """(n,) of each parameter: the levels of what was asked about."""
    found: dict[str, Any] = {}
    for column in spec.pool.space.columns:
        values = column.levels[column.codes[np.maximum(asked.rows, 0)]]
        if asked.outside:
            each = values.tolist()
            for i, levels in asked.outside.items():
                each[i] = levels.get(column.name)
            values = each
        found[column.name] = values
    return found


def _beyond(spec: Spec, asked: Settings) -> list[str]:
    """What lies beyond the levels and constraints in what was asked about: the first few by name."""
    space, alone = spec.pool.space, len(asked.rows) == 1
    found = [
        ("" if alone else f"row {i}: ") + "; ".join(beyond_levels(space, levels))
        for i, levels in list(asked.outside.items())[:NAMED]
    ]
    more = len(asked.outside) - NAMED
    return found + ([f"{more:,} more settings are not in the pool"] if more > 0 else [])


def _tried(ledger: Ledger, asked: Settings) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The tries of each, and the successes."""
    every = tally((entry.tried, entry) for entry in ledger.counted())
    keys = [unlisted(asked.outside[i]) if i in asked.outside else int(row) for i, row in enumerate(asked.rows.tolist())]
    each = np.array([every.get(one, (0, 0)) for one in keys], dtype=np.int64)
    return each[:, 1], each[:, 0]
