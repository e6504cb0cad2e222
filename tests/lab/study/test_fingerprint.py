"""What made a row: the same for the same, different for what differs."""

import os
import subprocess
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from sureshot.lab import PAPER
from sureshot.lab.study.fingerprint import described, difference
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


SOURCE = """
import math
from functools import partial
LEVEL = 0.3
NAMES = {"a", "b", "c"}
SEEN = []
def half(x): return x / 2
def works(row):
    SEEN.append(row)
    return abs(math.sin(row[0])) * LEVEL * half(1) if "a" in {"a", "b", "c"} else works(row)
def make(k):
    def inner(x): return inner(x - 1) if x else k
    return inner
class Rule:
    def __init__(self, k): self.k = k
    def __call__(self, row): return self.k * 0.5
    def chance(self, row): return self.k * 0.5
REGISTER = {}
def listed(row): return REGISTER
REGISTER["listed"] = listed
"""


def read(source: str) -> dict:
    found = {"__name__": "own"}
    exec(source, found)
    return found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("math.sin", "math.cos"),
        ("LEVEL = 0.3", "LEVEL = 0.4"),
        ("return x / 2", "return x / 3"),
        ('"a" in {"a", "b", "c"}', '"a" in {"a", "b", "d"}'),
        ("from functools import partial", "partial = None"),  # a name that it does not use
    ],
)
def test_a_function_is_its_code_and_what_it_names(old, new):
    before, after = read(SOURCE)["works"], read(SOURCE.replace(old, new))["works"]
    assert (described(before) == described(after)) == (new == "partial = None")


def test_what_acts_as_a_function_is_its_code_and_its_state():
    first, second = read(SOURCE), read(SOURCE.replace("self.k * 0.5", "self.k * 0.6"))
    made = [(found["Rule"](k), k) for found in (first, second) for k in (1, 2)]
    kinds = [
        [rule for rule, _ in made],
        [rule.chance for rule, _ in made],
        [partial(found["half"], k) for found in (first,) for k in range(4)],
        [first["make"](k) for k in range(4)],
    ]
    for four in kinds:
        assert len({repr(described(one)) for one in four}) == 4
    assert described(first["Rule"](1)) == described(read(SOURCE)["Rule"](1))
    assert described(first["listed"]) == described(read(SOURCE)["listed"])


def test_a_function_is_described_alike_in_every_process():
    code = "from tests.lab.study.test_fingerprint import *; print(described(read(SOURCE)['works']))"
    told = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            cwd=Path(__file__).parents[3],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in (1, 2, 3)
    }
    assert told == {described(read(SOURCE)["works"]) + "\n"}


def test_the_first_difference_is_said():
    old = {"seed": 1, "world": {"label": "a", "d": 2}, "policy": {"label": "p", "x": 1}}
    assert difference(old, old) is None
    assert difference(old, {"seed": 2}) == "seed was 1, now 2"
    assert difference(old, {"seed": 1, "policy": {"label": "p"}}) == "x of policy 'p' was 1, now None"
    assert difference({}, {"budget": 3}) == "budget was None, now 3"
