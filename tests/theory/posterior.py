"""The log posterior and its maximum, written down again, and states of all kinds to hold a bound against."""

from __future__ import annotations

import numpy as np
from scipy import special

from sureshot import core


def psi(w, m, P, X, y):
    """The log posterior by its definition, written down again."""
    f = X @ w
    return -0.5 * (w - m) @ P @ (w - m) - np.logaddexp(0, -f)[y == 1].sum() - np.logaddexp(0, f)[y == 0].sum()


def estimate(m, P, X, y):
    """Where it is largest, by plain Newton steps with halving."""
    w = m.copy()
    for _ in range(200):
        p = special.expit(X @ w)
        slope = X.T @ (y - p) - P @ (w - m)
        step = np.linalg.solve(P + X.T @ ((p * (1 - p))[:, None] * X), slope)
        while psi(w + step, m, P, X, y) < psi(w, m, P, X, y) - 1e-12:
            step = step / 2
        w = w + step
        if np.abs(slope).max() < 1e-10:
            return w
    raise AssertionError("no maximum found")


def states(count, seed):
    """Priors of all kinds, true weights likely and unlikely, alternatives chosen so as to depend on outcomes."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        d = int(rng.integers(1, 6))
        half = rng.standard_normal((d, d)) * 10 ** rng.uniform(-1, 0.5)
        P = half @ half.T + 10 ** rng.uniform(-2, 0.5) * np.eye(d)
        m = rng.standard_normal(d)
        cov = np.linalg.inv(P)
        cov = 0.5 * (cov + cov.T)
        w = m + rng.choice([0.0, 1.0, 3.0]) * np.linalg.cholesky(cov) @ rng.standard_normal(d)
        pool = rng.standard_normal((8, d))
        pool /= np.maximum(np.linalg.norm(pool, axis=1), rng.choice([0.3, 1.0, 2.0]))[:, None]
        pool /= max(np.linalg.norm(pool, axis=1).max(), 1.0)
        X, y, lean = [], [], np.zeros(d)
        for _ in range(int(rng.integers(0, 80))):
            x = pool[(pool @ lean + rng.standard_normal(8)).argmax()]
            X.append(x)
            y.append(int(rng.random() < special.expit(x @ w)))
            lean = lean + (2 * y[-1] - 1) * x
        yield rng, core.gaussian(m, cov), m, P, w, np.array(X).reshape(-1, d), np.array(y, dtype=int)
