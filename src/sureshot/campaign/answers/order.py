"""The alternatives of a pool in the order that a person asks for: by chance, by value, by tries, or by a parameter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sureshot.campaign.answers.recommend import TWINS
from sureshot.campaign.log.ledger import Ledger, tally
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput, unknown_name, whole_number
from sureshot.space import Space
from sureshot.space.tables.column import Column

__all__ = ["SORTED_BY", "Order", "checked_order", "ordered"]

#: Answers that alternatives are sorted by, beside their parameters. Numbers begin with the largest.
SORTED_BY = ("chance", "value", "tries")


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Which part of a sorted pool is wanted: ``top`` alternatives from place ``offset`` on."""

    by: str | None = None  # one of SORTED_BY, or a parameter; None: the chance
    rising: bool | None = None  # None: answers fall, parameters rise
    offset: int = 0
    top: int | None = None  # None: all of them
    parameter: bool = False  # whether it is by a parameter, also one that is called as an answer is

    def __post_init__(self) -> None:
        whole_number("offset", self.offset, 0)
        if self.top is not None:
            whole_number("top", self.top)

    @property
    def part(self) -> slice:
        """The places."""
        return slice(self.offset, None if self.top is None else self.offset + self.top)


def checked_order(space: Space, answers: Sequence[str], order: Order) -> Order:
    """The order with its direction said, if it can be had. ``answers`` are those of :data:`SORTED_BY`, as they are
    called beside these parameters.
    """
    if order.offset >= len(space):
        raise InvalidInput(f"`offset` must be less than {len(space):,}, the number of alternatives", got=order.offset)
    by: str
    if order.by is None:
        by, rising = "chance", False
    elif order.by in space.names:
        by, rising = order.by, True
    elif order.by in answers:
        by, rising = SORTED_BY[list(answers).index(order.by)], False
    else:
        raise unknown_name("column", order.by, [*answers, *space.names], field="by")
    rising = rising if order.rising is None else order.rising
    return replace(order, by=by, rising=rising, parameter=order.by in space.names)


def ordered(
    space: Space, ledger: Ledger, probability: Array, order: Order, values: Callable[[], Array]
) -> NDArray[np.intp]:
    """(M,): all rows of the pool in a checked order; those that are alike in it, the likeliest to succeed first.
    Chances that differ only as numbers are rounded, which they do from machine to machine, are alike.

    ``values`` computes what a trial of each is worth, where that is asked for: those of which it is not known stand
    last, whichever way.
    """
    sign = 1.0 if order.rising else -1.0
    probability = np.round(probability / TWINS)
    if order.parameter:
        key = sign * _rank(space.column(order.by or ""))
    elif order.by == "chance":
        return np.argsort(sign * probability, kind="stable")
    elif order.by == "value":
        found = values()
        key = np.where(np.isnan(found), np.inf, sign * found)
    else:
        key = sign * _tries(ledger, len(space))
    return np.lexsort((-probability, key))


def _rank(column: Column) -> Array:
    """(M,): where each level stands: numbers rise, names are as they were given."""
    if column.kind != "number":
        return np.asarray(column.codes, dtype=np.float64)
    return np.asarray(column.levels[column.codes], dtype=np.float64)


def _tries(ledger: Ledger, size: int) -> Array:
    found = np.zeros(size)
    for row, (_, of) in tally((e.alternative, e) for e in ledger.counted() if e.alternative is not None).items():
        found[row] = of
    return found
