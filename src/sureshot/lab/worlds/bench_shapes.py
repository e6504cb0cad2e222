"""What makes an alternative work on a simulated bench: one function for each kind of truth, from a grid to scores.

Scores have no scale of their own: :mod:`~sureshot.lab.worlds.bench` shifts and stretches them until the best chance
and the mean chance are as wanted. A score of minus infinity is a chance of 0. Every part is centred over the grid and
has a standard deviation of 1 there, so an amount says how much of the score a part makes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil

import numpy as np

from sureshot.core.numerics.stable import Array
from sureshot.lab.worlds.bench_grid import steps
from sureshot.space import Column, Shape, Space

__all__ = ["KINDS", "Kind"]

#: What the alternatives on a plateau have on average of the best chance: with it the mean says how large a plateau is.
_ON_THE_PLATEAU = 0.9
#: A decisive pair is one of so many combinations: with fewer, single parameters show it; more, nobody finds it.
_FEWEST, _MOST = 9, 20
#: The top of a hill lies between -0.7 and 0.7 of a range from -1 to 1: nearer to an end it would be all but straight.
_MIDDLE = 0.7


@dataclass(frozen=True)
class Kind:
    """One kind of truth: its name, its scores, and what a grid must have for it."""

    name: str
    scores: Callable[[Space, np.random.Generator, float], Array]  # grid, stream, mean chance / best chance -> (M,)
    shape: Shape  # what somebody would choose who knew the truth
    parameters: int = 2  # at least so many
    numbers: int = 1  # at least so many of them


def straight(space: Space, rng: np.random.Generator, ratio: float) -> Array:  # noqa: ARG001
    """Straight in the numbers as they are written (not in steps), and an effect of each level of a category."""
    return np.asarray(np.sum([_main(column, rng, straight=True) for column in space.columns], axis=0))


def interior(space: Space, rng: np.random.Generator, ratio: float) -> Array:  # noqa: ARG001
    """Best at a level inside the range of one number; straight in the steps of the others."""
    (bent,) = _numbers(space, rng, 1)
    return 1.5 * _inside(bent, rng) + _others(space, rng, (bent,), 0.7)


def interior_two(space: Space, rng: np.random.Generator, ratio: float) -> Array:  # noqa: ARG001
    """Best inside the ranges of two numbers."""
    one, other = _numbers(space, rng, 2)
    return _inside(one, rng) + _inside(other, rng) + _others(space, rng, (one, other), 0.7)


def ridge(space: Space, rng: np.random.Generator, ratio: float) -> Array:  # noqa: ARG001
    """Best along a line in two numbers: what one has too much, the other makes up for. Its ends are a little worse."""
    one, other = _numbers(space, rng, 2)
    turn = rng.choice([-1.0, 1.0]) * rng.uniform(0.7, 1.0)
    across = steps(one) + turn * steps(other) - rng.uniform(-0.3, 0.3)
    along = turn * steps(one) - steps(other) - rng.uniform(-0.6, 0.6)
    return 1.5 * _unit(-(across**2)) + 0.5 * _unit(-(along**2)) + _others(space, rng, (one, other), 0.7)


def cliff(space: Space, rng: np.random.Generator, ratio: float) -> Array:
    """Flat, then a little better the nearer to an edge that all parameters push towards; beyond it nothing works."""
    push = np.sum([_main(column, rng) for column in space.columns], axis=0)
    ordered = np.argsort(push)[: ceil(len(space) * ratio / _ON_THE_PLATEAU)]
    scores = np.full(len(space), -np.inf)
    scores[ordered] = np.maximum(push[ordered], np.median(push[ordered]))
    return scores


def pair(space: Space, rng: np.random.Generator, ratio: float) -> Array:  # noqa: ARG001
    """One combination of two parameters is decisive; the mean of neither parameter's levels shows it."""
    one, other = _combination(space, rng)
    mains = [0.4 * _main(column, rng) for column in space.columns]
    here = [mains[space.names.index(column.name)] for column in (one, other)]
    found = [_not_the_best(column, main, rng) for column, main in zip((one, other), here, strict=True)]
    hits = [column.codes == level for column, level in zip((one, other), found, strict=True)]
    both = np.prod([hit - hit.mean() for hit in hits], axis=0)  # no mean over one parameter's level shows it
    together, elsewhere = both[hits[0] & hits[1]][0], both[~hits[0] & ~hits[1]][0]
    jump = 2.5 + sum(np.ptp(main) for main in here)
    return np.asarray(np.sum(mains, axis=0) + jump * both / (together - elsewhere))


def odd_level(space: Space, rng: np.random.Generator, ratio: float) -> Array:  # noqa: ARG001
    """Straight in steps, but for one level: it works where its neighbours do not, or (of a number) the other way."""
    most = max(len(column.levels) for column in space.columns)
    odd = _one_of([column for column in space.columns if len(column.levels) >= min(4, most)], rng)
    main = 0.7 * _main(odd, rng)
    rest = _others(space, rng, (odd,), 0.7)
    if odd.kind == "number" and rng.random() < 0.5:
        level = odd.codes[np.argmax(main)]
        return np.asarray(main - (1.5 + np.ptp(main)) * (odd.codes == level) + rest)
    level = _not_the_best(odd, main, rng)
    return np.asarray(main + (1.5 + np.ptp(main)) * (odd.codes == level) + rest)


def rough(space: Space, rng: np.random.Generator, ratio: float) -> Array:  # noqa: ARG001
    """About four fifths of the variance are each alternative's own, one fifth are straight effects."""
    return _unit(rng.normal(size=len(space))) + 0.5 * _others(space, rng, (), 1.0)


#: Every kind by name, in the order of the docs.
KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("straight", straight, "straight"),
        Kind("interior", interior, "curved"),
        Kind("interior-two", interior_two, "curved", numbers=2),
        Kind("ridge", ridge, "pairs", numbers=2),
        Kind("cliff", cliff, "pairs"),
        Kind("pair", pair, "pairs", parameters=3),
        Kind("odd-level", odd_level, "curved"),
        Kind("rough", rough, "straight"),
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
    """A hill over a number; its top is within a fifth of a step of a level, and not near an end."""
    levels = np.linspace(-1.0, 1.0, len(column.levels))
    top = rng.choice(levels[np.abs(levels) <= _MIDDLE]) + rng.uniform(-0.2, 0.2) * (levels[1] - levels[0])
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
    """Two parameters with 9 to 20 combinations, or those that come nearest to it."""
    every = list(combinations(space.columns, 2))
    counts = [len(one.levels) * len(other.levels) for one, other in every]
    off = [max(_FEWEST - count, count - _MOST, 0) for count in counts]
    fitting = [two for two, far in zip(every, off, strict=True) if far == min(off)]
    return fitting[int(rng.integers(len(fitting)))]


def _not_the_best(column: Column, main: Array, rng: np.random.Generator) -> int:
    """A level that the parameter's own effect does not recommend."""
    best = int(column.codes[np.argmax(main)])
    return int(rng.choice([level for level in range(len(column.levels)) if level != best]))
