"""How a run begins: the belief as a study names it."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from numbers import Real
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sureshot.core import Belief, Mixture, auto_prior, check, fit, observe_many, prior
from sureshot.core.beliefs.belief import Covariance, Method
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput, unknown_name
from sureshot.lab.play.world import Truth
from sureshot.space import SHAPES, Shape, ShapedDesign, shape_prior

__all__ = ["AUTO", "PAPER", "BeliefRecipe"]


_NAMED = Literal["auto", "auto-pool", "notebook"]
#: How much alternatives differ in a notebook, as the variance of a score: nearly all chances are possible.
_NOTEBOOK = 8.0


@dataclass(frozen=True)
class BeliefRecipe:
    """A link, a covariance form, a rule of learning and a prior: one precision, or several weighted by evidence.

    ``"auto"`` is ``core.auto_prior`` without its pool, ``"auto-pool"`` with it. A campaign with contexts has no pool
    when it begins, since the cases are still to come: there the two are the same. With ``"auto-pool"`` by ``"ep"`` a
    world that names its parameters is believed to bend as a campaign of the same ``shape`` does (``"told"``: of the
    shape that the world itself says is right, ``"auto"`` where it says none); plain matrices stay straight.
    ``"notebook"`` looks at no features: each alternative is believed by its own outcomes, and the choice is what worked
    best, as in a notebook.

    >>> BeliefRecipe("unit", covariance="diagonal", prior=1.0).make(np.eye(3), intercept=False)
    Belief(d=3, diagonal, link='logit', method='ep')
    """

    label: str
    link: str = "logit"
    covariance: Covariance = "full"
    method: Method = "ep"
    prior: _NAMED | float = "auto-pool"
    shape: Shape | Literal["told"] = "auto"  # for prior "auto-pool", in worlds that name their parameters

    def __post_init__(self) -> None:
        if not isinstance(self.label, str) or not self.label.strip():
            raise InvalidInput("`label` of a belief must be a name", got=self.label)
        number = isinstance(self.prior, Real) and not isinstance(self.prior, bool)
        if not (number and 0.0 < float(self.prior) < inf) and self.prior not in get_args(_NAMED):
            raise InvalidInput("`prior` must be a precision above 0, 'auto', 'auto-pool' or 'notebook'", got=self.prior)
        if self.prior == "auto-pool" and self.covariance == "diagonal":
            raise InvalidInput(
                "`prior` 'auto-pool' needs covariance 'full', got 'diagonal'", fix="use prior 'auto', or a precision"
            )
        if self.shape not in (*SHAPES, "told"):
            raise unknown_name("shape", self.shape, (*SHAPES, "told"))
        self.make(np.eye(2), intercept=True)  # what is wrong is said now, not in the middle of a study

    def make(self, X: Array, *, intercept: bool, contextual: bool = False) -> Belief | Mixture:
        """The belief before any outcome, about the alternatives ``X``, (M, d)."""
        d = X.shape[1]
        if self.prior == "notebook":
            return prior(d, link=self.link, method="ep", columns=[0], own=_NOTEBOOK)
        if isinstance(self.prior, str):
            pool = X if self.prior == "auto-pool" and not contextual else None
            return auto_prior(
                d, intercept=intercept, link=self.link, covariance=self.covariance, pool=pool, method=self.method
            )
        return prior(d, precision=self.prior, covariance=self.covariance, link=self.link, method=self.method)

    def begin(self, truth: Truth) -> tuple[Array, Belief | Mixture]:
        """The features of a run, (C, M, d), that nobody can change, and the belief before any outcome."""
        X = truth.X
        if self.prior == "auto-pool" and self.method == "ep" and truth.space is not None:
            shape = (truth.shape or "auto") if self.shape == "told" else self.shape
            design = ShapedDesign.fit(truth.space, shape)
            return check.frozen(design.matrix(truth.space)[None]), shape_prior(design, link=self.link)
        start = self.make(X.reshape(-1, X.shape[2]), intercept=truth.intercept, contextual=truth.contextual)
        return check.frozen(X), start

    def learn(
        self, start: Belief | Mixture, now: Belief | Mixture, X: Array, y: NDArray[np.int64], new: int
    ) -> Belief | Mixture:
        """The belief after the outcomes ``y`` of ``X``, the last ``new`` of which ``now`` does not know: a whole
        history fitted together, or one after the other.
        """
        if self.method == "ep":
            return fit(start, X, y).belief
        return observe_many(now, X[-new:], y[-new:])[0] if new else now


#: The paper's own: a logit link, a diagonal covariance and a unit prior.
PAPER = BeliefRecipe("paper", covariance="diagonal", method="laplace", prior=1.0)
#: A campaign's own: several shapes, or several priors about a plain pool, weighted by evidence.
AUTO = BeliefRecipe("auto")
