"""Passwords of databases are left out of every error, wherever in it they stand."""

import json
import traceback

import pytest

from sureshot.errors import InvalidInput, UnknownName, about, given, unknown_name
from sureshot.passwords import SECRET, hidden
from sureshot.said import Setting

URL = "postgresql://ann:hunter2@host/lab"


@pytest.mark.parametrize(
    "text",
    [
        URL,
        "POSTGRESQL+psycopg://ann:hunter2@host/lab",
        "postgres:ann:hunter2@host",
        "postgresql:/ann:hunter2@host",
        "mysql:ann:hunter2@host",
        "https://ann:hunter2@host/c/1",
        "postgresql://ann:hunter2@hunter2@host/lab",
        "postgresql://ann:hunter2/hunter2@host/lab",
        "postgresql://host/lab?password=hunter2",
        "postgresql://host/lab?user=ann&sslpassword=hunter2&port=1",
        "host=h password='hunter2 hunter2' dbname=x",
        "host=h passwd = hunter2",
        "postgresql://ann@/lab?host=/x;password=hunter2",
        "postgresql://ann@/lab?host=%2Fx%3Bpassword%3Dhunter2",
        "postgresql://ann@/lab?options=-cpassword%3Dhunter2",
        "postgresql://ann@/lab?options=-cpassword=hunter2",
    ],
)
def test_the_password_is_hidden_and_the_rest_is_not(text):
    said = hidden(f"before {text} after")
    assert "hunter2" not in said
    assert said.startswith("before ")
    assert said.endswith(" after")


@pytest.mark.parametrize(
    "text",
    ["write to ann@example.org", "http://127.0.0.1:8000/c/1", "at 12:30 @ the lab", "passfile=/a", "flow=1:2:3", ""],
)
def test_other_texts_stay(text):
    assert hidden(text) == text


def test_an_error_holds_no_password_wherever_it_was_given():
    class Given:
        storage = URL

    def raised():
        with given(Given()), about("storage"):
            raise InvalidInput("no such thing")

    errors = [
        InvalidInput(f"no store at {URL}"),
        InvalidInput("`storage` is wrong", got=URL, fix=f"not {URL}"),
        InvalidInput("wrong", got=Setting("storage", URL)),
        InvalidInput("wrong", value=URL, place=f"line 1 of {URL}"),
        unknown_name("campaign", URL, ["lab"]),
        UnknownName("wrong: ", Setting("storage", URL)),
    ]
    with pytest.raises(InvalidInput) as caught:
        raised()
    for error in (*errors, caught.value, errors[0].at(f"in {URL}")):
        told = [str(error), repr(error), json.dumps(error.as_dict()), "".join(traceback.format_exception(error))]
        assert not any("hunter2" in one for one in told), told


def test_every_secret_that_libpq_takes_is_known_as_one():
    from psycopg import pq

    options = {one.keyword.decode(): one.dispchar.decode() for one in pq.Conninfo.get_defaults()}
    assert {name for name, how in options.items() if how == "*"} <= set(filter(SECRET.fullmatch, options))
    assert not SECRET.fullmatch("passfile")
    assert not SECRET.fullmatch("connect_timeout")
