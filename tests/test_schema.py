"""Rules about stored documents: each holds what it says and nothing else, and an error names the place."""

from __future__ import annotations

import math
from typing import Any

import pytest

from sureshot import schema as s
from sureshot.errors import InvalidInput

FINE: list[tuple[s.Rule, Any]] = [
    (s.TEXT, ""),
    (s.WORD, "x"),
    (s.FLAG, False),
    (s.SCALAR, None),
    (s.SCALAR, 1e3),
    (s.whole(1), 1),
    (s.whole(0, 3), 3),
    (s.number(), -5),
    (s.number(above=0.0), 5e-324),
    (s.number(below=1.0), 0.999),
    (s.maybe(s.TEXT), None),
    (s.one_of(("a", "b")), "b"),
    (s.listed(s.TEXT, least=1), ("a",)),
    (s.numbers(n=2), [1, 2.5]),
    (s.numbers(above=0.0), []),
    (s.wholes(least=0, most=2), [0, 1, 2]),
    (s.matrix(2), [[1, 2], [3, 4]]),
    (s.row(s.TEXT, s.FLAG), ["a", True]),
    (s.record({"a": s.TEXT}, {"b": s.TEXT}), {"a": "", "more": object()}),
    (s.named_values(s.FLAG), {"x": True}),
]
WRONG: list[tuple[s.Rule, Any, str]] = [
    (s.TEXT, 3, r"^at: must be text, got 3: "),
    (s.WORD, " ", "must be text that is not empty"),
    (s.FLAG, 1, "must be true or false, got 1"),
    (s.SCALAR, [], "must be a finite number, got a list of 0"),
    (s.whole(1), True, "must be a whole number of at least 1, got True"),
    (s.whole(0, 3), 4, "must be a whole number from 0 to 3, got 4"),
    (s.whole(0), 1.0, "got 1.0"),
    (s.whole(0, 9), 10**5000, "got a number of more than 60 digits"),
    (s.number(), 10**400, "got a number of more than 60 digits"),
    (s.number(), math.nan, "must be a finite number, got nan"),
    (s.number(), math.inf, "got inf"),
    (s.number(), True, "got True"),
    (s.number(above=0.0), 0, "must be a finite number above 0, got 0"),
    (s.number(least=0.0, most=1.0), 1.5, "of at least 0 and of at most 1, got 1.5"),
    (s.one_of(("a", "b")), [], "must be one of 'a', 'b', got a list of 0"),
    (s.listed(s.TEXT, most=1), ["a", "b"], "must be a list of 0 to 1, got a list of 2"),
    (s.listed(s.TEXT), ["a", None], r"^at\[1\]: must be text, got None"),
    (s.numbers(n=2), [1], "must be a list of 2, got a list of 1"),
    (s.numbers(), [1.0, math.nan, 2.0], r"^at\[1\]: must be a finite number, got nan"),
    (s.numbers(), [1.0, "2"], r"^at\[1\]: "),
    (s.numbers(above=0.0), [1.0, 0.0], r"^at\[1\]: .* above 0, got 0.0"),
    (s.wholes(least=0), [0, 1.0], r"^at\[1\]: "),
    (s.wholes(least=0), [0, True], r"^at\[1\]: "),
    (s.matrix(), [[1, 2], [3]], r"^at\[1\]: must be a list of 2"),
    (s.row(s.TEXT), [], "must be a list of 1, got a list of 0"),
    (s.record({"a": s.TEXT}), {}, r"^at\.a: must be there, and is missing"),
    (s.record({"a": s.TEXT}), [], "must be an object with keys, got a list of 0"),
    (s.record({}, {"b": s.TEXT}), {"b": 1}, r"^at\.b: must be text"),
    (s.named_values(s.FLAG), {"x": 0}, r"^at\.x: must be true or false"),
    (s.TEXT, ["x"] * 10**6, "got a list of 1,000,000"),
]


@pytest.mark.parametrize(("rule", "value"), FINE, ids=map(str, range(len(FINE))))
def test_what_a_rule_admits(rule: s.Rule, value: Any) -> None:
    rule(value, "at")


@pytest.mark.parametrize(("rule", "value", "said"), WRONG, ids=[said for *_, said in WRONG])
def test_what_a_rule_refuses(rule: s.Rule, value: Any, said: str) -> None:
    with pytest.raises(InvalidInput, match=said) as caught:
        rule(value, "at")
    assert caught.value.fix == s.FIX
    assert caught.value.field == caught.value.place[0]
    assert len(str(caught.value)) < 300


def test_errors_from_deeper_down_get_their_place_once() -> None:
    with pytest.raises(InvalidInput, match=r"^spec\.space: unreadable$"), s.inside("spec.space"):
        raise InvalidInput("unreadable")
    with pytest.raises(InvalidInput, match=r"^spec.space.where\[0\]: must be text, got 3"), s.inside("spec.space"):
        s.TEXT(3, "spec.space.where[0]")


def test_what_must_differ_and_what_must_be_known() -> None:
    s.different(["a", "b"], "at")
    with pytest.raises(InvalidInput, match=r"^at\[2\]: must be other than the names before it, got 'a'"):
        s.different(["a", "b", "a"], "at", "names")
    with pytest.raises(InvalidInput, match="must name an axis, one of 'a', 'b', got 'c'"):
        s.by_name("at", "c", ["a", "b"], "an axis")
