"""Two other ways to spend the same trials in the same lab: one factor at a time, and random trials.

Both are pure functions of how the lab answers, (trials, M), and return the alternative that they would choose.
"""

from __future__ import annotations

import numpy as np

from sureshot.core.numerics.stable import Array
from sureshot.demo.world import World

__all__ = ["one_factor_at_a_time", "random_trials"]

#: One factor at a time: how often each setting is tried.
TRIES = 2


def one_factor_at_a_time(world: World, answers: Array) -> int:
    """The usual practice at a bench: start in the middle and vary one parameter while the others stay at the best.

    Parameters come in the order in which they are written, and each setting is tried twice. The setting with the
    highest share of successes is kept; a new one must be better than the one it replaces. If trials are left after the
    last parameter, it begins again with the first.
    """
    codes = np.column_stack([column.codes for column in world.space.columns])
    sizes = [len(column.levels) for column in world.space.columns]
    rows = {tuple(code): row for row, code in enumerate(codes.tolist())}
    won, tried = np.zeros(len(codes)), np.zeros(len(codes))
    used = 0

    def share(row: int) -> float:
        return float(won[row] / tried[row]) if tried[row] else 0.0

    def try_it(row: int) -> None:
        nonlocal used
        for _ in range(min(TRIES, len(answers) - used)):
            won[row] += answers[used, row]
            tried[row] += 1
            used += 1

    here = rows[tuple(size // 2 for size in sizes)]
    try_it(here)
    while used < len(answers):
        for factor, size in enumerate(sizes):
            start = codes[here].tolist()
            for level in range(size):
                if level == start[factor] or used == len(answers):
                    continue
                there = rows[(*start[:factor], level, *start[factor + 1 :])]
                try_it(there)
                if share(there) > share(here):
                    here = there
    return here


def random_trials(world: World, answers: Array, rng: np.random.Generator) -> int:
    """Alternatives drawn at random, all before any comes again; the best mean is chosen, ties at random."""
    size = len(world.truth)
    won, tried = np.zeros(size), np.zeros(size)
    for number, row in enumerate(rng.permuted(np.tile(np.arange(size), (1 + len(answers) // size, 1)), axis=1).ravel()):
        if number == len(answers):
            break
        won[row] += answers[number, row]
        tried[row] += 1
    mean = np.divide(won, tried, out=np.full(size, -1.0), where=tried > 0)
    return int(rng.choice(np.flatnonzero(mean == mean.max())))
