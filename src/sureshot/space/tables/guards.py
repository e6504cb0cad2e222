"""Cells of a file that was written for a spreadsheet: an apostrophe before what would run there is no part of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sureshot.files import unguarded_cell
from sureshot.space.tables.table import Cells

__all__ = ["unguarded"]


def unguarded(cells: Cells) -> Cells:
    """The cells as they were before :func:`~sureshot.files.csv_text` wrote them."""

    def coded(i: int) -> tuple[Sequence[object], NDArray[Any]]:
        unique, codes = cells.coded(i)
        read = [unguarded_cell(one) for one in unique]
        if all(new is old for new, old in zip(read, unique, strict=True)):
            return unique, codes
        at: dict[tuple[type, object], int] = {}  # 1 and True are one key, and two cells
        recoded = np.array([at.setdefault((type(one), one), len(at)) for one in read])
        return [one for _, one in at], recoded[codes]

    return replace(cells, headers=[unguarded_cell(one) for one in cells.headers], coded=coded)
