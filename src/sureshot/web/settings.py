"""How the web app is run, as one record: what it serves, to whom, and how much it takes from a request."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from pathlib import Path

from sureshot.space.tables.limits import TableLimits

__all__ = ["LOOPBACK", "Settings", "bracketed", "is_loopback"]

#: Names under which a browser on this machine knows it.
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What ``sureshot serve`` is told. The defaults are for one person on one machine."""

    storage: str | None = field(default=None, repr=False)  # a file or a URL; None: sureshot.db, or SURESHOT_STORAGE
    host: str = "127.0.0.1"
    port: int = 8000
    tokens: Path | None = None  # the file with who may do what; None: everybody on this machine may do everything
    read_only: bool = False  # for a display on the wall
    names: tuple[str, ...] = ()  # other names that the server is known by: behind a proxy
    behind_proxy: bool = False  # a proxy that speaks HTTPS to browsers: cookies are for HTTPS only
    proxies: tuple[str, ...] = ("127.0.0.1", "::1")  # whose word on who asks is taken, where there is a proxy
    studies: Path | None = None  # a folder with results of studies, for the page of the lab
    upload_bytes: int = 20_000_000  # the largest request
    upload_rows: int = 1_000_000  # of a table in a file
    unpacked_bytes: int = 200_000_000  # of a file that is compressed, as .xlsx and .parquet are
    open_campaigns: int = 64  # kept in memory
    patience: float = 0.6  # seconds that a page waits for what takes long to work out, before it is shown without it

    @property
    def tables(self) -> TableLimits:
        """How large a table in a file may be that somebody sends."""
        return TableLimits(bytes=self.upload_bytes, rows=self.upload_rows, unpacked_bytes=self.unpacked_bytes)

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names by which it may be called: a page of another name that leads here is somebody's trick.

        >>> Settings(host="::1", names=("Bench.Example.Org",)).hosts[-2:]
        ('[::1]', 'bench.example.org')
        """
        own = () if self.everywhere else (bracketed(self.host).lower(),)
        return (*LOOPBACK, *own, *(one.lower() for one in self.names))

    @property
    def everywhere(self) -> bool:
        """Whether it listens at all addresses of the machine; then it may be called by any of them."""
        return self.host in ("0.0.0.0", "::")

    @property
    def address(self) -> str:
        """Where a browser on this machine finds it.

        >>> Settings().address, Settings(host="::1", port=80).address, Settings(host="0.0.0.0").address
        ('http://127.0.0.1:8000', 'http://[::1]:80', 'http://127.0.0.1:8000')
        """
        return f"http://{'127.0.0.1' if self.everywhere else bracketed(self.host)}:{self.port}"

    @property
    def front(self) -> str:
        """Where people find it: through the proxy, where there is one and its name was said.

        >>> Settings(names=("bench.example.org",), behind_proxy=True).front, Settings(behind_proxy=True).front
        ('https://bench.example.org', 'http://127.0.0.1:8000')
        """
        return f"https://{self.names[0]}" if self.behind_proxy and self.names else self.address


def bracketed(host: str) -> str:
    """An address as it stands in a URL: one of IPv6 in brackets."""
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0"), is_loopback("bench.example.org")
    (True, True, False, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
