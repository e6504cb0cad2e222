"""What a campaign keeps, as rules: its specification, a belief, and what it gives to another campaign.

A specification is checked as a whole where it comes in, and trusted after that. Here is what each of its parts must be,
and what of them must agree; its space and design have rules of their own (:mod:`sureshot.space.stored`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, get_args

from sureshot.campaign.model.options import ValueOver
from sureshot.core.beliefs.belief import Method
from sureshot.policies import Objective
from sureshot.schema import (
    ANYTHING,
    SCALAR,
    TEXT,
    WORD,
    by_name,
    different,
    listed,
    matrix,
    maybe,
    named_values,
    number,
    numbers,
    one_of,
    record,
    row,
    whole,
    wholes,
    wrong,
)

__all__ = ["check_belief", "check_posterior", "check_spec"]

#: Of a mixture, and of weights: how far their sum may be from 1 by rounding.
_ROUNDING = 1e-6
#: The variance of a weight under the weakest prior that can be given, and as much again.
_WIDEST = 1e305
#: A weight of a standardised feature is no larger, whatever was seen.
_FARTHEST = 1e150
#: Beliefs in a mixture, and features that they read, at most.
_MEMBERS, _FEATURES = 10_000, 10_000_000

_READING = record(
    {"width": whole(1, _FEATURES), "columns": wholes(least=0), "own": number(least=0.0), "rows": listed(ANYTHING)}
)
_ONE = record(
    {
        "link": WORD,
        "method": one_of(get_args(Method)),
        "mean": numbers(least=-_FARTHEST, most=_FARTHEST),
        "spread": numbers(above=0.0, most=_WIDEST),
        "factor": maybe(numbers(least=-_FARTHEST, most=_FARTHEST)),
    },
    {"reading": maybe(_READING)},
)
_BELIEF = record(
    {"beliefs": listed(_ONE, least=1, most=_MEMBERS), "log_weights": maybe(numbers(least=-_FARTHEST, most=_ROUNDING))}
)


def check_belief(stored: Mapping[str, Any], at: str) -> None:
    """Refuse what no belief was written as."""
    _BELIEF(stored, at)
    beliefs, logs = stored["beliefs"], stored["log_weights"]
    for i, one in enumerate(beliefs):
        _check_one(one, f"{at}.beliefs[{i}]")
    widths = [_width(one) for one in beliefs]
    if len(set(widths)) > 1:
        raise wrong(f"{at}.beliefs", "must all be about as many features", sorted(set(widths)))
    if logs is None:
        if len(beliefs) != 1:
            raise wrong(f"{at}.log_weights", f"must be a list of {len(beliefs)}, one for each belief", logs)
        return
    numbers(n=len(beliefs))(logs, f"{at}.log_weights")
    total = math.fsum(map(math.exp, logs))
    if abs(total - 1.0) > _ROUNDING:
        raise wrong(f"{at}.log_weights", "must be the logarithms of weights that sum to 1", total)


def _width(one: Mapping[str, Any]) -> int:
    """How many features a row has that a belief is about."""
    look = one.get("reading")
    return len(one["mean"]) if look is None else int(look["width"])


def _check_one(one: Mapping[str, Any], at: str) -> None:
    weights, look = len(one["mean"]), one.get("reading")
    if look is not None:
        columns, rows = look["columns"], look["rows"]
        wholes(least=0, most=look["width"] - 1)(columns, f"{at}.reading.columns")
        different(columns, f"{at}.reading.columns", "features")
        matrix(look["width"])(rows, f"{at}.reading.rows")
        if rows and not look["own"]:
            raise wrong(f"{at}.reading.own", "must be above 0, since alternatives have effects of their own", 0)
        weights = len(columns) + len(rows)
        if not columns:
            raise wrong(f"{at}.reading.columns", "must be a list of at least 1", columns)
    if not weights or weights != len(one["mean"]):
        raise wrong(f"{at}.mean", f"must be a list of {weights or 'at least 1'}, one for each weight", one["mean"])
    if len(one["spread"]) != weights:
        raise wrong(f"{at}.spread", f"must be a list of {weights}, one for each weight", one["spread"])
    below = weights * (weights - 1) // 2
    if one["factor"] and len(one["factor"]) != below:
        raise wrong(f"{at}.factor", f"must be [], null or a lower triangle of {below} numbers", one["factor"])


def check_posterior(stored: Mapping[str, Any], at: str) -> None:
    """Refuse what no campaign gave as what it learned; its belief and its design are looked at where they are read."""
    rules = {"campaign": WORD, "design": ANYTHING, "contexts": _CONTEXTS, "belief": ANYTHING, "link": WORD}
    record(rules, {"roots": listed(TEXT)})(stored, at)
    if stored["contexts"] is not None:
        different(stored["contexts"], f"{at}.contexts", "names")


_CONTEXTS = maybe(listed(WORD, least=1))
_RULE = record({"name": WORD})
_SPEC = record(
    {
        "space": ANYTHING,
        "design": ANYTHING,
        "contexts": _CONTEXTS,
        "success": WORD,
        "failure": WORD,
        "objective": one_of(get_args(Objective)),
        "budget": maybe(whole(1, 2**63 - 1)),
        "discount": maybe(number(least=0.0, below=1.0)),
        "cost": maybe(number(above=0.0)),
        "costs": maybe(numbers(above=0.0)),
        "prior": record({"given": SCALAR}, {"roots": listed(TEXT)}),
        "link": WORD,
    },
    {
        "context_ranges": named_values(row(number(), number())),
        "value": one_of(get_args(ValueOver)),
        "worth": maybe(number(above=0.0)),
        "stopping": maybe(_RULE),
        "policy": _RULE,
    },
)


def check_spec(stored: Mapping[str, Any], at: str) -> None:
    """Refuse what no campaign was made of, of those versions that are known. What its space, its
    design and its prior are, and whether these fit each other, is checked where they are read.
    """
    _SPEC(stored, at)
    contexts, ranges = stored["contexts"] or (), stored.get("context_ranges", {})
    different(contexts, f"{at}.contexts", "names")
    for name, (low, high) in ranges.items():
        by_name(f"{at}.context_ranges.{name}", name, contexts, "a context")
        if low > high:
            raise wrong(f"{at}.context_ranges.{name}", "must have its lower end first", [low, high])
    if stored.get("value") == "seen contexts" and not contexts:
        raise wrong(f"{at}.value", "must be 'same context' where there are no contexts", stored["value"])
    if stored["discount"] is not None and stored["objective"] != "online":
        raise wrong(f"{at}.discount", "must be null unless the objective is online", stored["discount"])
    if stored.get("stopping") is not None and (contexts or stored["objective"] == "online"):
        raise wrong(f"{at}.stopping", "must be null with contexts, and online", stored["stopping"]["name"])
    if stored["success"].casefold() == stored["failure"].casefold():
        raise wrong(f"{at}.failure", "must be another word than that of a success", stored["failure"])
    for name in ("policy", "stopping"):
        named_values(SCALAR)(stored.get(name) or {}, f"{at}.{name}")
