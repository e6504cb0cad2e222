"""What one more outcome would teach: knowledge gradients over a pool of alternatives."""

from sureshot.core.lookahead.finals import Finals, finals
from sureshot.core.lookahead.gradient import knowledge_gradient, outlook
from sureshot.core.lookahead.joint import Lookahead
from sureshot.core.lookahead.star import Star, knowledge_gradient_star

__all__ = [
    "Finals",
    "Lookahead",
    "Star",
    "finals",
    "knowledge_gradient",
    "knowledge_gradient_star",
    "outlook",
]
