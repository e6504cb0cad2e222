"""A world of your own: a table with outcomes, or a Python function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sureshot.core import check
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput
from sureshot.lab.play.world import Truth, World, labelled, spelled, truth
from sureshot.lab.worlds.parameters import choice, flag, settle
from sureshot.lab.worlds.real.ridge import SCALINGS, Fitted, Fitting, fit_ridge, standardised
from sureshot.lab.worlds.synthetic import with_constant
from sureshot.space import Design, Space, Table
from sureshot.space.tables.column import plain, show
from sureshot.space.tables.frames import is_frame
from sureshot.space.tables.index import index
from sureshot.space.tables.read import read_cells
from sureshot.space.tables.table import as_table

__all__ = ["FunctionWorld", "TableWorld"]

#: What an outcome may be written as without a word on which is the success.
_PLAIN = {"0": 0, "1": 1, "False": 0, "True": 1}


@dataclass(frozen=True, eq=False)
class TableWorld(Fitting):
    """Rows that were once tried, and what came of them: each row is an alternative, the true weights are fitted.

    ``source`` is a DataFrame or a file (CSV, Parquet, Excel; read at the first draw), ``outcome`` its column of 0 and
    1; or ``success`` says which of its values is a success. ``formula`` gives the features, as for
    :class:`sureshot.space.Design`; without one: a constant, all numbers, dummies for words. ``title`` begins the label.

    >>> import pandas as pd
    >>> tried = pd.DataFrame({"power": [8, 10, 12, 14], "gas": ["Ar", "He", "Ar", "He"], "grew": [0, 0, 1, 1]})
    >>> world = TableWorld(source=tried, outcome="grew", title="tubes")
    >>> world.draw(np.random.default_rng(0), 10).X[0].round(2)
    array([[ 1.  , -1.34,  0.  ],
           [ 1.  , -0.45,  1.  ],
           [ 1.  ,  0.45,  0.  ],
           [ 1.  ,  1.34,  1.  ]])
    """

    name: ClassVar[str] = "table"
    source: Any = field(default=None, metadata={"told": False})  # what is in it makes the label, not where it lies
    outcome: str = ""
    success: str | float | bool | None = None
    formula: str | None = None
    title: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.source, str | Path) and str(self.source):
            settle(self, source=str(self.source))
        elif is_frame(self.source):
            settle(self, source=self.source.copy())
        else:
            raise InvalidInput("world 'table': `source` must be a DataFrame or a file", got=self.source)
        if not isinstance(self.outcome, str) or not self.outcome:
            raise InvalidInput("world 'table': `outcome` must name a column of the table", got=self.outcome)

    @property
    def label(self) -> str:
        """The title, a digest of the table and of what is read from it, and what is not as usual."""
        stem = self.title or (Path(self.source).stem if isinstance(self.source, str) else self.name)
        told = (stem, self.outcome, "" if self.success is None else show(self.success), self.formula or "")
        own = ("source", "outcome", "success", "formula", "title")
        return labelled(self, f"{spelled(stem)}-{_digest(self._content, *told)}", never=own)

    def fitted(self) -> Fitted:
        """Kept with the world."""
        return self._fitted

    @cached_property
    def _content(self) -> bytes:
        if not isinstance(self.source, str):
            return bytes(self.source.to_csv(index=False).encode())
        try:
            return Path(self.source).read_bytes()
        except OSError as error:
            raise InvalidInput(
                f"world 'table': `source` must be a file that can be read, got {self.source!r} ({error.strerror})."
            ) from error

    @cached_property
    def _fitted(self) -> Fitted:
        table = read_cells(self.source).table() if isinstance(self.source, str) else as_table(self.source)
        outcomes = _outcomes(table, self.outcome, self.success)
        rest = Table(tuple(one for one in table.columns if one.name != self.outcome), table.place)
        if not rest.columns:
            raise InvalidInput(f"world 'table' must have a feature beside its outcome {self.outcome!r}, got none.")
        X, intercept, space = _features(self, rest)
        return fit_ridge(X, outcomes, intercept=intercept, space=space)


@dataclass(frozen=True, eq=False)
class FunctionWorld(World):
    """A pool and a Python function that says how likely each row is to succeed.

    ``pool`` is an array (the function gets a row), a DataFrame (it gets the columns by name), or a function of a random
    generator that makes one of these for each run. Policies see the features standardised, with a constant; ``formula``
    as for :class:`sureshot.space.Design`, for frames. The ``title``, or the function's name, begins the label: two
    functions on one pool need different ones.

    >>> def works(row):
    ...     return 0.9 if abs(row[0] - 12) < 1 else 0.2
    >>> world = FunctionWorld(works, [[8.0], [10.0], [12.0], [14.0]])
    >>> world.draw(np.random.default_rng(0), 10).at(0)
    array([[0.2, 0.2, 0.9, 0.2]])
    """

    name: ClassVar[str] = "function"
    function: Callable[..., float]
    pool: Any
    formula: str | None = None
    scaling: str = "standard"
    intercept: bool = True
    title: str | None = None

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise InvalidInput(
                "world 'function': `function` must be a Python function",
                got=self.function,
                fix="make this world in Python, or register a class of your own (register_world) to name it in a "
                "study file",
            )
        if not self.title and not getattr(self.function, "__name__", "<").isidentifier():
            raise InvalidInput("world 'function': a function without a name needs a `title`, got none", fix="add one")
        choice(self, "scaling", SCALINGS)
        flag(self, "intercept")
        if is_frame(self.pool):
            settle(self, pool=self.pool.copy())
        elif not callable(self.pool):
            settle(self, pool=check.frozen(_pool(self.pool)))
        if self.formula is not None and isinstance(self.pool, np.ndarray):
            raise InvalidInput("world 'function': `formula` needs a pool with named columns", fix="give a DataFrame")

    @property
    def label(self) -> str:
        """The title, a digest of the pool, and what is not as usual."""
        stem = self.title or self.function.__name__
        if callable(self.pool):
            content = getattr(self.pool, "__qualname__", type(self.pool).__qualname__).encode()
        elif is_frame(self.pool):
            content = self.pool.to_csv(index=False).encode()
        else:
            content = repr(self.pool.shape).encode() + self.pool.astype("<f8").tobytes()
        own = ("function", "pool", "formula", "title")
        return labelled(self, f"{spelled(stem)}-{_digest(content, stem, self.formula or '')}", never=own)

    def draw(self, rng: np.random.Generator, budget: int) -> Truth:
        """The pool, or a new one, and the function's word on each row."""
        found = self.pool(rng) if callable(self.pool) else self.pool
        if is_frame(found):
            chances = [self._chance(i, **row) for i, row in enumerate(found.to_dict("records"))]
            X, intercept, space = _features(self, as_table(found))
        else:
            rows = _pool(found)
            chances = [self._chance(i, row) for i, row in enumerate(rows.copy())]
            shown = standardised(rows) if self.scaling == "standard" else rows
            X, intercept, space = with_constant(shown, self.intercept), self.intercept, None
        return truth(X.copy(), _probabilities(chances), budget=budget, intercept=intercept, space=space)

    def _chance(self, number: int, /, *row: Any, **named: Any) -> Any:
        try:
            return self.function(*row, **named)
        except Exception as error:
            error.add_note(f"in row {number} of the pool of world {self.label!r}")
            raise


def _features(world: TableWorld | FunctionWorld, table: Table) -> tuple[Array, bool, Space | None]:
    """The features, whether the first is the constant, and the columns that they are made of, as alternatives.

    These are None if two rows are alike: a space has each once.
    """
    formula = world.formula or " + ".join(table.names)
    design = Design.fit(
        table, formula if world.intercept else f"{formula} - 1", standardise=world.scaling == "standard"
    )
    used = {one.name for one in design.inputs}
    columns = tuple(column for column in table.columns if column.name in used)
    distinct = columns and index(columns).repeated() is None
    return design.matrix(table), design.has_intercept, Space(Table(columns)) if distinct else None


def _outcomes(table: Table, name: str, success: str | float | bool | None) -> NDArray[np.int8]:
    """The outcomes, 0 or 1."""
    column = table.column(name)
    seen = [show(plain(level)) for level in column.levels]
    if success is None:
        odd = [level for level in seen if level not in _PLAIN]
        if odd:
            raise InvalidInput(
                f"world 'table': column {name!r} must hold 0 or 1",
                got=odd[0],
                fix=f"say with `success` which of its values is a success ({', '.join(seen[:8])})",
            )
        return np.array([_PLAIN[level] for level in seen], dtype=np.int8)[column.codes]
    if show(success) not in seen:
        raise InvalidInput(f"world 'table': `success` must be one of {', '.join(seen[:8])}", got=success)
    return np.array([level == show(success) for level in seen], dtype=np.int8)[column.codes]


def _probabilities(values: list[Any]) -> Array:
    for i, value in enumerate(values):
        number = np.asarray(value)
        if number.ndim or number.dtype.kind not in "biuf" or not 0.0 <= float(number) <= 1.0:
            raise InvalidInput(
                f"world 'function': a probability must be one number between 0 and 1, got {value!r} for row {i}."
            )
    return np.array(values, dtype=np.float64)


def _pool(value: Any) -> Array:
    rows = check.numbers(value, "pool")
    if rows.ndim != 2:
        raise InvalidInput(
            "world 'function': `pool` must have a row for each alternative and a column for each feature, got "
            f"shape {rows.shape}",
            fix="for one feature, [[1.0], [2.0], ...]",
        )
    return check.pool(rows, "pool", rows.shape[1])


def _digest(content: bytes, *told: str) -> str:
    return blake2b("\x1f".join(told).encode() + b"\x1e" + content, digest_size=4).hexdigest()
