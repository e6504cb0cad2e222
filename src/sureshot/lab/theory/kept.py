"""Results that are no rows of a study: each in a small file, so that a page that was stopped goes on.

Work is cut into portions, each with a number; what made a file (the function, its code, its arguments) stands in it,
and a file that something else made is computed again.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from sureshot.core.numerics.stable import Array
from sureshot.files import write_whole
from sureshot.lab.report.markdown import writing
from sureshot.lab.study.fingerprint import described
from sureshot.lab.study.jobs import one_thread
from sureshot.lab.study.processes import how_many, shared

__all__ = ["PORTION", "Work", "computed"]

#: Numbers computed together: enough to be worth sending to another process, little enough to be lost.
PORTION = 50

Columns = dict[str, Array]
#: What is measured of cases ``first`` to ``last``, the first of all being 1: a row for each of them in every column.
Work = Callable[[int, int], Columns]


def computed(
    name: str,
    work: partial[Columns],
    cases: int,
    *,
    folder: Path,
    processes: int | None,
    progress: Callable[[int, int], None] | None = None,
) -> Columns:
    """The columns of cases 1 to ``cases``; what the folder holds already is not computed again.

    ``work`` is a function of a module with its arguments, but for the first and the last case.
    """
    made_by = json.loads(json.dumps(described(work)))
    ends = [(first, min(first + PORTION - 1, cases)) for first in range(1, cases + 1, PORTION)]
    files = {one: folder / name / f"cases-{one[0]:05}-{one[1]:05}.json" for one in ends}
    found = {one: columns for one, path in files.items() if (columns := _read(path, made_by)) is not None}
    done = sum(last - first + 1 for first, last in found)
    if progress is not None:
        progress(done, cases)
    left = [one for one in ends if one not in found]
    for one, columns in shared([partial(_on_one_thread, work, one) for one in left], how_many(processes)):
        with writing(files[one]):
            text = json.dumps({"made_by": made_by, "columns": {key: value.tolist() for key, value in columns.items()}})
            write_whole(files[one], text.encode())
        found[one] = columns
        done += one[1] - one[0] + 1
        if progress is not None:
            progress(done, cases)
    return {key: np.concatenate([found[one][key] for one in ends]) for key in found[ends[0]]}


def _on_one_thread(work: partial[Columns], one: tuple[int, int]) -> tuple[tuple[int, int], Columns]:
    with one_thread():
        columns = work(*one)
    return one, {key: np.asarray(value, dtype=np.float64) for key, value in columns.items()}


def _read(path: Path, made_by: Any) -> Columns | None:
    """What a file holds, if this very work made it."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        if kept["made_by"] != made_by:
            return None
        return {key: np.array(value, dtype=np.float64) for key, value in kept["columns"].items()}
    except (OSError, ValueError, KeyError, TypeError):
        return None
