"""The grids of simulated benches: two to five named parameters with a few levels each, drawn anew for each run."""

from __future__ import annotations

from math import prod

import numpy as np

from sureshot.core.stable import Array
from sureshot.space import Column, Levels, Space

__all__ = ["MOST", "PARAMETERS", "SMALLEST", "draw_grid", "steps"]

#: How many alternatives a bench has, at least and at most.
SMALLEST, MOST = 40, 600
#: How many parameters it has, at least and at most.
PARAMETERS = (2, 5)
#: How many levels a number has, and a category.
_NUMBER_LEVELS, _CATEGORY_LEVELS = (3, 8), (2, 5)
#: How often a parameter is a number, and how often a number's levels are spaced by a factor (1, 2, 4, 8).
_NUMBERS, _BY_FACTOR = 0.6, 0.35

#: Name, unit, and the step between even levels.
_DIALS = (
    ("temperature", "C", 10.0),
    ("time", "min", 5.0),
    ("pressure", "bar", 2.0),
    ("power", "W", 2.0),
    ("flow", "sccm", 20.0),
    ("concentration", "mM", 25.0),
    ("stirring", "rpm", 100.0),
    ("dose", "mg", 0.5),
)
_CHOICES = {
    "solvent": ("water", "ethanol", "DMF", "DMSO", "toluene"),
    "catalyst": ("Fe", "Co", "Ni", "Cu", "Pd"),
    "additive": ("none", "acid", "base", "salt", "surfactant"),
    "substrate": ("glass", "silicon", "sapphire", "mica", "steel"),
    "atmosphere": ("air", "nitrogen", "argon", "hydrogen", "vacuum"),
}


def draw_grid(rng: np.random.Generator, *, parameters: int = PARAMETERS[0], numbers: int = 1) -> Space:
    """A grid of at least so many parameters, at least so many of them numbers, with 40 to 600 alternatives.

    >>> draw_grid(np.random.default_rng(1))
    Space(320 alternatives: additive, temperature, concentration)
    """
    count = int(rng.integers(parameters, PARAMETERS[1] + 1))
    while True:
        number = rng.random(count) < _NUMBERS
        sizes = np.where(number, _sizes(rng, _NUMBER_LEVELS, count), _sizes(rng, _CATEGORY_LEVELS, count)).tolist()
        if number.sum() >= numbers and SMALLEST <= prod(sizes) <= MOST:
            break
    dials = iter(rng.permutation(len(_DIALS)).tolist())
    choices = iter(rng.permutation(sorted(_CHOICES)).tolist())
    named: dict[str, Levels] = {}
    for is_number, size in zip(number.tolist(), sizes, strict=True):
        if is_number:
            name, unit, step = _DIALS[next(dials)]
            named[name] = Levels("number", _levels(rng, size, step), unit)
        else:
            name = next(choices)
            named[name] = Levels("category", _CHOICES[name][:size], "")
    return Space.grid(named)


def steps(column: Column) -> Array:
    """Where each row stands on the scale of a number, by its levels: -1 the lowest, 1 the highest, evenly between.

    Levels spaced by a factor are even steps too: who writes 1, 2, 4, 8 expects each doubling to count alike.
    """
    places = np.argsort(np.argsort(column.levels))
    return np.asarray(2.0 * places[column.codes] / (len(column.levels) - 1) - 1.0)


def _sizes(rng: np.random.Generator, ends: tuple[int, int], count: int) -> np.ndarray:
    return rng.integers(ends[0], ends[1] + 1, count)


def _levels(rng: np.random.Generator, size: int, step: float) -> tuple[float, ...]:
    first = int(rng.integers(1, 7))
    if rng.random() < _BY_FACTOR:
        ratio = int(rng.integers(2, 4))
        return tuple(step * first * ratio**k for k in range(size))
    return tuple(step * (first + k) for k in range(size))
