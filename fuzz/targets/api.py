"""Requests to the HTTP API: a line with method and address, lines with headers, a blank line, and the body."""

from __future__ import annotations

import logging
import random
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from fuzz.mutating import mutated as changed
from fuzz.nested import inside

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

WORDS = [
    b"GET ", b"POST ", b"PUT ", b"PATCH ", b"DELETE ", b"/campaigns", b"/1", b"/2", b"/3", b"/trials", b"/best",
    b"/advice", b"/why", b"/predictions", b"/imports", b"/outcomes", b"/choices", b"/notes", b"/export", b"/posterior",
    b"/history", b"/events", b"/effects", b"?context=", b"?limit=", b"&after=", b"If-Match: ", b"Idempotency-Key: ",
    b"content-type: text/plain\n", b'"table"', b'{"age":61}',
]  # fmt: skip


def mutated(data: bytes, rng: random.Random) -> bytes:
    """Mostly another body, or another address."""
    head, blank, body = data.partition(b"\n\n")
    if not body or rng.random() < 0.25:
        return changed(head, rng, WORDS) + blank + body
    return head + blank + inside(body, rng)


def target(data: bytes) -> None:
    """What a server answers: never that something in it is wrong."""
    head, _, body = data.partition(b"\n\n")
    first, *lines = head.decode("utf-8", "replace").split("\n")
    method, _, address = first.partition(" ")
    named = [line.partition(": ") for line in lines]
    headers = {name.encode("ascii", "ignore"): value.encode() for name, _, value in named if name.isascii() and name}
    headers = {name: value for name, value in headers.items() if name.replace(b"-", b"").isalnum()}
    client, raised = _served()
    raised.clear()
    answer = client.request(
        method.upper() if method.isascii() and method.isalpha() else "POST",
        "/api/v1/" + quote(address[:4_000].lstrip("/"), safe="/?&=%"),
        content=body,
        headers={b"content-type": b"application/json", **headers},
    )
    if answer.status_code < 400 and method != "GET":
        _restored(client.app)
    if raised:
        raise raised[0]
    assert answer.status_code < 500, answer.text
    if answer.content and answer.headers["content-type"] == "application/json":
        answer.json()


@cache
def _served() -> tuple[TestClient, list[BaseException]]:
    """A server over the same campaigns for all inputs, and what went wrong in it."""
    from fastapi.testclient import TestClient

    from sureshot.storage import open_storage
    from sureshot.web import Settings, create_app

    raised: list[BaseException] = []

    class Noted(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.exc_info and record.exc_info[1] is not None:
                raised.append(record.exc_info[1])

    log = logging.getLogger("sureshot")
    log.handlers, log.propagate = [Noted()], False
    app = create_app(Settings(patience=60.0), open_storage(":memory:"))
    _restored(app)
    client = TestClient(app, base_url="http://localhost:8000", raise_server_exceptions=False)
    client.__enter__()  # for good: one loop for all inputs, not another thread for each
    return client, raised


def _restored(app: Any) -> None:
    """The campaigns as they were before the first input."""
    from fuzz.stored import campaigns
    from sureshot import Campaign
    from sureshot.storage import open_storage
    from sureshot.web.briefs import Briefs
    from sureshot.web.conditions import UnderWay
    from sureshot.web.opened import Opened

    store, settings = open_storage(":memory:"), app.state.settings
    for one in campaigns().values():
        Campaign.import_export({k: v for k, v in one.items() if k != "posterior"}, storage=store)
    app.state.opened.close()
    app.state.opened = Opened(store, settings.open_campaigns, settings.patience)
    app.state.briefs, app.state.under_way = Briefs(app.state.opened), UnderWay()
