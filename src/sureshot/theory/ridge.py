"""The bias and the variance of the penalised estimate, for many outcomes (paper, section 5.3).

w_λ maximises the log-likelihood less (λ/2)‖w - m‖², which is the log posterior under a prior N(m, I/λ). The paper
prints 2λ, which belongs to the penalty λ‖w‖² (le Cessie & van Houwelingen 1992); with its own penalty it is λ
(docs/paper.md, erratum 9). Both formulas are of first order: what they leave out vanishes as information grows.

To first order 0 = Xᵀ(y - p) - F (w - w*) - λ (w - m), whence w - w* = (F + λI)⁻¹ (Xᵀ(y - p) - λ (w* - m)), with
E[y] = p and Var[Xᵀ(y - p)] = F.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from sureshot.core import check
from sureshot.core.numerics.stable import Array
from sureshot.theory.check import information_matrix, weights_of

__all__ = ["ridge_bias", "ridge_variance"]


def ridge_bias(
    information: ArrayLike, w_true: ArrayLike, precision: ArrayLike, *, mean: ArrayLike | None = None
) -> Array:
    """E[w_λ] - w* = -(F + λI)⁻¹ λ (w* - m), (d,): the estimate is drawn towards the prior mean, by default 0.

    ``information`` is F at the true weights (:func:`~sureshot.theory.fisher_information`); ``precision`` is λ, one
    number above 0 or one for each weight.

    >>> ridge_bias([[3.0]], [2.0], 1.0)
    array([-0.5])
    """
    F = information_matrix(information)
    w = weights_of(w_true, "w_true")
    check.vector(w, "w_true", len(F))
    strength = check.positive(precision, "precision", len(F))
    away = w if mean is None else w - check.vector(mean, "mean", len(F))
    return np.asarray(-np.linalg.solve(F + np.diag(strength), strength * away))


def ridge_variance(information: ArrayLike, precision: ArrayLike) -> Array:
    """The covariance of w_λ over outcomes, (F + λI)⁻¹ F (F + λI)⁻¹, (d, d).

    >>> ridge_variance([[3.0]], 1.0)
    array([[0.1875]])
    """
    F = information_matrix(information)
    strength = check.positive(precision, "precision", len(F))
    inverse = np.linalg.inv(F + np.diag(strength))
    return np.asarray(inverse @ F @ inverse)
