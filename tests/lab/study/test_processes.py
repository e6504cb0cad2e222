from __future__ import annotations

import os
from functools import partial

import pytest

from sureshot.errors import InvalidInput
from sureshot.lab.study.processes import how_many, shared


def test_one_process_computes_in_order_and_itself():
    assert list(shared([partial(int, "3"), partial(int, "1"), os.getpid], 1)) == [3, 1, os.getpid()]


def test_several_processes_compute_the_same():
    assert sorted(shared([partial(pow, 2, k) for k in range(6)], 2)) == [1, 2, 4, 8, 16, 32]


def test_nothing_to_do_starts_nothing():
    assert list(shared([], 3)) == []


def test_as_many_as_cores_where_none_is_said():
    assert how_many(None) >= 1
    assert how_many(3) == 3


@pytest.mark.parametrize("processes", [0, -1, 1.5, True, "2"])
def test_bad_numbers_are_refused(processes):
    with pytest.raises(InvalidInput, match="`processes` must be a whole number of at least 1"):
        how_many(processes)
