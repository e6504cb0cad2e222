"""Each outcome is predicted from those before it; the evidence is the chain of these predictions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from sureshot.campaign import Campaign
from sureshot.campaign.answers.fit import forecast
from sureshot.campaign.answers.fit.forecast import share_so_far
from sureshot.core import fit, predictive
from sureshot.space import Space
from sureshot.storage import Storage

BENCH = {"temperature": "100:200:20 C", "solvent": ["A", "B", "C"], "time": [5, 10, 20, 40]}


def told(memory: Storage, n: int, **given: Any) -> Campaign:
    space = Space.grid(BENCH)
    made = Campaign.create("bench", space, seed=1, storage=memory, **given)
    rng = np.random.default_rng(0)
    for row in rng.integers(len(space), size=n).tolist():
        made.tell_new(row, int(rng.random() < 0.4))
    return made


@pytest.mark.parametrize(
    "given", [{}, {"shape": "straight"}, {"formula": "temperature"}, {"prior": 1.0, "link": "probit"}]
)
def test_by_hand(memory: Storage, given: dict[str, Any]) -> None:
    made = told(memory, 12, **given)
    counted = made._log.ledger.counted()
    X, y = made.spec.pool.features(counted), np.array([e.successes for e in counted], float)
    p = np.array([predictive(fit(made.spec.prior, X[:i], y[:i]).belief, X[i : i + 1])[0] for i in range(12)])
    found, evidence = forecast.forecast(made.spec, counted) or pytest.fail("no forecast")
    assert found.brier == pytest.approx(np.mean((p - y) ** 2), abs=1e-6)
    assert found.log_score == pytest.approx(np.mean(np.log(np.where(y, p, 1 - p))), abs=1e-5)
    assert (found.predicted, found.observed) == (pytest.approx(p.mean(), abs=1e-6), y.mean())
    assert evidence == pytest.approx(fit(made.spec.prior, X, y).evidence, abs=1e-6)
    assert evidence == pytest.approx(12 * found.log_score, abs=0.05)  # EP's evidence is nearly the chain of predictions


def test_tries_count_each_by_itself(memory: Storage) -> None:
    made = told(memory, 0, formula="1", prior=1e-2)
    made.tell_new(0, 7, of=10)
    found, _ = forecast.forecast(made.spec, made._log.ledger.counted()) or pytest.fail("no forecast")
    assert found.predicted == pytest.approx(0.5)
    assert found.brier == pytest.approx(0.25)
    assert found.observed == 0.7


def test_the_share_so_far_by_hand(memory: Storage) -> None:
    made = told(memory, 0)
    for won in (1, 1, 0):
        made.tell_new(0, won)
    found = share_so_far(made._log.ledger.counted()) or pytest.fail("no forecast")
    p = [1 / 2, 2 / 3, 3 / 4]
    assert found.log_score == pytest.approx((math.log(p[0]) + math.log(p[1]) + math.log(1 - p[2])) / 3)
    assert found.brier == pytest.approx((0.25 + 1 / 9 + 9 / 16) / 3)
    assert found.predicted == pytest.approx(np.mean(p))
    assert share_so_far([]) is None
    assert forecast.forecast(made.spec, []) is None


def test_a_longer_history_is_nearly_as_if_fitted_each_time(memory: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    made = told(memory, 40, shape="curved")
    counted = made._log.ledger.counted()
    exact, evidence = forecast.forecast(made.spec, counted) or pytest.fail("no forecast")
    monkeypatch.setattr(forecast, "EVERY", 5)
    quick, same = forecast.forecast(made.spec, counted) or pytest.fail("no forecast")
    assert quick.log_score == pytest.approx(exact.log_score, abs=0.01)
    assert same == pytest.approx(evidence, abs=1e-5)
    monkeypatch.setattr(forecast, "TOGETHER", 20)  # beyond it, one outcome after the other
    _, near = forecast.forecast(made.spec, counted) or pytest.fail("no forecast")
    assert near == pytest.approx(evidence, abs=0.3)


def test_every_outcome_is_a_step(memory: Storage) -> None:
    made = told(memory, 30)
    counted, steps = made._log.ledger.counted(), []
    forecast.forecast(made.spec, counted, lambda done, of: steps.append((done, of)))
    assert steps == [(i + 1, 30) for i in range(30)]
