"""What a form holds, read: text, whole numbers, and fields whose names say what they are about (``case.age``)."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.datastructures import FormData

from sureshot.errors import InvalidInput
from sureshot.web.pages.page import form_of

__all__ = ["Posted", "named", "text_of", "whole_of"]

#: A form of ours that was posted: a parameter of every route that records something.
Posted = Annotated[FormData, Depends(form_of)]


def text_of(form: FormData, name: str) -> str:
    """What was typed into a field, without spaces at the ends; nothing where there is no such field."""
    return str(form.get(name, "")).strip()


def whole_of(form: FormData, name: str, otherwise: int) -> int:
    """A whole number; ``otherwise`` where nothing was typed."""
    text = text_of(form, name)
    try:
        return int(text) if text else otherwise
    except ValueError:
        raise InvalidInput(f"`{name}` must be a whole number", got=text, fix="write digits only") from None


def named(form: FormData, prefix: str) -> dict[str, object] | None:
    """The fields whose names begin so, without that; None where there are none. What was left empty is left out."""
    given = {name.removeprefix(prefix): str(value).strip() for name, value in form.items() if name.startswith(prefix)}
    return {name: value for name, value in given.items() if value} if given else None
