"""Colours and marks of every picture, in one place.

Colours are those that colour-blind eyes tell apart (Okabe & Ito 2008), and nothing is said by colour alone: a star is
what to choose, a square what runs next, a circle what was tried, as in the paper; a filled circle worked, an open one
failed.
"""

from __future__ import annotations

from typing import Literal

__all__ = [
    "ACCENT",
    "COLOURS",
    "FAILURE",
    "FAINT",
    "GREY",
    "GRID",
    "INK",
    "LEGEND",
    "PAPER",
    "SCALE",
    "SUCCESS",
    "Outcome",
    "outcome_of",
]

#: Okabe and Ito's colours without yellow, which is too light for a line.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
SUCCESS, FAILURE = COLOURS[0], COLOURS[1]
#: The one colour of lines and bands that are about nothing in particular.
ACCENT = COLOURS[0]
#: Of text and lines on white paper.
INK, FAINT, GRID, PAPER = "#1f2933", "#52606d", "#e4e7eb", "#ffffff"
#: Of text on a background that nobody knows: contrast 4.2 on white as on the dark of a notebook (#111).
GREY = "#747c87"
#: Low to high, one hue from light to dark, and no blue or orange: marks in these colours lie on it.
SCALE = ("#eef4f1", "#cfe3db", "#9cc7b8", "#5ea493", "#2b7d6d", "#0b4f45")

#: How the tries of one setting came out.
Outcome = Literal["worked", "failed", "both"]
#: What each mark means, in the order of a legend. The campaign's own words take the place of the first two.
LEGEND = {"best": "to choose", "next": "running", "worked": "worked", "failed": "failed", "both": "worked and failed"}


def outcome_of(successes: int, tries: int) -> Outcome:
    """How so many tries came out.

    >>> outcome_of(2, 2), outcome_of(0, 3), outcome_of(1, 3)
    ('worked', 'failed', 'both')
    """
    return "worked" if successes == tries else "both" if successes else "failed"
