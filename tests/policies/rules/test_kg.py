"""The knowledge-gradient family as policies: values, costs, horizons, finals."""

from __future__ import annotations

import numpy as np
import pytest

from sureshot import core
from sureshot.core.lookahead import finals, knowledge_gradient, knowledge_gradient_star
from sureshot.errors import InvalidInput
from sureshot.policies import get_policy, scores, situation
from tests.policies.picks import pick

RNG = np.random.default_rng(9)
POOL = np.column_stack([np.ones(7), RNG.uniform(-3, 3, (7, 2))])
BELIEF, _ = core.observe_many(core.prior(3, link="probit"), POOL[[0, 3]], [1, 0])
FAMILY = ["kg", "kg-exact", "kg-star"]


def _values(name: str, **given: object) -> np.ndarray:
    if name == "kg-star":
        return knowledge_gradient_star(BELIEF, POOL, trials_left=6, **given).score  # type: ignore[arg-type]
    lookahead = "update" if name == "kg" else "exact"
    return knowledge_gradient(BELIEF, POOL, lookahead=lookahead, **given)  # type: ignore[arg-type]


def _simulated_gain(x: np.ndarray, repeats: int) -> float:
    """KG_m by simulation: weights drawn, outcomes drawn, the best alternative by the draws that agree."""
    weights = core.sample_weights(BELIEF, np.random.default_rng(1), 400_000)
    P = core.PROBIT.probability(weights @ POOL.T)
    wins = np.random.default_rng(2).binomial(repeats, core.PROBIT.probability(weights @ x))
    parts = [P[wins == k].sum(axis=0).max() for k in range(repeats + 1) if (wins == k).any()]
    return sum(parts) / len(P) - P.mean(axis=0).max()


@pytest.mark.parametrize("i", [1, 4])
def test_kg_exact_and_kg_star_are_what_simulation_finds(i: int) -> None:
    now = situation(BELIEF, POOL, trials_left=4)
    one, four = (_simulated_gain(POOL[i], m) for m in (1, 4))
    two = _simulated_gain(POOL[i], 2)
    assert scores(get_policy("kg-exact"), now, RNG)[i] == pytest.approx(one, abs=0.003)
    assert scores(get_policy("kg-star"), now, RNG)[i] == pytest.approx(max(one, two / 2, four / 4), abs=0.003)


@pytest.mark.parametrize("name", FAMILY)
def test_offline_they_are_values_per_cost(name: str) -> None:
    cost = np.linspace(0.5, 4.0, 7)
    now = situation(BELIEF, POOL, trials_left=6)
    assert scores(get_policy(name), now, RNG) == pytest.approx(_values(name), abs=1e-12)
    dear = situation(BELIEF, POOL, trials_left=6, cost=cost)
    assert scores(get_policy(name), dear, RNG) == pytest.approx(_values(name) / cost, abs=1e-12)


@pytest.mark.parametrize("name", FAMILY)
def test_online_they_add_a_success_now_to_what_later_trials_gain(name: str) -> None:
    now = situation(BELIEF, POOL, objective="online", trials_left=6)
    want = core.predictive(BELIEF, POOL) + 5 * _values(name)
    assert scores(get_policy(name), now, RNG) == pytest.approx(want, abs=1e-12)


@pytest.mark.parametrize("name", FAMILY)
def test_they_look_at_the_finals(name: str) -> None:
    groups = finals([POOL[:3], POOL[2:] * 0.5], [1.0, 3.0], d=3)
    now = situation(BELIEF, POOL, trials_left=6, finals=groups, contextual=True)
    found = scores(get_policy(name), now, RNG)
    assert found == pytest.approx(_values(name, finals=groups), abs=1e-12)
    assert np.abs(found - _values(name)).max() > 1e-4


def test_kg_star_sees_value_where_one_step_sees_none() -> None:
    belief = core.gaussian([1.0, 0.0], [0.2, 0.2], link="probit")
    now = situation(belief, np.eye(2), trials_left=32)
    assert scores(get_policy("kg-exact"), now, RNG).max() < 1e-12
    assert scores(get_policy("kg-star"), now, RNG).max() > 5e-6
    one = scores(get_policy("kg-star", repeats=1), now, RNG)
    last = scores(get_policy("kg-star"), situation(belief, np.eye(2), trials_left=1), RNG)
    assert one.max() == last.max() < 1e-12


def test_online_kg_is_for_the_online_objective_and_takes_a_horizon() -> None:
    p, kg = core.predictive(BELIEF, POOL), knowledge_gradient(BELIEF, POOL)
    now = situation(BELIEF, POOL, objective="online", trials_left=11)
    assert scores(get_policy("online-kg"), now, RNG) == pytest.approx(p + 10 * kg, abs=1e-12)
    assert scores(get_policy("online-kg", tau=2.5), now, RNG) == pytest.approx(p + 2.5 * kg, abs=1e-12)
    update = scores(get_policy("online-kg", lookahead="update"), now, RNG)
    assert update == pytest.approx(p + 10 * knowledge_gradient(BELIEF, POOL, lookahead="update"), abs=1e-12)
    forever = situation(BELIEF, POOL, objective="online", discount=0.9)
    assert scores(get_policy("online-kg"), forever, RNG) == pytest.approx(p + 9 * kg, abs=1e-9)
    with pytest.raises(InvalidInput, match="'online-kg' can't deal with an offline objective"):
        scores(get_policy("online-kg"), situation(BELIEF, POOL), RNG)
    assert pick(get_policy("online-kg"), situation(BELIEF, POOL, objective="online", trials_left=1), RNG) == p.argmax()


@pytest.mark.parametrize("covariance", ["full", "diagonal"])
def test_kg_of_a_mixture_is_that_of_the_core(covariance: str) -> None:
    members = [core.prior(3, precision=p, link=k, covariance=covariance) for p in (0.1, 2.0) for k in core.LINKS]  # type: ignore[arg-type]
    belief, _ = core.observe_many(core.mixture(members), POOL[[0, 3]], [1, 0])
    for groups in (None, finals([POOL[:3], POOL[2:] * 0.5], [1.0, 3.0], d=3)):
        for X in (POOL, 1e5 * POOL):
            found = scores(get_policy("kg"), situation(belief, X, finals=groups), RNG)
            want = knowledge_gradient(belief, X, lookahead="update", finals=groups)
            assert found == pytest.approx(want, abs=1e-10)
