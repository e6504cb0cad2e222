"""A study written down: a TOML file, as docs/how-to/study.md shows one.

An error names the place, the key, its value and what may stand there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sureshot.documents import TOML_BYTES, read_toml, whole_file
from sureshot.errors import InvalidInput, StorageError, SureshotError, unknown_name
from sureshot.lab.play.beliefs import AUTO, BeliefRecipe
from sureshot.lab.study.study import Contender, Study
from sureshot.plugins import looked_up
from sureshot.policies import get_policy
from sureshot.said import Field, Record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sureshot.lab.play.world import World
    from sureshot.policies.stopping import StoppingRule

__all__ = ["parse_study", "read_study"]

SETTINGS = ("name", "seed", "runs", "budget", "objective", "max_kg")
TABLES = ("world", "policy", "belief", "stopping")


def read_study(path: str | Path, **override: Any) -> Study:
    """The study in a TOML file; keywords that are not None (``seed``, ``runs``, ...) replace what it says."""
    _known("key", override, SETTINGS)
    file = Path(path)
    try:
        content = whole_file(file, TOML_BYTES)
    except OSError as error:
        raise StorageError(
            f"{file} can't be read ({error.strerror}): name a study file, such as study.toml."
        ) from error
    with _at(str(file)):
        study = parse_study(content, name=file.stem, folder=file.parent)
        return replace(study, **{key: value for key, value in override.items() if value is not None})


def parse_study(text: str | bytes, *, name: str = "study", folder: Path | None = None) -> Study:
    """The study that a TOML text describes; ``name`` is what it is called if it does not say.

    Tables that it names by a relative path lie in ``folder``, that of the file, or else where one is.
    """
    found = read_toml(text, "a study")
    _known("key", found, (*SETTINGS, *TABLES))
    tables = {kind: _tables(kind, found.get(kind, [])) for kind in TABLES}
    for kind in ("world", "policy"):
        if not tables[kind]:
            raise InvalidInput(f"a study must have at least one [[{kind}]]: add one, with its name.")
    worlds = [_world(number, table, folder or Path()) for number, table in enumerate(tables["world"], 1)]
    beliefs = [_belief(number, table) for number, table in enumerate(tables["belief"], 1)] or [AUTO]
    entered = [one for number, table in enumerate(tables["policy"], 1) for one in _policy(number, table, beliefs)]
    rules = [_stopping(number, table) for number, table in enumerate(tables["stopping"], 1)]
    settings = {"name": name} | {key: found[key] for key in SETTINGS if key in found}
    return Study(worlds=tuple(worlds), contenders=tuple(entered), stopping=tuple(rules), **settings)


def _world(number: int, table: dict[str, Any], folder: Path) -> World:
    from sureshot.lab.worlds import WORLDS, FunctionWorld, TableWorld, get_world

    with _at(f"[[world]] {number}"):
        name = _name(table, "world", WORLDS)
        if name == FunctionWorld.name:
            raise InvalidInput(
                f"world {name!r} needs a Python function, which no file holds: make this study in Python, or register "
                "a class of your own (register_world) and name that."
            )
        if name == TableWorld.name and isinstance(table.get("source"), str) and table["source"]:
            table["source"] = str(folder / table["source"])
        found = get_world(name, **table)
        if isinstance(found, TableWorld):
            found.fitted()  # what is wrong with a table is said here
        return found


def _policy(number: int, table: dict[str, Any], beliefs: list[BeliefRecipe]) -> list[Contender]:
    from sureshot.policies import POLICIES

    with _at(f"[[policy]] {number}"):
        name = _name(table, "policy", POLICIES)
        label = table.pop("label", "")
        wanted = table.pop("beliefs", None)
        if wanted is not None and (not isinstance(wanted, list) or not wanted):
            raise InvalidInput(f"beliefs must be a list of labels of beliefs, got {wanted!r}.")
        known = {one.label: one for one in beliefs}
        for one in wanted or ():
            if one not in list(known):
                raise unknown_name("belief", one, known)
        policy = get_policy(name, **table)
        return [Contender(policy, one, label) for one in beliefs if wanted is None or one.label in wanted]


def _belief(number: int, table: dict[str, Any]) -> BeliefRecipe:
    with _at(f"[[belief]] {number}"):
        _known("key", table, [one.name for one in fields(BeliefRecipe)])
        if "label" not in table:
            raise InvalidInput('a belief must have a label, such as label = "paper": rows carry it.')
        return BeliefRecipe(**table)


def _stopping(number: int, table: dict[str, Any]) -> StoppingRule:
    from sureshot.policies.stopping import STOPPING_RULES, stopping_of

    with _at(f"[[stopping]] {number}"):
        return stopping_of({"name": _name(table, "stopping rule", STOPPING_RULES), **table})


def _name(table: dict[str, Any], kind: str, choices: Mapping[str, object]) -> str:
    name = table.pop("name", None)
    if name is None:
        raise InvalidInput(f"a {kind} must have a name, one of {', '.join(map(repr, sorted(choices)))}.")
    looked_up(kind, name, choices)
    return str(name)


def _tables(kind: str, found: object) -> list[dict[str, Any]]:
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise InvalidInput(f"{kind} must be written as tables, [[{kind}]] with double brackets, got {found!r}.")
    return [dict(one) for one in found]


def _known(kind: str, found: Iterable[str], choices: Iterable[str]) -> None:
    for key in found:
        if key not in (known := tuple(choices)):
            raise unknown_name(kind, key, known)


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Say in which part of the file the error is; keys as they stand there."""
    try:
        yield
    except SureshotError as error:
        raise error.at(place).reworded(_key) from error


def _key(record: Record) -> str:
    return record.name if isinstance(record, Field) else str(record)
