"""A hundred simulated labs like the demo's: how well what sureshot recommends works there, beside two other ways to
spend the same trials, one factor at a time and random trials.

``sureshot demo --labs 100`` computes them. What it gave is kept beside this file, in ``labs.json``, and a test computes
some of them again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from sureshot.core.numerics.stable import Array
from sureshot.demo.run import TRIALS, begin, reveal, run
from sureshot.demo.world import World, nanotubes
from sureshot.errors import InvalidInput
from sureshot.files import write_whole
from sureshot.said import Setting

__all__ = [
    "COMMAND",
    "Lab",
    "compute",
    "hundred",
    "one_factor_at_a_time",
    "play",
    "random_trials",
    "read",
    "summary",
    "typical",
    "write",
]

COMMAND = "sureshot demo --labs 100"
#: One factor at a time: how often each setting is tried.
TRIES = 2

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Lab:
    """One simulated lab: with what probability the choice of each way truly works there, after equally many trials."""

    seed: int
    sureshot: float
    shown: float  # what sureshot said it would be ...
    low: float  # ... with the 95 % interval from here ...
    high: float  # ... to here
    one_factor_at_a_time: float
    random_trials: float


@dataclass(frozen=True, slots=True)
class Labs:
    """The means over several labs, as chances of success."""

    labs: int
    sureshot: float
    one_factor_at_a_time: float
    random_trials: float

    def __str__(self) -> str:
        return (
            f"In {self.labs} simulated labs like this one: what sureshot recommends works {self.sureshot:.0%}, "
            f"one factor at a time {self.one_factor_at_a_time:.0%}, random trials {self.random_trials:.0%}."
        ).replace("%", " %")


def play(seed: int) -> Lab:
    """One lab, explored in three ways; each way gets the same answer to the same trial of the same alternative."""
    world = nanotubes(seed)
    answers = world.answers(TRIALS)
    campaign = begin(world, storage=":memory:")
    for _ in run(world, campaign):
        pass
    found = reveal(world, campaign)
    low, high = found.recommendation.interval
    return Lab(
        seed=seed,
        sureshot=found.true_probability,
        shown=found.recommendation.probability,
        low=low,
        high=high,
        one_factor_at_a_time=float(world.truth[one_factor_at_a_time(world, answers)]),
        random_trials=float(world.truth[random_trials(world, answers, np.random.default_rng(seed))]),
    )


def one_factor_at_a_time(world: World, answers: Array) -> int:
    """What the usual practice at a bench chooses, if the lab answers so, (trials, M): start in the middle and vary one
    parameter while the others stay at the best.

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
    rounds = np.tile(np.arange(size), (1 + len(answers) // size, 1))
    drawn = rng.permuted(rounds, axis=1).ravel()[: len(answers)]
    tried = np.bincount(drawn, minlength=size)
    won = np.bincount(drawn, answers[np.arange(len(drawn)), drawn], size)
    mean = np.divide(won, tried, out=np.full(size, -1.0), where=tried > 0)
    return int(rng.choice(np.flatnonzero(mean == mean.max())))


def compute(
    count: int,
    to: str | os.PathLike[str] | None = None,
    *,
    processes: int = 1,
    progress: Progress | None = None,
) -> tuple[Lab, ...]:
    """The labs with the seeds 1 to ``count``. Those already in the file ``to`` are not computed again.

    :param progress: called with the finished and the total number of labs, at the start and after each of them.
    """
    for name, value in (("labs", count), ("processes", processes)):
        if value < 1:
            raise InvalidInput(f"`{name}` must be at least 1", got=Setting(name, value))
    done = {lab.seed: lab for lab in read(to) if lab.seed <= count} if to is not None and Path(to).exists() else {}
    if progress is not None:
        progress(len(done), count)
    left = [seed for seed in range(1, count + 1) if seed not in done]
    for lab in _played(left, processes):
        done[lab.seed] = lab
        if to is not None:
            write([done[seed] for seed in sorted(done)], to)
        if progress is not None:
            progress(len(done), count)
    return tuple(done[seed] for seed in sorted(done))


def _played(seeds: Sequence[int], processes: int) -> Iterator[Lab]:
    """The labs of these seeds as they are finished, computed here or on several processes."""
    if processes == 1:
        yield from map(play, seeds)
        return
    pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"))
    try:
        for future in as_completed([pool.submit(play, seed) for seed in seeds]):
            yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def summary(labs: Sequence[Lab]) -> Labs:
    """What each way reaches on average.

    >>> print(summary([Lab(1, 0.9, 0.8, 0.6, 0.95, 0.7, 0.6), Lab(2, 0.8, 0.8, 0.6, 0.95, 0.5, 0.6)]))
    In 2 simulated labs like this one: what sureshot recommends works 85 %, one factor at a time 60 %,
    random trials 60 %.
    """
    means = [
        float(np.mean([getattr(lab, way) for lab in labs]))
        for way in ("sureshot", "one_factor_at_a_time", "random_trials")
    ]
    return Labs(len(labs), *means)


def typical(labs: Sequence[Lab]) -> int:
    """The seed of a typical lab: what is recommended there works as often as in the median lab (the lower of two).

    >>> typical([Lab(seed, chance, 0.8, 0.6, 0.95, 0.5, 0.5) for seed, chance in ((1, 0.9), (2, 0.7), (3, 0.8))])
    3
    """
    ordered = sorted(labs, key=lambda lab: (lab.sureshot, lab.seed))
    return ordered[(len(ordered) - 1) // 2].seed


@cache
def hundred() -> tuple[Lab, ...]:
    """The hundred labs that were computed beforehand, by :data:`COMMAND`."""
    return read(Path(__file__).with_name("labs.json"))


def read(path: str | os.PathLike[str]) -> tuple[Lab, ...]:
    """The labs in a file that :func:`write` made."""
    try:
        return tuple(Lab(**row) for row in json.loads(Path(path).read_text(encoding="utf-8")))
    except (ValueError, TypeError) as error:
        raise InvalidInput(
            f"`to` must be a file of labs that this command wrote, or a new one, got {os.fspath(path)}."
        ) from error


def write(labs: Sequence[Lab], path: str | os.PathLike[str]) -> None:
    """Keep labs in a file, a line each; a reader never finds half a file."""
    rows = ",\n".join(json.dumps(asdict(lab)) for lab in labs)
    write_whole(Path(path), f"[\n{rows}\n]\n".encode())
