"""Mixtures of beliefs: parallel filters over prior strengths (and links), weighted by how well they predicted.

Nobody knows the right prior precision beforehand, and the knowledge gradient loses most of its lead when it is
wrong. So several beliefs learn side by side, and each is weighted by its prequential evidence, the probability
that it gave to the outcomes before seeing them (docs/maths.md). A mixture is observed, predicts and is
sampled through the same functions as one belief.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from sureshot.cards import card
from sureshot.core import check
from sureshot.core.beliefs.belief import Belief, Covariance, Method, prior
from sureshot.core.links import LOGIT, Link
from sureshot.core.numerics.stable import Array
from sureshot.core.rows import distinct
from sureshot.errors import InvalidInput

__all__ = [
    "PRECISIONS",
    "Mixture",
    "heaviest",
    "members",
    "mixture",
    "normalised",
    "prior_mixture",
    "sample_components",
    "sample_scores",
    "sample_weights",
    "scores_of",
]

#: A factor of four between neighbours, over four decades: fine enough that the evidence between two is flat.
PRECISIONS = tuple(4.0**k for k in range(-3, 4))

#: Beliefs that a notebook shows: the heaviest.
_SHOWN = 8


@dataclass(frozen=True, slots=True, eq=False)
class Mixture:
    """Several beliefs about the same alternatives and the log of each one's weight. Make one with
    :func:`prior_mixture` or :func:`mixture`. Each may read features of its own.
    """

    beliefs: tuple[Belief, ...]
    log_weights: Array  # (K,), normalised

    @property
    def d(self) -> int:
        """How many features a row has."""
        return self.beliefs[0].d

    @property
    def weights(self) -> Array:
        """The probability of each belief, (K,). They sum to one, whatever the logarithms lose by rounding."""
        weights = np.exp(self.log_weights)
        return np.asarray(weights / weights.sum())

    def __reduce__(self) -> tuple[Callable[..., Mixture], tuple[object, ...]]:
        return _thawed, (self.beliefs, self.log_weights)

    def __repr__(self) -> str:
        parts = ", ".join(f"{w:.2f}: {b!r}" for w, b in zip(self.weights, self.beliefs, strict=True))
        return f"Mixture({parts})"

    def _repr_html_(self) -> str:
        order = np.argsort(-self.log_weights, kind="stable")[:_SHOWN]
        every = [(self.weights[i], self.beliefs[i]) for i in order]
        rows = [(f"{100 * w:.1f} %", one.link.name, one.covariance, one.method, str(len(one.mean))) for w, one in every]
        more = len(self.beliefs) - len(rows)
        return card(
            f"Mixture of {len(self.beliefs)} beliefs about {self.d} features",
            columns=("weight", "link", "covariance", "learns by", "weights"),
            rows=rows,
            quiet=[f"and {more:,} lighter ones"] if more else [],
        )


def _thawed(beliefs: tuple[Belief, ...], log_weights: Array) -> Mixture:
    """A mixture that was copied or sent to another process: its weights frozen again."""
    return Mixture(beliefs, check.frozen(log_weights))


def mixture(beliefs: Sequence[Belief], weights: ArrayLike | None = None) -> Mixture:
    """Beliefs put side by side, equally likely or with the given weights (which are normalised).

    >>> mixture([prior(2), prior(2, precision=9.0)], [3, 1]).weights
    array([0.75, 0.25])
    """
    if not beliefs:
        raise InvalidInput("`beliefs` must hold at least one belief, got none.")
    sizes = sorted({belief.d for belief in beliefs})
    if len(sizes) > 1:
        raise InvalidInput(f"`beliefs` must be about rows of the same width, got {sizes} features side by side.")
    if weights is None:
        return Mixture(tuple(beliefs), check.frozen(np.full(len(beliefs), -np.log(len(beliefs)))))
    return Mixture(tuple(beliefs), normalised(np.log(check.positive(weights, "weights", len(beliefs)))))


def normalised(log_weights: Array) -> Array:
    """The logarithms of weights that sum to one, frozen. The largest is taken out first: after many outcomes they are
    all of the size of -1e7, which leaves nine digits to a sum, and a chance of 1.000000001.

    >>> np.exp(normalised(np.array([-3e7, -3e7])))
    array([0.5, 0.5])
    """
    least = log_weights - log_weights.max()
    return check.frozen(least - np.logaddexp.reduce(least))


def prior_mixture(
    d: int,
    *,
    precisions: Sequence[ArrayLike] = PRECISIONS,
    links: Sequence[str | Link] = (LOGIT,),
    weights: ArrayLike | None = None,
    mean: ArrayLike | None = None,
    covariance: Covariance = "full",
    method: Method = "laplace",
) -> Mixture:
    """One prior for each pair of precision and link, so that nobody has to guess.

    Each precision is one number or one for each weight. ``weights`` has one number for each pair, precisions
    running slowest; equal by default.

    >>> len(prior_mixture(3, links=["logit", "probit"]).beliefs)
    14
    """
    if len(precisions) == 0 or len(links) == 0:
        raise InvalidInput("`precisions` and `links` must each hold at least one, got an empty list.")
    grid = product(precisions, links)
    return mixture(
        [
            prior(d, precision=precision, mean=mean, covariance=covariance, link=link, method=method)
            for precision, link in grid
        ],
        weights,
    )


def members(belief: Belief | Mixture) -> list[tuple[float, Belief]]:
    """The beliefs of a mixture with their weights; one belief is a mixture of one."""
    if isinstance(belief, Belief):
        return [(1.0, belief)]
    return list(zip(belief.weights.tolist(), belief.beliefs, strict=True))


def heaviest(belief: Belief | Mixture, least: float) -> tuple[tuple[Belief, ...], Array]:
    """The beliefs whose weights are above ``least``, and these weights, which sum to one again."""
    parts = [(weight, one) for weight, one in members(belief) if weight > least]
    weights = np.array([weight for weight, _ in parts])
    return tuple(one for _, one in parts), weights / weights.sum()


def sample_scores(
    belief: Belief | Mixture, X: Array, rng: np.random.Generator, size: int, *, scale: float = 1.0
) -> list[tuple[Link, Array]]:
    """Scores of all rows of ``X`` under ``size`` joint draws: (n, M) for each belief drawn from, with its link. An
    effect of an alternative's own is drawn too. ``scale`` widens the draws, or narrows them.
    """
    return [(one.link, f) for one, f in scores_of(sample_components(belief, rng, size), X, rng, scale=scale)]


def scores_of(
    drawn: Sequence[tuple[Belief, Array]], X: Array, rng: np.random.Generator, *, scale: float = 1.0
) -> list[tuple[Belief, Array]]:
    """The scores of all rows of ``X`` under weights that were ``drawn`` (:func:`sample_components`), (n, M) for each
    belief that they come from. Own effects of alternatives that were never tried are drawn here: one for each of them.
    """
    found, copies = [], None
    for one, w in drawn:
        f, extra = one.under(one.mean + scale * (w - one.mean), X)
        if extra.any():
            copies = distinct(X)[1] if copies is None else copies
            noise = rng.standard_normal((len(f), copies.max() + 1))
            f += (noise[:, copies] if noise.shape[1] < len(X) else noise) * (scale * np.sqrt(extra))
        found.append((one, f))
    return found


def sample_weights(belief: Belief | Mixture, rng: np.random.Generator, size: int) -> Array:
    """``size`` weight vectors drawn from the belief, (size, d).

    From a mixture each draw first picks a belief; draws of one belief stand together (they are exchangeable
    only after a shuffle), which is what averages over draws need.
    """
    return np.concatenate([w for _, w in sample_components(belief, rng, size)])


def sample_components(belief: Belief | Mixture, rng: np.random.Generator, size: int) -> list[tuple[Belief, Array]]:
    """Draws of the weights, grouped by the belief that they come from: their links may differ."""
    if isinstance(belief, Belief):
        return [(belief, _draw(belief, rng, size))]
    share = rng.multinomial(size, belief.weights / belief.weights.sum())
    return [(b, _draw(b, rng, n)) for b, n in zip(belief.beliefs, share.tolist(), strict=True) if n]


def _draw(belief: Belief, rng: np.random.Generator, size: int) -> Array:
    noise = rng.standard_normal((size, len(belief.mean))) * np.sqrt(belief.spread)
    return np.asarray(belief.mean + (noise if belief.factor is None else noise @ belief.factor))
