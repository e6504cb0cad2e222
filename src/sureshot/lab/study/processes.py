"""Work shared among local processes."""

from __future__ import annotations

import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from sureshot.errors import InvalidInput, SureshotError
from sureshot.lab.study.rows import needs
from sureshot.said import Setting

__all__ = ["how_many", "shared"]

T = TypeVar("T")

#: How often a process of a study looks whether the one that started it is still there, in seconds.
ROUND = 1.0


def how_many(processes: int | None) -> int:
    """The number of processes, checked; as many as cores where none is said."""
    if processes is None:
        return int(needs("joblib").cpu_count())
    if isinstance(processes, bool) or not isinstance(processes, int) or processes < 1:
        raise InvalidInput("`processes` must be a whole number of at least 1", got=Setting("processes", processes))
    return processes


def shared(calls: Sequence[Callable[[], T]], processes: int) -> Iterator[T]:
    """What the calls give, each as it is done: one process computes them in order, several in any order."""
    if processes == 1 or not calls:
        yield from (call() for call in calls)
        return
    joblib = needs("joblib")
    died = needs("joblib.externals.loky.process_executor").TerminatedWorkerError
    begun = {"inner_max_num_threads": 1, "initializer": _end_with, "initargs": (os.getpid(),)}
    with warnings.catch_warnings(), joblib.parallel_config(backend="loky", **begun):
        warnings.filterwarnings("ignore", "[0-9]+ tasks (have been|which were) ")  # whoever stops it knows
        warnings.filterwarnings("ignore", "A worker stopped while some jobs")  # compiling takes memory: a new one comes
        pool = joblib.Parallel(n_jobs=min(processes, len(calls)), return_as="generator_unordered", batch_size=1)
        try:
            yield from pool(joblib.delayed(call)() for call in calls)
        except died as error:
            raise SureshotError(
                "a process of the study was killed from outside, perhaps because memory ran out: "
                f"run it again, it goes on from what is finished; with fewer than {processes} processes it needs less."
            ) from error


def _end_with(parent: int) -> None:
    """Let this process end when its parent does, even if that is killed and before it gave out any work, and not by a
    Ctrl-C of its own: a terminal sends that to both, and the parent ends this one.
    """

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(ROUND)
        os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=watch, daemon=True).start()
