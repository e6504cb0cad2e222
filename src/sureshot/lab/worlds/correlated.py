"""correlated: features that move together, as measured ones do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import special

from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput
from sureshot.lab.worlds.parameters import number, settle
from sureshot.lab.worlds.synthetic import HALF_WIDTH, Synthetic

__all__ = ["Correlated", "correlated_rows"]


def correlated_rows(rng: np.random.Generator, size: int, d: int, correlation: float) -> Array:
    """Rows in [-3, 3]^d: each feature uniform, neighbours i and j tied by normals of correlation ``ρ^|i-j|``."""
    steps = rng.normal(size=(size, d))
    z = np.empty_like(steps)
    z[:, 0] = steps[:, 0]
    for j in range(1, d):
        z[:, j] = correlation * z[:, j - 1] + np.sqrt(1.0 - correlation**2) * steps[:, j]
    return np.asarray(HALF_WIDTH * (2.0 * special.ndtr(z) - 1.0))


@dataclass(frozen=True)
class Correlated(Synthetic):
    """As ``synthetic``, but neighbouring features are correlated: which of them matters is hard to tell apart.

    >>> Correlated(correlation=0.5).label
    'correlated-d10-correlation0.5'
    """

    name: ClassVar[str] = "correlated"
    correlation: float = 0.9

    def __post_init__(self) -> None:
        super().__post_init__()
        settle(self, correlation=number(self, "correlation", above=-1.0))
        if self.correlation >= 1.0:
            raise InvalidInput(f"world {self.name!r}: `correlation` must be below 1", got=self.correlation)

    def rows(self, rng: np.random.Generator) -> Array:
        """Correlated features."""
        assert self.M is not None  # settled above
        return correlated_rows(rng, self.M, self.d, self.correlation)
