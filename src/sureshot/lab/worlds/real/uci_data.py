"""The seven UCI tables, from the folder that ``SURESHOT_DATA`` names, checked before anything is done with them.

Whoever made the files, they become the same thing: numbers, and the class of each row, in one order. Columns are found
by name or, if the source calls them otherwise, by place; classes by how many rows each has, since OpenML renames them.
Then shape, class counts and a digest of the content (not of the bytes of a file) must be what they were when its
:class:`Facts` were written down: a table that is not the one meant is refused.

UCI distributes the tables under CC BY 4.0; they are not part of sureshot, and nothing is read from the network here
(:mod:`~sureshot.lab.worlds.real.download` does that when it is told to).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput
from sureshot.said import Call, Text

__all__ = ["FOLDER", "OUTCOME", "Facts", "checked", "from_folder", "load"]

#: The environment variable that names the folder of the seven files.
FOLDER = "SURESHOT_DATA"

#: The outcome's column in the files of the folder.
OUTCOME = "label"
#: The files of the folder.
_FILES = (
    *("sonar.csv", "glass.csv", "transfusion.csv", "haberman.csv", "wpbc.csv"),
    *("planning_relax.csv", "climate.csv"),
)
_ALL = ", ".join(_FILES)
#: How to get them.
_DOWNLOAD = Text("download these seven (0.4 MB) from OpenML with ", Call("download_tables", apart=True))


@dataclass(frozen=True, eq=False)
class Facts:
    """One table. ``digest`` and ``prints`` are of its numbers, rounded to ``decimals`` places."""

    title: str  # as UCI calls it
    file: str  # in the folder named by SURESHOT_DATA: the attributes, then `label`
    openml: int  # id at OpenML
    counts: Mapping[str, int]  # rows of each class; no two alike
    success: tuple[str, ...]  # the classes that count as a success
    columns: tuple[str, ...]  # the attributes, without identifiers
    digest: str
    prints: str  # two bytes for each column
    decimals: int = 6

    @property
    def n(self) -> int:
        """How many rows there are."""
        return sum(self.counts.values())


def load(facts: Facts) -> tuple[Array, NDArray[np.str_]]:
    """The attributes, (n, k), NaN where a cell is missing, and the classes as UCI calls them, (n,).

    Rows come in one order, whatever the source's.
    """
    folder = os.environ.get(FOLDER)
    if not folder:
        raise InvalidInput(
            f"this world is made of the UCI table {facts.title!r}, which must be in the folder named by {FOLDER}, and "
            f"that is not set",
            fix=Text(f"set {FOLDER} to a folder with ", _ALL, ", or ", _DOWNLOAD),
        )
    return from_folder(facts, Path(folder))


def from_folder(facts: Facts, folder: Path) -> tuple[Array, NDArray[np.str_]]:
    """The same from this folder."""
    import pandas as pd

    path = folder / facts.file
    if not path.is_file():
        raise InvalidInput(
            f"the folder named by {FOLDER} must hold {facts.file}, got {str(folder)!r} without it",
            value=str(folder),
            fix=Text(f"set {FOLDER} to a folder with ", _ALL, ", or ", _DOWNLOAD),
        )
    try:
        frame = pd.read_csv(path, na_values=["?"], skipinitialspace=True)
    except (ValueError, OSError) as error:
        raise InvalidInput(f"{path} can't be read as CSV ({error}): put the file there again.") from error
    return checked(frame, facts, str(path))


def checked(frame: Any, facts: Facts, source: str) -> tuple[Array, NDArray[np.str_]]:
    """The table behind a frame, or an error that says what differs."""
    if len(frame) != facts.n:
        raise _differs(facts, source, f"it has {len(frame)} rows, not {facts.n}")
    outcome = _outcome(frame, facts, source)
    classes = _classes(frame[outcome], facts)
    rows = _numbers(frame.drop(columns=[outcome]), facts, source)
    order = np.lexsort((classes, *_grid(rows, facts.decimals).T[::-1]))
    rows, classes = rows[order], classes[order]
    if _content_digest(rows, classes, facts.decimals) != facts.digest:
        compared = zip(facts.columns, _prints(rows, facts.decimals), facts.prints.split(), strict=True)
        other = [name for name, seen, known in compared if seen != known]
        what = f"the numbers in {', '.join(other)} differ" if other else "its numbers are in other rows"
        raise _differs(facts, source, what)
    return rows, classes


def _content_digest(rows: Array, classes: NDArray[np.str_], decimals: int) -> str:
    """A digest of ordered rows and their classes, the same for every way to write the numbers down."""
    text = ",".join(classes.tolist()).encode()
    return blake2b(_grid(rows, decimals).astype("<i8").tobytes() + text, digest_size=16).hexdigest()


def _prints(rows: Array, decimals: int) -> tuple[str, ...]:
    """Two bytes for the numbers of each column, in any order: enough to name a column that differs."""
    ordered = np.sort(_grid(rows, decimals), axis=0).astype("<i8")
    return tuple(blake2b(column.tobytes(), digest_size=2).hexdigest() for column in ordered.T)


def _grid(rows: Array, decimals: int) -> NDArray[np.int64]:
    """Numbers as multiples of 10^-decimals; a missing cell is the smallest integer."""
    missing = np.isnan(rows)
    whole = np.rint(np.where(missing, 0.0, rows) * 10.0**decimals).astype(np.int64)
    return np.where(missing, np.iinfo(np.int64).min, whole)


def _outcome(frame: Any, facts: Facts, source: str) -> Any:
    """The column whose classes have as many rows each as they should."""
    wanted = sorted(facts.counts.values())
    for column in reversed(frame.columns):
        if sorted(_counts(frame[column]).values()) == wanted:
            return column
    names = [column for column in frame.columns if str(column).lower() in (OUTCOME, "class", "outcome", "type")]
    seen = _counts(frame[names[-1] if names else frame.columns[-1]])
    few = seen if len(seen) <= 12 else f"{len(seen)} different values"
    raise _differs(facts, source, f"its classes are {few}, not {facts.counts}")


def _counts(column: Any) -> dict[str, int]:
    return {str(value): int(n) for value, n in column.value_counts().items()}


def _classes(column: Any, facts: Facts) -> NDArray[np.str_]:
    """Each row's class as UCI calls it; no two classes of a table have the same number of rows."""
    name_of = {n: name for name, n in facts.counts.items()}
    called = {value: name_of[n] for value, n in _counts(column).items()}
    return np.array([called[str(value)] for value in column])


def _numbers(frame: Any, facts: Facts, source: str) -> Array:
    """The attributes: by name if the source has the names, else the last so many (identifiers come first)."""
    import pandas as pd

    by_name = {_bare(column): column for column in frame.columns}
    wanted = [_bare(name) for name in facts.columns]
    if len(frame.columns) < len(wanted):
        raise _differs(facts, source, f"it has {len(frame.columns)} attributes, not {len(wanted)}")
    named = all(name in by_name for name in wanted)
    taken = frame[[by_name[name] for name in wanted]] if named else frame.iloc[:, -len(wanted) :]
    try:
        columns = [pd.to_numeric(taken[name].astype(object).replace("?", np.nan)) for name in taken.columns]
        return np.column_stack(columns).astype(np.float64)
    except (TypeError, ValueError) as error:
        raise _differs(facts, source, f"not every cell is a number ({error})") from error


def _bare(name: object) -> str:
    return "".join(letter for letter in str(name).lower() if letter.isalnum())


def _differs(facts: Facts, source: str, what: str) -> InvalidInput:
    return InvalidInput(
        f"{source} is not the UCI table {facts.title!r} that this world is made of: {what}. Put the right "
        f"{facts.file} into the folder named by {FOLDER} ({facts.n} rows, {len(facts.columns)} attributes and the "
        "outcome; nothing scaled or filled in)."
    )
