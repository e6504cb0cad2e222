"""What names a store: a path or a URL, told from what is neither, and shown without its password."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sureshot.errors import InvalidInput
from sureshot.passwords import SECRET, SECRET_INSIDE, hidden

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

__all__ = [
    "FIX",
    "FORMS",
    "POSTGRESQL",
    "SQLITE",
    "holds_password",
    "password_apart",
    "read_url",
    "refuse_mistyped",
    "without_password",
]

FORMS = "a path such as 'sureshot.db', 'sqlite:///path', 'postgresql://user@host/database' or ':memory:'"
FIX = "name a file, or leave `storage` out for 'sureshot.db' in the working folder"
SQLITE = ("sqlite", "sqlite+pysqlite")
POSTGRESQL = ("postgresql", "postgres", "postgresql+psycopg")

#: What a URL begins with that somebody may have meant: one of a database, or of something else.
_SCHEME = (
    r"(?:jdbc:)?(?:postgres\w*|pg|pgsql|psql|sqlite\d?|mysql|mariadb|mssql|sqlserver|oracle|cockroach\w*|mongodb|"
    r"redis|duckdb|https?|file)(?:\+\w+)?"
)
_MISTYPED = (
    re.compile(rf"\W*{_SCHEME}\s*(?:[:;]|/{{2}}|\\)", re.IGNORECASE),  # postgres:ann@host, postgresql;//, postgresql//
    re.compile(r"(?!(?:/(?!/)|\.{1,2}/|~|[a-z]:[/\\])).*:.*@", re.IGNORECASE | re.DOTALL),  # ann:password@host
    re.compile(r"(?:.*\s)?(?:password|dbname)\s*=|\s*(?:host|hostaddr|user|service|port)\s*=", re.IGNORECASE),
)

#: A second parameter in the value of the first.
_JOINED = re.compile(r";\s*\w+=")


def refuse_mistyped(where: str) -> None:
    """Refuse a path that looks like the URL of a database: a file of that name would be made, its password in it. The
    error shows nothing of it, for any part of it may be the password.
    """
    if any(form.match(where) for form in _MISTYPED):
        raise InvalidInput(
            "a store must be a path or a URL, and `storage` (or SURESHOT_STORAGE) looks like a mistyped URL",
            fix="write postgresql://user@host/database, with the password in PGPASSWORD or ~/.pgpass, or "
            "sqlite:///path; if it is the name of a file, write ./ before it",
        )


def read_url(where: str) -> URL:
    """The parts of a URL; the error for one that can't be read shows no more than what it begins with."""
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    scheme = where.partition("://")[0].lower()
    called = f"this {scheme!r} URL" if re.fullmatch(r"[a-z][a-z0-9+]*", scheme) else "this URL"
    try:
        where.encode()
        found = make_url(where)
    except (ArgumentError, ValueError):
        raise InvalidInput(f"a store must be {FORMS}; {called} can't be read", fix=FIX) from None
    if scheme in POSTGRESQL and any("@" in (part or "") for part in (found.host, found.database)):
        raise InvalidInput(
            f"a store must be {FORMS}; {called} has more than one @",
            fix="write %40 for an @ in the name or the password, or keep the password in PGPASSWORD or ~/.pgpass",
        )
    if scheme in POSTGRESQL and any(_JOINED.search(str(text)) for text in found.query.values()):
        raise InvalidInput(f"a store must be {FORMS}; {called} has a ; between its parameters", fix="write & there")
    return found.set(drivername=scheme)


def password_apart(url: URL) -> tuple[URL, dict[str, str]]:
    """The URL of a PostgreSQL database as it may be shown, and what it says in secret, as the driver takes it."""
    from sqlalchemy.engine import URL

    given = {name: str(url.query[name]) for name in url.query}
    secret = {n: text for n, text in given.items() if SECRET.fullmatch(n) or SECRET_INSIDE.fullmatch(text)}
    bare = url.difference_update_query(secret)
    if url.password is not None:
        secret["password"] = str(url.password)
    secret = {name: text for name, text in secret.items() if text}  # an empty one would hide PGPASSWORD
    return URL.create(bare.drivername, bare.username, None, bare.host, bare.port, bare.database, bare.query), secret


def holds_password(where: str) -> bool:
    """Whether the name of a store says a password too.

    >>> holds_password("postgresql://ann:secret@host/lab"), holds_password("postgresql://ann@host/lab")
    (True, False)
    """
    return "://" in where and bool(password_apart(read_url(where))[1])


def without_password(where: str) -> str:
    """A store as it is shown, and as it is named again: its URL without the password.

    >>> without_password("postgresql://ann:secret@host/lab?password=x&connect_timeout=5"), without_password("lab.db")
    ('postgresql://ann@host/lab?connect_timeout=5', 'lab.db')
    """
    if "://" not in where:
        return where
    try:
        url = read_url(where)
    except InvalidInput:
        return hidden(where)
    return password_apart(url)[0].render_as_string() if url.drivername in POSTGRESQL else hidden(where)
