"""What the API answers: the campaign's own records as JSON, each with its sentence in ``words``; and every refusal in
one shape.

The description of the API is made from the records too, so a field that is added to one is in both.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from typing import Annotated, Any, TypeAlias, TypeVar, get_type_hints

from fastapi import Path, Query, Request
from pydantic import BaseModel, ConfigDict, Field, create_model
from starlette.responses import Response

from sureshot.campaign import Campaign
from sureshot.documents import read_json
from sureshot.errors import InvalidInput, about
from sureshot.said import document
from sureshot.web.conditions import campaign_tag, is_known
from sureshot.web.json_answer import JsonAnswer
from sureshot.web.opened import Held
from sureshot.web.security.access import Person

__all__ = [
    "BRINGS",
    "TAGGED",
    "Answers",
    "Case",
    "Limit",
    "Number",
    "Refused",
    "TrialNumber",
    "answer",
    "author_of",
    "case_of",
    "list_of",
    "looked_at",
    "page",
    "part",
    "reached",
    "refusals",
    "shape",
    "shape_of",
    "shown",
    "spoken",
    "tagged",
    "unchanged",
    "whole",
]

T = TypeVar("T")
Answers: TypeAlias = dict[int | str, dict[str, Any]]
"""What a route may answer, by status."""

Number = Annotated[int, Path(ge=1, description="The number of the campaign in the store.", examples=[1])]
TrialNumber = Annotated[int, Path(ge=1, description="The number of the trial.", examples=[1])]
Limit = Annotated[int, Query(ge=1, le=1_000, description="How many at most.")]
Case = Annotated[
    str | None,
    Query(description='The case as a JSON object, where the campaign decides in contexts: `{"age": 61}`.'),
]


class Wrong(BaseModel):
    """What is wrong, and what to do."""

    kind: str = Field(description="The name of the error in Python.", examples=["InvalidInput"])
    message: str = Field(description="All of it in a sentence.")
    field: str | None = Field(description="The input that is wrong.")
    value: Any = Field(description="What was given for it.")
    fix: str | None = Field(description="What to do.")
    place: str | None = Field(description="Where in a table.")


class Refused(BaseModel):
    """Every refusal has this shape."""

    error: Wrong


_WHY = {
    401: "A token is needed.",
    403: "The token's role may not do this, or the server only shows.",
    404: "There is no such campaign, trial or name.",
    408: "The request came too slowly.",
    409: "It contradicts what is recorded: a name that is taken, a budget that is used, a second outcome; or the same "
    "request is under way (then `Retry-After` says when to come back).",
    412: "It was changed since it was read: `If-Match` has an old ETag.",
    413: "The request is too large.",
    422: "An input is wrong: `field` names it.",
    428: "It needs `If-Match` with the ETag of what you have seen.",
    429: "Too many wrong tokens.",
    503: "The store can't be used now.",
}
#: What any request may be told.
_ANY = (401, 404, 408, 422, 429, 503)
#: What one that brings something may be told besides.
BRINGS = (403, 409, 413)
TAGGED: dict[str, Any] = {"headers": {"ETag": {"description": "Names this state.", "schema": {"type": "string"}}}}


def refusals(*more: int) -> Answers:
    """The refusals of a route, as its description has them."""
    return {status: {"model": Refused, "description": _WHY[status]} for status in sorted({*_ANY, *more})}


def tagged(*more: int) -> Answers:
    """... of one whose answer has a tag, and is not sent again to whoever has it."""
    return {200: TAGGED, 304: {"description": "You have it already: nothing changed."}, **refusals(*more)}


def shape_of(record: type, **more: Any) -> type[BaseModel]:
    """A record's fields, and its sentence in ``words`` if it has one, as a type of the API."""
    hints = get_type_hints(record)
    own: dict[str, Any] = {one.name: (hints[one.name], ...) for one in fields(record) if one.init}
    if _speaks(record):
        own.setdefault("words", (str, Field(description="The whole of it in a sentence.")))
    return shape(record.__name__, record.__doc__ or "", **more, **own)


def shape(name: str, about: str, /, **fields: Any) -> type[BaseModel]:
    """A type of the API, of fields and what is said of them."""
    return create_model(name, __doc__=about, __config__=ConfigDict(protected_namespaces=()), **fields)


def list_of(one: Any) -> Any:
    """A list of a type that was made here."""
    return list[one]


def page(name: str, about: str, /, **items: Any) -> type[BaseModel]:
    """Some of many, and where the next begin."""
    listed: dict[str, Any] = {key: (list_of(one), ...) for key, one in items.items()}
    after = (
        int | None,
        Field(description="Where the next request goes on (`after`, `before`); null: that was all."),
    )
    return shape(name, about, next=after, **listed)


def spoken(record: Any) -> Any:
    """A record as JSON, with its sentence."""
    if is_dataclass(record) and _speaks(type(record)):
        return {"words": str(record), **document(record)}  # a record's own words stay
    return document(record)


def _speaks(record: type) -> bool:
    """Whether a record says itself in a sentence."""
    return "__str__" in {name for one in record.__mro__[:-1] for name in vars(one)}


def answer(value: object, *, tag: str | None = None, status: int = 200, **headers: str) -> Response:
    """A document as it is sent."""
    more = {name.replace("_", "-"): one for name, one in headers.items()}
    return JsonAnswer(value, status_code=status, headers=more | _tag(tag))


def unchanged(request: Request, tag: str) -> Response | None:
    """The answer to whoever has the state of this tag already; None to all others."""
    return Response(status_code=304, headers=_tag(tag)) if is_known(request, tag) else None


def _tag(tag: str | None) -> dict[str, str]:
    """How an answer is kept by the caller: asked for again each time, with its tag."""
    return {} if tag is None else {"ETag": tag, "Cache-Control": "private, no-cache"}


def part(every: Sequence[T], limit: int, number: Callable[[T], int]) -> tuple[Sequence[T], int | None]:
    """The first so many, and the number of the last of them if others follow."""
    some = every[:limit]
    return some, number(some[-1]) if len(every) > limit else None


@contextmanager
def reached(request: Request, number: int) -> Iterator[Held]:
    """The campaign that the address names, to record something. A name that is not known from here on was sent."""
    with request.app.state.opened.use(number) as held:
        request.state.reached = True
        yield held


@contextmanager
def looked_at(request: Request, number: int) -> Iterator[Held]:
    """... to look at, for as long as it takes: who records something does not wait for it."""
    with request.app.state.opened.looking(number) as held:
        request.state.reached = True
        yield held


def shown(request: Request, number: int, key: Hashable, compute: Callable[[Campaign], object]) -> Response:
    """What a campaign answers; nothing, to whoever has it already. Under a key, it is kept until the next event."""
    found = whole(request, number, key, compute)
    return found if isinstance(found, Response) else answer(spoken(found[0]), tag=found[1])


def whole(request: Request, number: int, key: Hashable, compute: Callable[[Campaign], T]) -> Response | tuple[T, str]:
    """... as the campaign gave it, with its tag."""
    with looked_at(request, number) as held:
        tag = campaign_tag(held)
        known = unchanged(request, tag)
        if known is not None:
            return known
        if key is None:
            return compute(held.campaign), tag
        return held.answer(("api", key), lambda: compute(held.campaign)), tag


def case_of(text: str | None) -> Mapping[str, Any] | None:
    """The case in a query.

    >>> case_of('{"age": 61}')
    {'age': 61}
    """
    if text is None:
        return None
    with about("context"):
        found = read_json(text, "the context")
    if not isinstance(found, dict):
        raise InvalidInput("`context` must be a JSON object", got=text, fix='write {"age": 61}')
    return found


def author_of(request: Request, person: Person, given: str | None) -> str | None:
    """Who records something: the name of the token; where there are none, whoever they say they are."""
    return person.name if request.app.state.tokens is not None or given is None else given
