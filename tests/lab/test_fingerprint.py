"""What made a row: the same for the same, different for what differs."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from sureshot.lab import PAPER
from sureshot.lab.fingerprint import described, difference
from tests.lab.little import Little


def scorer(level: float):
    def score(x):
        return x + level

    return score


def one(x):
    return x + 1


def other(x):
    return x + 2


def test_values_are_told_apart():
    @dataclass(frozen=True)
    class Thing:
        value: object

    values = [
        *(None, True, 1, 2.5, "a", [1, 2], {"a": 1}, np.float64(3.5), PAPER, Little(), Little(d=3)),
        *(np.arange(3), np.arange(3.0), np.arange(4), np.arange(4).reshape(2, 2)),
        *(pd.DataFrame({"a": [1]}), pd.DataFrame({"a": [2]}), one, other, scorer(1.0), scorer(2.0)),
    ]
    seen = [repr(described(Thing(value))) for value in values]
    assert len(set(seen)) == len(values)
    assert not any(" at 0x" in text for text in seen)
    again = [repr(described(Thing(value))) for value in [*values[:11], np.arange(3)]]
    assert again == seen[:12]
    assert described(scorer(1.0)) == described(scorer(1.0))


def test_the_first_difference_is_said():
    old = {"seed": 1, "world": {"label": "a", "d": 2}, "policy": {"label": "p", "x": 1}}
    assert difference(old, old) is None
    assert difference(old, {"seed": 2}) == "seed was 1, now 2"
    assert difference(old, {"seed": 1, "policy": {"label": "p"}}) == "x of policy 'p' was 1, now None"
    assert difference({}, {"budget": 3}) == "budget was None, now 3"
