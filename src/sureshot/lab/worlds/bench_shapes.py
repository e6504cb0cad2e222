"""What makes an alternative work on a simulated bench: one function for each kind of truth, from a grid to scores.

Scores have no scale of their own: :mod:`~sureshot.lab.worlds.bench` shifts and stretches them until the best chance
and the mean chance are as wanted. A score of minus infinity is a chance of 0. Every part is centred over the grid and
has a standard deviation of 1 there, so an amount says how much of the score a part makes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from sureshot.core.stable import Array
from sureshot.lab.worlds.bench_grid import steps
from sureshot.space import Column, Space

__all__ = ["KINDS", "Kind"]

#: The share of a grid that lies on this side of the cliff, times what works on average there, is the mean chance:
#: this is how much of the best chance the alternatives on this side have on average.
ON_THE_PLATEAU = 0.85
#: A decisive pair is one of about so many combinations: rarer ones nobody finds in thirty trials.
_COMBINATIONS = 20


@dataclass(frozen=True)
class Kind:
    """One kind of truth: its name, its scores, and what a grid must have for it."""

    name: str
    scores: Callable[[Space, np.random.Generator, float], Array]  # grid, stream, mean chance / best chance -> (M,)
    parameters: int = 2
    numbers: int = 1


def straight(space: Space, rng: np.random.Generator, ratio: float) -> Array:  # noqa: ARG001
    """Straight in the numbers as they are written (not in steps), and an effect of each level of a category."""
    return np.sum([_main(column, rng, straight=True) for column in space.columns], axis=0)


def interior(space: Space, rng: np.random.Generator, ratio: float) -> Array:  # noqa: ARG001
    """Best at a level inside the range of one number; straight in the steps of the others."""
    (bent,) = _numbers(space, rng, 1)
    return _inside(bent, rng) + _others(space, rng, (bent,), 0.7)


def interior_two(space: Space, rng: np.random.Generator, ratio: float) -> Array:  # noqa: ARG001
    """Best inside the ranges of two numbers."""
    one, other = _numbers(space, rng, 2)
    return _inside(one, rng) + _inside(other, rng) + _others(space, rng, (one, other), 0.7)


def ridge(space: Space, rng: np.random.Generator, ratio: float) -> Array:  # noqa: ARG001
    """Best along a line in two numbers: what one has too much, the other makes up for."""
    one, other = _numbers(space, rng, 2)
    across = steps(one) + rng.choice([-1.0, 1.0]) * rng.uniform(0.7, 1.0) * steps(other) - rng.uniform(-0.3, 0.3)
    weak = _main(one, rng) + _main(other, rng)
    return 1.5 * _unit(-(across**2)) + 0.2 * weak + _others(space, rng, (one, other), 0.7)


def cliff(space: Space, rng: np.random.Generator, ratio: float) -> Array:
    """Rises gently up to an edge, best just before it; beyond it nothing works."""
    push = np.sum([_main(column, rng) for column in space.columns], axis=0)
    inside = max(2, round(len(space) * ratio / ON_THE_PLATEAU))
    ranks = np.argsort(np.argsort(push))
    return np.where(ranks < inside, push, -np.inf)


def pair(space: Space, rng: np.random.Generator, ratio: float) -> Array:  # noqa: ARG001
    """One combination of two parameters is decisive; the mean of neither parameter's levels shows it."""
    one, other = _combination(space, rng)
    mains = [0.4 * _main(column, rng) for column in space.columns]
    here = [mains[space.names.index(column.name)] for column in (one, other)]
    found = [_not_the_best(column, main, rng) for column, main in zip((one, other), here, strict=True)]
    hit = (one.codes == found[0]).astype(float)
    both = (hit - hit.mean()) * ((other.codes == found[1]) - (other.codes == found[1]).mean())
    jump = 2.5 + sum(np.ptp(main) for main in here)
    return np.asarray(np.sum(mains, axis=0) + jump * both / both.max())


def odd_level(space: Space, rng: np.random.Generator, ratio: float) -> Array:  # noqa: ARG001
    """Straight in steps, but for one level: it works where its neighbours do not, or (of a number) the other way."""
    most = max(len(column.levels) for column in space.columns)
    odd = _one_of([column for column in space.columns if len(column.levels) >= min(4, most)], rng)
    main = 0.7 * _main(odd, rng)
    rest = _others(space, rng, (odd,), 0.7)
    if odd.kind == "number" and rng.random() < 0.5:
        level = odd.codes[np.argmax(main)]
        return main - (1.5 + np.ptp(main)) * (odd.codes == level) + rest
    level = _not_the_best(odd, main, rng)
    return main + (1.5 + np.ptp(main)) * (odd.codes == level) + rest


def rough(space: Space, rng: np.random.Generator, ratio: float) -> Array:  # noqa: ARG001
    """Four fifths of the variance are each alternative's own, one fifth are straight effects."""
    return _unit(rng.normal(size=len(space))) + 0.5 * _others(space, rng, (), 1.0)


#: Every kind by name, in the order of the docs.
KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("straight", straight),
        Kind("interior", interior),
        Kind("interior-two", interior_two, numbers=2),
        Kind("ridge", ridge, numbers=2),
        Kind("cliff", cliff),
        Kind("pair", pair, parameters=3),
        Kind("odd-level", odd_level),
        Kind("rough", rough),
    )
}


def _main(column: Column, rng: np.random.Generator, *, straight: bool = False) -> Array:
    """An effect of one parameter, of a random size: a slope (over steps, or straight in the number), or of levels."""
    if column.kind == "number":
        return np.asarray(_size(rng) * _unit(column.numbers() if straight else steps(column)))
    return np.asarray(abs(_size(rng)) * _unit(rng.normal(size=len(column.levels))[column.codes]))


def _others(space: Space, rng: np.random.Generator, taken: Sequence[Column], amount: float) -> Array:
    """Effects of the parameters that are not taken, ``amount`` in all."""
    taken_names = {column.name for column in taken}
    left = [_main(column, rng) for column in space.columns if column.name not in taken_names]
    return amount * np.sum(left, axis=0) / np.sqrt(len(left)) if left else np.zeros(len(space))


def _inside(column: Column, rng: np.random.Generator) -> Array:
    """A hill over a number, its top within a fifth of a step of a level that is not at an end."""
    size = len(column.levels)
    width = 2.0 / (size - 1)
    top = width * (rng.integers(1, size - 1) + rng.uniform(-0.2, 0.2)) - 1.0
    return _unit(-((steps(column) - top) ** 2))


def _size(rng: np.random.Generator) -> float:
    """Between 0.4 and 1.6, up or down: every parameter counts, none alone."""
    return float(rng.choice([-1.0, 1.0]) * rng.uniform(0.4, 1.6))


def _unit(values: Array) -> Array:
    centred = values - values.mean()
    return np.asarray(centred / centred.std())


def _numbers(space: Space, rng: np.random.Generator, count: int) -> list[Column]:
    known = [column for column in space.columns if column.kind == "number"]
    return [known[i] for i in rng.choice(len(known), count, replace=False)]


def _one_of(columns: Sequence[Column], rng: np.random.Generator) -> Column:
    return columns[int(rng.integers(len(columns)))]


def _combination(space: Space, rng: np.random.Generator) -> tuple[Column, Column]:
    """Two parameters with few enough combinations, or those with the fewest."""
    every = sorted(combinations(space.columns, 2), key=lambda two: len(two[0].levels) * len(two[1].levels))
    few = [two for two in every if len(two[0].levels) * len(two[1].levels) <= _COMBINATIONS] or every[:1]
    return few[int(rng.integers(len(few)))]


def _not_the_best(column: Column, main: Array, rng: np.random.Generator) -> int:
    """A level that the parameter's own effect does not recommend."""
    best = int(column.codes[np.argmax(main)])
    return int(rng.choice([level for level in range(len(column.levels)) if level != best]))


