"""synthetic and noisy: rows drawn uniformly, weights drawn from the prior (paper, section 6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sureshot.core import LINKS, get_link
from sureshot.core.numerics.stable import Array
from sureshot.lab.play.world import Truth, World, truth
from sureshot.lab.worlds.parameters import choice, flag, labelled, number, settle, whole

__all__ = ["HALF_WIDTH", "Noisy", "Synthetic", "uniform_rows", "usual_size", "with_constant"]

#: The paper draws each feature from [-3, 3].
HALF_WIDTH = 3.0


def uniform_rows(rng: np.random.Generator, size: int, d: int) -> Array:
    """``X ~ U[-3, 3]^d``, (size, d)."""
    return rng.uniform(-HALF_WIDTH, HALF_WIDTH, (size, d))


def with_constant(rows: Array, intercept: bool = True) -> Array:
    """The rows with a constant 1 in front, if there is to be one.

    >>> with_constant(np.array([[2.0], [3.0]]))
    array([[1., 2.],
           [1., 3.]])
    """
    return np.column_stack([np.ones(len(rows)), rows]) if intercept else rows


def usual_size(d: int) -> int:
    """How many alternatives there are unless said: 300 for d = 3 (Figure 2), else 200 (Figure 1)."""
    return 300 if d == 3 else 200


@dataclass(frozen=True)
class Synthetic(World):
    """``X ~ U[-3, 3]^d`` and ``w ~ N(0, I / precision)``, both drawn anew for each run; ``p = σ(w·x)``.

    ``d`` counts the features without the constant. ``M`` alternatives: 200 unless said, 300 for d = 3.

    >>> Synthetic(d=3)
    Synthetic(d=3, M=300, precision=1.0, link='logit', intercept=True)
    >>> Synthetic(d=3).label, Synthetic(M=500, link="probit").label
    ('synthetic-d3', 'synthetic-d10-M500-link-probit')
    """

    name: ClassVar[str] = "synthetic"
    d: int = 10
    M: int | None = None
    precision: float = 1.0
    link: str = "logit"
    intercept: bool = True

    def __post_init__(self) -> None:
        settle(self, d=whole(self, "d"), precision=number(self, "precision", above=0.0))
        settle(self, M=usual_size(self.d) if self.M is None else whole(self, "M"))
        flag(self, "intercept")
        self._check_link()

    def _check_link(self) -> None:
        choice(self, "link", LINKS)

    @property
    def label(self) -> str:
        """The name, d, and what is not as usual."""
        return labelled(self, self.name, always=("d",), defaults={"M": usual_size(self.d)})

    def rows(self, rng: np.random.Generator) -> Array:
        """The features of the alternatives, without the constant, (M, d)."""
        assert self.M is not None  # settled above
        return uniform_rows(rng, self.M, self.d)

    def weights(self, rng: np.random.Generator, width: int) -> Array:
        """The true weights, that of the constant first, (width,)."""
        return rng.normal(0.0, self.precision**-0.5, width)

    def probability(self, score: Array) -> Array:
        """The success probability at a score ``w·x``."""
        return get_link(self.link).probability(score)

    def draw(self, rng: np.random.Generator, budget: int) -> Truth:
        """New rows and new weights."""
        X = with_constant(self.rows(rng), self.intercept)
        w = self.weights(rng, X.shape[1])
        return truth(X, self.probability(X @ w), budget=budget, intercept=self.intercept, weights=w)


@dataclass(frozen=True)
class Noisy(Synthetic):
    """Small weights: every alternative succeeds about half of the time, and outcomes say little.

    With the usual precision of 100 and d = 10 the scores of a pool have a standard deviation of about 0.55.

    >>> Noisy().label
    'noisy-d10'
    """

    name: ClassVar[str] = "noisy"
    precision: float = 100.0
