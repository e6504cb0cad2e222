"""How often wrong tokens may be tried: from one address, from all, and in how much memory."""

from __future__ import annotations

from sureshot.web.security import attempts
from sureshot.web.security.attempts import ADDRESSES, FROM_ALL, FROM_ONE, WHILE, Attempts


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


def test_one_address_waits_and_then_may_again() -> None:
    clock = Clock()
    tries = Attempts(clock)
    for _ in range(FROM_ONE):
        assert tries.wait("192.0.2.7") == 0
        tries.wrong("192.0.2.7")
    assert tries.wait("192.0.2.7") == WHILE
    assert tries.wait("192.0.2.8") == 0
    clock.now += WHILE - 0.5
    assert tries.wait("192.0.2.7") == 1
    clock.now += 0.5
    assert tries.wait("192.0.2.7") == 0
    tries.wrong("192.0.2.7")
    assert tries.wait("192.0.2.7") == 0


def test_all_together_have_a_limit_too() -> None:
    clock = Clock()
    tries = Attempts(clock)
    for i in range(FROM_ALL):
        tries.wrong(f"192.0.2.{i % 250}")
    assert tries.wait("198.51.100.1") == WHILE
    clock.now += WHILE
    assert tries.wait("198.51.100.1") == 0


def test_addresses_are_forgotten_when_there_are_many() -> None:
    tries = Attempts(Clock())
    for i in range(ADDRESSES + 500):
        tries.wrong(f"10.{i >> 16}.{i >> 8 & 255}.{i & 255}")
    assert len(tries._counts) == ADDRESSES


def test_one_house_has_many_addresses() -> None:
    assert attempts.house_of("2001:db8::1") == attempts.house_of("2001:db8::ffff") != attempts.house_of("2001:db8:1::1")
    assert len(attempts.house_of("x" * 10_000)) <= 64
