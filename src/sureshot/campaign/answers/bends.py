"""What bends, in words: which shape the outcomes speak for, and which numbers are best inside their range.

How likely each shape is, the belief knows: it is the weight of the members of its mixture that are made that way. Where
a number is best is seen in draws of the belief: the chance of success at each of its levels, averaged over the pool.
Averages of a straight model may look bent too, by effects of the alternatives' own or since the other parameters go
along with this one: so only draws of members that can bend speak for a bend, and of a formula only its curved numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from sureshot.campaign.log.ledger import Entry, totals
from sureshot.campaign.model.pool import Pool
from sureshot.core import Belief, Mixture
from sureshot.core.beliefs.mixture import members, mixture, sample_scores
from sureshot.core.numerics.stable import Array
from sureshot.space import Design, ShapedDesign
from sureshot.space.language.expression import parse_arithmetic
from sureshot.space.tables.column import show

__all__ = ["MadeOf", "favoured", "what_bends"]

MadeOf = Literal["straight", "curved", "pairs"]

#: What is less likely is not said.
SURE = 0.8
#: A shape with less weight than this has nothing that speaks for it; pairs begin with a third.
UNLIKELY = 0.1
#: Draws of the belief: a standard error of two points.
DRAWS = 400
#: Alternatives that chances are averaged over, and groups of levels of one number, at most.
AVERAGED, GROUPS = 500, 12


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


def what_bends(
    pool: Pool, belief: Belief | Mixture, X: Array, counted: Sequence[Entry], rng: np.random.Generator
) -> str | None:
    """One sentence about what bends and what speaks for it; None while nothing is known."""
    won, tries = totals(counted)
    if not 0 < won < tries:
        return None
    told = _best_inside(pool, belief, X, rng)
    if isinstance(pool.design, ShapedDesign) and pool.design.shape == "auto":
        told += _spoken_for(favoured(pool.design, belief), bool(told))
    return "; ".join(told) or None


def _spoken_for(share: dict[MadeOf, float], bends: bool) -> list[str]:
    if len(share) < 2:
        return []
    if share.get("pairs", 0.0) >= SURE:
        return ["parameters depend on each other: the best level of one changes with the others"]
    if share["straight"] >= SURE and not bends:
        return ["nothing speaks for curves or pairs" if "pairs" in share else "nothing speaks for curves"]
    return ["nothing speaks for pairs"] if share.get("pairs", 1.0) < UNLIKELY else []


def _best_inside(pool: Pool, belief: Belief | Mixture, X: Array, rng: np.random.Generator) -> list[str]:
    """The numbers whose chance, averaged over the pool, is surely highest inside their range, and where."""
    sure, bent = _bent(pool, belief)
    if bent is None or sure < SURE:
        return []
    rows = np.arange(len(X)) if len(X) <= AVERAGED else rng.choice(len(X), AVERAGED, replace=False)
    levels = {}
    for column in pool.space.columns:
        if column.kind == "number" and _can_bend(pool, column.name):
            numbers = column.numbers()[rows]
            if len(np.unique(numbers)) >= 3:
                levels[column.name] = numbers
    if not levels:
        return []
    drawn = sample_scores(bent, X[rows], rng, DRAWS)
    chances = np.concatenate([link.probability(scores) for link, scores in drawn])  # (draws, rows)
    told = []
    for name, numbers in levels.items():
        values, which = _grouped(numbers)
        share = np.eye(len(values))[which]
        top = np.argmax(chances @ (share / share.sum(axis=0)), axis=1)
        inside = (top > 0) & (top < len(values) - 1)
        if sure * inside.mean() >= SURE:
            low, high = np.quantile(values[top[inside]], [0.1, 0.9], method="nearest").tolist()
            where = f"near {show(low)}" if low == high else f"between {show(low)} and {show(high)}"
            told.append(f"{name} bends: best {where} {pool.space.column(name).unit}".rstrip())
    return told


def _bent(pool: Pool, belief: Belief | Mixture) -> tuple[float, Belief | Mixture | None]:
    """The members of a belief that can bend, and their weight; all of it for a formula, which its numbers decide."""
    design = pool.design
    if not isinstance(design, ShapedDesign):
        return 1.0, belief
    found = [(weight, one) for weight, one in members(belief) if weight > 0.0 and _made_of(design, one) != "straight"]
    if not found:
        return 0.0, None
    weights, beliefs = zip(*found, strict=True)
    return sum(weights), mixture(beliefs, weights)


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


def _grouped(numbers: Array) -> tuple[Array, np.ndarray[tuple[int, ...], np.dtype[np.intp]]]:
    """The levels of a number and which each row has; of very many, some that stand for their neighbours."""
    values, which = np.unique(numbers, return_inverse=True)
    if len(values) <= GROUPS:
        return values, which
    groups = np.linspace(0, GROUPS - 1e-9, len(values)).astype(np.intp)
    middle = [float(values[np.flatnonzero(groups == g)[(groups == g).sum() // 2]]) for g in range(GROUPS)]
    return np.array(middle), groups[which]
