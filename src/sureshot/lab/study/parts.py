"""Rows of a study on disk: Parquet parts, each written whole or not at all, each with what made it.

A part holds the runs ``first`` to ``last`` of one contender in one world; the name ends with a digest of the file::

    results/first/synthetic-d-10-3f0c9a21/ucb-2-77aa01be/paper-50c1d2e9/runs-00001-00025-5f1e0c83a9d2b746.parquet

A file is read only if it is what was written: its bytes have that digest, it stands in its own place and among parts of
its own study, and its rows are those that it speaks of. Any other is an error that names it. What the study lacks once
it is deleted, ``run_study`` computes again.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sureshot.errors import InvalidInput, StorageError
from sureshot.lab.study.fingerprint import difference
from sureshot.lab.study.rows import COLUMNS, STOPPED, in_order, needs
from sureshot.lab.study.sealed import is_sealed, unsealed, write_sealed
from sureshot.space.tables.limits import LIMITS
from sureshot.space.tables.unpacking import check_parquet

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "KINDS",
    "PLACES",
    "Part",
    "files_of",
    "load_rows",
    "make_folder",
    "parts_of",
    "read_parts",
    "write_part",
]

#: What the folders within that of a study are of, the outermost first.
KINDS = ("world", "policy", "belief")
#: Where parts lie in the folder of a study.
PLACES = "*/*/*/"
#: Under this key a part keeps what made it.
KEY = b"sureshot"
_NAME = re.compile(r"runs-(\d{5,})-(\d{5,})(?:-[0-9a-f]{16})?\.parquet")


@dataclass(frozen=True)
class Part:
    """A finished part: its file, the runs in it and what made it."""

    path: Path
    first: int
    last: int
    fingerprint: Mapping[str, Any]

    @property
    def labels(self) -> tuple[str, str, str]:
        """Of its world, policy and belief."""
        world, policy, belief = (str(self.fingerprint[kind]["label"]) for kind in KINDS)
        return world, policy, belief


def place_of(fingerprint: Mapping[str, Any]) -> Path:
    """Where a part goes in the folder of its study."""
    return Path(*(_slug(fingerprint[kind]["label"]) for kind in KINDS))


def _slug(label: str) -> str:
    """A label as a folder's name: readable, and told from others by a digest."""
    plain = re.sub(r"[^A-Za-z0-9.]+", "-", label).strip("-.")[:40]
    return f"{plain}-{blake2b(label.encode(), digest_size=4).hexdigest()}"


def make_folder(folder: Path) -> None:
    """Make the folder of a study, before anything is computed for it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        writable = os.access(folder, os.W_OK, effective_ids=os.access in os.supports_effective_ids)
    except OSError as error:
        raise StorageError(f"{folder} can't be made ({error.strerror or error}): choose another folder.") from error
    if not writable:
        raise StorageError(f"{folder} can't be written to: choose another folder.")


def write_part(folder: Path, fingerprint: Mapping[str, Any], first: int, last: int, columns: Mapping[str, Any]) -> Path:
    """Write one part, in one step."""
    pa, pq = needs("pyarrow"), needs("pyarrow.parquet")
    made = json.dumps({"first": first, "last": last, "made_by": fingerprint, "sealed": True}, sort_keys=True)
    there = {name: columns[name] for name in (*COLUMNS, STOPPED) if name in columns}
    table = pa.table(there).replace_schema_metadata({KEY: made.encode()})
    content = pa.BufferOutputStream()
    pq.write_table(table, content, use_dictionary=["study", *KINDS], write_page_checksum=True)
    stem = f"runs-{first:05}-{last:05}"
    return write_sealed(folder / place_of(fingerprint), stem, ".parquet", content.getvalue().to_pybytes())


def files_of(folder: Path) -> list[Path]:
    """The files of the finished parts in a folder, in the order of their names; none of them is opened."""
    return sorted(folder.glob(f"{PLACES}runs-*.parquet"))


def parts_of(folder: Path) -> list[Part]:
    """The finished parts in a folder, in the order of their names, all of one study and each in its place."""
    found = [part for path in files_of(folder) if (part := _head(path)) is not None]
    _refuse_strangers(found)
    return found


def _head(path: Path) -> Part | None:
    """What a part says of itself; None for a file that is gone by now."""
    if not path.exists():
        return None
    content = _content(path)
    named = _NAME.fullmatch(path.name)
    try:
        pa, pq = needs("pyarrow"), needs("pyarrow.parquet")
        found = json.loads((pq.read_schema(pa.BufferReader(content)).metadata or {})[KEY])
        part = Part(path, int(found["first"]), int(found["last"]), dict(found["made_by"]))
        in_place = place_of(part.fingerprint) == Path(*path.parts[-4:-1])
        runs = None if named is None else (int(named[1]), int(named[2]))
        sealed = bool(found.get("sealed", False))
    except (
        Exception
    ) as error:  # pyarrow's are many, and a length that was changed may ask for more memory than there is
        raise _refused(path, f"is not a part of a study ({type(error).__name__})") from error
    if runs != (part.first, part.last) or sealed != is_sealed(path):
        raise _refused(path, f"was called otherwise when it was written: it holds runs {part.first} to {part.last}")
    if not in_place:
        world, policy, belief = part.labels
        raise _refused(path, f"is not in its place: it is of world {world!r}, policy {policy!r}, belief {belief!r}")
    return part


def _content(path: Path) -> bytes:
    try:
        content = unsealed(path)
    except OSError as error:
        raise _refused(path, f"can't be read ({error.strerror or error})") from error
    if content is None:
        raise _refused(path, "is damaged, its bytes are not those that were written")
    return content


def _refused(path: Path, why: str, what: str = "that file") -> StorageError:
    fix = f"delete {what} and run the study again, which plays those runs again"
    return StorageError(f"{path} {why}", value=str(path), fix=fix)


def _refuse_strangers(parts: Sequence[Part]) -> None:
    """Refuse parts that can't all be of one study, and name one of those that the fewest agree with."""
    told: dict[str, dict[str, list[Part]]] = {}
    every = {key for part in parts for key in part.fingerprint}
    for part in parts:
        for key in sorted(every):
            value = part.fingerprint.get(key)
            about = f"{key} {value['label']}" if key in KINDS and value else key
            told.setdefault(about, {}).setdefault(json.dumps([key, value], sort_keys=True), []).append(part)
    for ways in told.values():
        if len(ways) > 1:
            rare, *_, usual = sorted(ways, key=lambda way: len(ways[way]))
            (key, odd), (_, known) = json.loads(rare), json.loads(usual)
            path = ways[rare][0].path
            raise StorageError(
                f"{path} is of another study than {ways[usual][0].path} ({difference({key: known}, {key: odd})})",
                value=str(path),
                fix="put it back where it belongs, or delete it and run the study again, which plays those runs again",
            )


def read_parts(parts: Iterable[Part]) -> pd.DataFrame:
    """The rows of these parts, each run once.

    Two processes that knew nothing of each other may have played the same runs, as versions before could: of equal rows
    the first are taken, whatever they say of seconds. Rows that are not equal are refused.
    """
    known = list(parts)
    rows = in_order([_rows(part) for part in known])
    keys = [*KINDS, "run", "n"]
    if not rows.duplicated(keys).any():
        return rows
    if len(rows.drop(columns="seconds").drop_duplicates()) > len(rows[keys].drop_duplicates()):
        raise _at_odds(known)
    return rows.drop_duplicates(keys, ignore_index=True)


def _at_odds(parts: Sequence[Part]) -> StorageError:
    """The error for two parts that hold other rows of the same run."""
    for one in parts:
        for other in parts:
            if one.path < other.path and one.labels == other.labels and other.first <= one.last:
                both = in_order([_rows(one), _rows(other)]).drop(columns="seconds").drop_duplicates()
                if both.duplicated(["run", "n"]).any():
                    return _refused(other.path, f"and {one.path} hold different rows of the same runs", "both")
    raise AssertionError("no two parts are at odds")


def _rows(part: Part) -> pd.DataFrame:
    """The rows of a part, if they are those that it speaks of."""
    pa, pq, np = needs("pyarrow"), needs("pyarrow.parquet"), needs("numpy")
    content = _content(part.path)
    try:
        check_parquet(pa.BufferReader(content), LIMITS, part.path.name)
    except InvalidInput as error:  # a little that unpacks to very much
        raise _refused(part.path, f"is more than a part of a study holds ({error.wrong()})") from error
    try:
        rows = pq.read_table(pa.BufferReader(content), page_checksum_verification=True).to_pandas()
        count = part.last - part.first + 1
        budget = len(rows) // count if count > 0 else 0  # 0: it speaks of more runs than it has rows, perhaps of 10^12
        runs = np.arange(part.first, part.last + 1) if budget else np.empty(0)
        whole = budget > 0 and np.array_equal(rows["run"], np.repeat(runs, budget))
        whole &= np.array_equal(rows["n"], np.tile(np.arange(1, budget + 1), len(runs)))
        whole &= budget == part.fingerprint.get("budget", budget)
        whole &= all((rows[kind] == label).all() for kind, label in zip(KINDS, part.labels, strict=True))
        rows.astype(COLUMNS)
    except Exception as error:  # as in a head
        raise _refused(part.path, f"can't be read as rows ({type(error).__name__})") from error
    if not whole:
        raise _refused(part.path, f"does not hold the rows of runs {part.first} to {part.last}, as it says")
    return rows


def load_rows(folder: str | Path) -> pd.DataFrame:
    """All rows of the study in a folder, finished or not: one for each trial.

    Parts of a policy that has since left the study are there too. While somebody computes it, they are those of the
    parts that were finished when this was called.
    """
    path = Path(folder)
    if not path.is_dir():
        raise StorageError(f"there is no folder {path}: name the folder of a study, <out>/<name of the study>.")
    found = parts_of(path)
    if not found:
        inside = sorted({str(one.parents[3]) for one in path.glob(f"*/{PLACES}runs-*.parquet")})
        hint = f"did you mean {' or '.join(inside)}?" if inside else "run the study first."
        raise InvalidInput(f"{path} holds no rows of a study: {hint}")
    return read_parts(found)
