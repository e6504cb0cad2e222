"""The API against its own description: whatever is sent, nothing breaks, and every answer is one that is described."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from sureshot import Actions, Campaign, Contexts, Space
from sureshot.storage import open_storage
from sureshot.web import Settings, create_app

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
CONTEXT = '{"age": 61, "ward": "A"}'


def _app() -> FastAPI:
    """A server over a store with a campaign of each sort, neither of which takes long to answer."""
    store = open_storage(":memory:")
    grid = Space.grid(power=[8, 10], gas=["Ar", "He"])
    tubes = Campaign.create("tubes", grid, policy="random", shape="straight", seed=1, storage=store)
    tubes.ask_batch(2)
    tubes.tell(1, "success")
    tubes.tell_new({"power": 10, "gas": "He"}, 2, of=3)
    cases = Contexts(age=(18, 90), ward=["A", "B"])
    desk = Campaign.create(
        "desk", Actions(["treat", "wait"]), context=cases, policy="random", shape="straight", seed=1, storage=store
    )
    desk.tell_new("treat", "success", context={"age": 61, "ward": "A"})
    return create_app(Settings(), store)


app = _app()
schema = schemathesis.openapi.from_dict(app.openapi())
schema.app = app


@schema.parametrize()
@settings(
    max_examples=10,
    derandomize=True,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_whatever_is_sent_is_answered_as_described(case: schemathesis.Case) -> None:
    if case.path_parameters:
        aim(case.path_parameters)
    if isinstance(case.query, dict) and "context" in case.query and hash(str(case.query["context"])) % 2:
        case.query["context"] = CONTEXT
    case.call_and_validate(checks=CHECKS, headers={"host": "localhost:8000"})


def aim(path: dict[str, Any]) -> None:
    """Most requests at a campaign and a trial that are there."""
    for name, most in (("c", 3), ("n", 4)):
        if str(path.get(name)).isdigit():
            path[name] = 1 + int(path[name]) % most


@pytest.mark.parametrize(
    ("path", "methods"),
    [("/api/v1/campaigns", "DELETE"), ("/api/v1/campaigns/1", "POST"), ("/api/v1/campaigns/1/best", "PUT")],
)
def test_what_an_address_can_not_do_is_said_so(path: str, methods: str) -> None:
    from fastapi.testclient import TestClient

    answer = TestClient(app, base_url="http://localhost:8000").request(methods, path)
    assert answer.status_code == 405
    assert answer.headers["allow"]
    assert answer.json()["error"]["kind"] == "HTTPError"


def test_every_operation_says_how_it_is_refused_and_needs_a_token() -> None:
    for path, operations in app.openapi()["paths"].items():
        for method, operation in operations.items():
            assert {"401", "404", "422", "503"} <= set(operation["responses"]), (method, path)
            assert operation["security"] == [{"token": []}]
            assert operation["description"]
            for status, one in operation["responses"].items():
                if int(status) >= 400:
                    shape = one["content"]["application/json"]["schema"]["$ref"]
                    assert shape.endswith("/Refused"), (method, path, status)
