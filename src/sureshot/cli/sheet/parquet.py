"""Parquet behind ``sureshot sheet``: the columns of sureshot's own beside those that are there, with their types."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

__all__ = ["parquet_content"]


def parquet_content(raw: bytes, columns: Mapping[str, Sequence[str]]) -> bytes:
    """The table with these columns filled, in place where they exist, else at the end."""
    import pyarrow as pa
    from pyarrow import parquet

    table = parquet.read_table(pa.BufferReader(raw))
    for name, cells in columns.items():
        read, kind = {"priority": (int, pa.int64()), "chance": (float, pa.float64())}.get(name, (str, pa.string()))
        column = pa.array([read(cell) if cell else None for cell in cells], kind)
        at = table.schema.get_field_index(name)
        table = table.append_column(name, column) if at < 0 else table.set_column(at, name, column)
    out = io.BytesIO()
    parquet.write_table(table, out)
    return out.getvalue()
