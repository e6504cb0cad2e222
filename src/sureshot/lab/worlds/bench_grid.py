"""The grids of simulated benches: two to five named parameters with a few levels each, drawn anew for each run."""

from __future__ import annotations

from math import prod

import numpy as np

from sureshot.core.numerics.stable import Array
from sureshot.space import Column, Levels, Space

__all__ = ["draw_grid", "steps"]

#: How many alternatives a bench has, at least and at most.
_SMALLEST, _MOST = 40, 600
#: How many parameters it has, at least and at most.
_PARAMETERS = (2, 5)
#: How many levels a number has, and a category.
_NUMBER_LEVELS, _CATEGORY_LEVELS = (3, 8), (2, 5)
#: How often a parameter is a number, and how often a number that may be is spaced by a factor (1, 2, 4, 8).
_NUMBERS, _BY_FACTOR = 0.6, 0.5

#: Name, unit, the step between even levels, and whether people space such a number by a factor too.
_DIALS = (
    ("temperature", "C", 10.0, False),
    ("time", "min", 5.0, True),
    ("pressure", "bar", 2.0, True),
    ("power", "W", 2.0, False),
    ("flow", "sccm", 20.0, True),
    ("concentration", "mM", 5.0, True),
    ("stirring", "rpm", 100.0, False),
    ("dose", "mg", 0.5, True),
)
_CHOICES = {
    "solvent": ("water", "ethanol", "DMF", "DMSO", "toluene"),
    "catalyst": ("Fe", "Co", "Ni", "Cu", "Pd"),
    "additive": ("none", "acid", "base", "salt", "surfactant"),
    "substrate": ("glass", "silicon", "sapphire", "mica", "steel"),
    "atmosphere": ("air", "nitrogen", "argon", "hydrogen", "vacuum"),
}


def draw_grid(rng: np.random.Generator, *, parameters: int = _PARAMETERS[0], numbers: int = 1) -> Space:
    """A grid of at least so many parameters, at least so many of them numbers, with 40 to 600 alternatives.

    >>> draw_grid(np.random.default_rng(1))
    Space(60 alternatives: atmosphere, time, solvent)
    """
    count = int(rng.integers(parameters, _PARAMETERS[1] + 1))
    while True:
        number = rng.random(count) < _NUMBERS
        as_number = rng.integers(*_NUMBER_LEVELS, count, endpoint=True)
        as_category = rng.integers(*_CATEGORY_LEVELS, count, endpoint=True)
        sizes = np.where(number, as_number, as_category).tolist()
        if number.sum() >= numbers and _SMALLEST <= prod(sizes) <= _MOST:
            break
    dials = iter(rng.permutation(len(_DIALS)).tolist())
    choices = iter(rng.permutation(sorted(_CHOICES)).tolist())
    named: dict[str, Levels] = {}
    for is_number, size in zip(number.tolist(), sizes, strict=True):
        if is_number:
            name, unit, step, factors = _DIALS[next(dials)]
            named[name] = Levels("number", _levels(rng, size, step, factors), unit)
        else:
            name = next(choices)
            named[name] = Levels("category", _CHOICES[name][:size], "")
    return Space.grid(named)


def steps(column: Column) -> Array:
    """Where each row stands on the scale of a number, by its rising levels: -1 the first, 1 the last, evenly between.

    Levels spaced by a factor are even steps too: who writes 1, 2, 4, 8 expects each doubling to count alike.
    """
    return np.asarray(2.0 * column.codes / (len(column.levels) - 1) - 1.0)


def _levels(rng: np.random.Generator, size: int, step: float, factors: bool) -> tuple[float, ...]:
    if factors and rng.random() < _BY_FACTOR:
        ratio = int(rng.choice([2, 3])) if size <= 4 else 2
        return tuple(step * ratio**k for k in range(size))
    first = int(rng.integers(1, 7))
    return tuple(step * (first + k) for k in range(size))
