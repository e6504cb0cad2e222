"""How a run begins: the belief as a study names it."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from numbers import Real
from typing import Literal

import numpy as np

from sureshot.core import Belief, Mixture, auto_prior, prior
from sureshot.core.belief import Covariance, Method
from sureshot.core.stable import Array
from sureshot.errors import InvalidInput

__all__ = ["AUTO", "PAPER", "BeliefRecipe"]


@dataclass(frozen=True)
class BeliefRecipe:
    """A link, a covariance form, a rule of learning and a prior: one precision, or several weighted by evidence.

    ``"auto"`` is ``core.auto_prior`` without its pool, ``"auto-pool"`` with it: what a campaign begins with. A campaign
    with contexts has no pool when it begins, since the cases are still to come: there the two are the same.

    >>> BeliefRecipe("unit", covariance="diagonal", prior=1.0).make(np.eye(3), intercept=False)
    Belief(d=3, diagonal, link='logit', method='laplace')
    """

    label: str
    link: str = "logit"
    covariance: Covariance = "full"
    method: Method = "laplace"
    prior: Literal["auto", "auto-pool"] | float = "auto-pool"

    def __post_init__(self) -> None:
        if not isinstance(self.label, str) or not self.label.strip():
            raise InvalidInput(f"`label` of a belief must be a name, got {self.label!r}.")
        number = isinstance(self.prior, Real) and not isinstance(self.prior, bool)
        if not (number and 0.0 < float(self.prior) < inf) and self.prior not in ("auto", "auto-pool"):
            raise InvalidInput(f"`prior` must be a precision above 0, 'auto' or 'auto-pool', got {self.prior!r}.")
        if self.prior == "auto-pool" and self.covariance == "diagonal":
            raise InvalidInput(
                "`prior` 'auto-pool' needs covariance 'full', got 'diagonal': use prior 'auto', or a precision."
            )
        self.make(np.eye(2), intercept=True)  # what is wrong is said now, not in the middle of a study

    def make(self, X: Array, *, intercept: bool, contextual: bool = False) -> Belief | Mixture:
        """The belief before any outcome, about the alternatives ``X``, (M, d)."""
        d = X.shape[1]
        if isinstance(self.prior, str):
            if self.method != "laplace":
                raise InvalidInput(f"prior {self.prior!r} learns by 'laplace', got method {self.method!r}.")
            pool = X if self.prior == "auto-pool" and not contextual else None
            return auto_prior(d, intercept=intercept, link=self.link, covariance=self.covariance, pool=pool)
        return prior(d, precision=self.prior, covariance=self.covariance, link=self.link, method=self.method)


#: The paper's own: a logit link, a diagonal covariance and a unit prior.
PAPER = BeliefRecipe("paper", covariance="diagonal", prior=1.0)
#: A campaign's own: a full covariance, and several priors about its pool, weighted by evidence.
AUTO = BeliefRecipe("auto", prior="auto-pool")
