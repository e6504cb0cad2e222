import numpy as np
import pytest

from sureshot.core import check
from sureshot.core import rows as rows_module
from sureshot.core.rows import distinct, places


def test_copies_are_found_whatever_their_order():
    rng = np.random.default_rng(1)
    few = rng.integers(0, 3, (400, 4)).astype(float)
    first, which = distinct(few)
    seen = {}
    want = [seen.setdefault(tuple(row), len(seen)) for row in few]
    assert which.tolist() == want
    assert first.tolist() == [want.index(k) for k in range(len(seen))]


def test_places_agree_with_a_search_row_by_row():
    rng = np.random.default_rng(2)
    pool = np.unique(rng.integers(0, 4, (60, 3)).astype(float), axis=0)
    rng.shuffle(pool)
    X = rng.integers(0, 5, (200, 3)) * 1.0
    want = [next((i for i, one in enumerate(pool) if (one == row).all()), -1) for row in X]
    assert places(pool, X).tolist() == want


def test_a_large_pool_of_round_numbers_has_no_false_copies():
    grid = np.stack(np.meshgrid(*[np.arange(12.0)] * 5, indexing="ij"), axis=-1).reshape(-1, 5)
    assert len(distinct(grid)[0]) == len(grid)


def test_what_is_kept_of_two_pools_can_not_be_changed():
    rows, X = check.frozen([[1.0], [2.0]]), check.frozen([[2.0], [3.0]])
    with pytest.raises(ValueError, match="read-only"):
        places(rows, X)[0] = 7
    assert places(rows, X).tolist() == [1, -1]


def one_hash() -> np.ndarray:
    """Two different rows that have the same hash: the second feature is found by undoing each step of it."""
    whole, factor = 1 << 64, 0xBF58476D1CE4E5B9
    odd = [int(one) for one in rows_module._multipliers(2)]

    def mixed(value: float) -> int:
        bits = int(np.float64(value).view(np.uint64))
        bits = (bits ^ (bits >> 29)) * factor % whole
        return bits ^ (bits >> 32)

    def unmixed(bits: int) -> float:
        bits = (bits ^ (bits >> 32)) * pow(factor, -1, whole) % whole
        return float(np.uint64(bits ^ (bits >> 29) ^ (bits >> 58)).view(np.float64))

    total = mixed(1.0) * odd[0] + mixed(2.0) * odd[1]
    for first in np.random.default_rng(0).normal(size=100_000).tolist():
        second = unmixed((total - mixed(first) * odd[0]) * pow(odd[1], -1, whole) % whole)
        if 1e-3 < abs(second) < 1e2:
            return np.array([[1.0, 2.0], [first, second]])
    raise AssertionError("none found")


def test_rows_that_share_a_hash_are_told_apart():
    a, b = one_hash()
    shared = rows_module._hashes(np.array([a, b]))
    assert shared[0] == shared[1]
    X = np.array([b, a, [0.0, 5.0], b, [-0.0, 5.0], a])
    first, which = distinct(X)
    assert first.tolist() == [0, 1, 2]
    assert which.tolist() == [0, 1, 2, 0, 2, 1]
    assert places(np.array([a, [3.0, 3.0]]), X).tolist() == [-1, 0, -1, -1, -1, 0]
    assert places(np.array([a, b]), X).tolist() == [1, 0, -1, 1, -1, 0]
