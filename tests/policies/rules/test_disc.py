"""Disc against its definition, one candidate, one outcome and one belief at a time through ``observe``."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from sureshot import core
from sureshot.core.beliefs.predictive import success_probability
from sureshot.core.lookahead.update import predicted_after
from sureshot.policies import get_policy, scores, situation
from sureshot.policies.rules.disc import discriminative

RNG = np.random.default_rng(2)
POOL = np.column_stack([np.ones(9), RNG.uniform(-3, 3, (9, 3))])
MEASURED, OUTCOMES = [1, 4, 1], np.array([1, 0, 0], dtype=np.int8)

BELIEFS = {
    "paper": core.prior(4, covariance="diagonal"),
    "full": core.prior(4),
    "probit adf full": core.prior(4, link="probit", method="adf"),
    "probit adf diagonal": core.prior(4, link="probit", method="adf", covariance="diagonal"),
    "cloglog": core.prior(4, link="cloglog"),
    "loglog diagonal": core.prior(4, link="loglog", covariance="diagonal"),
    "mixture": core.auto_prior(4),
    "mixture of links": core.mixture([core.prior(4), core.prior(4, link="cloglog", covariance="diagonal")], [1, 3]),
}


def _predict(one: core.Belief, X: np.ndarray) -> np.ndarray:
    """In the form that looking ahead by update uses: kappa for logit."""
    form = "kappa" if one.link is core.LOGIT else "mixture"
    return success_probability(one.link, *one.moments(X), form=form)  # type: ignore[arg-type]


def _after(belief: core.Belief | core.Mixture, x: np.ndarray, y: int, Z: np.ndarray) -> np.ndarray:
    if isinstance(belief, core.Belief):
        return _predict(core.observe(belief, x, y)[0], Z)
    chance = np.array([_predict(one, x[None])[0] for one in belief.beliefs])
    weights = belief.weights * (chance if y else 1 - chance)
    weights /= weights.sum()
    each = [_predict(core.observe(one, x, y)[0], Z) for one in belief.beliefs]
    return np.asarray(weights @ np.array(each))


def _brute(belief: core.Belief | core.Mixture, candidates: list[int], alpha: float) -> np.ndarray:
    found = []
    for i in candidates:
        tries = []
        for y in (0, 1):
            p = _after(belief, POOL[i], y, POOL)
            fit = np.log(p[i] if y else 1 - p[i])
            for row, outcome in zip(MEASURED, OUTCOMES, strict=True):
                fit += np.log(p[row] if outcome else 1 - p[row])
            doubt = sum(float(stats.bernoulli(p[j]).entropy()) for j in candidates if j != i)
            tries.append(fit - alpha * doubt)
        found.append(max(tries))
    return np.array(found)


@pytest.mark.parametrize("alpha", [0.0, 1.0, 0.3])
@pytest.mark.parametrize("name", list(BELIEFS))
def test_the_score_is_its_definition(name: str, alpha: float) -> None:
    belief, _ = core.observe_many(BELIEFS[name], POOL[MEASURED], OUTCOMES)
    candidates = [i for i in range(len(POOL)) if i not in MEASURED]
    want = _brute(belief, candidates, alpha)
    found = discriminative(belief, POOL[candidates], POOL[MEASURED], OUTCOMES, np.ones(len(OUTCOMES), int), alpha)
    assert found == pytest.approx(want, abs=1e-8)
    tried = np.isin(np.arange(len(POOL)), MEASURED)
    now = situation(belief, POOL, rows=POOL[MEASURED], outcomes=OUTCOMES)
    whole = scores(get_policy("disc", alpha=alpha), now, RNG)
    assert whole[candidates] == pytest.approx(want, abs=1e-8)
    assert whole[tried].max() < want.min()


def test_predictions_do_not_depend_on_the_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    belief, _ = core.observe_many(BELIEFS["mixture"], POOL[MEASURED], OUTCOMES)
    whole = {y: p for _, y, _, p in predicted_after(belief, POOL, POOL)}
    monkeypatch.setattr("sureshot.core.lookahead.update.PAIRS", 20)
    parts: dict[int, list[np.ndarray]] = {0: [], 1: []}
    for rows, y, _, p in predicted_after(belief, POOL, POOL):
        assert rows.stop - rows.start <= 2
        parts[y].append(p)
    for y in (0, 1):
        assert np.concatenate(parts[y]) == pytest.approx(whole[y], abs=1e-14)


def test_without_compiled_code_the_scores_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    belief, _ = core.observe_many(BELIEFS["cloglog"], POOL[MEASURED], OUTCOMES)
    want = discriminative(belief, POOL, POOL[MEASURED], OUTCOMES, np.ones(len(OUTCOMES), int))
    monkeypatch.setattr("sureshot.core.lookahead.update.code_of", lambda _: None)
    assert discriminative(belief, POOL, POOL[MEASURED], OUTCOMES, np.ones(len(OUTCOMES), int)) == pytest.approx(
        want, abs=1e-10
    )


def test_when_all_was_tried_or_the_case_is_new_all_are_open() -> None:
    belief, _ = core.observe_many(BELIEFS["full"], POOL[MEASURED], OUTCOMES)
    want = discriminative(belief, POOL, POOL[MEASURED], OUTCOMES, np.ones(len(OUTCOMES), int))
    history = {"rows": POOL[MEASURED], "outcomes": OUTCOMES}
    case = situation(belief, POOL, contextual=True, **history)
    assert scores(get_policy("disc"), case, RNG) == pytest.approx(want, abs=1e-12)
    ones = np.ones(len(POOL), int)
    everything = situation(belief, POOL, rows=POOL, outcomes=ones)
    want = discriminative(belief, POOL, POOL, ones, ones)
    assert scores(get_policy("disc"), everything, RNG) == pytest.approx(want, abs=1e-12)


def test_several_tries_at_once_are_as_many_outcomes() -> None:
    belief, _ = core.observe_many(BELIEFS["full"], POOL[MEASURED], OUTCOMES)
    counts = discriminative(belief, POOL, POOL[:2], np.array([2, 1]), np.array([2, 3]))
    singly = discriminative(belief, POOL, POOL[[0, 0, 1, 1, 1]], np.array([1, 1, 1, 0, 0]), np.ones(5, int))
    assert counts == pytest.approx(singly, abs=1e-12)
