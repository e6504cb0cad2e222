"""Parts of a study, as somebody else's folder of results has them: Parquet files whose digests are right."""

from __future__ import annotations

import json
import random
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from fuzz.mutating import mutated as changed
from fuzz.nested import inside

KEY = b"sureshot"
#: What columns are turned into.
_TYPES = ("int8", "int64", "float64", "string", "bool", "float32")


def target(data: bytes) -> None:
    """The rows of the study in that folder; the part stands where it says that it belongs."""
    from sureshot.lab import load_rows
    from sureshot.lab.study.parts import KINDS, place_of
    from sureshot.lab.study.sealed import sealed_name

    said: Any = {}
    with suppress(Exception):
        said = json.loads(_read(data)[1])
    place, runs = Path(*KINDS), (1, 2)
    with suppress(Exception):
        place, runs = place_of(said["made_by"]), (int(said["first"]), int(said["last"]))
    with tempfile.TemporaryDirectory() as folder:
        within = Path(folder) / place
        within.mkdir(parents=True)
        (within / sealed_name(f"runs-{runs[0]:05.0f}-{runs[1]:05.0f}"[:100], ".parquet", data)).write_bytes(data)
        load_rows(folder)


def mutated(data: bytes, rng: random.Random) -> bytes:
    """What the part says of itself changed, or its columns."""
    try:
        table, said = _read(data)
    except Exception:  # then it is not Parquet any more
        return changed(data, rng)
    if rng.random() < 0.6:
        said = inside(said, rng)
    else:
        with suppress(Exception):  # what can't be done to a table is not done
            table = _another(table, rng)
    return _written(table, said)


def _another(table: Any, rng: random.Random) -> Any:
    import pyarrow as pa

    name = rng.choice(table.column_names)
    at, column = table.column_names.index(name), table[name]
    kind = rng.randrange(5)
    if kind == 0:
        return table.drop_columns([name])
    if kind == 1:
        return pa.concat_tables([table] * rng.choice((2, 3, 100)))
    if kind == 2:
        return table.set_column(at, name, column.cast(rng.choice(_TYPES)))
    if kind == 3:
        return table.set_column(at, name, pa.nulls(len(table), column.type))
    return table.slice(rng.randrange(len(table)), rng.randrange(len(table)))


def _read(data: bytes) -> tuple[Any, bytes]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(pa.BufferReader(data))
    return table, (table.schema.metadata or {})[KEY]


def _written(table: Any, said: bytes) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    out = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata({KEY: said}), out)
    return bytes(out.getvalue())
