"""Contexts and actions as alternatives: 1 || φ(context) || ψ(action), with their interactions if wanted (section 5.4).

The additive form of the paper ranks the actions alike in every context (docs/paper.md, erratum 13): a decision that
depends on the case needs ``interactions=True``, the products of each context feature with each action feature.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from sureshot.core import check
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput

__all__ = ["context_width", "in_context"]


def in_context(context: ArrayLike, actions: ArrayLike, *, interactions: bool = False) -> Array:
    """The alternatives of one case: a row ``1 || context || action (|| context x action)`` for each action.

    >>> in_context([2.0], [[1.0, 0.0], [0.0, 1.0]], interactions=True)
    array([[1., 2., 1., 0., 2., 0.],
           [1., 2., 0., 1., 0., 2.]])
    """
    case = check.numbers(context, "context")
    if case.ndim != 1:
        raise InvalidInput(f"`context` must be one row of features, got shape {case.shape}.")
    case = check.vector(case, "context", len(case))
    choices = check.numbers(actions, "actions")
    choices = check.pool(choices, "actions", choices.shape[1] if choices.ndim == 2 else 0)
    parts = [np.ones((len(choices), 1)), np.tile(case, (len(choices), 1)), choices]
    if interactions:
        parts.append((case[None, :, None] * choices[:, None, :]).reshape(len(choices), -1))
    return np.concatenate(parts, axis=1)


def context_width(context_features: int, action_features: int, *, interactions: bool = False) -> int:
    """How many weights :func:`in_context` needs.

    >>> context_width(3, 2, interactions=True)
    12
    """
    return 1 + context_features + action_features + (context_features * action_features if interactions else 0)
