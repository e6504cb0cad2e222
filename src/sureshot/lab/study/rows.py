"""Rows of a study on disk: Parquet parts, each written whole or not at all, each with what made it.

A part holds the runs ``first`` to ``last`` of one contender in one world::

    results/first/synthetic-d-10-3f0c9a21/ucb-2-77aa01be/paper-50c1d2e9/runs-00001-00025.parquet
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sureshot.errors import InvalidInput, StorageError, SureshotError

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "COLUMNS",
    "STOPPED",
    "Part",
    "in_order",
    "load_rows",
    "make_folder",
    "needs",
    "parts_of",
    "read_parts",
    "write_part",
]

#: The columns of a row and their types, in order. What each means: :class:`sureshot.lab.play.run.Rows`.
COLUMNS = {
    "study": "str",
    "world": "str",
    "policy": "str",
    "belief": "str",
    "run": "int32",  # from 1
    "n": "int32",  # the trial, from 1 to the budget
    "pick": "int64",
    "outcome": "int8",
    "oc": "float64",
    "oc_plugin": "float64",
    "successes": "int64",
    "regret": "float64",
    "predicted": "float64",
    "true": "float64",
    "max_kg": "float64",
    "found_best": "float64",
    "seconds": "float64",
}
#: A column that rows have if the study has stopping rules: those by which the run would end with this trial, each on a
#: line of its own; the last trial ends it for all that are left.
STOPPED = "stopped"
#: Under this key a part keeps what made it.
KEY = b"sureshot"


@dataclass(frozen=True)
class Part:
    """A finished part: its file, the runs in it and what made it."""

    path: Path
    first: int
    last: int
    fingerprint: Mapping[str, Any]


def part_path(folder: Path, fingerprint: Mapping[str, Any], first: int, last: int) -> Path:
    """Where a part goes."""
    labels = [_slug(fingerprint[key]["label"]) for key in ("world", "policy", "belief")]
    return folder.joinpath(*labels) / f"runs-{first:05}-{last:05}.parquet"


def _slug(label: str) -> str:
    """A label as a folder's name: readable, and told from others by a digest."""
    plain = re.sub(r"[^A-Za-z0-9.]+", "-", label).strip("-.")[:40]
    return f"{plain}-{blake2b(label.encode(), digest_size=4).hexdigest()}"


def make_folder(folder: Path) -> None:
    """Make the folder of a study, before anything is computed for it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        writable = os.access(folder, os.W_OK)
    except OSError as error:
        raise StorageError(f"{folder} can't be made ({error.strerror or error}): choose another folder.") from error
    if not writable:
        raise StorageError(f"{folder} can't be written to: choose another folder.")


def write_part(folder: Path, fingerprint: Mapping[str, Any], first: int, last: int, columns: Mapping[str, Any]) -> Path:
    """Write one part: beside its place first, then moved there in one step."""
    pa, pq = needs("pyarrow"), needs("pyarrow.parquet")
    path = part_path(folder, fingerprint, first, last)
    made = json.dumps({"first": first, "last": last, "made_by": fingerprint}, sort_keys=True)
    there = {name: columns[name] for name in (*COLUMNS, STOPPED) if name in columns}
    table = pa.table(there).replace_schema_metadata({KEY: made.encode()})
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(table, aside, use_dictionary=["study", "world", "policy", "belief"])
        with aside.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(aside, path)
    except OSError as error:
        raise StorageError(f"{path} can't be written ({error.strerror or error}): choose another folder.") from error
    finally:
        with suppress(OSError):
            aside.unlink(missing_ok=True)
    return path


def parts_of(folder: Path) -> list[Part]:
    """The finished parts in a folder, in the order of their names."""
    return [_read_head(path) for path in sorted(folder.glob("*/*/*/runs-*.parquet"))]


def _read_head(path: Path) -> Part:
    pq = needs("pyarrow.parquet")
    try:
        found = json.loads((pq.read_schema(path).metadata or {})[KEY])
        return Part(path, found["first"], found["last"], found["made_by"])
    except (OSError, KeyError, ValueError) as error:
        raise StorageError(
            f"{path} is not a part of a study ({type(error).__name__}): remove it, and it is computed again."
        ) from error


def read_parts(parts: Iterable[Part]) -> pd.DataFrame:
    """The rows of these parts."""
    pq = needs("pyarrow.parquet")
    return in_order([pq.read_table(part.path).to_pandas() for part in parts])


def in_order(tables: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """All rows in the one order that depends on nothing else: by world, policy, belief, run and trial."""
    import pandas as pd

    order = ["world", "policy", "belief", "run", "n"]
    return pd.concat(tables, ignore_index=True).astype(COLUMNS).sort_values(order, kind="stable", ignore_index=True)


def load_rows(folder: str | Path) -> pd.DataFrame:
    """All rows of the study in a folder, finished or not: one for each trial.

    Parts of a policy that has since left the study are there too.
    """
    path = Path(folder)
    if not path.is_dir():
        raise StorageError(f"there is no folder {path}: name the folder of a study, <out>/<name of the study>.")
    found = parts_of(path)
    if not found:
        inside = sorted({str(one.parents[3]) for one in path.glob("*/*/*/*/runs-*.parquet")})
        hint = f"did you mean {' or '.join(inside)}?" if inside else "run the study first."
        raise InvalidInput(f"{path} holds no rows of a study: {hint}")
    return read_parts(found)


def needs(module: str) -> Any:
    """A library of the ``[lab]`` extra, or an error that says how to get it."""
    extra = "dask" if module.startswith("distributed") else "lab"
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise SureshotError(
            f"the lab needs {module.partition('.')[0]} for this: pip install 'sureshot[{extra}]'."
        ) from error
