"""Whether compiled code can be had, and the numbers that it knows links by.

Where Numba can't be had, or ``SURESHOT_NO_NUMBA=1`` is set, the NumPy path gives the same answers.
"""

from __future__ import annotations

import importlib.util
import os
from functools import cache

from sureshot.core.links import CLOGLOG, LOGIT, LOGLOG, PROBIT, Link

__all__ = ["CODES", "available", "code_of"]

#: The built-in links, by the number that compiled code knows them by. A user's own link has none.
CODES: dict[Link, int] = {LOGIT: 0, PROBIT: 1, CLOGLOG: 2, LOGLOG: 3}


@cache
def available() -> bool:
    """Whether compiled code can be used in this process."""
    return os.environ.get("SURESHOT_NO_NUMBA") != "1" and importlib.util.find_spec("numba") is not None


def code_of(link: Link) -> int | None:
    """The number of a link that compiled code knows, or None: then the NumPy path is taken."""
    return CODES.get(link) if available() else None
