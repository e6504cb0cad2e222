"""How a belief is written as JSON.

The prior is kept in the campaign's specification, number by number: when the default is tuned, campaigns that exist
already keep the one they began with.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from sureshot.campaign.model.stored import check_belief
from sureshot.core import Belief, Mixture, check, get_link, prior
from sureshot.core.beliefs.belief import Method
from sureshot.core.links import Link
from sureshot.schema import inside, wrong

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


def belief_from_dict(stored: Mapping[str, Any], *, at: str = "belief") -> Belief | Mixture:
    """The belief that :func:`belief_to_dict` wrote, to the last bit; what does not fit together is an error that says
    where in the document, which stands ``at``.
    """
    check_belief(stored, at)
    beliefs = tuple(_one_from_dict(one, f"{at}.beliefs[{i}]") for i, one in enumerate(stored["beliefs"]))
    return beliefs[0] if stored["log_weights"] is None else Mixture(beliefs, check.frozen(stored["log_weights"]))


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


def _one_from_dict(stored: Mapping[str, Any], at: str) -> Belief:
    with inside(f"{at}.link"):
        link = get_link(stored["link"])
    method: Method = stored["method"]
    d, look = len(stored["mean"]), stored.get("reading")
    blank = prior(d, link=link, method=method) if look is None else _read(look, link, method)
    if len(blank.mean) != d:
        raise wrong(f"{at}.reading.rows", f"must differ, for {d} weights in all, got those of {len(blank.mean)}")
    factor = None
    if stored["factor"] is not None:
        square = np.eye(d)
        if stored["factor"]:
            square[np.tril_indices(d, -1)] = stored["factor"]
        factor = check.frozen(square)
    found = replace(blank, mean=check.frozen(stored["mean"]), spread=check.frozen(stored["spread"]), factor=factor)
    with np.errstate(over="ignore"):
        if not np.isfinite(found.variance).all():
            raise wrong(f"{at}.factor", "must give each weight a finite variance")
    return found


def _read(stored: Mapping[str, Any], link: Link, method: Method) -> Belief:
    """A blank belief that reads what the stored one reads."""
    width, rows = stored["width"], stored["rows"]
    blank = prior(width, link=link, method=method, columns=stored["columns"], own=float(stored["own"]))
    return blank.knowing(check.features(rows, "rows", width)) if rows else blank
