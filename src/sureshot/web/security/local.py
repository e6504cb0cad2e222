"""Addresses that lead nowhere but here."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.types import Scope

__all__ = ["local", "path_of"]

#: A longer one was not made by a page of ours.
LONGEST = 2_000


def local(path: str) -> str:
    r"""The path, if a browser that is led there stays here; else the first page.

    >>> local("/c/1?done=3"), local("//evil.example"), local("/\\evil.example"), local("https://evil.example")
    ('/c/1?done=3', '/', '/', '/')
    """
    try:
        found = urlsplit(path)
    except ValueError:
        return "/"
    ours = path.startswith("/") and not path.startswith("//") and not found.scheme and not found.netloc
    plain = path.isascii() and path.isprintable() and "\\" not in path and len(path) <= LONGEST
    return path if ours and plain else "/"


def path_of(scope: Scope) -> str:
    """The address of a request as it was asked for, with its query."""
    raw = scope.get("raw_path") or scope["path"].encode()
    query = scope.get("query_string") or b""
    whole: bytes = raw + (b"?" + query if query else b"")
    return whole.decode("ascii", errors="replace")
