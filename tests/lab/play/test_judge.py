"""The recommendation is that of all predicted probabilities, though few of them are computed."""

from dataclasses import replace

import numpy as np
import pytest

from sureshot import core
from sureshot.core import LINKS, check
from sureshot.core.beliefs.predictive import success_probability
from sureshot.lab.play.judge import ROUGH, judge, recommend
from sureshot.lab.play.world import truth

RNG = np.random.default_rng(3)
X = np.column_stack([np.ones(60), RNG.uniform(-3, 3, (60, 3))])
Y = (RNG.random(8) < 0.6).astype(int)


def beliefs() -> dict[str, core.Belief | core.Mixture]:
    found: dict[str, core.Belief | core.Mixture] = {}
    for link in ("logit", "probit", "cloglog", "loglog"):
        for form in ("full", "diagonal"):
            found[f"{link} {form}"] = core.prior(4, covariance=form, link=link)
    found["auto"] = core.auto_prior(4)
    found["links"] = core.prior_mixture(4, precisions=[0.2, 3.0], links=["logit", "cloglog"])
    return {name: core.observe_many(belief, X[:8], Y)[0] for name, belief in found.items()}


@pytest.mark.parametrize("name", beliefs())
def test_the_best_of_all(name):
    belief = beliefs()[name]
    p = core.predictive(belief, X)
    best, chance, scores = recommend(belief, X)
    assert best[0] == p.argmax()
    np.testing.assert_allclose(chance[0], p.max(), rtol=0, atol=1e-12)
    members = [(1.0, belief)] if isinstance(belief, core.Belief) else zip(belief.weights, belief.beliefs, strict=True)
    np.testing.assert_allclose(scores[0], X @ sum(w * b.mean for w, b in members), atol=1e-12)


def test_each_case_has_its_own_best():
    belief = beliefs()["auto"]
    p = core.predictive(belief, X).reshape(5, 12)
    best, chance, _ = recommend(belief, X, cases=5)
    np.testing.assert_array_equal(best, p.argmax(axis=1))
    np.testing.assert_allclose(chance, p.max(axis=1), atol=1e-12)


def test_a_link_of_ones_own_without_a_cheap_form():
    own = replace(core.LOGIT, name="own", probits=None)
    belief, _ = core.observe_many(core.prior(4, link=own), X[:8], Y)
    assert recommend(belief, X)[0][0] == core.predictive(belief, X).argmax()


def test_the_cheap_form_of_logit_errs_by_less_than_is_supposed():
    mu, s = np.meshgrid(np.linspace(0, 60, 400), np.geomspace(1e-3, 1e4, 120))
    exact = success_probability(LINKS["logit"], mu, s, form="quadrature")
    error = np.abs(success_probability(LINKS["logit"], mu, s, form="kappa") - exact).max()
    assert 0.01 < error < ROUGH


def test_a_verdict_by_hand():
    rows = np.array([[[1.0, -1.0], [1.0, 0.0], [1.0, 1.0]], [[1.0, 2.0], [1.0, 0.0], [1.0, 0.5]]])
    chance = np.array([[0.1, 0.7, 0.6], [0.9, 0.2, 0.3]])
    belief = core.gaussian(check.frozen([0.0, 1.0]), [1e-12, 1e-12])  # sure that a larger feature is better
    found = judge(belief, truth(rows, chance, budget=1, judged=np.array([0, 1]), contextual=True), 1)
    assert found.oc == found.oc_plugin == pytest.approx(0.05)
    assert found.true == pytest.approx(0.75)
    assert found.found_best == 0.5
    sigmoid = 1 / (1 + np.exp(-np.array([1.0, 2.0])))
    assert found.predicted == pytest.approx(sigmoid.mean(), abs=1e-9)


def test_the_two_rules_of_recommending_can_differ():
    belief = core.gaussian([1.0, 1.2], np.diag([1e-9, 100.0]))
    rows = np.array([[1.0, 0.0], [0.0, 1.0]])  # a sure score of 1 against a wild one of 1.2
    found = judge(belief, truth(rows, np.array([0.8, 0.3]), budget=1), 1)
    assert (found.oc, found.oc_plugin) == (0.0, pytest.approx(0.5))
