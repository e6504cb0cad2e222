"""How a page is made: a template, filled with a campaign's answers. All text is escaped, whatever it says.

Forms are plain: they are posted, and what was done is shown by the page that the browser is led to then.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from typing import Any
from urllib.parse import urlencode

import jinja2
from fastapi import Request
from markupsafe import Markup
from starlette.datastructures import FormData
from starlette.responses import HTMLResponse, RedirectResponse, Response

from sureshot.campaign.answers import wording
from sureshot.errors import SureshotError
from sureshot.said import Text, said
from sureshot.space.tables.column import show
from sureshot.storage.fields import NOTE_LENGTH
from sureshot.web.pages.tied import tied
from sureshot.web.security.access import Forbidden, Person, person_of
from sureshot.web.security.session import FIELD
from sureshot.web.words import of_a_made_one, on_the_page, way_to

__all__ = ["form_of", "render", "to"]


def _words(text: object) -> str:
    """A sentence in the words of the page."""
    return said(str(text) if not isinstance(text, str) else text, on_the_page)


@jinja2.pass_context
def _caution(context: jinja2.runtime.Context, text: str, number: int) -> Markup:
    """What to beware of in the campaign of this number, as a sentence; what to do about it is a link to where that is
    done, for whoever may do it.
    """
    person = context.get("person")
    may = person is not None and person.may("admin")
    shown = Markup()
    for part in text.parts if isinstance(text, Text) else (text,):
        words = part if isinstance(part, str) else of_a_made_one(part)
        words = words if shown else f"{words[:1].upper()}{words[1:]}"
        way = None if isinstance(part, str) or not may else way_to(part, number)
        shown += words if way is None else Markup('<a href="{}">{}</a>').format(way, words)
    return shown + "."


_environment = jinja2.Environment(
    loader=jinja2.PackageLoader("sureshot.web"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=jinja2.StrictUndefined,
)
for _name in ("percent", "percents", "points", "chance", "count", "when", "case", "in_case", "sentence"):
    _environment.filters[_name] = getattr(wording, _name)
_environment.filters["words"] = _words
_environment.filters["caution"] = _caution
_environment.filters["shown"] = show
_environment.globals["note_length"] = NOTE_LENGTH


def render(
    request: Request, template: str, *, status_code: int = 200, tie: Iterable[str] = (), **data: Any
) -> Response:
    """The page of a template. Whoever looks at it gets a cookie, and its forms their secret.

    Numbers stay together with the units after them: those of the campaign whose page it is, and those to ``tie``.
    """
    sessions = request.app.state.sessions
    try:
        person: Person | None = person_of(request)
        session = person.session  # type: ignore[union-attr]
    except SureshotError:
        person, session = None, sessions.read(request)
    secret = Markup('<input type="hidden" name="{}" value="{}">').format(FIELD, sessions.form_secret(session))
    shown = {"request": request, "person": person, "secret": secret, "settings": request.app.state.settings}
    if "line" in data:
        pool = request.app.state.opened.spec(data["line"]).pool
        shown["contextual"], tie = pool.contextual, {*tie, *pool.units.values()}
    page = _environment.get_template(template).render(shown | data)
    response = HTMLResponse(tied(page, tie), status_code=status_code)
    sessions.write(response, session)
    return response


async def form_of(request: Request) -> AsyncIterator[FormData]:
    """What was posted, if it is from a form of ours; a dependency of every page that records something. Files in it are
    let go of afterwards.
    """
    async with request.form(max_files=1, max_fields=2_000) as given:
        session = request.app.state.sessions.read(request)
        if not request.app.state.sessions.is_own_form(session, str(given.get(FIELD, ""))):
            raise Forbidden(
                "this form is old or from elsewhere, and nothing was recorded",
                fix="go back, load the page again and send it once more",
            )
        yield given


def to(path: str, **query: object) -> RedirectResponse:
    """Lead the browser to another page, after something was recorded."""
    asked = urlencode({name: str(value) for name, value in query.items() if value is not None})
    return RedirectResponse(f"{path}?{asked}" if asked else path, status_code=303)
