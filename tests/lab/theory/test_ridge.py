from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize

from sureshot.lab.play.run import stream
from sureshot.lab.theory import ridge as page
from sureshot.lab.theory.computing import Computing
from sureshot.lab.theory.ridge import TIMES, TRUE, M, design, penalised, ridge


def test_the_estimate_maximises_the_penalised_likelihood():
    seen = penalised(1, 10.0, 4, 4)
    X, rng = design(1), stream(1, "ridge", 4)
    y = rng.binomial(np.full(M, TIMES), 1 / (1 + np.exp(-X @ np.array(TRUE))))

    def loss(w, strength):
        f = X @ w
        return float((y * np.logaddexp(0, -f) + (TIMES - y) * np.logaddexp(0, f)).sum() + 0.5 * strength * w @ w)

    tops = [
        optimize.minimize(loss, np.zeros(3), (strength,), "BFGS", options={"gtol": 1e-8}).x for strength in (10.0, 0.0)
    ]
    np.testing.assert_allclose(seen["estimate"][0], tops[0], atol=1e-6)
    np.testing.assert_allclose(seen["away"][0], tops[0] - tops[1], atol=1e-5)


def test_the_formula_with_one_lambda_holds_and_the_printed_one_does_not(tmp_path):
    section = ridge(Computing(runs=60, seed=1, folder=tmp_path))
    told = {one.says.split(":")[0]: one for one in section.findings}
    assert told["bias of the estimate with a prior, with λ"].verdict == "holds"
    assert told["bias of the estimate with a prior, with 2λ, as printed"].verdict == "does not hold"
    right, printed = (told[f"variance of the estimate with a prior, {words}"].found for words in page.FACTORS)
    assert right.value < printed.value  # the printed variance is smaller


def test_the_printed_formula_would_hold_for_the_other_penalty(tmp_path, monkeypatch):
    """The same trials with twice the penalty: now 2λ is right, and λ is not."""
    monkeypatch.setattr(page, "PRECISION", 5.0)
    seen = penalised(1, 10.0, 1, 25)
    monkeypatch.setattr(page.Computing, "columns", lambda *_: seen)
    monkeypatch.setattr(page, "share", lambda *_: 25)
    section = ridge(Computing(runs=25, seed=1, folder=tmp_path))
    told = {one.says.split(":")[0]: one.verdict for one in section.findings}
    assert told["bias of the estimate with a prior, with λ"] == "does not hold"
    assert told["bias of the estimate with a prior, with 2λ, as printed"] == "holds"


def test_a_ratio_of_one_is_expected_of_the_variance():
    """The sum of squares about their own mean, over (n - 1)/n: its mean is the variance."""
    values = np.random.default_rng(1).normal(0, 2.0, (4000, 3))
    centred = values - values.mean(axis=0)
    assert ((centred**2).sum(axis=1) * 4000 / 3999).mean() == pytest.approx(12.0, rel=0.05)
