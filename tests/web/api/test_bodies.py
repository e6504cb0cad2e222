"""What a request brings is measured before it is looked into, and is refused with what is wrong with it."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

A = "/api/v1"
JSON = {"content-type": "application/json"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[" * 100_000, "the body must be nested at most 50 deep"),
        (b'{"name":' + b"[" * 60 + b"]" * 60 + b"}", "the body must be nested at most 50 deep"),
        (b'{"budget": ' + b"9" * 5_000 + b"}", "the body: a number must have at most 309 digits"),
        (b'{"cost": 1e400}', "the body: numbers must be below 1.8e308"),
        (b'{"cost": NaN}', "the body: JSON has no NaN"),
        (rb'{"name": "\ud800"}', "lone surrogates"),
        (b"\xff", "the body must be text in UTF-8"),
        (b"{", "the body must be JSON"),
    ],
    ids=lambda one: repr(one[:16]),
)
def test_a_body_that_cannot_be_read_is_refused_in_words(browser: TestClient, content: bytes, said: str) -> None:
    answer = browser.post(f"{A}/campaigns", content=content, headers=JSON)
    assert answer.status_code == 422, answer.text
    assert said in answer.json()["error"]["message"]
    assert browser.get(f"{A}/campaigns").json()["campaigns"] == []


@pytest.mark.parametrize(
    ("context", "said"),
    [
        ("[" * 3_000, "the context must be nested at most 50 deep"),
        ('{"age": 1e400}', "below 1.8e308"),
        ("[1]", "must be a JSON object"),
        ("{", "must be JSON"),
    ],
)
def test_a_case_in_an_address_is_measured_too(browser: TestClient, tubes: object, context: str, said: str) -> None:
    answer = browser.get(f"{A}/campaigns/1/best", params={"context": context})
    assert answer.status_code == 422, answer.text
    error = answer.json()["error"]
    assert said in error["message"]
    assert error["field"] == "context"
