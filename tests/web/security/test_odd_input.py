"""Odd input, everywhere: whatever is sent is answered or refused, and is never a fault of the server."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from sureshot import Actions, Campaign, Contexts, Space
from sureshot.storage import Storage
from tests.web.conftest import secret_of
from tests.web.routes import _routes, every_way

A = "/api/v1"
HALF = "a\ud800"  # half a character, which JSON can hold and UTF-8 can't
TEXTS = ["", HALF, "\x00", "x" * 5_000, "\u202eabc", "\x1b[31m", "٣", "NaN", "=1+1", "../x", "\U0001f4a9" * 60]
NUMBERS = [-1, 0, 1e150, -1e-320, 10**19, 10**400, float("nan"), float("inf"), -0.0, 2**63, True]
ODD: list[Any] = [*TEXTS, *NUMBERS, None, [], {}, [[]], {"": []}]
#: Bodies that are no JSON, or are read in several ways.
BROKEN = [
    b"", b"{", b"\xff\xfe", b"null", b"[]", b'"x"', b"NaN", b"[" * 50_000, b'{"a":' * 50_000, b"9" * 10_000,
    b'{"name": 1, "name": 2}', b'{"q": 1, "q": 2}', b"\xef\xbb\xbf{}", '{"q": 1}'.encode("utf-16"), b'{"q": 1e999}',
    b'{"q": ' + b"1" * 5_000 + b"}", b'{"q": 1}x',
]  # fmt: skip
#: Parts of an address in the place of a number.
PLACES = ["0", "-1", "1%00", "%D9%A3", "9223372036854775808", "9" * 5_000, "%ED%A0%80"]


@pytest.fixture
def odd(store: Storage, browser: TestClient) -> TestClient:
    """A server over a bench and a desk, each with a trial that was told and one that runs."""
    said: dict[str, Any] = {"success": "yes", "failure": "no", "policy": "random", "shape": "straight", "seed": 1}
    bench = Campaign.create("bench", Space.grid(power=[8, 10], gas=["Ar", "He"]), storage=store, **said)
    cases = Contexts(age=(18, 90), ward=["A", "B"])
    desk = Campaign.create("desk", Actions(["treat", "wait"]), context=cases, storage=store, **said)
    for one, case in ((bench, None), (desk, {"age": 61, "ward": "A"})):
        one.tell(one.ask(case), 1)
        one.ask(case)
    return browser


def bodies() -> list[tuple[str, str, Any]]:
    case, row = {"age": 61, "ward": "A"}, {"power": 8, "gas": "Ar"}
    return [
        ("POST", "/campaigns", {"name": "n", "parameters": {"power": [8, 10]}, "success": "s", "budget": 3, "seed": 1}),
        ("PATCH", "/campaigns/1", {"name": "bench", "archived": False}),
        ("POST", "/campaigns/1/trials", {"q": 1, "author": "Ann", "beyond_budget": True}),
        ("POST", "/campaigns/2/trials", {"q": 1, "context": case}),
        ("PUT", "/campaigns/1/trials/2/outcome", {"outcome": "yes", "of": None, "note": "x", "kind": None}),
        ("POST", "/campaigns/1/trials/2/abandon", {"note": "x", "author": "a"}),
        ("POST", "/campaigns/1/notes", {"text": "x", "trial": 1, "author": "a"}),
        ("POST", "/campaigns/1/experiments", {"alternative": row, "outcome": "yes", "of": None, "note": "n"}),
        ("POST", "/campaigns/2/experiments", {"alternative": 0, "outcome": 1, "context": case}),
        ("POST", "/campaigns/1/imports", {"table": [{**row, "outcome": "yes"}], "outcome": "outcome"}),
        ("POST", "/campaigns/1/outcomes", {"table": {"trial": [2], "outcome": ["yes"]}}),
        ("POST", "/campaigns/2/choices", {"cases": [case]}),
        ("POST", "/campaigns/1/predictions", {"rows": [0, row], "values": False}),
    ]


def changed(value: Any, new: Any) -> Iterator[Any]:
    """The value with each of its parts in turn as the new one; names too."""
    yield new
    if isinstance(value, dict):
        for key, one in value.items():
            yield from ({**value, key: other} for other in changed(one, new))
            if isinstance(new, str):
                yield {**value, new: one}
    elif isinstance(value, list):
        for i, one in enumerate(value):
            yield from ([*value[:i], other, *value[i + 1 :]] for other in changed(one, new))


@pytest.mark.parametrize("sent", bodies(), ids=lambda sent: f"{sent[0]} {sent[1]}")
def test_nothing_that_is_sent_is_a_fault(odd: TestClient, sent: tuple[str, str, Any]) -> None:
    method, path, body = sent
    json_type = {"content-type": "application/json"}
    every = [json.dumps(one).encode() for new in ODD for one in changed(body, new)]
    for one in (*every, *BROKEN):
        answer = odd.request(method, A + path, content=one, headers=json_type)
        assert answer.status_code < 500, (one[:200], answer.text)
        assert answer.status_code == 204 or answer.headers["content-type"] == "application/json"
        assert answer.status_code < 400 or set(answer.json()) == {"error"}
    for kind in (
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "application/json; charset=x",
    ):
        for one in (json.dumps(body).encode(), b"", b"\xff"):
            assert odd.request(method, A + path, content=one, headers={"content-type": kind}).status_code < 500


@pytest.mark.parametrize("name", ["idempotency-key", "if-match", "if-none-match", "cookie", "accept"])
def test_no_header_is_a_fault(odd: TestClient, name: str) -> None:
    odd_texts = [
        b"",
        b" ",
        b"*",
        b'"',
        b"W/",
        b'"1' * 500,
        b"\xff\xfe",
        b",,,",
        b"x" * 9_000,
        b"a,b",
        "é".encode(),
        b"-1",
    ]
    for method, path, body in (*bodies()[1:5], ("GET", "/campaigns/1", None), ("GET", "/campaigns/1/trials/1", None)):
        for text in odd_texts:
            answer = odd.request(method, A + path, json=body, headers={name.encode(): text})  # type: ignore[dict-item]
            assert answer.status_code < 500, (method, path, text, answer.text)
    for page in ("/", "/c/1", "/c/2/results", "/login"):
        for text in odd_texts:
            assert odd.get(page, headers={name.encode(): text}).status_code < 500, (page, text)  # type: ignore[dict-item]


def test_no_address_is_a_fault(odd: TestClient) -> None:
    secret = secret_of(odd.get("/").text)
    for path, methods in _routes(odd.app.routes):  # type: ignore[attr-defined]
        if "{" not in path:
            continue
        for place in PLACES:
            first = re.sub(r"{[^}]*}", place.replace("\\", ""), path, count=1)
            for one in {re.sub(r"{[^}]*}", "1", first), re.sub(r"{[^}]*}", place, path.replace("{number}", "1", 1))}:
                for method in methods - {"HEAD"}:
                    data = {"form": secret} if method == "POST" and "/api/" not in path else None
                    answer = odd.request(method, one, data=data, follow_redirects=False)
                    assert answer.status_code < 500, (method, one, answer.text)


@pytest.mark.parametrize(
    "name", ["context", "case.age", "case.ward", "to", "page", "done", "before", "limit", "cost", "by", "x", "q"]
)
def test_no_query_is_a_fault(odd: TestClient, name: str) -> None:
    cases = ["{", "{}", "[]", "null", '{"age": NaN}', '{"age": 1e999, "ward": "A"}', '{"ward": "\\ud800", "age": 1}']
    cases += ["[" * 20_000, '{"age": ' + "9" * 5_000 + "}", '{"age": 1, "age": 2}', '{"age": [1], "ward": {}}']
    texts = [*cases, "", "-1", "9" * 30, "1e9", "nan", "inf", "1e400", "٣", "%ED%A0%80", "%00", "%80", "%", "a" * 500]
    paths = ("/c/1", "/c/2", "/c/1/results", "/c/2/results", "/c/1/history", "/c/1/plate", "/c/2/pictures/effects.json")
    paths += tuple(f"{A}/campaigns/2/{one}" for one in ("best", "preview", "advice", "events", "trials"))
    for path in paths:
        for text in texts:
            asked = f"{path}?{name}={text}" if text.startswith("%") else path
            answer = odd.get(asked, params=None if asked != path else {name: text}, follow_redirects=False)
            assert answer.status_code < 500, (path, text[:100], answer.text)


@pytest.mark.parametrize(
    "text",
    ["", "a\x00b", "x" * 5_000, "\u202eabc", "1e400", "9" * 400, "٣", "nan", "-0", "\U0001f4a9" * 60],
    ids=range(10),
)
def test_no_form_is_a_fault(odd: TestClient, text: str) -> None:
    names = [
        "name",
        "q",
        "outcome",
        "of",
        "k",
        "n",
        "note",
        "text",
        "trial",
        "key",
        "back",
        "seen",
        "page",
        "who",
        "to",
    ]
    names += [
        "parameters.name",
        "parameters.levels",
        "where",
        "budget",
        "seed",
        "case.age",
        "case.ward",
        "old",
        "prior",
    ]
    names += ["level.power", "level.gas", "alternative", "token", "column.0", "cost"]
    some = [names, *([one] for one in ("q", "k", "trial", "seen", "old", "alternative", "parameters.levels"))]
    paths = ["/new", "/new/like", "/new/count", "/who", *(f"/c/1/{one}" for one in ("rename", "ask", "new", "note"))]
    paths += ["/c/2/case", "/c/2/ask", *(f"/c/1/trials/{one}" for one in ("2/tell", "1/correct", "1/withdraw"))]
    form = secret_of(odd.get("/").text)
    for path in paths:
        for one in some:
            data = {"form": form, "several": "yes", **dict.fromkeys(one, text)}
            answer = odd.post(path, data=data, follow_redirects=False)
            assert answer.status_code < 500, (path, one, answer.text)


def test_many_at_once_are_no_fault_and_each_is_recorded_once(odd: TestClient, store: Storage) -> None:
    """Files and forms, side by side."""
    secret, statuses = secret_of(odd.get("/new").text), list[int]()

    def sends(i: int) -> None:
        files = {"candidates": (f"{i}.csv", b"power,gas\n8,Ar\n10,He\n", "text/csv")}
        data = {"form": secret, "do": "create", "name": f"sent {i % 4}"}
        statuses.append(odd.post("/new", data=data, files=files, follow_redirects=False).status_code)

    threads = [threading.Thread(target=sends, args=(i,)) for i in range(12)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sorted(statuses) == [303] * 4 + [422] * 8
    assert sorted(one.name for one in store.campaigns())[2:] == [f"sent {i}" for i in range(4)]


def test_every_method_at_every_address_is_answered(odd: TestClient) -> None:
    for way in every_way(odd.app):  # type: ignore[arg-type]
        for method in ("HEAD", "OPTIONS", "TRACE", "PATCH", "DELETE", "PROPFIND"):
            assert odd.request(method, way.path, follow_redirects=False).status_code < 500, (method, way)
