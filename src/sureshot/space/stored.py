"""What a stored space must be to be read, and how all that is stored of alternatives and features is: of a known
version, each part as ``to_dict`` wrote it (:mod:`sureshot.schema`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sureshot.errors import InvalidInput, SureshotError
from sureshot.schema import (
    ANYTHING,
    FIX,
    FLAG,
    TEXT,
    WORD,
    different,
    inside,
    listed,
    maybe,
    numbers,
    one_of,
    record,
    shown,
    wholes,
    wrong,
)
from sureshot.space.tables.column import KINDS
from sureshot.space.tables.levels import MAX_LEVELS

__all__ = ["check_levels", "check_space", "reading"]

_LEVELS = {"name": WORD, "kind": one_of(KINDS), "unit": TEXT, "levels": listed(ANYTHING, most=MAX_LEVELS)}
_HEAD = {
    "where": listed(TEXT),
    "notes": listed(TEXT),
    "hash": TEXT,
}
_NAMES = {"row_names": maybe(record({"column": WORD, "names": listed(WORD)}))}
_GRID = record({**_HEAD, "grid": listed(record(_LEVELS), least=1)}, _NAMES)
_TABLE = record({**_HEAD, "table": listed(record({**_LEVELS, "codes": listed(ANYTHING)}), least=1)}, _NAMES)


@contextmanager
def reading(what: str, stored: Mapping[str, Any], at: str, versions: tuple[int, ...] = (1,)) -> Iterator[None]:
    """Refuse another version; what goes wrong within is an error about the stored ``what``, which stands ``at``."""
    if not isinstance(stored, Mapping):
        raise wrong(at, f"a stored {what} must be an object with keys", stored)
    with inside(at):
        version = stored.get("version")
        if type(version) is not int or version not in versions:
            raise InvalidInput(
                f"a stored {what} must be of version {' or '.join(map(str, versions))}, got {shown(version)}",
                fix="update sureshot",
            )
        try:
            yield
        except SureshotError:
            raise
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise InvalidInput(
                f"a stored {what} must be what to_dict wrote, and is not ({error!r})", fix=FIX
            ) from error


def check_space(stored: Mapping[str, Any], at: str) -> None:
    """Refuse what no space has written."""
    part, rule = ("grid", _GRID) if "grid" in stored else ("table", _TABLE)
    rule(stored, at)
    columns = stored[part]
    different([one["name"] for one in columns], f"{at}.{part}", "names")
    for i, one in enumerate(columns):
        check_levels(one, f"{at}.{part}[{i}]", least=1)
    called = stored.get("row_names")
    if part == "table":
        rows = len(columns[0]["codes"])
        if not rows:
            raise wrong(f"{at}.table[0].codes", "must be a list of at least 1", [])
        for i, one in enumerate(columns):
            known = 2 if one["kind"] == "boolean" else len(one["levels"])
            wholes(n=rows, least=0, most=known - 1)(one["codes"], f"{at}.table[{i}].codes")
        if called is not None:
            listed(WORD, least=rows, most=rows)(called["names"], f"{at}.row_names.names")
            different(called["names"], f"{at}.row_names.names", "names")


def check_levels(stored: Mapping[str, Any], at: str, *, least: int) -> None:
    """Refuse levels that are not of their kind, or that are there twice."""
    levels, path = stored["levels"], f"{at}.levels"
    kinds = {"number": numbers(), "category": listed(TEXT), "boolean": listed(FLAG)}
    if len(levels) < least:
        raise wrong(path, f"must be a list of at least {least}", levels)
    kinds[stored["kind"]](levels, path)
    different(levels, path, "levels")
