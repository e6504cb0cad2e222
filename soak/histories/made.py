"""Random histories: alternatives, a prior, what was tried and how it went. A regime says what is hostile about one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sureshot import Campaign, Contexts, Space, core
from sureshot.core.beliefs.mixture import members
from sureshot.core.numerics.stable import Array

__all__ = ["DESIGNS", "METHODS", "OUTCOMES", "REGIMES", "Story", "designed", "story"]

METHODS = ("laplace", "adf", "ep")
#: Regimes of features ...
FEATURES = ("plain", "duplicated columns", "constant columns", "huge scales", "near-collinear")
#: ... of campaigns' own designs, whose priors are mixtures ...
DESIGNS = ("straight", "curved", "pairs", "auto", "formula", "table", "contexts")
#: ... and of outcomes.
OUTCOMES = ("all failed", "all worked", "separated", "alternating", "same alternative", "counts")
REGIMES = FEATURES + tuple(f"design: {one}" for one in DESIGNS) + OUTCOMES


@dataclass(frozen=True, eq=False)
class Story:
    """One history."""

    regime: str
    prior: core.Belief | core.Mixture
    pool: Array  # (M, d)
    which: NDArray[np.intp]  # (n,) rows of the pool
    won: NDArray[np.int64]  # (n,) successes ...
    of: NDArray[np.int64]  # (n,) ... of so many

    @property
    def X(self) -> Array:
        """What was tried, (n, d)."""
        return self.pool[self.which]

    def __str__(self) -> str:
        one = members(self.prior)[0][1]
        many = f"{len(members(self.prior))} of " if isinstance(self.prior, core.Mixture) else ""
        return (
            f"{self.regime}; {many}{one.link.name} {one.method} {one.covariance}, {len(self.pool)} alternatives, "
            f"{self.pool.shape[1]} features, {len(self.which)} outcomes"
        )


def story(rng: np.random.Generator, *, regime: str | None = None, most: int = 300, method: str | None = None) -> Story:
    """A history of some regime, up to ``most`` outcomes long."""
    regime = regime or str(rng.choice(REGIMES))
    method = method or str(rng.choice(METHODS))
    if regime.startswith("design: "):
        prior, pool = designed(rng, regime.removeprefix("design: "))
        prior = with_method(prior, method)
    else:
        pool = _features(rng, regime)
        prior = _prior(rng, pool, method)
    n = int(np.exp(rng.uniform(0.0, np.log(most + 0.5))))
    outcomes = regime if regime in OUTCOMES else str(rng.choice(["by chance", "by chance", "by chance", *OUTCOMES]))
    return Story(regime, prior, pool, *_outcomes(rng, outcomes, members(prior)[0][1].link, pool, n, most))


def with_method(prior: core.Belief | core.Mixture, method: str) -> core.Belief | core.Mixture:
    """The same prior, learning in another way."""
    if isinstance(prior, core.Belief):
        return replace(prior, method=method)
    return replace(prior, beliefs=tuple(replace(one, method=method) for one in prior.beliefs))


def _features(rng: np.random.Generator, regime: str) -> Array:
    d, size = int(rng.integers(1, 9)), int(rng.integers(1, 30))
    X = rng.standard_normal((size, d))
    X[:, 0] = 1.0
    if regime == "duplicated columns":
        X = np.c_[X, X[:, rng.integers(0, d, 2)]]
    elif regime == "constant columns":
        X = np.c_[X, np.zeros(size), np.full(size, rng.standard_normal())]
    elif regime == "huge scales":
        X = X * 10.0 ** rng.integers(-6, 7, d)
    elif regime == "near-collinear":
        tilt = 10.0 ** rng.uniform(-14, -2)
        X = np.c_[X, X.sum(axis=1) + tilt * rng.standard_normal(size), X[:, -1] * (1.0 + tilt)]
    return np.asarray(X[:, rng.permutation(X.shape[1])])


def _prior(rng: np.random.Generator, pool: Array, method: str) -> core.Belief | core.Mixture:
    d, link = pool.shape[1], str(rng.choice(list(core.LINKS)))
    covariance: Any = rng.choice(["full", "full", "diagonal"])
    how: dict[str, Any] = {"link": link, "method": method, "covariance": covariance}
    kind = rng.choice(["one", "one", "one", "wild", "mixture", "auto", "own", "columns"])
    moderate = float(10.0 ** rng.uniform(-2, 2))
    if kind == "wild":  # each weight of its own strength, from nothing known to all known
        return core.prior(d, precision=10.0 ** rng.uniform(-8, 8, d), mean=rng.standard_normal(d), **how)
    if kind == "mixture":
        links = [link] if rng.random() < 0.5 else list(core.LINKS)[: int(rng.integers(1, 5))]
        return core.prior_mixture(
            d, precisions=[moderate / 9, moderate, 9 * moderate], links=links, covariance=covariance, method=method
        )  # type: ignore[arg-type]
    if kind == "auto":
        if covariance == "full" and rng.random() < 0.5:
            return core.auto_prior(d, intercept=False, pool=pool, **how)
        return core.auto_prior(d, intercept=False, **how)
    if kind == "own":
        return core.prior(d, precision=moderate, own=float(10.0 ** rng.uniform(-3, 1)), **how)
    if kind == "columns":
        read = rng.permutation(d)[: int(rng.integers(1, d + 1))]
        return core.prior(d, precision=moderate, columns=read, own=float(rng.choice([0.0, 0.5])), **how)
    return core.prior(d, precision=moderate if rng.random() < 0.7 else float(10.0 ** rng.uniform(-8, 8)), **how)


def designed(rng: np.random.Generator, design: str) -> tuple[core.Belief | core.Mixture, Array]:
    """What a campaign begins with, and its alternatives' features (in a few cases, if it has any)."""
    campaign = made_campaign(rng, design)
    pool = campaign.spec.pool
    cases = [some_case(rng) for _ in range(3)] if pool.contextual else [None]
    X = np.concatenate([pool.matrix(case) for case in cases])
    campaign.storage.close()
    return campaign.spec.prior, X[rng.permutation(len(X))[:60]]


def made_campaign(rng: np.random.Generator, design: str, **options: Any) -> Campaign:
    """An empty campaign in memory: a grid in a shape, a formula of it, a table, or actions in contexts."""
    link = str(rng.choice(list(core.LINKS)))
    size = int(rng.integers(2, 6))
    levels: dict[str, Any] = {
        "a": np.sort(rng.choice(50_000, size, replace=False) / 1000.0).tolist(),
        "b": [1, 2, 4],
        "c": "xyz",
    }
    levels["c"] = list(levels["c"][: int(rng.integers(2, 4))])
    given: dict[str, Any] = {"link": link, "seed": int(rng.integers(2**31)), "storage": ":memory:"}
    if design == "table":
        n = int(rng.integers(3, 40))
        wide = {f"x{j}": (rng.standard_normal(n) * 10.0 ** rng.integers(-3, 4)).tolist() for j in range(3)}
        columns = {**wide, "kind": rng.choice(list("uvw"), n).tolist()}
        space: Any = Space.from_frame(columns, duplicates="merge")
    else:
        space = Space.grid(**levels)
    if design == "formula":
        given |= {"formula": str(rng.choice(["a + b", "a * b + C(c)", "C(c)"]))}
        given |= {"prior": float(10.0 ** rng.uniform(-4, 4))} if rng.random() < 0.5 else {}
    elif design == "contexts":
        given |= {"context": Contexts(age=(18, 90), ward=["A", "B"])}
    elif design != "table":
        given |= {"shape": design}
    return Campaign.create("soak", space, **given, **options)


def some_case(rng: np.random.Generator) -> dict[str, Any]:
    """A case of a campaign in contexts."""
    return {"age": float(rng.integers(18, 91)), "ward": str(rng.choice(["A", "B"]))}


def _outcomes(
    rng: np.random.Generator, kind: str, link: core.Link, pool: Array, n: int, most: int
) -> tuple[NDArray[np.intp], NDArray[np.int64], NDArray[np.int64]]:
    of = np.ones(n, dtype=np.int64)
    few = int(rng.integers(1, len(pool) + 1))
    which = rng.integers(0, few, n)
    spread = np.maximum(np.abs(pool).max(axis=0), 1e-300)
    truth = rng.standard_normal(pool.shape[1]) / spread * rng.choice([0.3, 1.0, 3.0])
    p = link.probability(pool @ truth)
    if kind == "same alternative":
        n = 2000 if most >= 300 and rng.random() < 0.5 else n
        which, of = np.zeros(n, dtype=np.intp), np.ones(n, dtype=np.int64)
    elif kind == "counts":
        of = rng.choice([1, 2, 7, 100, 10_000], n)
    chance = {"all failed": np.zeros(n), "all worked": np.ones(n), "alternating": np.arange(n) % 2}.get(kind, p[which])
    if kind == "separated":  # by a hyperplane through the median, with nothing on the wrong side
        score = pool @ truth
        chance = (score > np.median(score)).astype(float)[which]
    return which, rng.binomial(of, chance), of
