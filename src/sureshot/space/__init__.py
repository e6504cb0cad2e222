"""Alternatives, contexts and actions as tables, and the formula that turns them into features.

>>> from sureshot.space import Space
>>> space = Space.grid(power=[8, 10, 12, 14], ethylene="10:40:10 sccm", catalyst=["Fe", "Co"],
...                    where="power * ethylene <= 400")
>>> design = space.design("power * ethylene + catalyst")
>>> design.columns
('Intercept', 'power', 'ethylene', 'catalyst[T.Co]', 'power:ethylene')
>>> design.matrix(space).shape
(26, 5)
"""

from sureshot.space.alternatives import Space
from sureshot.space.contextual import NO_INTERACTIONS, Actions, Contexts, ContextualDesign
from sureshot.space.features.design import Design
from sureshot.space.features.prior import begin, shape_prior
from sureshot.space.features.shape import SHAPES, Shape, ShapedDesign
from sureshot.space.grid import MAX_COMBINATIONS
from sureshot.space.tables.column import Column
from sureshot.space.tables.levels import Levels
from sureshot.space.tables.table import MAX_ALTERNATIVES, Table

__all__ = [
    "MAX_ALTERNATIVES",
    "MAX_COMBINATIONS",
    "NO_INTERACTIONS",
    "SHAPES",
    "Actions",
    "Column",
    "Contexts",
    "ContextualDesign",
    "Design",
    "Levels",
    "Shape",
    "ShapedDesign",
    "Space",
    "Table",
    "begin",
    "shape_prior",
]
