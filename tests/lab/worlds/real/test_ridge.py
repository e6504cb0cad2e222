"""The ridge fit against its definition, minimised by SciPy; and weights in other units."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize

from sureshot.errors import InvalidInput
from sureshot.lab.worlds.real.ridge import fit_ridge, perturbed, standardised


def made(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    raw = rng.normal(size=(60, 3)) * [1.0, 500.0, 0.01] + [0.0, 12_000.0, 1.5]
    y = (rng.random(60) < 1 / (1 + np.exp(-2 * (raw[:, 1] - 12_000) / 500))).astype(np.int8)
    return raw, y


def objective(v: np.ndarray, Z: np.ndarray, y: np.ndarray, penalised: slice) -> float:
    return float(np.logaddexp(0.0, -(2 * y - 1) * (Z @ v)).sum() + 0.5 * (v[penalised] ** 2).sum())


@pytest.mark.parametrize("intercept", [True, False])
def test_the_fit_minimises_the_penalised_likelihood(intercept: bool) -> None:
    raw, y = made()
    Z = standardised(raw)
    X = np.column_stack([np.ones(60), Z]) if intercept else Z
    fitted = fit_ridge(X, y, intercept=intercept)
    penalised = slice(1 if intercept else 0, None)
    best = optimize.minimize(objective, np.zeros(X.shape[1]), (X, y, penalised), method="BFGS", options={"gtol": 1e-9})
    np.testing.assert_allclose(fitted.fit, best.x, atol=1e-5)
    np.testing.assert_allclose(fitted.shown(fitted.fit), fitted.fit, atol=1e-9)


def test_chances_do_not_depend_on_the_units() -> None:
    raw, y = made()
    plain = fit_ridge(np.column_stack([np.ones(60), standardised(raw)]), y, intercept=True)
    units = fit_ridge(np.column_stack([np.ones(60), raw]), y, intercept=True)
    rng = np.random.default_rng(3)
    v = perturbed(plain.fit, 1.0, rng)
    np.testing.assert_allclose(units.X @ units.shown(v), plain.X @ plain.shown(v), atol=1e-8)


def test_a_perturbation_is_as_large_as_asked_for() -> None:
    fit = np.array([3.0, -1.0, 0.0, 1.0])
    rng = np.random.default_rng(0)
    moves = np.array([perturbed(fit, 0.1, rng) - fit for _ in range(4000)])
    np.testing.assert_allclose(moves.std(axis=0), 0.1 * np.sqrt(11 / 4), rtol=0.05)
    np.testing.assert_allclose(moves.mean(axis=0), 0.0, atol=0.02)
    np.testing.assert_array_equal(perturbed(fit, 0.0, rng), fit)


def test_a_constant_column_and_two_that_are_one() -> None:
    raw, y = made()
    X = np.column_stack([np.ones(60), raw[:, :1], raw[:, :1] * 250.0, np.full(60, 0.1)])
    fitted = fit_ridge(X, y, intercept=True)
    assert np.isfinite(fitted.fit).all()
    assert fitted.fit[1] == pytest.approx(fitted.fit[2])
    assert fitted.fit[3] == pytest.approx(0.0, abs=1e-9)


def test_one_kind_of_outcome_is_refused() -> None:
    with pytest.raises(InvalidInput, match="successes and failures"):
        fit_ridge(np.ones((3, 1)), np.ones(3, dtype=np.int8), intercept=True)
