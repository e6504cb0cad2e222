"""Sharing candidates among threads.

Compiled code holds no lock, and its results don't depend on how candidates are shared. The threads stay: to start them
takes longer than most of what they are given.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache

import numpy as np
from numpy.typing import NDArray

__all__ = ["THREADED", "share", "threads_for"]

#: Candidates below which a second thread costs more than it brings.
THREADED = 1500


def share(work: Callable[[NDArray[np.intp]], None], who: NDArray[np.intp], *, each: int = 1) -> None:
    """Call ``work`` with the candidates ``who``, cut into one part for each thread. ``each`` says how much work a
    candidate is, in units of one belief looking one outcome ahead.
    """
    count = threads_for(each * len(who))
    if count == 1:
        work(who)
        return
    jobs = [_others(count - 1).submit(work, who[n::count].copy()) for n in range(1, count)]
    try:
        work(who[::count].copy())
    finally:
        wait(jobs)  # nobody may still write when this is over
    for job in jobs:
        job.result()


@cache
def _others(count: int) -> ThreadPoolExecutor:
    """So many threads beside the one that calls."""
    return ThreadPoolExecutor(count, thread_name_prefix="sureshot-lookahead")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_others.cache_clear)  # a copy of the process has no copies of the threads


def threads_for(candidates: int) -> int:
    """How many threads to share so many candidates among."""
    return _cores() if candidates >= THREADED else 1


def _cores() -> int:
    """The cores that this process may use, or as many as ``SURESHOT_THREADS`` says."""
    said = os.environ.get("SURESHOT_THREADS", "")
    if said.isdecimal() and int(said) > 0:
        return int(said)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)
