"""The belief of a shape before any outcome: several ways a score may be made of its parts, weighted by evidence.

Nobody knows beforehand what bends. So straight scores, curved ones and scores of all parameters together stand side by
side, each in several sizes, with and without an effect of the alternative's own; outcomes weight them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from sureshot.core import Belief, Mixture, mixture, prior
from sureshot.core.auto import INTERCEPT_PRECISION
from sureshot.core.belief import Method
from sureshot.core.links import LOGIT, Link
from sureshot.core.stable import Array
from sureshot.space.shape import Part, Shape, ShapedDesign

__all__ = ["OWN", "SIZES", "shape_prior"]

#: How much scores vary over the pool, as variances: from little (chances between a third and two thirds) to nearly all
#: sure to work or to fail.
SIZES = (1.0, 4.0, 16.0)
#: The share of an alternative's own effect in that.
OWN = (0.0, 0.3)
#: How many parameters bend where many could: all of a few, a few of many.
BENDING = 4.0

#: The share of how far a setting is from the ends of its ranges, in beliefs that bend. People set ranges so that what
#: works lies inside: it is as likely as not to have twice this share, and a sixth as likely to be the other way round.
MIDDLE = 0.2

#: What each shape may be made of.
MAKES: dict[Shape, tuple[str, ...]] = {
    "auto": ("straight", "curved", "together"),
    "straight": ("straight",),
    "curved": ("curved",),
    "pairs": ("together",),
}


def shape_prior(
    design: ShapedDesign,
    *,
    link: str | Link = LOGIT,
    method: Method = "ep",
    sizes: Sequence[float] = SIZES,
    own: Sequence[float] = OWN,
) -> Mixture:
    """A prior for every make, size and share of own effects, equally likely. With contexts there are no own effects:
    hardly any case comes twice.

    >>> from sureshot.space import Space
    >>> design = ShapedDesign.fit(Space.grid(power=[8, 10, 12, 14], catalyst=["Fe", "Co"]))
    >>> len(shape_prior(design).beliefs)
    18
    """
    found: list[Belief] = []
    made = {make: _variances(design, make) for make in MAKES[design.shape]}
    known = {part.kind for part in design.parts}
    middle = [part.start for part in design.parts if part.kind == "middle"]
    makes = [m for m in made if m == "straight" or {"curved": "curve", "together": "together"}[m] in known]
    shares = (0.0,) if design.contexts else own
    for make, size, share in product(makes or ["straight"], sizes, shares):
        variance = made[make] if make in made else _variances(design, "straight")
        residue = design.residue if make == "together" else 0.0
        read = np.flatnonzero(variance > 0.0)
        precision = 1.0 / (size * (1.0 - share) * (1.0 - residue) * variance[read])
        precision[0] = INTERCEPT_PRECISION
        mean = np.where(np.isin(read, middle), precision**-0.5, 0.0)
        beside = size * (share + (1.0 - share) * residue)
        found.append(
            prior(design.width, precision=precision, mean=mean, link=link, method=method, columns=read, own=beside)
        )
    return mixture(found)


def _variances(design: ShapedDesign, make: str) -> Array:
    """The variance of each feature's weight, (d,), for scores of variance 1 on average over the pool; 0: not read."""
    variance = np.zeros(design.width)
    variance[0] = 1.0
    columns = len(design.axes)
    bend = min(1.0, BENDING / columns) if make == "curved" else 0.0
    kinds = {part.kind for part in design.parts}
    main = 0.5 if "product" in kinds and make != "together" else 1.0
    products = sum(part.kind == "product" for part in design.parts)
    bends = {part.of[0] for part in design.parts if part.kind == "curve"}
    if make != "straight" and "middle" in kinds:
        main *= 1.0 - MIDDLE
    for part in design.parts[1:]:
        variance[part.columns] = _share(part, make, bend, bends) * main / columns
        if part.kind == "middle":
            variance[part.columns] = 0.0 if make == "straight" else MIDDLE
        if part.kind == "product" and make != "together":
            variance[part.columns] = 0.5 / products
        if part.kind == "together":
            variance[part.columns] = main if make == "together" else 0.0
    return variance


def _share(part: Part, make: str, bend: float, bends: set[str]) -> float:
    """What part of a parameter's effect this is."""
    if make == "together":
        return 0.0
    if part.kind == "curve":
        return bend
    if part.kind == "slope" and part.of[0] in bends:
        return 1.0 - bend
    return 1.0
