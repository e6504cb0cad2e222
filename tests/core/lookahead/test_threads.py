"""Sharing candidates among threads."""

from __future__ import annotations

import os
import time

import numpy as np
import pytest

from sureshot.core.lookahead import threads


@pytest.mark.parametrize("cores", [1, 2, 3])
def test_every_candidate_is_worked_on_once(cores: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SURESHOT_THREADS", str(cores))
    done = np.zeros(threads.THREADED, dtype=int)

    def work(part: np.ndarray) -> None:
        done[part] += 1

    threads.share(work, np.arange(threads.THREADED))
    assert (done == 1).all()


def test_few_candidates_stay_in_one_thread_unless_each_is_much_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SURESHOT_THREADS", "4")
    parts = list[int]()
    threads.share(lambda part: parts.append(len(part)), np.arange(100))
    assert parts == [100]
    threads.share(lambda part: parts.append(len(part)), np.arange(100), each=20)
    assert parts[1:] == [25] * 4


def test_an_error_in_a_thread_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SURESHOT_THREADS", "2")
    with pytest.raises(IndexError):
        threads.share(lambda part: [1][part.size], np.arange(threads.THREADED))


def test_a_copy_of_the_process_starts_threads_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """A child that is forked has none of its parent's threads, and would wait for them for ever."""
    monkeypatch.setattr(threads, "_cores", lambda: 2)
    threads.share(lambda _: None, np.arange(threads.THREADED))
    child = os.fork()
    if not child:
        done: list[int] = []
        threads.share(lambda who: done.append(len(who)), np.arange(threads.THREADED))
        os._exit(0 if sum(done) == threads.THREADED else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_nobody_writes_any_more_when_one_part_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "_cores", lambda: 2)
    done: list[int] = []

    def work(who: np.ndarray) -> None:
        if who[0] == 0:
            raise KeyboardInterrupt
        time.sleep(0.05)
        done.append(len(who))

    with pytest.raises(KeyboardInterrupt):
        threads.share(work, np.arange(threads.THREADED))
    assert len(done) == 1
