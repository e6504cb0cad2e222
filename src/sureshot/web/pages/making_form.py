"""The form of a new campaign: what was typed, and what it says as a recipe (:mod:`sureshot.campaign.recipe`).

Each option is one field, read by its kind; parameters and cases are rows of a name and levels; a file has a choice for
each of its columns. Errors are kept by field, and so is everything that was typed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from starlette.datastructures import FormData

from sureshot.campaign.model.options import Option, fields, option
from sureshot.campaign.recipe import context_value, space_of
from sureshot.errors import InvalidInput, SureshotError
from sureshot.storage.fields import name_text
from sureshot.web.words import on_the_page

__all__ = ["AS", "FORM", "Typed", "changed", "errors_of", "name_of", "read_form", "said_of"]

#: What a column of a file can be said to be: the option that says it. Nothing: as it is read.
AS = ("names", "id", "without")
#: Options with a field of their own: all but those that are rows, a file, a choice of columns, or the server's.
_OTHERWISE = ("parameters", "candidates", "context", "storage", *AS)
FORM: tuple[Option, ...] = tuple(one for one in fields() if one.name not in _OTHERWISE)
#: Inputs by other names than their fields have.
_ALSO = {"duplicates": "merge", "kinds": "names", "as_name": "name"}
#: Rows that are shown at first, and the most that are read.
ROWS, MOST_ROWS = 3, 200

Row = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Typed:
    """All that was typed."""

    values: Mapping[str, str] = field(default_factory=dict)  # of the fields, by the names of options
    parameters: Sequence[Row] = (("", ""),) * ROWS
    context: Sequence[Row] = (("", ""),)
    columns: Sequence[str] = ()  # for each column of the file, what it was said to be
    token: str = ""  # of the file that was sent before
    errors: Mapping[str, str] = field(default_factory=dict)  # by field; "" is the whole form

    def wrong(self, place: str, error: SureshotError) -> Typed:
        """The same with an error at a field; that of the name comes first, as it does on the page."""
        new = {place: error.said(on_the_page)}
        return replace(self, errors={**new, **self.errors} if place == "name" else {**self.errors, **new})


def read_form(form: FormData) -> Typed:
    """What a form holds."""

    def texts(name: str) -> list[str]:
        return [one for one in form.getlist(name) if isinstance(one, str)][:MOST_ROWS]

    def rows(what: str) -> list[Row]:
        return list(zip(texts(f"{what}.name"), texts(f"{what}.levels"), strict=False))

    return Typed(
        values={one.name: str(form.get(one.name, "")) for one in FORM} | {"old": str(form.get("old", ""))},
        parameters=rows("parameters") or [("", "")] * ROWS,
        context=rows("context") or [("", "")],
        columns=[str(form.get(f"column.{i}", "")) for i in range(len([k for k in form if k.startswith("column.")]))],
        token=str(form.get("token", "")),
    )


def said_of(typed: Typed, headers: Sequence[str], path: str | None) -> tuple[dict[str, Any], Typed]:
    """What was said, as a recipe; and what was typed, with all errors that one field shows by itself."""
    said, wrong = _fields(typed, FORM)
    for what, check in (("parameters", _check_levels), ("context", context_value)):
        found: dict[str, str] = {}
        for i, (name, levels) in enumerate(getattr(typed, what)):
            if not name.strip() and not levels.strip():
                continue
            try:
                _check_row(name.strip(), levels.strip(), found)
                check(name.strip(), levels.strip())
                found[name.strip()] = levels.strip()
            except SureshotError as error:
                wrong[f"{what}.{i}"] = error
        if found:
            said[what] = found
    if path is not None:
        said["candidates"] = path
        chosen = list(zip(headers, typed.columns, strict=False))
        for name in ("without", "names"):
            if columns := [header for header, choice in chosen if choice == name]:
                said[name] = columns
        ids = [h for h, c in chosen if c == "id"]
        if len(ids) > 1:
            told = InvalidInput(f"one column names the rows, got {', '.join(ids)}", fix="leave the others out")
            wrong[f"column.{headers.index(ids[1])}"] = told
        elif ids:
            said["id"] = ids[0]
    for place, one in wrong.items():
        typed = typed.wrong(place, one)
    return said, typed


def name_of(typed: Typed) -> str:
    """The name that was typed."""
    name = typed.values.get("name", "").strip()
    if not name:
        raise InvalidInput(
            "a campaign must have a name, got none", field="name", fix=f"write {option('name').example}, for example"
        )
    return name_text(name)


def changed(typed: Typed) -> tuple[dict[str, Any], Typed]:
    """What is said anew of a campaign that is made from another."""
    said, wrong = _fields(typed, [one for one in FORM if one.changeable], anew=True)
    for place, one in wrong.items():
        typed = typed.wrong(place, one)
    return said, typed


@contextmanager
def errors_of(typed: Typed, headers: Sequence[str] = ()) -> Iterator[list[Typed]]:
    """Errors from within go to the field that they are about: the list holds what was typed, with them."""
    found = [typed]
    try:
        yield found
    except SureshotError as error:
        found[0] = typed.wrong(_place(error, typed, headers), error)


def _place(error: SureshotError, typed: Typed, headers: Sequence[str]) -> str:
    name = _ALSO.get(error.field or "", error.field or "")
    if name in AS:  # what a column is said to be: at that column, whatever it is called
        name = str(error.value)
    elif name in (*(one.name for one in FORM), "parameters", "context", "candidates", "old"):
        return name
    for i, header in enumerate(headers):
        if name in (header, header.partition(" (")[0], header.partition(" [")[0]):
            return f"column.{i}"
    for what in ("parameters", "context"):
        for i, (row, _) in enumerate(getattr(typed, what)):
            if name and row.strip() == name:
                return f"{what}.{i}"
    return ""


def _fields(
    typed: Typed, options: Iterable[Option], *, anew: bool = False
) -> tuple[dict[str, Any], dict[str, SureshotError]]:
    """What the fields say; one that is empty, or says what is so anyway, says nothing."""
    said: dict[str, Any] = {}
    wrong: dict[str, SureshotError] = {}
    for one in options:
        text = typed.values.get(one.name, "").strip()
        if not text or (text == one.usual and not anew):
            continue
        try:
            said[one.name] = _value(one, text)
        except SureshotError as error:
            wrong[one.name] = error
    return said, wrong


def _value(one: Option, text: str) -> Any:
    """What a field says, of its kind."""
    if one.name == "prior" and text != "auto":
        return _number(one, text, float)  # never a file: that would be one of the server's
    kinds = one.kind.types
    if kinds == (bool,):
        return text == "yes"
    if kinds == (list,):
        return [line.strip() for line in text.splitlines() if line.strip()]
    if kinds == (int,):
        return _number(one, text, int)
    return text if str in kinds else _number(one, text, float)


def _number(one: Option, text: str, kind: type[int] | type[float]) -> float:
    try:
        return kind(text.replace(",", "") if kind is int else text)
    except ValueError:
        says = "'auto' or a number" if one.name == "prior" else one.kind.says
        raise InvalidInput(f"`{one.name}` must be {says}", got=text, fix=f"write {one.example}, for example") from None


def _check_row(name: str, levels: str, found: Mapping[str, str]) -> None:
    if not name:
        raise InvalidInput("levels must have a name beside them, got none", value=levels, fix="write it")
    if not levels:
        raise InvalidInput(
            f"{name} must have levels beside it, got none", value=name, fix="write 8, 10, 12, for example"
        )
    if name in found:
        raise InvalidInput(
            f"a name must be there once, got {name!r} twice", value=name, fix="rename or empty one of them"
        )


def _check_levels(name: str, levels: str) -> None:
    space_of({"parameters": {name: levels}})
