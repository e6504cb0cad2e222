"""Which contexts the value of a trial is averaged over: those seen lately, this one among them.

What is learned now serves cases to come, and those are likeliest to be like the cases seen. One rule for campaigns and
the lab.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import TypeVar

__all__ = ["MOST_CONTEXTS", "MOST_ROWS", "seen_contexts"]

#: Contexts that a value is averaged over, at most: the latest.
MOST_CONTEXTS = 100
#: ... and alternatives in all of them, at most: a person waits.
MOST_ROWS = 5_000

Key = TypeVar("Key", bound=Hashable)


def seen_contexts(arrived: Sequence[Key], size: int) -> Counter[Key]:
    """How often each of the latest contexts came, in order; the last that ``arrived`` is the present one, and each has
    ``size`` alternatives.

    >>> seen_contexts(["A", "B", "A"], 3)
    Counter({'A': 2, 'B': 1})
    """
    return Counter(arrived[-max(1, min(MOST_CONTEXTS, MOST_ROWS // size)) :])
