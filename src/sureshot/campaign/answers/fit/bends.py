"""What can bend, and which shape the outcomes speak for.

How likely each shape is, the belief knows: it is the weight of the members of its mixture that are made that way. Where
a number is best is seen in draws of the belief (:mod:`sureshot.campaign.answers.dependence`). Averages of a straight
model may look bent too, by effects of the alternatives' own: so only draws of members that can bend speak for a bend,
and of a formula only its curved numbers.
"""

from __future__ import annotations

from typing import Literal

from sureshot.campaign.model.pool import Pool
from sureshot.core import Belief, Mixture
from sureshot.core.beliefs.mixture import members
from sureshot.space import Design, ShapedDesign
from sureshot.space.language.expression import parse_arithmetic

__all__ = ["SURE", "MadeOf", "bending", "favoured", "spoken_for"]

MadeOf = Literal["straight", "curved", "pairs"]

#: What is less likely is not said.
SURE = 0.8
#: A shape with less weight than this has nothing that speaks for it; pairs begin with a third.
UNLIKELY = 0.1


def favoured(design: ShapedDesign, belief: Belief | Mixture) -> dict[MadeOf, float]:
    """The weight of each shape in the belief, which must be about the features of the design."""
    found: dict[MadeOf, float] = {}
    for weight, one in members(belief):
        made = _made_of(design, one)
        found[made] = found.get(made, 0.0) + weight
    return found


def _made_of(design: ShapedDesign, one: Belief) -> MadeOf:
    read = set(range(design.width)) if one.reading is None else set(one.reading.columns.tolist())
    kinds = {part.kind for part in design.parts if part.start in read}
    return "pairs" if kinds & {"near", "far", "together"} else "curved" if "curve" in kinds else "straight"


def bending(pool: Pool, name: str, one: Belief) -> bool:
    """Whether a number may be best inside its range in this member of a belief: in a shape, any member but a straight
    one; in a formula, where its features have more of the number than a slope.
    """
    if pool.space.column(name).kind != "number":
        return False
    if isinstance(pool.design, ShapedDesign):
        return _made_of(pool.design, one) != "straight"
    return _can_bend(pool, name)


def spoken_for(pool: Pool, belief: Belief | Mixture, *, bends: bool) -> list[str]:
    """What the outcomes say about shapes, where they decide between them; ``bends``: some number surely does."""
    if not isinstance(pool.design, ShapedDesign) or pool.design.shape != "auto":
        return []
    share = favoured(pool.design, belief)
    if len(share) < 2:
        return []
    if share.get("pairs", 0.0) >= SURE:
        return ["parameters depend on each other: the best level of one changes with the others"]
    if share["straight"] >= SURE and not bends:
        return ["nothing speaks for curves or pairs" if "pairs" in share else "nothing speaks for curves"]
    return ["nothing speaks for pairs"] if share.get("pairs", 1.0) < UNLIKELY else []


def _can_bend(pool: Pool, name: str) -> bool:
    """Whether the features of what is chosen have more of a number than a slope."""
    design = pool.design.action
    if not isinstance(design, Design):
        return any(one.name == name for one in design.inputs)
    for feature in design.features:
        blocks = [design.blocks[factor.block] for factor in feature.factors]
        about = [b for b in blocks if b.of == name or (b.kind != "levels" and name in parse_arithmetic(b.of).names)]
        if len(about) > 1 or any(b.of != name or b.kind not in ("number", "center", "scale") for b in about):
            return True
    return False
