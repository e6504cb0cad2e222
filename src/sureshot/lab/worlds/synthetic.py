"""Rows drawn uniformly and weights drawn from the prior (paper, section 6), and worlds that differ from it.

synthetic and noisy are as the belief supposes. misspecified-prior has other weights, wrong-link another link,
correlated has features that move together, and in drifting the weights change from trial to trial.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import special

from sureshot.core import LINKS, get_link
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput
from sureshot.lab.limits import MOST_FEATURES, MOST_NUMBERS
from sureshot.lab.play.world import Truth, World, labelled, truth
from sureshot.lab.worlds.parameters import choice, flag, number, settle, whole

__all__ = ["Correlated", "Drifting", "MisspecifiedPrior", "Noisy", "Synthetic", "WrongLink", "with_constant"]

#: The paper draws each feature from [-3, 3].
_HALF_WIDTH = 3.0


def with_constant(rows: Array, intercept: bool = True) -> Array:
    """The rows with a constant 1 in front, if there is to be one.

    >>> with_constant(np.array([[2.0], [3.0]]))
    array([[1., 2.],
           [1., 3.]])
    """
    return np.column_stack([np.ones(len(rows)), rows]) if intercept else rows


@dataclass(frozen=True)
class Synthetic(World):
    """``X ~ U[-3, 3]^d`` and ``w ~ N(0, I / precision)``, both drawn anew for each run; ``p = σ(w·x)``.

    ``d`` counts the features without the constant. ``M`` alternatives: 200 unless said (the paper's Figure 1), 300 for
    d = 3 (Figure 2).

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
        whole(self, "d", most=MOST_FEATURES)
        number(self, "precision", above=0.0)
        if self.M is None:
            settle(self, M=self._usual_size)
        whole(self, "M", most=MOST_NUMBERS // (self.d + 1))
        flag(self, "intercept")
        self._check_link()

    def _check_link(self) -> None:
        choice(self, "link", LINKS)

    @property
    def _usual_size(self) -> int:
        return 300 if self.d == 3 else 200

    @property
    def label(self) -> str:
        """The name, d, and what is not as usual."""
        return labelled(self, self.name, always=("d",), defaults={"M": self._usual_size})

    def rows(self, rng: np.random.Generator) -> Array:
        """The features of the alternatives, without the constant, (M, d)."""
        assert self.M is not None  # settled above
        return rng.uniform(-_HALF_WIDTH, _HALF_WIDTH, (self.M, self.d))

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


@dataclass(frozen=True)
class MisspecifiedPrior(Synthetic):
    """``w = (shift + stretch·e) / √precision``, e normal, or Student's t with ``tails`` degrees of freedom.

    As usual here the weights lie around 1, not 0, and closer together than a unit prior supposes. ``stretch=5,
    shift=0``: another scale. ``tails=2, shift=0, stretch=1``: a few weights far larger than the rest. ``base=-4`` is
    added to the weight of the constant: successes are rare.

    >>> MisspecifiedPrior(d=3, shift=0, tails=2).label
    'misspecified-prior-d3-shift0-tails2'
    """

    name: ClassVar[str] = "misspecified-prior"
    shift: float = 1.0
    stretch: float = 0.5
    tails: float = math.inf
    base: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        number(self, "shift")
        number(self, "stretch", above=0.0)
        number(self, "tails", above=0.0, finite=False)
        number(self, "base")

    def weights(self, rng: np.random.Generator, width: int) -> Array:
        """Shifted, stretched, with heavy tails."""
        drawn = rng.normal(size=width) if math.isinf(self.tails) else rng.standard_t(self.tails, width)
        found = (self.shift + self.stretch * drawn) / math.sqrt(self.precision)
        if self.intercept:
            found[0] += self.base
        return np.asarray(found)


@dataclass(frozen=True)
class WrongLink(Synthetic):
    """As ``synthetic``, but ``p`` by cloglog, probit, loglog, or ``t``: the distribution function of Student's t.

    A belief is logit unless a study says otherwise. cloglog rises slowly and saturates at once; ``t`` (with ``df``
    degrees of freedom) fails now and then even where success seems sure, so one odd outcome misleads a belief that
    trusts its tails.

    >>> WrongLink().label, WrongLink(link="t", df=1).label
    ('wrong-link-d10', 'wrong-link-d10-link-t-df1')
    """

    name: ClassVar[str] = "wrong-link"
    link: str = "cloglog"
    df: float = 3.0

    def __post_init__(self) -> None:
        super().__post_init__()
        number(self, "df", above=0.0)
        if self.link != "t" and self.df != type(self).df:
            raise InvalidInput(
                f"world {self.name!r}: `df` belongs to link 't', got link {self.link!r}", fix="leave it out"
            )

    def _check_link(self) -> None:
        choice(self, "link", [*(name for name in LINKS if name != "logit"), "t"])

    def probability(self, score: Array) -> Array:
        """By the true link."""
        return np.asarray(special.stdtr(self.df, score)) if self.link == "t" else super().probability(score)


@dataclass(frozen=True)
class Correlated(Synthetic):
    """As ``synthetic``, but neighbouring features are correlated: which of them matters is hard to tell apart.

    Each feature is uniform on [-3, 3]; i and j are tied by normals of correlation ``ρ^|i-j|``.

    >>> Correlated(correlation=0.5).label
    'correlated-d10-correlation0.5'
    """

    name: ClassVar[str] = "correlated"
    correlation: float = 0.9

    def __post_init__(self) -> None:
        super().__post_init__()
        number(self, "correlation", above=-1.0)
        if self.correlation >= 1.0:
            raise InvalidInput(f"world {self.name!r}: `correlation` must be below 1", got=self.correlation)

    def rows(self, rng: np.random.Generator) -> Array:
        """Correlated features."""
        assert self.M is not None  # settled above
        z = rng.normal(size=(self.M, self.d))
        for j in range(1, self.d):
            z[:, j] = self.correlation * z[:, j - 1] + np.sqrt(1.0 - self.correlation**2) * z[:, j]
        return np.asarray(_HALF_WIDTH * (2.0 * special.ndtr(z) - 1.0))


@dataclass(frozen=True)
class Drifting(Synthetic):
    """As ``synthetic``, but the weights walk at random: each trial moves them by ``rate`` prior standard deviations.

    The final choice is judged by the probabilities after the last trial. No belief here forgets, so old outcomes
    mislead it: the world measures how much.

    >>> Drifting(d=2, rate=0.2).label
    'drifting-d2-rate0.2'
    """

    name: ClassVar[str] = "drifting"
    rate: float = 0.1

    def __post_init__(self) -> None:
        super().__post_init__()
        number(self, "rate", least=0.0)

    def draw(self, rng: np.random.Generator, budget: int) -> Truth:
        """New rows, new weights and their walk: probabilities (budget + 1, 1, M)."""
        X = with_constant(self.rows(rng), self.intercept)
        start = self.weights(rng, X.shape[1])
        steps = (budget, len(start))
        moves = rng.normal(0.0, self.rate * self.precision**-0.5, steps) if self.rate else np.zeros(steps)
        path = np.concatenate([start[None], start + np.cumsum(moves, axis=0)])
        chance = self.probability(path @ X.T)[:, None, :]
        return truth(X, chance, budget=budget, intercept=self.intercept, weights=path)
