"""Turns of those who decide: in order, kept up with by whoever is next, and left whatever happens."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress

import pytest
from sqlalchemy import text

from sureshot.storage import postgresql, turns
from sureshot.storage.sql import SqlStorage

Opened = Callable[..., SqlStorage]


def test_a_turn_comes_at_once_where_nobody_has_it(store: SqlStorage) -> None:
    asked: list[int] = []
    with store.turn(1, lambda: asked.append(1)):
        assert asked == []  # there was nothing to wait for
    with store.turn(1):
        pass


def test_whoever_is_next_keeps_up_until_it_is_their_turn(database_url: str, opened: Opened) -> None:
    one, other = opened(database_url), opened(database_url)
    told, kept, done = ["a"], list[str](), threading.Event()

    def meanwhile() -> None:
        kept.extend(told[len(kept) :])

    def wait() -> None:
        with other.turn(1, meanwhile):
            done.set()

    with one.turn(1):
        waiting = threading.Thread(target=wait)
        waiting.start()
        for word in "bc":
            while len(kept) < len(told):
                time.sleep(0.001)
            told.append(word)
        while len(kept) < len(told):
            time.sleep(0.001)
        assert not done.is_set()
    waiting.join(timeout=60)
    assert (done.is_set(), kept) == (True, ["a", "b", "c"])


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_who_fails_while_they_are_next_leaves_the_queue(
    database_url: str, opened: Opened, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    monkeypatch.setattr(turns, "PATIENCE", 3_600.0)
    one, other = opened(database_url), opened(database_url)

    def meanwhile() -> None:
        raise error

    with one.turn(1), pytest.raises(error), other.turn(1, meanwhile):
        raise AssertionError("it is not their turn")
    for store in (other, one):  # neither the turn nor the place behind it is held: else this test ends by its time
        with store.turn(1):
            pass


def test_they_come_in_the_order_in_which_they_asked(database_url: str, opened: Opened) -> None:
    stores, order = [opened(database_url) for _ in range(4)], list[int]()

    def wait(n: int) -> None:
        with suppress(Exception), stores[n].turn(1, lambda: None):
            order.append(n)

    threads = [threading.Thread(target=wait, args=(n,)) for n in (1, 2, 3)]
    with stores[0].turn(1):
        for one in threads:
            one.start()
            time.sleep(0.2)
    for one in threads:
        one.join(timeout=60)
    assert order == [1, 2, 3]


def test_whoever_waits_and_is_ended_leaves_nothing_at_the_server(postgres_url: str, opened: Opened) -> None:
    """The lock was asked for, and its answer is outstanding: it is taken back, and the connection with it."""
    one, other = opened(postgres_url), opened(postgres_url)

    def meanwhile() -> None:
        raise KeyboardInterrupt

    waiting = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
    with one.turn(1):
        with pytest.raises(KeyboardInterrupt), other.turn(1, meanwhile):
            raise AssertionError("it is not their turn")
        until = time.monotonic() + 30
        with one._backend.reading() as connection:
            while connection.scalar(waiting):
                assert time.monotonic() < until
    assert other.campaigns() == ()  # what its other connections are good for


@pytest.mark.parametrize("looks", ["often", "never"])
def test_a_turn_that_does_not_come_is_not_waited_for_for_ever(
    database_url: str, opened: Opened, monkeypatch: pytest.MonkeyPatch, looks: str
) -> None:
    monkeypatch.setattr(turns, "PATIENCE", 0.2)
    one, other = opened(database_url), opened(database_url)
    with one.turn(1), other.turn(1, (lambda: None) if looks == "often" else None):
        assert other.campaigns() == ()
    with other.turn(1):
        pass


def test_whoever_is_killed_while_they_wait_is_soon_no_longer_next(postgres_url: str, opened: Opened) -> None:
    one = opened(postgres_url)
    code = (
        "import sys; from sureshot.storage import open_storage\n"
        "with open_storage(sys.argv[1]).turn(1, lambda: print('next', flush=True)): pass"
    )
    waiting = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
    with one.turn(1):
        with subprocess.Popen([sys.executable, "-c", code, postgres_url], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"next\n"
            process.kill()
        until = time.monotonic() + 60
        with one._backend.reading() as connection:
            while connection.scalar(waiting):
                assert time.monotonic() < until
                time.sleep(0.05)


def test_threads_that_wait_leave_connections_to_those_who_have_a_turn(
    postgres_url: str, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql, "WAITING", 3)
    monkeypatch.setattr(postgresql, "POOL", {"pool_size": 5, "max_overflow": 0, "pool_timeout": 1})
    store, seen = opened(postgres_url), list[int]()

    def decide() -> None:
        with store.turn(1, store.campaigns):
            seen.append(len(store.campaigns()))

    threads = [threading.Thread(target=decide) for _ in range(12)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(timeout=60)
    assert seen == [0] * 12
