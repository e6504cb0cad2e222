"""How often somebody may try to log in: so many wrong tokens in a while from one address, and so many from all.

Nobody guesses 32 random bytes. The limit keeps a log readable and a program that goes on with a token that was taken
back from keeping the server busy. It never holds back whoever has a token that is right and sends it in the header.
"""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

__all__ = ["Attempts", "house_of"]

#: Seconds after which wrong tokens are forgotten.
WHILE = 300.0
#: Wrong tokens in that while.
FROM_ONE, FROM_ALL = 10, 500
#: Addresses that are remembered: the oldest are forgotten first.
ADDRESSES = 10_000


class Attempts:
    """Counts of wrong tokens, each since the first of its while."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._counts: OrderedDict[str, tuple[float, int]] = OrderedDict()
        self._all: tuple[float, int] = (clock(), 0)

    def wait(self, address: str | None) -> int:
        """Whole seconds until this address may try again; 0: now.

        >>> tries = Attempts(clock=lambda: 100.0)
        >>> for _ in range(FROM_ONE):
        ...     tries.wrong("192.0.2.7")
        >>> tries.wait("192.0.2.7"), tries.wait("192.0.2.8")
        (300, 0)
        """
        with self._lock:
            now = self._clock()
            since, count = self._counts.get(house_of(address), (now, 0))
            one = since + WHILE - now if count >= FROM_ONE else 0.0
            every = self._all[0] + WHILE - now if self._all[1] >= FROM_ALL else 0.0
        return max(0, -int(-max(one, every) // 1))

    def wrong(self, address: str | None) -> None:
        """Somebody there gave a wrong token."""
        with self._lock:
            now, house = self._clock(), house_of(address)
            self._counts[house] = _one_more(self._counts.get(house), now)
            self._counts.move_to_end(house)
            while len(self._counts) > ADDRESSES:
                self._counts.popitem(last=False)
            self._all = _one_more(self._all, now)


def _one_more(count: tuple[float, int] | None, now: float) -> tuple[float, int]:
    if count is None or now - count[0] >= WHILE:
        return now, 1
    return count[0], count[1] + 1


def house_of(address: str | None) -> str:
    """Whom an address counts for: in IPv6 one house has 2^64 of them.

    >>> house_of("192.0.2.7"), house_of("2001:db8:1:2:3:4:5:6"), house_of("::ffff:192.0.2.7"), house_of(None)
    ('192.0.2.7', '2001:db8:1:2::/64', '192.0.2.7', '')
    """
    try:
        found = ipaddress.ip_address(address or "")
    except ValueError:
        return (address or "")[:64]
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))
