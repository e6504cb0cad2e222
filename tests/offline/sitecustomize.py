"""Refuses to call other machines, in every Python process of a test run.

Python loads a module of this name by itself when it starts, where it finds one: so this folder stands in PYTHONPATH
while tests run (:mod:`tests.offline.plugin`), and processes that tests start have it too. A call is refused as on a
machine without a network, and written into the file that ``SURESHOT_TESTS_CALLED`` names: a test fails by what it
called, though somebody caught the error.

It sees what goes through Python's own sockets. What a library calls in C is not seen, nor what a browser does.
"""

from __future__ import annotations

import errno
import os
import sys

__all__ = ["RECORD", "refuse_others"]

#: The environment variable that names the file.
RECORD = "SURESHOT_TESTS_CALLED"
#: What leads nowhere but here: names, and how numbers of this machine begin.
_NAMES = ("", "localhost", "localhost.localdomain", "ip6-localhost", "0.0.0.0", "::", "::1")
_BEGINNINGS = ("127.", "::ffff:127.")


def refuse_others() -> None:
    """Watch all that this process calls from now on."""
    sys.addaudithook(_watch)


def _watch(event: str, given: tuple) -> None:  # type: ignore[type-arg]  # `typing` takes longer to load than all else
    if not event.startswith("socket."):  # of very many events
        return
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        taken, address = given
        if taken.family.name in ("AF_INET", "AF_INET6") and address is not None and not _here(address[0]):
            _refuse(f"{address[0]} port {address[1]}")
    elif event == "socket.getaddrinfo":
        if not _here(given[0]) and not _is_number(given[0]):
            _refuse(f"the name server, about {_text(given[0])}")
    elif event in ("socket.gethostbyname", "socket.gethostbyaddr") and not _here(given[0]):
        _refuse(f"the name server, about {_text(given[0])}")


def _here(host: object) -> bool:
    """Whether a host is this machine."""
    name = "" if host is None else _text(host).lower().partition("%")[0]
    return name in _NAMES or name.startswith(_BEGINNINGS) or name == os.uname().nodename.lower()


def _is_number(host: object) -> bool:
    """Whether it is an address already, about which nobody is asked."""
    import ipaddress

    try:
        ipaddress.ip_address(_text(host).partition("%")[0])
    except ValueError:
        return False
    return True


def _text(host: object) -> str:
    return host.decode("ascii", "replace") if isinstance(host, bytes | bytearray) else str(host)


def _refuse(whom: str) -> None:
    record = os.environ.get(RECORD)
    if record:
        with open(record, "a", encoding="utf-8") as file:
            file.write(f"{whom}, by {' '.join(sys.argv)[:200]!r}\n")
    raise OSError(errno.ENETUNREACH, f"a test may not call {whom}: only this machine")


refuse_others()
