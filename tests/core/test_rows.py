import numpy as np

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
