"""What a request may bring, as types: checked before anything is done, and shown in the API's description.

The options of a campaign come from :func:`sureshot.campaign.fields`, with their sentences and examples. Nothing here
names a file: what the network sends is never a path.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, SkipValidation, create_model

from sureshot.campaign.importing import Blank, Repeated
from sureshot.campaign.model import options
from sureshot.campaign.model.options import Kind, Option, fields, option
from sureshot.errors import InvalidInput, unknown_name

__all__ = [
    "MOST_AT_ONCE",
    "Abandon",
    "Ask",
    "Cases",
    "Cell",
    "Change",
    "Copy",
    "Experiment",
    "Import",
    "Note",
    "Outcome",
    "Outcomes",
    "Recipe",
    "Rows",
    "recipe_said",
]

#: Trials of one request.
MOST_AT_ONCE = 1_000
#: Options that would name something on the server's machine.
_NOT_OVER_THE_NETWORK = {
    "candidates": "send the rows of the file as `table`",
    "storage": "campaigns are kept where the server keeps them",
}

Cell: TypeAlias = bool | int | float | str | None
Case: TypeAlias = dict[str, Cell]
Table: TypeAlias = Annotated[
    list[Case] | dict[str, list[Cell]],
    Field(description="A table: a list of rows, each an object, or an object of columns, each a list."),
]
Author: TypeAlias = Annotated[
    str | None,
    Field(description="Who records it; where there are tokens, it is always the name of the token."),
]
Result: TypeAlias = Annotated[
    bool | int | float | str,
    Field(description="A word of the campaign, true or false, 1 or 0; or how many successes, with `of`."),
]
Tries: TypeAlias = Annotated[int | None, Field(description="Of how many tries.", examples=[None, 10])]
Context: TypeAlias = Annotated[Case | None, Field(description="The case, where the campaign decides in contexts.")]


class Body(BaseModel):
    """Types as they are: "3" is not a number, and true is not 1. What is not known is refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Ask(Body):
    """Trials to hand out."""

    q: int = Field(default=1, ge=1, le=MOST_AT_ONCE, description="How many trials to run at once.")
    context: Context = None
    beyond_budget: bool = Field(
        default=False, description="Whether to ask though the budget is used or a stopping rule says stop."
    )
    author: Author = None


class Outcome(Body):
    """How a trial went."""

    outcome: Result
    of: Tries = None
    note: str | None = Field(default=None, description="A remark; kept only if something is recorded.")
    kind: Literal["told", "corrected"] | None = Field(
        default=None,
        description="`told`: it must be the first outcome; `corrected`: it must take the place of another, even if it "
        "is the same. If not said, whichever it is; the same outcome again records nothing.",
    )
    told_event: int | None = Field(
        default=None,
        description="The event of the outcome that is corrected, as the trial says it: then no `If-Match` is needed.",
    )
    author: Author = None


class Abandon(Body):
    """That a trial was not run, or that its outcome must not count."""

    note: str | None = Field(default=None, description="Why.")
    author: Author = None


class Note(Body):
    """A remark."""

    text: str
    trial: int | None = Field(default=None, description="The trial that it is about; none: the whole campaign.")
    author: Author = None


class Experiment(Body):
    """An experiment that was never asked."""

    alternative: int | str | Case = Field(description="Its row, its name, or its levels.")
    outcome: Result
    of: Tries = None
    context: Context = None
    note: str | None = None
    author: Author = None


class Import(Body):
    """Experiments that were never asked: all are recorded, or none."""

    table: Table
    outcome: str = Field(default="outcome", description="The column with the outcomes.")
    of: str | None = Field(default=None, description="The column that says of how many tries.")
    blank: Blank = Field(default="skip", description="What to do with rows without an outcome.")
    repeated: Repeated = Field(default="refuse", description="What to do with rows that were imported before.")
    author: Author = None


class Outcomes(Body):
    """The outcomes of trials, by their numbers: all are recorded, or none."""

    table: Table
    outcome: str | None = Field(default=None, description="The column with the outcomes; `outcome` if not said.")
    of: str | None = Field(default=None, description="The column that says of how many tries; `of` if not said.")
    author: Author = None


class Cases(Body):
    """Cases to choose in."""

    cases: Table


class Rows(Body):
    """Settings to predict: rows of the pool, or levels, which need not be in it."""

    rows: list[int | str | Case] | dict[str, list[Cell]]
    context: Context = None
    values: bool = Field(default=True, description="What a trial of each is worth, too, which takes longest.")


class Change(Body):
    """What to change about a campaign; what is not said stays."""

    name: str | None = None
    archived: bool | None = None


class Copy(Body):
    """A campaign to be made again, with all its events."""

    export: dict[str, Any] = Field(description="What `GET /campaigns/{c}/export` gave.")
    as_name: str | None = Field(default=None, description="Another name for it.")


_KINDS: dict[Kind, Any] = {
    options.TEXT: str,
    options.TEXTS: list[str],
    options.TABLE: dict[str, Any],
    options.WHOLE: int,
    options.NUMBER: float,
    options.FLAG: bool,
    options.COST: str | float,
    options.PRIOR: Literal["auto"] | float | dict[str, Any],
    options.POLICY: str | dict[str, Any],
}


def _declared(one: Option) -> tuple[Any, Any]:
    """The type of an option, and what is said of it."""
    kind = Literal[one.choices] if one.choices else _KINDS[one.kind]
    needed = one.name == "name"
    about: dict[str, Any] = {"description": one.says, "examples": [one.example]}
    if needed:
        return Annotated[kind, SkipValidation], Field(**about)
    return Annotated[kind | None, SkipValidation], Field(default=None, **about)


if TYPE_CHECKING:

    class Recipe(BaseModel):
        """The options of a campaign."""

else:
    Recipe = create_model(
        "Recipe",
        __doc__="A campaign to be made: its alternatives, as `parameters` or as a `table`, and its options.",
        __config__=ConfigDict(extra="allow", strict=True, json_schema_extra={"additionalProperties": False}),
        table=(
            Table | None,
            Field(default=None, description="The alternatives as rows or columns, in place of parameters."),
        ),
        **{one.name: _declared(one) for one in fields() if one.name not in _NOT_OVER_THE_NETWORK},
    )


def recipe_said(recipe: Recipe) -> dict[str, Any]:
    """The options that were said, each of its kind; one that is not known, or would name a file, is refused."""
    for name in recipe.model_extra or {}:
        if name in _NOT_OVER_THE_NETWORK:
            raise InvalidInput(f"`{name}` can't be said over the network", fix=_NOT_OVER_THE_NETWORK[name])
        raise unknown_name("option", name, type(recipe).model_fields, field=name)
    said = {name: getattr(recipe, name) for name in recipe.model_fields_set}
    for name, value in said.items():
        if value is not None and name != "table" and not _holds(option(name), value):
            one = option(name)
            raise InvalidInput(
                f"`{name}` must be {one.kind.says}", field=name, got=value, fix=f"write {json.dumps(one.example)}"
            )
    if said.get("name") is None:
        raise InvalidInput("`name` must be text", got=None, fix="choose one")
    if bool(said.get("parameters")) == (said.get("table") is not None):
        raise InvalidInput(
            "alternatives must come from `parameters` or from a `table`, one of the two",
            fix=f"write {json.dumps({'parameters': option('parameters').example})}",
        )
    return {name: value for name, value in said.items() if value is not None}


def _holds(one: Option, value: object) -> bool:
    """Whether a value is of the option's kind. What an earlier campaign learned is sent itself, not its file."""
    if one.name == "prior" and isinstance(value, str | dict):
        return value == "auto" or isinstance(value, dict)
    return one.kind.holds(value)
