"""The belief of a shape before any outcome: several ways a score may be made of its parts, weighted by evidence.

Nobody knows beforehand what bends. So straight scores, curved ones and scores of all parameters together stand side by
side, each in two sizes, with and without an effect of the alternative's own; outcomes weight them.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from sureshot.core import Belief, Mixture, auto_prior, mixture, prior
from sureshot.core.beliefs.auto import INTERCEPT_PRECISION
from sureshot.core.links import LOGIT, Link
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput
from sureshot.said import Setting
from sureshot.space.features.design import Design
from sureshot.space.features.shape import PartKind, Shape, ShapedDesign

__all__ = ["MAKES", "OWN", "SIZES", "begin", "shape_prior"]

#: How much scores vary over the pool, as variances: moderately (nine chances in ten between 0.1 and 0.9), or so that
#: most alternatives are nearly sure to work or to fail.
SIZES = (2.0, 8.0)
#: The share of an alternative's own effect in that.
OWN = (0.0, 0.3)
#: How many parameters bend where many could: all of a few, a few of many.
BENDING = 4.0

#: What a score of each shape may be made of, beside its levels: by the parts that stand for its numbers.
MAKES: dict[Shape, tuple[PartKind, ...]] = {
    "auto": ("slope", "curve", "near", "far"),
    "straight": ("slope",),
    "curved": ("curve",),
    "pairs": ("near", "far"),
}


def shape_prior(design: ShapedDesign, *, link: str | Link = LOGIT) -> Mixture:
    """A prior for every make, size and share of own effects. Straight, curved and all together are equally likely. With
    contexts there are no own effects: hardly any case comes twice.

    >>> from sureshot.space import Space
    >>> design = ShapedDesign.fit(Space.grid(power=[8, 10, 12, 14], catalyst=["Fe", "Co"]))
    >>> len(shape_prior(design).beliefs)
    16
    """
    found, weights = list[Belief](), list[float]()
    kinds = {part.kind for part in design.parts}
    makes = [make for make in MAKES[design.shape] if make in kinds] or ["slope"]
    shares = (0.0,) if design.contexts else OWN
    for make, size, share in product(makes, SIZES, shares):
        variance = _variances(design, make)
        residue = design.landmarks[make].residue if make in design.landmarks else 0.0
        read = np.flatnonzero(variance > 0.0)
        precision = 1.0 / (size * (1.0 - share) * (1.0 - residue) * variance[read])
        precision[0] = INTERCEPT_PRECISION
        beside = size * (share + (1.0 - share) * residue)
        found.append(prior(design.width, precision=precision, link=link, method="ep", columns=read, own=beside))
        weights.append(0.5 if {"near", "far"} <= set(makes) and make in ("near", "far") else 1.0)
    return mixture(found, weights)


def begin(
    pool: Any, *, shape: Shape | None = None, formula: str | None = None, link: str | Link = LOGIT
) -> tuple[Design | ShapedDesign, Array, Mixture]:
    """What a campaign over this pool begins with: the recipe of its features, the features, (M, d), and the belief. A
    shape lets outcomes decide what bends; a formula means what it says. Without either, the shape is ``"auto"``.

    >>> design, X, belief = begin({"power": [8, 10, 12, 14], "time": [1, 2, 2, 1]})
    >>> X.shape == (4, design.width), belief.d == design.width
    (True, True)
    """
    if shape is not None and formula is not None:
        got = Setting("shape", shape)
        raise InvalidInput(
            "a shape and a formula both say what the features are", field="shape", got=got, fix="leave one out"
        )
    if formula is None:
        shaped = ShapedDesign.fit(pool, shape or "auto")
        return shaped, shaped.matrix(pool), shape_prior(shaped, link=link)
    design = Design.fit(pool, formula)
    X = design.matrix(pool)
    return design, X, auto_prior(design.width, intercept=design.has_intercept, link=link, pool=X, method="ep")


def _variances(design: ShapedDesign, make: PartKind) -> Array:
    """The variance of each feature's weight, (d,), for scores of variance 1 on average over the pool; 0: not read."""
    variance = np.zeros(design.width)
    variance[0] = 1.0
    if make in design.landmarks:
        (part,) = (part for part in design.parts if part.kind == make)
        variance[part.columns] = 1.0
        return variance
    columns = len(design.axes)
    products = sum(part.kind == "product" for part in design.parts)
    each = (0.5 if products else 1.0) / columns
    bend = min(1.0, BENDING / columns) if make == "curve" else 0.0
    bends = {part.of[0] for part in design.parts if part.kind == "curve"}
    for part in design.parts[1:]:
        share = {"level": 1.0, "curve": bend, "slope": 1.0 - bend if part.of[0] in bends else 1.0}.get(part.kind, 0.0)
        variance[part.columns] = 0.5 / products if part.kind == "product" else share * each
    return variance
