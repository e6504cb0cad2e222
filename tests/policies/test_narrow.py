"""A huge pool is narrowed to what matters: the pick is as good as from all, and it is said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sureshot import core
from sureshot.core.lookahead import finals
from sureshot.policies import Situation, decide, get_policy, scores, situation
from sureshot.policies.narrow import CANDIDATES, IN_SCENARIOS, narrowed

#: Patched down so that a pool of 1,200 is huge; a pool of 20,000 is measured by ``make bench``.
SMALL = 1_000


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sureshot.policies.narrow.PAIRS", SMALL**2)


def state(seed: int, size: int = 1_200, online: bool = False) -> Situation:
    """A random situation, with outliers or with copies in two of three."""
    rng = np.random.default_rng(seed)
    d, n = int(rng.integers(3, 8)), int(rng.integers(0, 40))
    X = rng.normal(size=(size, d))
    if seed % 3 == 1:
        X[: size // 20] *= 4.0
    X = np.round(X) if seed % 3 == 2 else X
    X[:, 0] = 1.0
    rows = X[rng.integers(size, size=n)]
    won = rng.random(n) < core.LOGIT.probability(rows @ rng.normal(size=d) * rng.uniform(0.3, 2.0))
    belief = core.auto_prior(d, pool=X)
    belief = core.observe_many(belief, rows, won)[0] if n else belief
    left = int(rng.integers(2, 60))
    return situation(
        belief, X, rows=rows, outcomes=won.astype(int), trials_left=left, objective="online" if online else "offline"
    )


def share(name: str, now: Situation, monkeypatch: pytest.MonkeyPatch) -> float:
    """The score of the pick from a narrowed pool, compared over all, as a share of the best score."""
    (few,) = decide(name, now, 1)
    assert few.looked_at is not None
    with monkeypatch.context() as patch:
        patch.setattr("sureshot.policies.narrow.PAIRS", 10**12)
        (full,) = decide(name, now, 1)
        assert full.looked_at is None
        alone = replace(now, candidates=np.array([few.alternative]))
        found = scores(get_policy(name), alone, np.random.default_rng(1))[few.alternative]
    return float(found / max(full.score, found)) if full.score > 0.0 else 1.0


@pytest.mark.parametrize(
    ("name", "online", "states"),
    [("draw-then-kg", False, 20), ("kg-star", False, 6), ("kg", False, 6), ("online-kg", True, 6)],
)
def test_the_pick_has_98_percent_of_the_best_score(
    name: str, online: bool, states: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    shares = [share(name, state(seed, online=online), monkeypatch) for seed in range(states)]
    assert min(shares) >= 0.98, shares


def test_nothing_is_narrowed_below_the_limit_or_for_policies_that_are_quick() -> None:
    assert decide("draw-then-kg", state(0, 900), 1)[0].looked_at is None
    for name in ("thompson", "greedy", "ucb", "max-value-entropy"):
        (decision,) = decide(name, state(0), 1)
        assert decision.looked_at is None
        assert decision.situation.candidates is None


def test_with_trials_pending_there_are_more_scenarios_to_compare() -> None:
    now = state(3, 300)
    assert decide("kg-exact", now, 1)[0].looked_at is None
    waiting = replace(now, pending=now.X[:5])  # 16 scenarios of 300 x 300
    (few,) = decide("kg-exact", waiting, 1)
    assert few.looked_at == IN_SCENARIOS
    assert np.isfinite(few.scores).all()
    assert few.scores.argmax() == few.alternative


def test_candidates_stay_candidates_and_copies_come_together() -> None:
    now = state(2)
    rows = np.arange(0, 1_200, 2)
    found = narrowed(get_policy("kg-exact"), replace(now, candidates=rows), 1, np.random.default_rng(1))
    assert found is not None
    chosen = found.situation.candidates
    assert chosen is not None
    assert np.isin(chosen, rows).all()
    X = now.X + 0.0  # 0.0 and -0.0 are the same
    kept = {row.tobytes() for row in X[chosen]}
    assert len(kept) <= CANDIDATES
    assert {int(i) for i in rows if X[i].tobytes() in kept} == set(chosen.tolist())
    (decision,) = decide("kg-exact", replace(now, candidates=rows), 1)
    assert decision.alternative in rows
    assert decision.scores.shape == (1_200,)


def test_a_context_keeps_what_it_is_compared_over() -> None:
    now = state(0)
    seen = finals([now.X[:900], now.X[300:]], d=now.belief.d)
    found = narrowed(get_policy("kg-exact"), replace(now, finals=seen, contextual=True), 1, np.random.default_rng(1))
    assert found is not None
    assert found.situation.finals is seen


def test_what_a_person_is_told_is_as_from_the_whole_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    now = state(4)
    (few,) = decide("kg-star", now, 1)
    monkeypatch.setattr("sureshot.policies.narrow.PAIRS", 10**12)
    (full,) = decide("kg-star", now, 1)
    assert few.alternative == full.alternative
    assert few.value == pytest.approx(full.value, rel=0.02)
    assert (few.now, few.on_success.alternative) == (full.now, full.on_success.alternative)
