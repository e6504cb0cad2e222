"""What is computed of arrays that nobody can change is kept, and only then."""

import numpy as np
import pytest

from sureshot import core
from sureshot.core import check
from sureshot.core.lookahead import knowledge_gradient_star
from sureshot.core.once import is_frozen, once
from sureshot.errors import InvalidInput


def test_the_answers_about_the_last_two_are_kept() -> None:
    calls = []

    @once
    def both(left, right):
        calls.append(1)
        return float((left + right).sum())

    a, b, c, d = (check.frozen([value]) for value in (1.0, 2.0, 3.0, 4.0))
    assert [both(a, b), both(a, b), both(a, c), both(a, b)] == [3.0, 3.0, 4.0, 3.0]
    assert len(calls) == 2
    assert [both(a, d), both(a, b), both(a, c)] == [5.0, 3.0, 4.0]  # what was asked for least lately has gone
    assert len(calls) == 4


def test_arrays_that_may_change_are_looked_at_again() -> None:
    total = once(lambda X: float(X.sum()))
    loose = np.ones(3)
    assert total(loose) == 3.0
    loose[0] = 5.0
    assert total(loose) == 7.0
    owner = np.ones(3)
    view = owner[:2]
    view.flags.writeable = False
    assert total(view) == 2.0
    owner[0] = 4.0
    assert total(view) == 5.0


def test_an_array_that_its_owner_made_read_only_is_looked_at_again() -> None:
    """A view of it that was taken before can still be written to."""
    rng = np.random.default_rng(0)
    belief, _ = core.observe_many(core.prior(3), rng.normal(size=(10, 3)), rng.integers(0, 2, 10))
    X = rng.normal(size=(80, 3))
    view = X[:]
    X.flags.writeable = False
    total = once(lambda rows: float(rows.sum()))
    looks = (
        total,
        lambda rows: core.predictive(belief, rows),
        lambda rows: belief.scores(rows).mu,
        lambda rows: knowledge_gradient_star(belief, rows).score,
    )
    before = [look(X) for look in looks]
    view[:] = rng.normal(size=X.shape)
    for look, then in zip(looks, before, strict=True):
        np.testing.assert_array_equal(look(X), look(X.copy()))
        assert not np.array_equal(look(X), then)
    view[0, 0] = np.nan
    with pytest.raises(InvalidInput, match="finite"):
        core.predictive(belief, X)


def test_frozen_is_what_nobody_can_change() -> None:
    ours = check.frozen(np.eye(2))
    theirs = np.eye(2)
    theirs.flags.writeable = False
    assert [is_frozen(one) for one in (ours, ours[:], ours.copy(), theirs)] == [True, False, False, False]
    for one in (ours, ours[:]):
        with pytest.raises(ValueError, match="WRITEABLE"):
            one.flags.writeable = True
