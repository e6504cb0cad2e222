"""What the approximations are held against: the exact posterior by draws, the MAP score by plain bisection."""

from __future__ import annotations

import numpy as np
from scipy import special

from sureshot import core

DRAWS = 12_000
FREEDOM = 8.0


def by_importance(
    prior: core.Belief, X: np.ndarray, y: np.ndarray, pool: np.ndarray, rng: np.random.Generator, draws: int = DRAWS
) -> tuple[np.ndarray, float, float]:
    """Success probabilities over a pool, the log evidence, and the effective number of draws.

    Draws come in pairs from a t distribution round the fit by expectation propagation; whatever that is like, weights
    make up for it, and the effective number says how well.
    """
    centre = core.fit(core.gaussian(prior.mean, prior.cov, link=prior.link, method="ep"), X, y).belief
    d = prior.d
    half = rng.standard_normal((draws // 2, d)) * np.sqrt(FREEDOM / rng.chisquare(FREEDOM, draws // 2))[:, None]
    e = np.concatenate([half, -half])
    root = 1.15 * np.linalg.cholesky(centre.cov)
    w = centre.mean + e @ root.T
    log_proposal = (
        special.gammaln((FREEDOM + d) / 2)
        - special.gammaln(FREEDOM / 2)
        - 0.5 * d * np.log(FREEDOM * np.pi)
        - np.log(np.diag(root)).sum()
        - 0.5 * (FREEDOM + d) * np.log1p((e * e).sum(axis=1) / FREEDOM)
    )
    base = np.linalg.cholesky(prior.cov)
    u = np.linalg.solve(base, (w - prior.mean).T)
    log_prior = -0.5 * (u * u).sum(axis=0) - 0.5 * d * np.log(2 * np.pi) - np.log(np.diag(base)).sum()
    log_weight = log_prior + prior.link.log_likelihood(w @ X.T, y).sum(axis=1) - log_proposal
    total = special.logsumexp(log_weight)
    share = np.exp(log_weight - total)
    return prior.link.probability(pool @ w.T) @ share, float(total - np.log(draws)), float(1 / (share @ share))


def by_slices(
    prior: core.Belief, X: np.ndarray, y: np.ndarray, rng: np.random.Generator, draws: int, burn: int = 500
) -> np.ndarray:
    """Weights drawn by elliptical slice sampling (Murray, Adams & MacKay 2010), which supposes nothing about them."""
    root = np.linalg.cholesky(prior.cov)

    def log_likelihood(u: np.ndarray) -> float:
        return float(prior.link.log_likelihood(X @ (prior.mean + root @ u), y).sum())

    u, found = np.zeros(prior.d), []
    level = log_likelihood(u)
    for step in range(burn + draws):
        nu, floor = rng.standard_normal(prior.d), level + np.log(rng.random())
        angle = rng.uniform(0.0, 2 * np.pi)
        low, high = angle - 2 * np.pi, angle
        while True:
            turned = u * np.cos(angle) + nu * np.sin(angle)
            level = log_likelihood(turned)
            if level > floor:
                break
            low, high = (angle, high) if angle < 0 else (low, angle)
            angle = rng.uniform(low, high)
        u = turned
        if step >= burn:
            found.append(prior.mean + root @ u)
    return np.array(found)


def problem(
    link: str, seed: int, d: int, n: int, sd: float, size: int = 100
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """A pool, its true probabilities (weights from the prior), n outcomes: half at random, half near the best."""
    rng = np.random.default_rng([seed, d, n, int(10 * sd)])
    pool = rng.standard_normal((size, d))
    pool[:, 0] = 1.0
    p = core.LINKS[link].probability(pool @ (sd * rng.standard_normal(d)))
    near = np.argsort(-p)[: size // 10]
    which = np.where(np.arange(n) % 2 == 0, rng.integers(0, size, n), near[rng.integers(0, len(near), n)])
    return pool, p, pool[which], (rng.random(n) < p[which]).astype(int)


def by_bisection(link: core.Link, mu: np.ndarray, s: np.ndarray, y: int, of: int = 1) -> np.ndarray:
    """The root of z - mu - s r(z), which rises from below 0 to above it: the paper's method."""

    def below(z: np.ndarray) -> np.ndarray:
        with np.errstate(invalid="ignore", over="ignore"):
            return z - mu - s * link.score(z, y, of) < 0

    low, high = np.array(mu, float), np.array(mu, float)
    reach = 1.0
    while below(high).any() or not below(low).all():
        low, high, reach = np.where(below(low), low, mu - reach), np.where(below(high), mu + reach, high), 2.0 * reach
    while True:
        z = 0.5 * (low + high)
        if not ((z > low) & (z < high)).any():
            return z
        low, high = np.where(below(z), z, low), np.where(below(z), high, z)
