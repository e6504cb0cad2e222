"""The work of a study cut into jobs: a block of runs of one contender in one world, on one thread."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from sureshot.errors import SureshotError
from sureshot.lab.play.run import NUMBERS, Rows, Staged, play, stage, stream
from sureshot.lab.play.world import World
from sureshot.lab.study.rows import COLUMNS, STOPPED, needs
from sureshot.lab.study.study import Contender, Study, label_of

__all__ = ["BLOCK", "Job", "plan", "play_job"]

#: Runs in a job: enough work to be worth sending, little enough to be lost. Blocks are by the number of the run.
BLOCK = 25

_warm: set[tuple[object, ...]] = set()


@dataclass(frozen=True)
class Job:
    """The runs ``first`` to ``last`` of one contender in one world."""

    study: Study
    world: World
    contender: Contender
    first: int
    last: int


def plan(study: Study, finished: Mapping[tuple[str, str, str], set[int]]) -> list[Job]:
    """The jobs that are left: what is ``finished`` is the numbers of runs by labels of world, policy and belief.

    Blocks run slowest: the first runs of all contenders are done before the next ones of any.
    """
    jobs = []
    for begin in range(1, study.runs + 1, BLOCK):
        block = range(begin, min(begin + BLOCK, study.runs + 1))
        for world in study.worlds:
            for one in study.contenders:
                done = finished.get((world.label, one.label, one.belief.label), set())
                jobs += [Job(study, world, one, a, b) for a, b in _gaps(block, done)]
    return jobs


def _gaps(block: range, done: set[int]) -> Iterator[tuple[int, int]]:
    """The stretches of a block that are not done.

    >>> list(_gaps(range(1, 8), {3, 4}))
    [(1, 2), (5, 7)]
    """
    missing = enumerate(run for run in block if run not in done)
    for _, together in groupby(missing, key=lambda pair: pair[1] - pair[0]):
        stretch = [run for _, run in together]
        yield stretch[0], stretch[-1]


def play_job(job: Job) -> dict[str, Any]:
    """Play the runs of a job; its columns, as they are stored."""
    study, world, one = job.study, job.world, job.contender
    runs = range(job.first, job.last + 1)
    played: list[Rows] = []
    with one_thread():
        for run in runs:
            try:
                staged = stage(world, seed=study.seed, run=run, budget=study.budget)
                if run == job.first:
                    _warm_up(job, staged)
                rng = stream(study.seed, "policy", world.label, one.label, one.belief.label, run)
                played.append(_play(job, staged, rng, study.budget))
            except SureshotError as error:
                where = f"world {world.label!r}, policy {one.label!r}, belief {one.belief.label!r}, run {run}"
                raise error.at(where) from error
    labels = {"study": study.name, "world": world.label, "policy": one.label, "belief": one.belief.label}
    size = len(runs) * study.budget
    columns: dict[str, Any] = {name: np.full(size, text, dtype=object) for name, text in labels.items()}
    columns["run"] = np.repeat(np.array(runs, dtype=np.int32), study.budget)
    columns["n"] = np.tile(np.arange(1, study.budget + 1, dtype=np.int32), len(runs))
    if study.stopping:
        columns[STOPPED] = np.concatenate([rows.stopped for rows in played])
    for name in NUMBERS:
        columns[name] = np.concatenate([getattr(rows, name) for rows in played]).astype(COLUMNS[name])
    return columns


def _play(job: Job, staged: Staged, rng: np.random.Generator, budget: int) -> Rows:
    one, study = job.contender, job.study
    return play(
        staged,
        one.policy,
        one.belief,
        rng=rng,
        budget=budget,
        objective=study.objective,
        max_kg=study.max_kg,
        stopping={label_of(rule): rule for rule in study.stopping},
    )


def _warm_up(job: Job, staged: Staged) -> None:
    """Load what is compiled before time is taken: a few trials, once for each process, world and contender."""
    one, study = job.contender, job.study
    key = (job.world.label, one.label, one.belief, study.objective, study.max_kg)
    if key not in _warm:
        _play(job, staged, np.random.default_rng(0), min(one.policy.abilities.starts + 2, study.budget))
        _warm.add(key)


@contextmanager
def one_thread() -> Iterator[None]:
    """One thread for this process: processes are the lab's way to use all cores, and time is to be comparable.

    The look-ahead heeds ``SURESHOT_THREADS``; the libraries below NumPy are told by threadpoolctl.
    """
    before = os.environ.get("SURESHOT_THREADS")
    os.environ["SURESHOT_THREADS"] = "1"
    try:
        with needs("threadpoolctl").threadpool_limits(1):
            yield
    finally:
        if before is None:
            os.environ.pop("SURESHOT_THREADS", None)
        else:
            os.environ["SURESHOT_THREADS"] = before
