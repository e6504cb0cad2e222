"""True weights from real outcomes: a ridge logistic fit, and a perturbation of it for each run (paper, section 6).

The fit, and the perturbation, are made on standardised features whatever the policies see: a perturbation of the same
size in raw units would change a weight of "c.c. of blood" by what suits one of "refractive index", and turn every
probability into 0 or 1. So the chances of the alternatives do not depend on the units in which they are shown.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from sureshot.core import LOGIT, check
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput
from sureshot.lab.play.world import Truth, World, truth
from sureshot.lab.worlds.parameters import choice, flag, number
from sureshot.space import Space

__all__ = ["PENALTY", "SCALINGS", "Fitted", "Fitting", "fit_ridge", "perturbed", "standardised"]

#: λ in the penalty (λ/2)|w|²; the constant is not penalised.
PENALTY = 1.0

#: What policies see: features with mean 0 and standard deviation 1, or as they are in the table.
SCALINGS = ("standard", "original")


@dataclass(frozen=True, eq=False)
class Fitted:
    """Features as policies see them, and the fitted weights of the standardised ones."""

    X: Array  # (n, d), the constant first if there is one
    fit: Array  # (d,) weights of the standardised features
    centre: Array  # (d,), 0 for the constant
    scale: Array  # (d,), 1 for the constant
    intercept: bool
    space: Space | None = None  # the same rows by named columns

    def shown(self, fit: Array) -> Array:
        """Weights of standardised features as weights of the features shown, so that ``X @ shown`` is the score."""
        w = fit / self.scale
        if self.intercept:
            w[0] -= w @ self.centre
        return np.asarray(w)


def standardised(rows: Array) -> Array:
    """Each column with mean 0 and standard deviation 1; a column that is constant becomes 0.

    >>> standardised(np.array([[1.0, 5.0], [3.0, 5.0]]))
    array([[-1.,  0.],
           [ 1.,  0.]])
    """
    return np.asarray((rows - rows.mean(axis=0)) / _spread(rows))


def perturbed(fit: Array, noise: float, rng: np.random.Generator) -> Array:
    """``fit + noise·rms(fit)·e``, e standard normal."""
    return np.asarray(fit + noise * np.sqrt(np.mean(fit**2)) * rng.normal(size=len(fit)))


def fit_ridge(X: Array, outcomes: NDArray[np.int8], *, intercept: bool, space: Space | None = None) -> Fitted:
    """The ridge logistic fit to real outcomes; the first column of ``X`` is the constant if ``intercept``."""
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError as error:
        raise InvalidInput(
            "true weights are fitted by scikit-learn, which is not installed: pip install 'sureshot[lab]'."
        ) from error
    if len(np.unique(outcomes)) < 2:
        raise InvalidInput("the outcomes must hold successes and failures, got only one kind: nothing can be fitted.")
    first = 1 if intercept else 0
    centre, scale = np.zeros(X.shape[1]), np.ones(X.shape[1])
    if intercept:
        centre[1:] = X[:, 1:].mean(axis=0)
    scale[first:] = _spread(X[:, first:])
    Z = ((X - centre) / scale)[:, first:]
    model = LogisticRegression(
        C=1.0 / PENALTY, fit_intercept=intercept, solver="newton-cholesky", tol=1e-10, max_iter=1000
    ).fit(Z, outcomes)
    fit = np.concatenate([model.intercept_[:first], model.coef_[0]])
    return Fitted(
        X=check.frozen(X),
        fit=check.frozen(fit),
        centre=check.frozen(centre),
        scale=check.frozen(scale),
        intercept=intercept,
        space=space,
    )


def _spread(rows: Array) -> Array:
    """The standard deviation of each column, 1 for one that is constant but for rounding."""
    spread = rows.std(axis=0)
    flat = spread <= 1e-12 * np.maximum(np.abs(rows).max(axis=0), 1e-300)
    return np.where(flat, 1.0, spread)


@dataclass(frozen=True, eq=False)
class Fitting(World):
    """A pool whose true weights are fitted to real outcomes, and perturbed.

    ``noise`` is the size of the perturbation beside the weights (root mean square): 0.1 leaves the truth nearly fixed,
    1.0 is as large as the weights. ``redraw=False`` perturbs once, the same for all runs. ``scaling``: policies see
    ``standard`` features, or the ``original`` ones; the probabilities are the same.
    """

    noise: float = 0.1
    redraw: bool = True
    scaling: str = "standard"
    intercept: bool = True

    def __post_init__(self) -> None:
        number(self, "noise", least=0.0)
        flag(self, "redraw")
        flag(self, "intercept")
        choice(self, "scaling", SCALINGS)

    @abstractmethod
    def fitted(self) -> Fitted:
        """The pool and the fitted weights; subclasses keep it for the next draw."""

    def draw(self, rng: np.random.Generator, budget: int) -> Truth:
        """The pool, with the fitted weights perturbed."""
        found = self.fitted()
        w = found.shown(perturbed(found.fit, self.noise, rng if self.redraw else self._fixed_rng()))
        X = found.X.copy()  # each run its own: what a policy does to it stays there
        return truth(
            X, LOGIT.probability(X @ w), budget=budget, intercept=found.intercept, weights=w, space=found.space
        )

    def _fixed_rng(self) -> np.random.Generator:
        return np.random.default_rng(int.from_bytes(blake2b(self.label.encode(), digest_size=8).digest()))
