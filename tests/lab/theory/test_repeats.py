from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

from sureshot.core import fit, prior
from sureshot.core.lookahead import knowledge_gradient
from sureshot.lab.theory import repeats as page
from sureshot.lab.theory.computing import Computing
from sureshot.lab.theory.repeats import WHEN, repeats, tried_again


def by_grid(pool, x, won, n):
    """The knowledge gradient of x after so many successes, by integrating over the weights: the exact posterior."""
    side = np.linspace(-6.0, 6.0, 301)
    w = np.stack(np.meshgrid(side, side, indexing="ij"), axis=-1).reshape(-1, 2)
    p = expit(w @ x)
    log = -0.5 * (w**2).sum(axis=1) + won * np.log(p) + (n - won) * np.log1p(-p)
    weight = np.exp(log - log.max())
    weight /= weight.sum()
    each = expit(w @ pool.T)
    success = (weight * p) @ each
    now = weight @ each
    return success.max() + (now - success).max() - now.max()


@pytest.mark.parametrize(("won", "n"), [(1, 1), (2, 3), (7, 10), (21, 30), (70, 100)])
def test_the_surrogate_is_close_to_the_exact_posterior(won, n):
    pool = np.column_stack([np.ones(8), np.linspace(-3, 3, 8)])
    x = pool[5]
    belief = fit(prior(2, method="ep"), x[None], [won], of=[n]).belief
    found = float(knowledge_gradient(belief, pool)[5])
    exact = by_grid(pool, x, won, n)
    assert found == pytest.approx(exact, abs=0.002)


def test_values_are_never_negative_and_vanish():
    seen = tried_again(1, 1, 30)
    assert seen["exact"].shape == seen["update"].shape == (30, len(WHEN))
    assert (seen["exact"] >= 0.0).all()
    assert seen["exact"][:, 0].mean() > 10 * seen["exact"][:, -1].mean()


def test_the_statement_holds_for_both(tmp_path):
    section = repeats(Computing(runs=200, seed=1, folder=tmp_path))
    assert [one.verdict for one in section.findings] == ["holds", "holds"]


def test_a_value_that_stays_does_not_hold(tmp_path, monkeypatch):
    """Half a point after any number of trials."""
    monkeypatch.setattr(page, "knowledge_gradient", lambda _, pool, **__: np.full(len(pool), 0.005))
    section = repeats(Computing(runs=50, seed=1, folder=tmp_path))
    assert [one.verdict for one in section.findings] == ["does not hold"] * 2
