"""How alike settings are that differ in several parameters at once, and the few that stand for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput
from sureshot.schema import FIX
from sureshot.space.features.axis import Axis, row_by_row
from sureshot.space.features.sizes import LANDMARKS

__all__ = ["Landmarks", "landmarks_among"]

#: A landmark must differ from those before it by at least this share of a score's variance.
_NEW = 1e-3
#: Added to the likeness of each landmark with itself, so that two nearly equal ones can be told apart.
_NUGGET = 1e-9


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Landmarks:
    """Settings that others are likened to."""

    places: Array  # (R, parameters)
    reach: float  # at this distance in steps of one number, two scores have a correlation of 0.6
    nugget: float
    turn: Array  # (R, R): likeness to them times this has the likeness of two settings as its product
    residue: float  # the share of a score's variance that they do not tell

    def features(self, axes: Sequence[Axis], places: Array) -> Array:
        """(n, R): what is smooth over all parameters at once, at these places."""
        return row_by_row(_kernel(axes, places, self.places, self.reach), self.turn)

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {
            "places": self.places.tolist(),
            "reach": self.reach,
            "nugget": self.nugget,
            "residue": self.residue,
        }

    @classmethod
    def from_dict(cls, axes: Sequence[Axis], stored: Mapping[str, Any]) -> Landmarks:
        """The landmarks that :meth:`to_dict` wrote."""
        places = np.array(stored["places"], dtype=np.float64)
        return _turned(axes, places, float(stored["reach"]), float(stored["nugget"]), float(stored["residue"]))


def landmarks_among(axes: Sequence[Axis], places: Array, length: float) -> Landmarks:
    """Settings of the pool, each the one least told by those before it: the pivots of a Cholesky factorisation.

    The more parameters there are, the farther apart any two settings lie: the length grows with the square root of
    their number, so that two settings drawn at random are about as alike in a wide table as in a narrow one.
    """
    reach = length * max(len(axes) / 2.0, 1.0) ** 0.5
    left = np.ones(len(places))
    most = min(LANDMARKS, len(places))
    factor, chosen = np.zeros((len(places), most)), list[int]()
    while len(chosen) < most:
        at = int(np.argmax(left))
        if left[at] < _NEW:
            break
        n = len(chosen)
        column = _kernel(axes, places, places[at : at + 1], reach)[:, 0] - factor[:, :n] @ factor[at, :n]
        factor[:, n] = column / np.sqrt(left[at])
        left = np.maximum(left - factor[:, n] ** 2, 0.0)
        chosen.append(at)
    return _turned(axes, places[chosen], reach, _NUGGET, 0.0)


def _turned(axes: Sequence[Axis], places: Array, reach: float, nugget: float, residue: float) -> Landmarks:
    gram = _kernel(axes, places, places, reach) + nugget * np.eye(len(places))
    try:
        turn = np.asarray(np.linalg.inv(np.linalg.cholesky(gram)).T)
    except np.linalg.LinAlgError as error:
        raise InvalidInput("landmarks must differ from each other, and some are the same", fix=FIX) from error
    return Landmarks(places=places, reach=reach, nugget=nugget, turn=turn, residue=residue)


def _kernel(axes: Sequence[Axis], a: Array, b: Array, reach: float) -> Array:
    """How alike settings are that have these places, (n, m)."""
    total = np.ones((len(a), len(b)))
    for k, axis in enumerate(axes):
        total *= axis.kernel(a[:, k], b[:, k], reach)
    return total
