"""A campaign as a person writes it down, in a TOML file, a shell or a form: checked, and turned into what Python takes.

What was written is a dict of the options that were said, by name (:func:`~sureshot.campaign.fields`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sureshot.campaign.model.options import fields, option
from sureshot.documents import JSON_BYTES, TOML_BYTES, read_json, read_toml, whole_file
from sureshot.errors import InvalidInput, SureshotError, unknown_name
from sureshot.said import Call, Field, Record, Setting

if TYPE_CHECKING:
    from sureshot.space import Space

__all__ = ["columns_of", "context_value", "in_the_file", "read_recipe", "space_of", "understood"]


def read_recipe(path: Path) -> dict[str, Any]:
    """What a TOML file says; what is wrong in it is named by its key. Files in it lie beside it."""
    try:
        given = read_toml(whole_file(path, TOML_BYTES), path.name)
    except OSError as error:
        raise InvalidInput(f"{path} can't be read ({error.strerror}): check the path.") from error
    names = [one.name for one in fields()]
    for key, value in given.items():
        if key not in names:
            raise unknown_name("key", key, names).at(path.name)
        one = option(key)
        if not one.kind.holds(value):
            told = f"{key} must be {one.kind.says}, got {_toml(value)}"
            raise InvalidInput(told, field=key, value=value, fix=f"write {one.toml}", place=path.name)
    for key in ("candidates", "prior"):
        value = given.get(key)
        if isinstance(value, str) and (key == "candidates" or _is_file(value)):
            given[key] = str(path.parent / value)
    return given


def in_the_file(record: Record) -> str:
    """An input or a setting as it stands in a TOML file.

    >>> in_the_file(Field("budget")), in_the_file(Setting("link", "probit"))
    ('budget', 'link = "probit"')
    """
    if isinstance(record, Field):
        return record.name
    if isinstance(record, Setting) and record.name == "parameters":
        return option(record.name).toml
    return f"{record.name} = {_toml(record.value)}" if isinstance(record, Setting) else str(record)


def _toml(value: object) -> str:
    try:
        return json.dumps(value)
    except TypeError:
        return str(value)


def understood(said: Mapping[str, Any]) -> dict[str, Any]:
    """What was said, but for the name and the alternatives, as :meth:`~sureshot.campaign.Campaign.create` takes it."""
    parts = fields("cases", "words", "model", "aim", "keeping")
    found = {one.name: said[one.name] for one in parts if one.name in said}
    if "context" in found:
        found["context"] = {name: context_value(name, value) for name, value in found["context"].items()}
    if "cost" in found:
        found["cost"] = _number(found["cost"])
    if "worth" in found:
        found["worth"] = _number(found["worth"])
    if "prior" in found:
        found["prior"] = _prior(found["prior"])
    if "value" in found:
        found["value"] = found["value"].replace("-", " ")
    return found


def space_of(said: Mapping[str, Any]) -> Space:
    """The alternatives: of all parameters, in a file, or (where another program says it) in a ``table``."""
    from sureshot.space import Space

    where = said.get("where", ())
    if "table" in said:
        if "parameters" in said or "candidates" in said:
            raise InvalidInput("`table` has all parameters of the alternatives", fix="leave the others out")
        return Space.from_frame(said["table"], **_of_table(said))
    if ("candidates" in said) == bool(said.get("parameters")):
        raise InvalidInput(
            "alternatives must come from parameters or from a file, one of the two: write ",
            Setting("parameters", "power=8,10,12,14"),
            " for each parameter, or ",
            Setting("candidates", "FILE"),
            ".",
        )
    if "candidates" not in said:
        for name in ("without", "names", "id", "merge"):
            if name in said:
                raise InvalidInput(f"`{name}` is for a file of alternatives", value=said[name], fix="leave it out")
        return Space.grid(said["parameters"], where=where)
    return Space.read(said["candidates"], **_of_table(said))


def _of_table(said: Mapping[str, Any]) -> dict[str, Any]:
    """What was said of a table of alternatives."""
    return {
        "where": said.get("where", ()),
        "without": said.get("without", ()),
        "kinds": dict.fromkeys(said.get("names", ()), "category"),
        "duplicates": "merge" if said.get("merge") else "refuse",
        "id": said.get("id"),
    }


def columns_of(path: str | Path) -> tuple[str, ...]:
    """The headers of a file of alternatives, before any cell is judged."""
    from sureshot.space.tables.read import read_cells

    return tuple(read_cells(path).names)


def context_value(name: str, value: object) -> object:
    """How a context column is declared: ``18:90`` or ``20:40 C`` a range, ``bool``, or ``A,B`` names.

    >>> context_value("room", "20:40 C"), context_value("diabetic", "bool"), context_value("ward", "A,B")
    ((20.0, 40.0, 'C'), <class 'bool'>, ['A', 'B'])
    """
    from sureshot.space.tables.levels import usual_range  # loads NumPy, which the help of a command has no use for

    if not isinstance(value, str):
        both = isinstance(value, list) and len(value) == 2 and all(isinstance(v, int | float) for v in value)
        return tuple(value) if both and isinstance(value, list) else value
    if value.strip().lower() in ("bool", "boolean", "true,false", "false,true"):
        return bool
    if ":" in value:
        return usual_range(value, name=name)
    names = [one.strip() for one in value.split(",")]
    if len(set(names)) < 2:
        raise InvalidInput(
            f"context {name} must be a range such as 18:90, bool, or two names at least, such as A,B, got {value!r}."
        )
    return names


def _number(text: Any) -> Any:
    """A number if it is one; else as it is."""
    if not isinstance(text, str | int | float):
        return text
    try:
        return float(text)
    except (ValueError, OverflowError):  # a whole number may have more digits than a float holds
        return text


def _is_file(text: str) -> bool:
    return text != "auto" and isinstance(_number(text), str)


def _prior(given: str | float | Mapping[str, Any]) -> Any:
    """``auto``, a precision, or the posterior that another campaign exported: itself, or its file."""
    value = _number(given)
    if isinstance(value, int | float | Mapping) or value == "auto":
        return value
    try:
        found = read_json(whole_file(Path(value), JSON_BYTES), f"{value!r}")
        wrong = "" if isinstance(found, dict) else "which holds something else"
    except OSError as error:
        wrong = f"which can't be read: {error.strerror}"
    except SureshotError as error:
        error.field = "prior"
        raise
    if wrong:
        made = "`prior` must be auto, a precision such as 1.0, or a file made by ", Call("posterior")
        raise InvalidInput(*made, f", got {value!r}, {wrong}.")
    return found
