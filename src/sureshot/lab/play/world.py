"""A world: where outcomes come from when nobody runs a real experiment.

A :class:`World` draws a :class:`Truth` for each run: features, the true success probability of every alternative at
every time, the cases that arrive. The lab reads the truth; a policy never does (it gets a
:class:`~sureshot.policies.Situation`, which holds none of it).
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from sureshot.core import check
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput
from sureshot.space import Shape, Space

__all__ = ["Truth", "World", "labelled", "spelled", "truth"]

#: What a label may not hold: it becomes part of file names.
_UNSAFE = re.compile(r"[^A-Za-z0-9_.-]+")


@dataclass(frozen=True, eq=False)
class Truth:
    """What is true in one run. Make one with :func:`truth`.

    A world without contexts has one case, 0. With contexts each case has its own rows; ``arrivals`` says which case
    comes at which trial, ``judged`` over which cases a final choice is judged (the mean over them).
    """

    X: Array  # (C, M, d) features of each alternative in each case, the intercept first if there is one
    probability: Array  # (T, C, M): at trial n, row min(n, T - 1); T = 1 for a truth that stands still
    arrivals: NDArray[np.intp]  # (budget,) the case at each trial
    judged: NDArray[np.intp]  # (E,) the cases over which a choice is judged
    delays: NDArray[np.intp]  # (budget,) how many further trials are chosen before an outcome is known; 0: at once
    intercept: bool  # whether the first feature is the constant
    contextual: bool
    weights: Array | None = None  # (d,), or (T, d) when they drift: what made the probabilities, for checks and plots
    space: Space | None = None  # the alternatives by named parameters, as in X; None: a plain matrix, or cases
    shape: Shape | None = None  # of a belief that is told the truth's own shape; None: nobody knows it

    def at(self, n: int) -> Array:
        """The true probabilities when ``n`` trials are done, (C, M)."""
        return np.asarray(self.probability[min(n, len(self.probability) - 1)])


def truth(
    X: Array,
    probability: Array,
    *,
    budget: int,
    arrivals: NDArray[np.intp] | None = None,
    judged: NDArray[np.intp] | None = None,
    delays: NDArray[np.intp] | int = 0,
    intercept: bool = True,
    contextual: bool = False,
    weights: Array | None = None,
    space: Space | None = None,
    shape: Shape | None = None,
) -> Truth:
    """A checked truth; (M, d) features and (M,) probabilities: a world without contexts that stands still.

    ``space`` names the parameters behind ``X``, for beliefs that bend, pair or know levels; ``shape`` is the one that
    somebody would choose who knew the truth.

    >>> import numpy as np
    >>> found = truth(np.array([[1.0, -2.0], [1.0, 2.0]]), np.array([0.2, 0.7]), budget=30)
    >>> found.X.shape, found.probability.shape, found.at(29)[0]
    ((1, 2, 2), (1, 1, 2), array([0.2, 0.7]))
    """
    rows = np.asarray(X, dtype=np.float64)
    rows = rows[None] if rows.ndim == 2 else rows
    chance = np.asarray(probability, dtype=np.float64)
    while chance.ndim < 3:
        chance = chance[None]
    if rows.ndim != 3 or chance.shape[1:] != rows.shape[:2]:
        raise InvalidInput(
            f"`probability` must have one number for each alternative of `X` {rows.shape[:2]}, got {chance.shape}."
        )
    if not ((chance >= 0) & (chance <= 1)).all():
        raise InvalidInput("`probability` must lie between 0 and 1: it is the true chance of a success.")
    when = np.zeros(budget, dtype=np.intp) if arrivals is None else np.asarray(arrivals, dtype=np.intp)
    if when.shape != (budget,):
        raise InvalidInput(f"`arrivals` must name a case for each of the {budget} trials, got shape {when.shape}.")
    over = np.zeros(1, dtype=np.intp) if judged is None else np.asarray(judged, dtype=np.intp)
    for name, cases in (("arrivals", when), ("judged", over)):
        if cases.size and not (cases.min() >= 0 and cases.max() < len(rows)):
            raise InvalidInput(f"`{name}` must name cases 0 to {len(rows) - 1}, got {cases.min()} to {cases.max()}.")
    if not over.size:
        raise InvalidInput("`judged` must name at least one case: a choice is judged over something.")
    late = np.broadcast_to(np.asarray(delays, dtype=np.intp), (budget,))
    if (late < 0).any():
        raise InvalidInput(f"`delays` must not be negative, got {late.min()}: 0 is an outcome known at once.")
    if space is not None and contextual:
        raise InvalidInput("`space` is for worlds without contexts, got one with them: leave it out.")
    if space is not None and len(space) != rows.shape[1]:
        raise InvalidInput(
            f"`space` must have one row for each of the {rows.shape[1]} alternatives of `X`, got {len(space)}."
        )
    return Truth(
        X=rows,
        probability=check.frozen(chance),
        arrivals=when,
        judged=over,
        delays=late,
        intercept=intercept,
        contextual=contextual,
        weights=weights,
        space=space,
        shape=shape,
    )


class World(ABC):
    """One kind of truth; subclasses are frozen dataclasses of their parameters."""

    name: ClassVar[str]  # by which a study file calls it, when it is registered

    @property
    def label(self) -> str:
        """What tells this world from others in a study: its name, and each parameter that is not as usual."""
        return labelled(self, self.name)

    @abstractmethod
    def draw(self, rng: np.random.Generator, budget: int) -> Truth:
        """The truth of one run of at most ``budget`` trials."""


def labelled(
    world: World,
    stem: str,
    *,
    always: Iterable[str] = (),
    never: Iterable[str] = (),
    defaults: Mapping[str, object] | None = None,
) -> str:
    """The stem, and each parameter that is not as usual: ``synthetic-d10-precision25``.

    Two worlds of one class with different parameters get different labels.
    """
    usual = defaults or {}
    parts = [spelled(stem)]
    for one in fields(cast(Any, world)):
        value = getattr(world, one.name)
        if one.name in never or (one.name not in always and value == usual.get(one.name, one.default)):
            continue
        parts.append(_written(one.name, value))
    return "-".join(parts)


def spelled(text: str) -> str:
    """Text as part of a label: letters, digits, dots, dashes.

    >>> spelled("my table (2)")
    'my-table-2'
    """
    return _UNSAFE.sub("-", text).strip("-.") or "world"


def _written(key: str, value: object) -> str:
    if isinstance(value, bool):
        return key if value else f"no-{key}"
    if isinstance(value, float):
        return f"{key}{int(value)}" if value.is_integer() and abs(value) < 1e15 else f"{key}{value!r}"
    return f"{key}{value}" if isinstance(value, int) else f"{key}-{spelled(str(value))}"
