"""What a stored design must be: the columns it asks for, the blocks of its formula, and the features made of these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sureshot.schema import (
    ANYTHING,
    FLAG,
    LARGEST,
    TEXT,
    WORD,
    by_name,
    different,
    listed,
    number,
    numbers,
    one_of,
    record,
    row,
    whole,
    wrong,
)
from sureshot.space.language.formula import MAX_FEATURES
from sureshot.space.stored import check_levels
from sureshot.space.tables.column import KINDS
from sureshot.space.tables.levels import MAX_LEVELS

__all__ = ["INPUT", "SCALE", "check_design", "check_inputs"]

#: What numbers are divided by: neither it nor its inverse is so large that a square overflows.
SCALE = number(above=1.0 / LARGEST)
#: The degree of a block, at most.
_MOST_DEGREE = 20

INPUT = record({"name": WORD, "kind": one_of(KINDS), "unit": TEXT, "levels": listed(ANYTHING, most=MAX_LEVELS)})
_BLOCK = record(
    {
        "kind": one_of(("number", "center", "scale", "poly", "bs", "levels")),
        "of": WORD,
        "name": WORD,
        "width": whole(1, MAX_FEATURES),
        "numbers": listed(numbers(), most=2),
        "levels": listed(ANYTHING, most=MAX_LEVELS),
    },
    {"degree": whole(0, _MOST_DEGREE), "raw": FLAG},
)
_FACTOR = row(whole(0), whole(0), number(), SCALE)
_FEATURE = record({"name": WORD, "factors": listed(_FACTOR), "centre": number(), "scale": SCALE})
_DESIGN = record(
    {
        "formula": WORD,
        "standardised": FLAG,
        "inputs": listed(INPUT),
        "blocks": listed(_BLOCK),
        "features": listed(_FEATURE, least=1, most=MAX_FEATURES),
        "notes": listed(TEXT),
    }
)


def check_design(stored: Mapping[str, Any], at: str) -> None:
    """Refuse what no design has written."""
    _DESIGN(stored, at)
    check_inputs(stored["inputs"], f"{at}.inputs")
    blocks = stored["blocks"]
    for i, block in enumerate(blocks):
        _check_block(block, stored["inputs"], f"{at}.blocks[{i}]")
    for i, feature in enumerate(stored["features"]):
        for k, (block, part, _, _) in enumerate(feature["factors"]):
            path = f"{at}.features[{i}].factors[{k}]"
            if block >= len(blocks):
                raise wrong(f"{path}[0]", f"must be the number of a block, of which there are {len(blocks)}", block)
            if part >= blocks[block]["width"]:
                raise wrong(f"{path}[1]", f"must be a part of its block, which has {blocks[block]['width']}", part)


def check_inputs(stored: Sequence[Mapping[str, Any]], at: str) -> None:
    """Refuse columns of the same name, and levels that are not of their kind."""
    different([one["name"] for one in stored], at, "names")
    for i, one in enumerate(stored):
        check_levels(one, f"{at}[{i}]", least=0)


def _check_block(block: Mapping[str, Any], inputs: Sequence[Mapping[str, Any]], at: str) -> None:
    kind, width, degree, learned = block["kind"], block["width"], block.get("degree", 0), block["numbers"]
    if kind == "levels":
        known = {one["name"]: list(one["levels"]) for one in inputs}
        by_name(f"{at}.of", block["of"], known, "an input")
        if len(block["levels"]) != width:
            raise wrong(f"{at}.levels", f"must be as many as the block is wide, {width}", block["levels"])
        if known[block["of"]] and list(block["levels"]) != known[block["of"]]:
            raise wrong(f"{at}.levels", f"must be the levels of the input {block['of']!r}", block["levels"])
    raw = block.get("raw", False)
    sizes = {"center": [2], "scale": [2], "poly": [degree, degree + 1], "bs": [width + degree + 2]}
    wanted = [] if kind in ("number", "levels") or raw else sizes[kind]
    if [len(one) for one in learned] != wanted:
        raise wrong(f"{at}.numbers", f"must be lists of {wanted or 'none'}", [len(one) for one in learned])
    if width != (degree if kind == "poly" else width if kind in ("bs", "levels") else 1):
        raise wrong(f"{at}.width", f"must be what a block {kind!r} of degree {degree} has", width)
    if kind == "scale" and not raw:
        SCALE(learned[0][1], f"{at}.numbers[0][1]")
    if kind == "poly" and not raw:
        for k, norm in enumerate(learned[1]):
            SCALE(norm, f"{at}.numbers[1][{k}]")
    if kind == "bs" and list(learned[0]) != sorted(learned[0]):
        raise wrong(f"{at}.numbers[0]", "must ascend", learned[0])
