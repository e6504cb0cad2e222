"""Results that are no rows of a study: each in a small file, so that a page that was stopped goes on.

Work is cut into portions, each with a number; what made a file (the function, its code, its arguments) stands in it,
and a file that something else made, or that is not as it was written, is computed again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from sureshot.core.numerics.stable import Array
from sureshot.lab.study.alone import alone_in
from sureshot.lab.study.fingerprint import described
from sureshot.lab.study.jobs import one_thread
from sureshot.lab.study.parts import make_folder
from sureshot.lab.study.processes import how_many, shared
from sureshot.lab.study.sealed import sweep, unsealed, write_sealed

__all__ = ["PORTION", "Work", "computed"]

#: Numbers computed together: enough to be worth sending to another process, little enough to be lost.
PORTION = 50

Columns = dict[str, Array]
Ends = tuple[int, int]
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
    own, many = folder / name, how_many(processes)
    found = _found(own, ends, made_by)
    if len(found) == len(ends):
        _tell(progress, found, cases)
    else:
        make_folder(own)
        with alone_in(own) as alone:
            if alone:
                sweep(own, "")
            found = _found(own, ends, made_by)  # somebody else may have computed some of it until now
            _tell(progress, found, cases)
            left = [one for one in ends if one not in found]
            for one, columns in shared([partial(_on_one_thread, work, one) for one in left], many):
                before = _files(own, one)
                kept = write_sealed(own, _stem(one), ".json", _content(made_by, columns))
                for other in before:
                    if other != kept:  # something else made it, or it was damaged
                        other.unlink(missing_ok=True)
                found[one] = columns
                _tell(progress, found, cases)
    return {key: np.concatenate([found[one][key] for one in ends]) for key in found[ends[0]]}


def _tell(progress: Callable[[int, int], None] | None, found: Mapping[Ends, Columns], cases: int) -> None:
    if progress is not None:
        progress(sum(last - first + 1 for first, last in found), cases)


def _stem(one: Ends) -> str:
    return f"cases-{one[0]:05}-{one[1]:05}"


def _files(folder: Path, one: Ends) -> list[Path]:
    """Of one portion; that of versions before has no digest in its name."""
    return sorted(folder.glob(f"{_stem(one)}*.json"))


def _found(folder: Path, ends: Iterable[Ends], made_by: Any) -> dict[Ends, Columns]:
    """What a folder holds of this very work."""
    read = ((one, _read(path, made_by)) for one in ends for path in _files(folder, one))
    return {one: columns for one, columns in read if columns is not None}


def _content(made_by: Any, columns: Columns) -> bytes:
    told = {"made_by": made_by, "columns": {key: value.tolist() for key, value in columns.items()}}
    return json.dumps(told).encode()


def _on_one_thread(work: partial[Columns], one: Ends) -> tuple[Ends, Columns]:
    with one_thread():
        columns = work(*one)
    return one, {key: np.asarray(value, dtype=np.float64) for key, value in columns.items()}


def _read(path: Path, made_by: Any) -> Columns | None:
    """What a file holds, if this very work made it."""
    try:
        content = unsealed(path)
        kept = json.loads(content or b"null")
        if kept["made_by"] != made_by:
            return None
        return {key: np.array(value, dtype=np.float64) for key, value in kept["columns"].items()}
    except (OSError, ValueError, KeyError, TypeError):
        return None
