"""What ``sureshot new`` makes a campaign of: options, answers to questions or a TOML file, all as one recipe."""

from __future__ import annotations

import json
import tomllib
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sureshot.cli.session import leaving_out
from sureshot.errors import InvalidInput, unknown_name

if TYPE_CHECKING:
    from sureshot.campaign import Campaign
    from sureshot.space import Space

__all__ = ["Recipe", "context_value", "create", "model_and_aim", "read_recipe"]

_WORD, _WHOLE, _NUMBER, _LIST, _TABLE, _FLAG, _NAMED = (
    "text",
    "a whole number",
    "a number",
    "a list of texts",
    "a table",
    "true or false",
    "a name or a table",
)
#: What each key of a TOML file holds, and an example.
KEYS = {
    "name": (_WORD, '"nanotubes"'),
    "parameters": (_TABLE, "power = [8, 10, 12, 14] under [parameters]"),
    "candidates": (_WORD, '"candidates.csv"'),
    "where": (_LIST, '["power * time <= 40"]'),
    "without": (_LIST, '["sample"]'),
    "names": (_LIST, '["batch"]'),
    "merge": (_FLAG, "true"),
    "context": (_TABLE, 'age = "18:90" under [context]'),
    "interactions": (_FLAG, "true"),
    "shape": (_WORD, '"auto"'),
    "formula": (_WORD, '"power * ethylene + catalyst"'),
    "success": (_WORD, '"single-walled"'),
    "failure": (_WORD, '"double-walled"'),
    "objective": (_WORD, '"offline"'),
    "budget": (_WHOLE, "30"),
    "discount": (_NUMBER, "0.99"),
    "cost": ("a number or the name of a column", '"price"'),
    "prior": ('"auto", a number or a file', '"auto"'),
    "link": (_WORD, '"logit"'),
    "value": (_WORD, '"seen contexts"'),
    "policy": (_NAMED, '"thompson", or name and parameters under [policy]'),
    "seed": (_WHOLE, "7"),
    "storage": (_WORD, '"sureshot.db"'),
}


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that a campaign may be made of; None is "not said"."""

    name: str | None = None
    parameters: Mapping[str, Any] | None = None
    candidates: str | None = None
    where: list[str] | None = None
    without: list[str] | None = None
    names: list[str] | None = None
    merge: bool | None = None
    context: Mapping[str, Any] | None = None
    interactions: bool | None = None
    shape: str | None = None
    formula: str | None = None
    success: str | None = None
    failure: str | None = None
    objective: str | None = None
    budget: int | None = None
    discount: float | None = None
    cost: str | float | None = None
    prior: str | float | None = None
    link: str | None = None
    value: str | None = None
    policy: str | Mapping[str, Any] | None = None
    seed: int | None = None
    storage: str | None = None

    def but(self, **given: Any) -> Recipe:
        """The same recipe with what was given on the command line in its place."""
        return replace(self, **{key: value for key, value in given.items() if value not in (None, [], {})})


_TYPES: dict[str, tuple[type, ...]] = {
    _WORD: (str,),
    _WHOLE: (int,),
    _NUMBER: (int, float),
    _LIST: (list,),
    _TABLE: (dict,),
    _FLAG: (bool,),
    _NAMED: (str, dict),
}


def read_recipe(path: Path) -> Recipe:
    """The recipe in a TOML file; what is wrong in it is named by its key. Files in it lie beside it."""
    try:
        with path.open("rb") as stream:
            given = tomllib.load(stream)
    except OSError as error:
        raise InvalidInput(f"{path} can't be read ({error.strerror}): check the path.") from error
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{path.name} must be TOML in UTF-8, got byte {error.start}: save it as UTF-8.") from error
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"{path.name} must be TOML: {error}.") from error
    for key, value in given.items():
        if key not in KEYS:
            raise unknown_name("key", key, KEYS).at(path.name)
        _check(path, key, value)
    for key in ("candidates", "prior"):
        value = given.get(key)
        if isinstance(value, str) and (key == "candidates" or _is_file(value)):
            given[key] = str(path.parent / value)
    return Recipe(**given)


def _check(path: Path, key: str, value: object) -> None:
    kind, example = KEYS[key]
    wanted = _TYPES.get(kind, (str, int, float))
    right = isinstance(value, wanted) and (isinstance(value, bool) == (wanted == (bool,)))
    if right and isinstance(value, list):
        right = all(isinstance(one, str) for one in value)
    if not right:
        fix = example if kind == _TABLE else f"{key} = {example}"
        raise InvalidInput(
            f"{key} must be {kind}, got {_toml(value)}", field=key, value=value, fix=f"write {fix}", place=path.name
        )


def _toml(value: object) -> str:
    try:
        return json.dumps(value)
    except TypeError:
        return str(value)


def create(recipe: Recipe) -> Campaign:
    """Make the campaign, in its store."""
    from sureshot.campaign import Campaign

    if recipe.name is None:
        raise InvalidInput(
            'a campaign must have a name, got none: write sureshot new NAME, or name = "..." in the file.'
        )
    said = model_and_aim(recipe)
    for key in ("success", "failure"):
        if getattr(recipe, key) is not None:
            said[key] = getattr(recipe, key)
    if recipe.context is not None:
        said["context"] = {name: context_value(name, value) for name, value in recipe.context.items()}
    space = _space(recipe)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "without interactions")  # a note on the screen says it
        return Campaign.create(recipe.name, space, storage=recipe.storage, **said)


def model_and_aim(recipe: Recipe) -> dict[str, Any]:
    """What is said about the model and the aim, as Python takes it: what may also be said anew of an old campaign."""
    said = {
        key: value
        for key in ("shape", "formula", "objective", "budget", "discount", "link", "policy", "seed", "interactions")
        if (value := getattr(recipe, key)) is not None
    }
    if recipe.cost is not None:
        said["cost"] = _number(recipe.cost)
    if recipe.prior is not None:
        said["prior"] = _prior(recipe.prior)
    if recipe.value is not None:
        said["value"] = recipe.value.replace("-", " ")
    return said


def _space(recipe: Recipe) -> Space:
    from sureshot.space import Space

    where = recipe.where or ()
    if (recipe.candidates is None) == (not recipe.parameters):
        raise InvalidInput(
            "alternatives must come from parameters or from a file, one of the two: write --param power=8,10,12,14 "
            "for each parameter, or --candidates FILE."
        )
    if recipe.candidates is not None:
        with leaving_out():
            return Space.read(
                recipe.candidates,
                where=where,
                without=recipe.without or (),
                kinds=dict.fromkeys(recipe.names or (), "category"),
                duplicates="merge" if recipe.merge else "refuse",
            )
    return Space.grid(recipe.parameters, where=where)


def context_value(name: str, value: object) -> object:
    """How a context column is declared: ``18:90`` a range, ``bool``, or ``A,B`` names.

    >>> context_value("age", "18:90"), context_value("diabetic", "bool"), context_value("ward", "A,B")
    ((18.0, 90.0), <class 'bool'>, ['A', 'B'])
    """
    if not isinstance(value, str):
        both = isinstance(value, list) and len(value) == 2 and all(isinstance(v, int | float) for v in value)
        return tuple(value) if both and isinstance(value, list) else value
    if value.strip().lower() in ("bool", "boolean", "true,false", "false,true"):
        return bool
    low, colon, high = value.partition(":")
    if colon:
        try:
            return float(low), float(high)
        except ValueError:
            raise InvalidInput(f"the range of {name} must be low:high, got {value!r}: for example 18:90.") from None
    names = [one.strip() for one in value.split(",")]
    if len(set(names)) < 2:
        raise InvalidInput(
            f"context {name} must be a range such as 18:90, bool, or two names at least, such as A,B, got {value!r}."
        )
    return names


def _number(text: str | float) -> str | float:
    try:
        return float(text)
    except ValueError:
        return text


def _is_file(text: str) -> bool:
    return text != "auto" and isinstance(_number(text), str)


def _prior(given: str | float) -> Any:
    """``auto``, a precision, or the posterior that another campaign exported."""
    value = _number(given)
    if isinstance(value, float) or value == "auto":
        return value
    path = Path(value)
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidInput(
            f"--prior must be auto, a precision such as 1.0, or a file made by sureshot export --posterior, got "
            f"{value!r} ({error.strerror})."
        ) from error
    except ValueError as error:
        raise InvalidInput(
            f"{path.name} must be JSON made by sureshot export --posterior, and is not: {error}."
        ) from error
    if not isinstance(found, dict):
        raise InvalidInput(f"{path.name} must be made by sureshot export --posterior, got something else in it.")
    return found
