"""How good the approximation is said to be: right about good beliefs and bad ones, and silent where it can't tell."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from sureshot import core
from sureshot.campaign import Campaign, belief_to_dict
from sureshot.campaign.answers.fit import approximation as module
from sureshot.campaign.answers.fit.approximation import approximation
from sureshot.campaign.log.ledger import counts
from sureshot.core.reference import posterior
from sureshot.errors import InvalidInput
from sureshot.space import Actions, Contexts, Space
from sureshot.storage import Storage
from tests.core.reference.exactly import probability, weighed

SPACE = Space.grid(power="1:9:1")
#: For these tests; what campaigns draw by default takes longer.
DRAWS = 6_000


def told(storage: Storage, name: str = "bench", **options: Any) -> Campaign:
    """Two weights, five settings, separable outcomes: all fail below 5, none above."""
    made = Campaign.create(name, SPACE, formula="power", seed=3, storage=storage, **options)
    for row, won, of in ((0, 0, 2), (2, 0, 3), (4, 1, 2), (6, 3, 3), (8, 2, 2)):
        made.tell_new(row, won, of=of)
    return made


def laplace(precision: float) -> dict[str, Any]:
    """What a campaign begins with that learns by Laplace's method and keeps no correlations."""
    blank = Campaign.create("blank", SPACE, formula="power", storage=":memory:")
    belief = core.prior(2, precision=precision, covariance="diagonal", method="laplace")
    return {**blank.posterior(), "belief": belief_to_dict(belief)}


def quadrature(campaign: Campaign, precision: float, link: str = "logit") -> tuple[np.ndarray, np.ndarray]:
    """Exact chances of every setting, and the chance that it lies in the interval shown."""
    entries = campaign._log.sync().counted()
    X, pool, (won, of) = campaign.spec.pool.features(entries), campaign.spec.pool.matrix(), counts(entries)
    w, share, _ = weighed(link, np.eye(2) / np.sqrt(precision), X, won, of - won)
    p = probability(link, w @ pool.T)
    low, high = core.interval(campaign.belief, pool)
    return share @ p, share @ ((p >= low) & (p <= high))


@pytest.mark.parametrize("link", ["logit", "cloglog"])
def test_a_good_one_is_said_to_be_good(memory: Storage, link: str) -> None:
    made = told(memory, prior=1.0, link=link)
    found, best = made.check(draws=DRAWS), made.best()
    first = found.recommended
    assert (first.alternative, first.label) == (best.alternative, best.label)
    assert (first.chance, first.interval) == (pytest.approx(best.probability), pytest.approx(best.interval))
    exact, inside = quadrature(made, 1.0, link)
    assert abs(first.exact - exact[first.alternative]) < 7 * first.error  # t of 7 degrees: once in 5,000 times
    assert abs(first.inside - inside[first.alternative]) < 7 * first.inside_error + 0.003
    assert found.verdict == "good"
    assert (found.looked, found.alternatives, found.outcomes) == (9, 9, 5)
    assert (found.better, found.weights_off) == (None, 0.0)
    assert str(found).startswith("The chances shown are within ")
    assert str(found).endswith("The approximation is good.")
    assert f"(recommended: {100 * first.chance:.1f} % shown, {100 * first.exact:.1f} % +- " in str(found)
    assert found.samplers == (("Polya-Gamma", "slices") if link == "logit" else ("slices",))
    json.dumps(found.to_dict(), allow_nan=False)


def test_a_bad_one_is_said_to_be_off_by_as_much_as_it_is(memory: Storage) -> None:
    """Laplace's method, one outcome after the other, on a flat prior and separable outcomes."""
    made = told(memory, prior=laplace(0.02))
    exact, inside = quadrature(made, 0.02)
    shown = core.predictive(made.belief, made.spec.pool.matrix())
    found = made.check(draws=DRAWS)
    first, worst = found.recommended, found.worst
    assert abs(first.off - (shown - exact)[first.alternative]) < 7 * first.error
    assert abs(worst.off) == pytest.approx(np.abs(shown - exact).max(), abs=0.02)
    assert found.mean_off == pytest.approx(np.abs(shown - exact).mean(), abs=0.02)
    assert found.mean_inside == pytest.approx(inside.mean(), abs=0.02)
    assert np.abs(shown - exact).max() > 0.08
    assert found.verdict == "poor"
    assert str(found).endswith("The approximation is poor: do not rely on the chances shown.")


def test_another_recommendation_and_what_is_lost(memory: Storage) -> None:
    """A belief turned round recommends the worst."""
    made = told(memory, prior=1.0)
    exact, _ = quadrature(made, 1.0)
    turned = core.gaussian(-np.asarray(made.belief.mean), made.belief.cov, method="ep")
    X = made.spec.pool.matrix()
    rng = np.random.default_rng(1)
    found = approximation(made.spec, made._log.sync(), turned, X, None, rng, draws=DRAWS)
    assert (found.recommended.alternative, found.better.alternative) == (0, 8)
    assert abs(found.lost - (exact[8] - exact[0])) < 7 * found.lost_error
    assert found.verdict == "poor"
    assert "Exactly, power 9 is likelier to succeed, by " in str(found)


def test_shapes_and_strengths_side_by_side(memory: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    """The default, on a bench with two parameters: its members' weights are compared too."""
    monkeypatch.setattr(posterior, "LEAST_STEPS", 60)
    monkeypatch.setattr(module, "HEAVY", 0.99)  # no member has so much: then the heaviest is looked at
    made = Campaign.create("two", Space.grid(power=[1, 2, 3], gas=["Ar", "He"]), seed=1, storage=memory)
    for row, won in enumerate([0, 1, 0, 1, 1, 1]):
        made.tell_new(row, won)
    seen: list[tuple[int, int]] = []
    found = made.check(draws=DRAWS, progress=lambda done, of: seen.append((done, of)))
    beliefs = len(made.belief.beliefs)
    assert seen == [(i + 1, beliefs) for i in range(beliefs)]
    assert found.verdict == "good"
    assert 0.0 < found.weights_off < 0.02


def test_chains_that_do_not_agree_judge_nothing(memory: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    def stuck(target: Any, start: np.ndarray, rng: Any, steps: int, **_: Any) -> np.ndarray:
        return np.broadcast_to(start, (steps, *start.shape)).copy()

    monkeypatch.setattr(posterior, "by_slices", stuck)
    monkeypatch.setattr(posterior, "by_polya_gamma", stuck)
    found = told(memory, prior=1.0).check(draws=DRAWS)
    assert found.verdict == "unclear"
    assert found.rough[0] == "its chains do not agree"
    assert "Whether that is good is unclear: its chains do not agree" in str(found)
    assert str(found).endswith(". Try more, with draws=60000.")


def test_a_reference_with_large_errors_judges_nothing(memory: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHANCE", (0.0001, 0.0002))  # what so few draws can't tell
    found = told(memory, prior=1.0).check(draws=1000)
    assert found.verdict == "unclear"
    assert "its own errors are as large as what it is to judge" in found.rough


def test_without_the_library_slices_alone_do(memory: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    made = told(memory, prior=1.0)
    both = made.check(draws=DRAWS)
    monkeypatch.setattr("sureshot.core.reference.polya_gamma.find_spec", lambda _: None)
    alone = made.check(draws=DRAWS)
    assert (both.samplers, alone.samplers) == (("Polya-Gamma", "slices"), ("slices",))
    assert abs(both.recommended.exact - alone.recommended.exact) < 7 * (
        both.recommended.error + alone.recommended.error
    )
    assert alone.verdict == "good"
    assert both.notes == ()
    assert alone.notes == ("pip install 'sureshot[check]' brings a second kind of chains, which must agree with these",)
    assert told(memory, prior=1.0, link="probit", name="no logit").check(draws=1000).notes == ()


def test_of_a_large_pool_the_likeliest_and_some_others(memory: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 5)
    made = told(memory, prior=1.0)
    rows = module._looked_at(np.arange(9.0), 8, np.random.default_rng(1))
    assert rows[:2].tolist() == [8, 7]
    assert len(set(rows.tolist())) == 5
    found = made.check(draws=1000)
    assert (found.looked, found.alternatives) == (5, 9)
    assert "on average over 5 of 9 alternatives" in str(found)


def test_in_a_case_and_the_same_until_something_is_learned(memory: Storage) -> None:
    desk = Campaign.create(
        "desk", Actions(["treat", "wait"]), context=Contexts(ward=["A", "B"]), prior=1.0, seed=1, storage=memory
    )
    assert desk.check({"ward": "A"}).verdict == "nothing to check"
    desk.tell_new("treat", 9, of=9, context={"ward": "A"})
    desk.tell_new("treat", 0, of=9, context={"ward": "B"})
    one, other = (desk.check({"ward": ward}, draws=1000) for ward in "AB")
    assert one.recommended.label == "action treat"
    assert one.context == {"ward": "A"}
    assert "The chances shown in the case ward A are within" in str(one)
    assert one.recommended.exact != other.recommended.exact
    assert desk.check({"ward": "A"}, draws=1000) == one
    desk.note("cold")
    assert desk.check({"ward": "A"}, draws=1000) == one
    with pytest.raises(InvalidInput, match="ward"):
        desk.check()


def test_no_outcome_yet(memory: Storage) -> None:
    made = Campaign.create("bench", SPACE, seed=3, storage=memory)
    found = made.check()
    assert found.verdict == "nothing to check"
    assert str(found) == "No outcome was told yet: what is shown is the prior, which is exact."
    assert (found.recommended, found.worst, found.looked, found.draws) == (None, None, 0, 0)


@pytest.mark.parametrize("draws", [0, 999, 2.5, True, "many", 10**9])
def test_draws_that_can_not_be(memory: Storage, draws: Any) -> None:
    with pytest.raises(InvalidInput, match="`draws` must be "):
        told(memory, prior=1.0).check(draws=draws)


def test_too_many_settings(memory: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_TRIED", 4)
    with pytest.raises(InvalidInput, match="up to 4 different settings with outcomes, got 5"):
        told(memory, prior=1.0).check()
