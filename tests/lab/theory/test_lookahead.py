from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from scipy.special import expit

from sureshot.core.lookahead.joint import joint
from sureshot.lab.play.run import stream
from sureshot.lab.theory import lookahead as page
from sureshot.lab.theory.computing import Computing
from sureshot.lab.theory.lookahead import FORMS, lookahead, looked_ahead, measured, state

EXACT, PAPER = FORMS["exact, logit"], FORMS["Algorithm 2 (logit, Laplace)"]


def test_the_exact_form_is_what_draws_of_the_weights_say():
    """Chances after an outcome by reweighting draws of the weights: no look-ahead, no approximation of a posterior."""
    belief, pool = state(EXACT, stream(5, "state", 3))
    w = np.random.default_rng(0).multivariate_normal(belief.mean, belief.cov, 400_000)
    p = expit(w @ pool.T)
    success = p.T @ p / len(w)
    ((_, found, failed),) = joint(belief, pool, pool, "exact")
    np.testing.assert_allclose(found, success, atol=0.004)
    np.testing.assert_allclose(failed, p.mean(axis=0)[None, :] - success, atol=0.004)
    value = success.max(axis=1) + (p.mean(axis=0)[None, :] - success).max(axis=1) - p.mean(axis=0).max()
    least, off = measured(belief, pool, "exact")
    assert least == pytest.approx(value.min(), abs=0.006)
    assert abs(off) < 1e-10


def test_states_depend_on_seed_and_number_alone():
    whole = looked_ahead(PAPER, 3, 1, 6)
    part = looked_ahead(PAPER, 3, 4, 6)
    np.testing.assert_array_equal(whole["least"][3:], part["least"])
    assert not np.array_equal(whole["least"], looked_ahead(PAPER, 4, 1, 6)["least"])


@pytest.fixture(scope="module")
def section(tmp_path_factory):
    return lookahead(Computing(runs=100, seed=1, folder=tmp_path_factory.mktemp("rows")))


def test_the_exact_form_holds_and_the_papers_algorithms_do_not(section):
    for one in section.findings:
        assert one.verdict == ("holds" if one.says.startswith("exact") else "does not hold"), one
        assert one.found is not None
    assert len(section.findings) == 10


def test_every_form_is_in_the_table(section):
    assert all(any(line.startswith(f"| {words} |") for line in section.after) for words in FORMS)


def test_a_wrong_exact_form_does_not_hold(tmp_path, monkeypatch):
    """A look-ahead that loses a thousandth of a chance is found out."""

    def biased(belief, X, Z, how):
        for rows, success, failure in joint(belief, X, Z, how):
            yield rows, success - 0.001, failure

    monkeypatch.setattr(page, "joint", biased)
    section = lookahead(Computing(runs=50, seed=1, folder=tmp_path))
    exact = [one for one in section.findings if one.says.startswith("exact")]
    assert [one.verdict for one in exact] == ["does not hold"] * 4


def test_results_are_kept_by_form(tmp_path):
    how = Computing(runs=8, seed=1, folder=tmp_path)
    seen = how.columns("one", partial(looked_ahead, EXACT, 1), 2)
    other = how.columns("one", partial(looked_ahead, PAPER, 1), 2)
    assert seen["least"].min() > -1e-9
    assert not np.array_equal(seen["least"], other["least"])
