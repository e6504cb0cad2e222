"""Shapes of older versions, brought up to date: what they leave unsaid is said as the code of their time had it.

Version 1 kept no length and no likeness: these were numbers in the code. It was written in two ways. At first there was
one kind of landmarks, ``together``, kept as a list with its ``residue`` beside it, and a part ``middle``: how far a
setting is from the ends of its numbers. Then came ``near`` and ``far``, kept as pairs of places and residue by kind.
Version 2 says all numbers that give the features, so that a change of the code leaves the shapes that exist as they
are. Another form of likeness than exp(-distance²/2 length²) will need version 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["VERSION", "up_to_date"]

#: Of a shape as it is written now.
VERSION = 2

#: What the code said while shapes were of version 1. Never to be changed.
_LENGTH = 0.35
_SHARED = 0.5
_NUGGET = 1e-9
_LENGTHS = {"together": 0.35, "near": 0.2, "far": 0.4}


def up_to_date(stored: Mapping[str, Any]) -> Mapping[str, Any]:
    """The same shape as the present version writes it."""
    if stored["version"] == VERSION:
        return stored
    marks = stored["landmarks"]
    if isinstance(marks, list):
        marks = {"together": (marks, stored["residue"])} if marks else {}
    wide = max(len(stored["axes"]) / 2.0, 1.0) ** 0.5
    return {
        **stored,
        "version": VERSION,
        "axes": [{**axis, "length": _LENGTH, "shared": _SHARED} for axis in stored["axes"]],
        "landmarks": {
            kind: {"places": places, "reach": _LENGTHS[kind] * wide, "nugget": _NUGGET, "residue": residue}
            for kind, (places, residue) in marks.items()
        },
    }
