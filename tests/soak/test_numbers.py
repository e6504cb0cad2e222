"""The part ``numbers`` of ``soak/``: a few dozen of its histories, and faults that each of its checks must see."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from soak.histories import campaigns, drift, reference
from soak.histories.made import REGIMES, story
from soak.histories.seen import Seen
from soak.histories.truth import exactly
from soak.parts import numbers
from soak.running import Case

from sureshot import core
from sureshot.campaign.log import believed
from sureshot.core.beliefs.mixture import members

SEED = 5


def only(name: str, monkeypatch: pytest.MonkeyPatch, most: int) -> Iterator[Case]:
    """Some cases of one kind alone."""
    monkeypatch.setattr(numbers, "CHECKS", {name: (numbers.CHECKS[name][0], 1.0)})
    monkeypatch.setattr(numbers, "deviations", Seen())
    return (numbers.one(SEED, number) for number in range(1, most + 1))


def assert_seen(name: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of a dozen cases is broken, and says so."""
    told = []
    for case in only(name, monkeypatch, 12):
        told.append(case.told)
        if case.verdict == "BROKEN" and said in case.told:
            return
    raise AssertionError(f"{said!r} is not in {told}")


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("beliefs", 24),
        ("against a grid", 4),
        ("exact moments", 10),
        ("against draws", 2),
        ("drift", 6),
        ("campaign", 2),
        ("long campaign", 1),
    ],
)
def test_some_of_each_hold(name: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found = list(only(name, monkeypatch, most))
    assert [case for case in found if case.verdict != "held"] == []
    assert all(case.what.startswith(f"{name}; ") for case in found)


def test_a_case_can_be_seen_again_alone() -> None:
    assert numbers.one(SEED, 4) == numbers.one(SEED, 4)


def test_each_regime_is_met() -> None:
    rng = np.random.default_rng(1)
    for regime in REGIMES:
        told = story(rng, regime=regime, most=20)
        assert len(told.which) == len(told.won) == len(told.of) >= 1
        assert ((told.won >= 0) & (told.won <= told.of)).all()


def test_the_shares_are_of_one_whole() -> None:
    assert sum(share for _, share in numbers.CHECKS.values()) == pytest.approx(1.0)


# -- the truth that fits are held against, itself held against what is known in closed form


def test_the_grid_knows_what_can_be_computed_by_hand() -> None:
    """Probit, one alternative: P(success) = Φ(mu/√(1 + s)), and the moments of Rasmussen & Williams (3.82, 3.85)."""
    prior = core.gaussian([0.3], [2.0], link="probit")
    x, one, none = np.ones((1, 1)), np.ones(1), np.zeros(1)
    found = exactly(prior, x, one, none, x)
    assert found is not None
    step, info = core.observe(replace(prior, method="adf"), [1.0], 1)
    assert found.evidence == pytest.approx(float(info.evidence), abs=1e-8)
    assert found.mean[0] == pytest.approx(step.mean[0], abs=1e-7)
    assert found.variance[0] == pytest.approx(step.spread[0], abs=1e-7)


def test_the_grid_and_a_sum_over_draws_of_the_prior_agree() -> None:
    """Two alternatives with effects of their own, and a third that shares the features: against a million draws."""
    prior = core.prior(2, own=0.7, link="cloglog")
    X, pool = np.array([[1.0, 0.5], [1.0, -1.0]]), np.array([[1.0, 0.5], [1.0, 2.0]])
    won, lost = np.array([3.0, 0.0]), np.array([1.0, 2.0])
    found = exactly(prior, X, won, lost, pool)
    assert found is not None
    rng = np.random.default_rng(0)
    w, own = rng.standard_normal((400_000, 2)), np.sqrt(0.7) * rng.standard_normal((400_000, 3))
    f = w @ np.vstack([X, pool[1:]]).T + own
    weight = np.exp(core.CLOGLOG.log_likelihood(f[:, :2], won, won + lost).sum(axis=1))
    p = core.CLOGLOG.probability(f)
    assert found.evidence == pytest.approx(np.log(weight.mean()), abs=0.02)
    assert found.chance[0] == pytest.approx((p[:, 0] * weight).sum() / weight.sum(), abs=0.005)
    assert found.chance[1] == pytest.approx((p[:, 2] * weight).sum() / weight.sum(), abs=0.005)


# -- each check can fail

Faulty = Callable[[core.Belief], core.Belief]


def every(belief: Any, change: Faulty) -> Any:
    """One belief changed, or all of a mixture."""
    if isinstance(belief, core.Belief):
        return change(belief)
    return replace(belief, beliefs=tuple(change(one) for _, one in members(belief)))


def faulty_fit(monkeypatch: pytest.MonkeyPatch, change: Faulty, module: Any = core) -> None:
    right = core.fit

    def fit(*args: Any, **more: Any) -> Any:
        found = right(*args, **more)
        return replace(found, belief=every(found.belief, change))

    monkeypatch.setattr(module, "fit", fit)


FAULTS: list[tuple[Faulty, str]] = [
    (lambda one: replace(one, mean=one.mean * np.nan), "is not finite"),
    (lambda one: replace(one, spread=-one.spread), "variance is not above 0"),
    (lambda one: replace(one, spread=1.1e9 * one.spread), "variances do not grow"),
    (lambda one: replace(one, mean=one.mean + 0.3), "same model"),
]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("change", "said"), FAULTS)
def test_a_fit_that_is_not_sound_is_seen(change: Faulty, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    faulty_fit(monkeypatch, change)
    assert_seen("beliefs", said, monkeypatch)


def test_a_fit_that_depends_on_the_order_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    right = core.fit

    def fit(prior: Any, X: Any, y: Any, **more: Any) -> Any:
        found = right(prior, X, y, **more)
        first = 1e-15 * float(np.sum(X[0]))
        return replace(found, belief=every(found.belief, lambda one: replace(one, mean=one.mean + first)))

    monkeypatch.setattr(core, "fit", fit)
    assert_seen("beliefs", "depends on the order", monkeypatch)


def test_pieces_that_are_not_the_whole_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    right = core.observe_many

    def observe_many(belief: Any, X: Any, y: Any, **more: Any) -> Any:
        after, info = right(belief, X, y, **more)
        return every(after, lambda one: replace(one, mean=one.mean + 1e-7)), info  # at each call

    monkeypatch.setattr(core, "observe_many", observe_many)
    assert_seen("beliefs", "in pieces", monkeypatch)


def test_values_below_0_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("soak.histories.sound.knowledge_gradient", lambda _, X: np.full(len(X), -1e-6))
    assert_seen("beliefs", "values of trials, below 0", monkeypatch)


def test_chances_and_intervals_that_contradict_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    right = core.interval
    monkeypatch.setattr(core, "interval", lambda *args, **more: right(*args, **more)[::-1])
    assert_seen("beliefs", "intervals out of order", monkeypatch)


def test_a_belief_that_is_too_narrow_is_seen_where_moments_are_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    faulty_fit(monkeypatch, lambda one: replace(one, spread=one.spread * 0.999))
    assert_seen("exact moments", "one site: variance", monkeypatch)


@pytest.mark.parametrize("name", ["against a grid", "against draws"])
def test_a_fit_far_from_the_truth_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    faulty_fit(monkeypatch, lambda one: replace(one, mean=one.mean + 2.0))
    assert_seen(name, "chances: ", monkeypatch)


def test_a_reference_that_is_off_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    right = reference.drawn_exactly

    def drawn(*args: Any, **more: Any) -> Any:
        found = right(*args, **more)
        return replace(found, mean=found.mean + 0.1)

    monkeypatch.setattr(reference, "drawn_exactly", drawn)
    assert_seen("against a grid", "the reference's draws", monkeypatch)


@pytest.mark.parametrize("part", ["mean", "spread"])
def test_rounding_that_piles_up_is_seen(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An update off by 1e-7 of its result."""
    right = core.observe_many

    def observe_many(*args: Any, **more: Any) -> Any:
        after, info = right(*args, **more)
        return replace(after, **{part: getattr(after, part) * (1.0 + 1e-7)}), info

    monkeypatch.setattr(drift.core, "observe_many", observe_many)
    assert_seen("drift", "rounding: ", monkeypatch)


def test_a_campaign_that_forgets_an_outcome_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    right = believed.fit
    monkeypatch.setattr(believed, "fit", lambda prior, X, y, of: right(prior, X[:-1], y[:-1], of=of[:-1]))
    assert_seen("campaign", "not a fit of what counts", monkeypatch)


def test_a_campaign_that_does_not_look_at_corrections_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if what is kept after the first thousand outcomes held for ever."""
    log = campaigns.kept.Log
    right = log._extend

    def extend(self: Any, events: Any) -> None:
        right(self, events)
        self._ledger = replace(self._ledger, rewritten=0)

    monkeypatch.setattr(log, "_extend", extend)
    assert_seen("long campaign", "the belief in use is not what the log gives", monkeypatch)
