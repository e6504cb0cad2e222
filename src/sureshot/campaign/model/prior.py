"""How a belief is written as JSON.

The prior is kept in the campaign's specification, number by number: when the default is tuned, campaigns that exist
already keep the one they began with.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, cast

import numpy as np

from sureshot.core import Belief, Mixture, check, get_link, mixture, prior
from sureshot.core.beliefs.belief import Method
from sureshot.core.links import Link
from sureshot.errors import InvalidInput

__all__ = ["PriorGiven", "belief_from_dict", "belief_to_dict", "prior_roots"]

PriorGiven = Literal["auto"] | float | Mapping[str, Any]


def prior_roots(learned: Mapping[str, Any]) -> tuple[str, ...]:
    """The roots of all outcomes that what an earlier campaign learned rests on; none if an older version wrote it."""
    found = learned.get("roots")
    return tuple(map(str, found)) if isinstance(found, list | tuple) else ()


def belief_to_dict(belief: Belief | Mixture) -> dict[str, Any]:
    """A belief as JSON holds it, exactly: Python writes each number so that it is read back equal."""
    if isinstance(belief, Belief):
        return {"beliefs": [_one_to_dict(belief)], "log_weights": None}
    return {"beliefs": [_one_to_dict(b) for b in belief.beliefs], "log_weights": belief.log_weights.tolist()}


def belief_from_dict(stored: Mapping[str, Any]) -> Belief | Mixture:
    """The belief that :func:`belief_to_dict` wrote, to the last bit; what does not fit together is an error."""
    try:
        beliefs = [_one_from_dict(one) for one in stored["beliefs"]]
        logs = stored["log_weights"]
        if logs is None:
            (only,) = beliefs
            return only
        mixture(beliefs)  # refuses those that do not fit together
        return Mixture(tuple(beliefs), check.frozen(check.vector(logs, "log_weights", len(beliefs))))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise InvalidInput(f"a stored belief must be what sureshot wrote, and is not: {error}.") from error


def _one_to_dict(belief: Belief) -> dict[str, Any]:
    below = np.tril_indices(len(belief.mean), -1)
    parts = None if belief.factor is None else belief.factor[below]
    look = belief.reading
    reading = (
        None
        if look is None
        else {"width": look.width, "columns": look.columns.tolist(), "own": look.own, "rows": look.rows.tolist()}
    )
    return {
        **({} if reading is None else {"reading": reading}),
        "link": belief.link.name,
        "method": belief.method,
        "mean": belief.mean.tolist(),
        "spread": belief.spread.tolist(),
        # the lower triangle row by row; [] is the identity, null a diagonal belief
        "factor": None if parts is None else parts.tolist() if parts.any() else [],
    }


def _one_from_dict(stored: Mapping[str, Any]) -> Belief:
    method = cast(Method, str(stored["method"]))
    d, look = len(stored["mean"]), stored.get("reading")
    link = get_link(str(stored["link"]))
    blank = prior(d, link=link, method=method) if look is None else _read(look, d, link, method)
    mean, spread = check.vector(stored["mean"], "mean", d), check.positive(stored["spread"], "spread", d)
    factor = None
    if stored["factor"] is not None:
        square = np.eye(d)
        if stored["factor"]:
            square[np.tril_indices(d, -1)] = check.vector(stored["factor"], "factor", d * (d - 1) // 2)
        factor = check.frozen(square)
    return replace(blank, mean=check.frozen(mean), spread=check.frozen(spread), factor=factor)


def _read(stored: Mapping[str, Any], weights: int, link: Link, method: Method) -> Belief:
    """A blank belief that reads what the stored one reads."""
    width, rows = int(stored["width"]), stored["rows"]
    blank = prior(width, link=link, method=method, columns=stored["columns"], own=float(stored["own"]))
    if rows:
        blank = blank.knowing(check.features(rows, "rows", width))
    if len(blank.mean) != weights:
        raise InvalidInput(f"a stored belief must have {len(blank.mean)} weights for what it reads, got {weights}.")
    return blank
