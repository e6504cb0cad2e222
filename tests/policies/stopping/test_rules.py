"""The stopping rules against brute force: on both sides of every threshold, and when they are made wrongly."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest
from scipy import special

from sureshot import core
from sureshot.core.lookahead import knowledge_gradient_star
from sureshot.errors import InvalidInput, UnknownName
from sureshot.policies import Situation, situation
from sureshot.policies.stopping import (
    STOPPING_RULES,
    Ahead,
    GoodEnough,
    LittleGain,
    LittleRegret,
    NotWorthIt,
    StoppingRule,
    Sure,
    Worked,
    register_stopping,
    stopping_of,
    stops,
    written_stopping,
)

X = np.eye(2)
MEAN, VARIANCE = np.array([0.8, 0.0]), np.array([0.3, 1.0])


def ahead(now: Situation | None = None, at: int = 0, **more: Any) -> Ahead:
    found = situation(core.gaussian(MEAN, np.diag(VARIANCE), link="probit"), X, trials_left=6) if now is None else now
    return Ahead(replace(found, **more), at, np.random.default_rng(1))


def either_side(rule: type[StoppingRule], name: str, value: float, wide: float, *, of: Ahead) -> tuple[bool, bool]:
    """What the rule says a little below and a little above that value of its parameter."""
    low, high = (rule(**{name: one}).stops(of) for one in (value - wide, value + wide))
    return low, high


def test_sure_and_little_regret_by_quadrature() -> None:
    node = np.linspace(-8, 8, 1601)
    mass = np.exp(-0.5 * node**2) / np.exp(-0.5 * node**2).sum()
    both = np.multiply.outer(mass, mass)
    first, second = (m + np.sqrt(v) * node for m, v in zip(MEAN, VARIANCE, strict=True))
    better = (both * (first[:, None] > second)).sum()
    regret = (both * np.maximum(special.ndtr(second) - special.ndtr(first)[:, None], 0.0)).sum()
    seen = ahead()
    assert either_side(Sure, "chance", better, 0.02, of=seen) == (True, False)
    assert either_side(LittleRegret, "most", regret, 0.006, of=seen) == (False, True)


def test_good_enough_by_the_quantile_of_the_score() -> None:
    for certainty in (0.6, 0.95):
        low = special.ndtr(MEAN[0] - special.ndtri(certainty) * math.sqrt(VARIANCE[0]))
        assert GoodEnough(low - 1e-6, certainty).stops(ahead())
        assert not GoodEnough(low + 1e-6, certainty).stops(ahead())
    assert GoodEnough(special.ndtr(MEAN[0]) - 1e-6, 0.5).stops(ahead())  # as likely as not: the median


def test_little_gain_and_its_cost_by_kg_star() -> None:
    seen = ahead()
    star = knowledge_gradient_star(seen.now.belief, X, trials_left=6)
    rate, most = star.score.max(), max(min(6 * star.score.max(), seen.perfect.evpi), star.values.max())
    assert seen.gains.trials == 6
    assert seen.gains.one == pytest.approx(star.values[:, 0].max(), abs=1e-7)
    assert either_side(LittleGain, "least", most, 1e-5, of=seen) == (False, True)
    assert either_side(NotWorthIt, "cost", rate, 1e-5, of=seen) == (False, True)


def test_costs_that_differ_are_weighed_and_perfect_knowledge_bounds_them() -> None:
    seen = ahead()
    star = knowledge_gradient_star(seen.now.belief, X, trials_left=6).score
    for price in (np.array([1.1, 1.0]) * star, np.array([0.9, 2.0]) * star, float(star.max()) * 1.01, 1e-4):
        priced = seen.at_price(price)
        assert NotWorthIt().stops(priced) is bool((star < price).all())
        best = int(np.argmax(star - price))
        assert (priced.gains.worth, priced.gains.price) == pytest.approx(
            (star[best], np.broadcast_to(price, 2)[best]), abs=1e-7
        )
    dear = NotWorthIt(min(seen.perfect.evpi + 3 * seen.perfect.evpi_error, 1.0))
    assert dear.beyond_knowing(seen)
    assert dear.stops(seen.at_price(1e-6))  # a cost of its own takes the place of what was said
    assert not NotWorthIt(1e-6).stops(seen.at_price(0.9))
    assert NotWorthIt().stops(seen) is bool(star.max() < 0.002)


def test_one_trial_ahead_is_the_last_one() -> None:
    seen = Ahead(replace(ahead().now, trials_left=1), 0, np.random.default_rng(1))
    assert seen.gains.trials == 1
    assert seen.gains.at_least == seen.gains.one == seen.gains.value_per_trial
    asked = Ahead(ahead().now, 0, np.random.default_rng(1), trials=3)
    assert asked.gains.trials == 3


def test_a_link_without_an_exact_look_ahead_goes_by_the_update() -> None:
    link = replace(core.LOGIT, name="own", probits=None)
    belief = core.gaussian(MEAN, np.diag(VARIANCE), link=link)
    seen = Ahead(situation(belief, X), 0, np.random.default_rng(1))
    assert seen.gains.one == seen.gains.at_least >= 0.0


@pytest.mark.parametrize(
    ("outcomes", "stops"),
    [([1, 1], False), ([1, 1, 1], True), ([1, 1, 1, 0], False), ([1, 1, 1, 1, 0], True), ([0, 0, 0], False)],
)
def test_worked_counts_its_own_trials(outcomes: list[int], stops: bool) -> None:
    rows = [X[0]] * len(outcomes) + [X[1]] * 5
    now = situation(core.prior(2), X, rows=rows, outcomes=[*outcomes, 1, 1, 1, 1, 1])
    assert Worked().stops(ahead(now)) is stops
    at_once = situation(core.prior(2), X, rows=X[:1], outcomes=[sum(outcomes)], of=[len(outcomes)])
    assert Worked(3).stops(ahead(at_once)) is stops


def test_what_is_pending_is_passed_over() -> None:
    plain, waiting = ahead(), ahead(pending=X)
    assert plain.gains == waiting.gains
    assert plain.perfect == waiting.perfect


# -- by name


def test_every_rule_is_written_and_read() -> None:
    assert list(STOPPING_RULES) == ["little-gain", "not-worth-it", "little-regret", "sure", "good-enough", "worked"]
    for name, kind in STOPPING_RULES.items():
        rule = kind()
        assert rule.name == name
        assert rule.because
        assert stopping_of(written_stopping(rule)) == stopping_of(name) == rule
    assert stopping_of("sure chance=0.5") == Sure(0.5)


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ("surely", "unknown stopping rule 'surely'.* Did you mean 'sure'"),
        ("sure chanse=0.5", "unknown parameter of stopping rule 'sure' 'chanse'"),
        ("sure chance=2", "`chance` of stopping rule 'sure' must be a finite number between 0 and 1, got 2"),
        ("good-enough certainty=0.2", "`certainty` of stopping rule 'good-enough' must be .* between 0.5"),
        ("worked times=0", "`times` of stopping rule 'worked' must be a whole number of at least 1, got 0"),
        ("worked times=2.5", "whole number"),
        ("little-gain least=nan", "must be a finite number"),
        ("sure 0.5", "a parameter of a stopping rule must be written name=value"),
        (3, "`stopping` must be a name, a mapping with a name, or a stopping rule"),
        ({"chance": 0.5}, "`stopping` must be a name"),
        ("", "unknown stopping rule ''"),
    ],
)
def test_bad_input(given: Any, wrong: str) -> None:
    with pytest.raises((InvalidInput, UnknownName), match=wrong) as caught:
        stopping_of(given)
    assert caught.value.field == "stopping"
    assert caught.value.fix


@dataclass(frozen=True)
class Odd(StoppingRule):
    name: ClassVar[str] = "odd-one"
    because: ClassVar[str] = "so"
    says: Any = None

    def stops(self, ahead: Ahead) -> bool:  # noqa: ARG002
        if self.says == "raise":
            raise ZeroDivisionError("oh")
        return self.says  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("says", "came"), [("no", "'no'"), (None, "None"), (1, "1"), ("raise", "ZeroDivisionError: oh")]
)
def test_what_a_rule_of_one_s_own_says_is_checked(says: Any, came: str) -> None:
    with pytest.raises(InvalidInput, match=f"stopping rule 'odd-one' must say true or false, got {came}"):
        stops(Odd(says), ahead())
    assert stops(Odd(np.bool_(True)), ahead()) is True


@pytest.mark.parametrize("kind", [3, str, type("Plain", (StoppingRule,), {"name": "p", "because": "b"}), StoppingRule])
def test_what_is_not_a_rule_is_not_registered(kind: Any) -> None:
    with pytest.raises(InvalidInput, match="must be a dataclass that is a StoppingRule"):
        register_stopping(kind)


def test_a_rule_of_one_s_own() -> None:
    @dataclass(frozen=True)
    class Never(StoppingRule):
        name = "never-ever"
        because = "never"

        def stops(self, ahead: Ahead) -> bool:  # noqa: ARG002
            return False

    try:
        with pytest.raises(InvalidInput, match=r"register its class first, register_stopping\(Never\)"):
            stopping_of(Never())
        register_stopping(Never)
        assert stopping_of("never-ever") == Never()
        with pytest.raises(InvalidInput, match="a stopping rule named 'never-ever' is already known"):
            register_stopping(Never)
    finally:
        STOPPING_RULES.pop("never-ever", None)
