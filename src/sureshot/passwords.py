"""Passwords in the addresses of databases: left out of whatever is shown, logged or raised."""

from __future__ import annotations

import re

__all__ = ["SECRET", "SECRET_INSIDE", "hidden"]

#: Names of parameters that hold a secret; ``passfile`` names a file.
SECRET = re.compile(r"(?!passfile$).*(pass|pwd|secret|scram).*", re.IGNORECASE)

#: A value that has such a parameter in it, as ``options=-cpassword=...``.
SECRET_INSIDE = re.compile(r".*(pass(?!file)|pwd|secret|scram)\w*\s*=.*", re.IGNORECASE | re.DOTALL)

#: ``postgresql://ann:password@host``, also where it is mistyped: the password ends at the last @ of the word.
_IN_ADDRESS = re.compile(
    r"((?:\b[a-z][\w+.-]*:/+|\b(?:postgres|pgsql|psql|mysql|mariadb)[\w+]*[:;/\\]+)[^\s:/@\\]*):\S*@", re.IGNORECASE
)
#: ``?password=...`` at the end of one, and ``password=...`` among words as libpq takes them; also within another
#: parameter, and percent-encoded there.
_PARAMETER = re.compile(
    r"((?:(?<![\w-])|(?<=-c)|(?<=%3B)|(?<=%26)|(?<=%20))(?:(?:ssl)?pass(?:word|wd)?|pwd))"
    r"(\s*=\s*|%3D)('[^']*'|[^\s&;'\"]+)",
    re.IGNORECASE,
)


def hidden(text: str) -> str:
    """The text, with ``***`` for passwords of databases in it.

    >>> hidden("no store at postgresql://ann:p@ss@host/lab?sslpassword=x&port=1")
    'no store at postgresql://ann:***@host/lab?sslpassword=***&port=1'
    """
    if "@" in text:
        text = _IN_ADDRESS.sub(r"\1:***@", text)
    return _PARAMETER.sub(r"\1\2***", text) if "=" in text or "%3" in text else text
