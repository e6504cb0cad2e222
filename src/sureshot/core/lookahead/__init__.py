"""What one more outcome would teach: knowledge gradients over a pool of alternatives."""

from sureshot.core.lookahead.finals import Finals, finals
from sureshot.core.lookahead.gradient import knowledge_gradient, outlook
from sureshot.core.lookahead.joint import Lookahead

__all__ = ["Finals", "Lookahead", "finals", "knowledge_gradient", "outlook"]
