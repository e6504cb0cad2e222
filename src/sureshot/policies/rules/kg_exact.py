"""kg-exact: the knowledge gradient by the exact look-ahead (docs/knowledge-gradient.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sureshot.core.lookahead import Lookahead
from sureshot.policies.policy import Abilities
from sureshot.policies.rules.kg import Kg

__all__ = ["KgExact"]


@dataclass(frozen=True)
class KgExact(Kg):
    """The exact one-step look-ahead: never negative, and no approximation in what an outcome would teach."""

    name: ClassVar[str] = "kg-exact"
    abilities: ClassVar[Abilities] = Abilities(cost=True, kg=True, any_link=False)
    lookahead: ClassVar[Lookahead] = "exact"
