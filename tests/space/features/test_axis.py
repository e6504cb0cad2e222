"""A parameter laid out: by steps, whatever its numbers; curves whose products are the kernel."""

from __future__ import annotations

import json

import numpy as np
import pytest

from sureshot.space.features.axis import LENGTH, Axis, alike, axis_of, row_by_row
from sureshot.space.tables.table import as_table


def axis(values: list[object]) -> tuple[Axis, object]:
    column = as_table({"x": values}).column("x")
    return axis_of(column), column


def test_levels_are_equal_steps_whatever_the_numbers():
    found, column = axis([1, 2, 4, 8, 4, 1])
    np.testing.assert_allclose(found.place(column), [0, 1 / 3, 2 / 3, 1, 2 / 3, 0])
    other, far = axis([10, 20, 30, 40, 30, 10])
    np.testing.assert_allclose(found.place(column), other.place(far))
    np.testing.assert_allclose(found.curve(found.place(column)), other.curve(other.place(far)), atol=1e-12)


def test_in_a_table_a_step_is_the_share_of_rows_below():
    numbers = np.exp(np.random.default_rng(1).normal(size=400) * 3)
    found, column = axis(numbers.tolist())
    rank = (np.argsort(np.argsort(numbers)) + 0.0) / 399
    assert np.abs(found.place(column) - rank).max() < 0.04  # a few dozen values stand for all of them


def test_a_value_beyond_the_levels_stands_at_the_end():
    found, _ = axis([10, 20, 30])
    beyond = as_table({"x": [5.0, 15.0, 99.0]}).column("x")
    np.testing.assert_allclose(found.place(beyond), [0.0, 0.25, 1.0])


@pytest.mark.parametrize("levels", [3, 5, 8, 12, 40])
def test_products_of_a_curve_are_its_kernel(levels):
    found, column = axis(list(range(levels)))
    place = found.place(column)
    features = found.curve(place)
    kernel = np.exp(-0.5 * ((place[:, None] - place[None, :]) / LENGTH) ** 2)
    np.testing.assert_allclose(features @ features.T, kernel, atol=5e-3)
    np.testing.assert_allclose(alike(place, place, LENGTH), kernel)


def test_what_does_not_vary_neither_slopes_nor_bends():
    found, column = axis([7.0, 7.0])
    assert found.turn.shape == (0, 0)
    np.testing.assert_array_equal(found.straight(column), [[0.0], [0.0]])


def test_a_category_has_all_its_levels_and_none_is_special():
    found, column = axis(["b", "a", "c", "a"])
    np.testing.assert_array_equal(found.straight(column), np.eye(3)[column.codes])
    likeness = found.kernel(found.place(column), found.place(column), 0.2)
    np.testing.assert_array_equal(likeness, np.where(column.codes[:, None] == column.codes, 1.0, 0.5))


@pytest.mark.parametrize("values", [[1, 2, 4], ["a", "b"], [True, False], [3.0, 3.0], list(np.linspace(0, 1, 60))])
def test_kept_as_json(values):
    found, column = axis(values)
    again = Axis.from_dict(json.loads(json.dumps(found.to_dict())))
    np.testing.assert_array_equal(again.place(column), found.place(column))
    np.testing.assert_array_equal(again.straight(column), found.straight(column))
    assert again.turn.shape == found.turn.shape


@pytest.mark.parametrize(("k", "m"), [(1, 1), (3, 1), (5, 5), (40, 33), (100, 97)])
def test_a_row_has_the_same_bits_wherever_it_stands(k, m):
    rng = np.random.default_rng([k, m])
    turn, row = rng.standard_normal((k, m)), rng.standard_normal(k)
    alone = row_by_row(row[None], turn)[0]
    assert np.allclose(alone, row @ turn, rtol=1e-12, atol=1e-12)
    for n in (1, 2, 3, 5, 8, 9, 17, 64, 101):
        batch = rng.standard_normal((n, k))
        at = rng.integers(n, size=3)
        batch[at] = row
        assert (row_by_row(batch, turn)[at] == alone).all()
        assert (row_by_row(np.asfortranarray(batch), turn)[at] == alone).all()
