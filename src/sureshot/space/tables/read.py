"""One reader of files for whoever needs a table: candidates, an import, a sheet. By the ending: CSV, Parquet, Excel.

What is read kindly is said in a note; the rest is an error that names the line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from sureshot.errors import InvalidInput, unknown_name
from sureshot.space.tables.column import Kind
from sureshot.space.tables.excel import read_excel
from sureshot.space.tables.table import MAX_ALTERNATIVES, Cells, Table, cells_of, too_many
from sureshot.space.tables.text import no_rows, read_text

__all__ = ["read_cells", "read_table"]


def read_table(
    path: str | Path,
    *,
    kinds: Mapping[str, Kind] | None = None,
    units: Mapping[str, str] | None = None,
    without: Sequence[str] = (),
) -> Table:
    """The table in a file, by its ending: .csv, .tsv and .txt; .parquet (needs pyarrow); .xlsx (needs openpyxl)."""
    return read_cells(path).table(kinds=kinds, units=units, without=without)


def read_cells(path: str | Path) -> Cells:
    """The cells of a file, before any of them is judged."""
    file = Path(path)
    if not file.exists():
        raise InvalidInput(f"the file must exist, got {str(path)!r}: check the path.")
    suffix = file.suffix.lower()
    if suffix not in _READERS:
        raise unknown_name("kind of file", suffix or file.name, _READERS)
    try:
        return _READERS[suffix](file)
    except OSError as error:
        raise InvalidInput(f"{path} can't be read ({error.strerror}): check the path.") from error


def _read_parquet(file: Path) -> Cells:
    import pandas as pd

    try:
        import pyarrow.parquet as parquet
    except ImportError as error:
        raise InvalidInput("to read Parquet, pyarrow must be installed: pip install 'sureshot[tables]'.") from error
    try:
        n = parquet.ParquetFile(file).metadata.num_rows  # before anything is loaded
        if n > MAX_ALTERNATIVES:
            raise too_many(n)
        frame = pd.read_parquet(file, engine="pyarrow")
    except (OSError, ValueError) as error:
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput(f"{file.name} must be a Parquet file, and cannot be read as one: {error}.") from error
    if not len(frame):
        raise no_rows(file)
    return replace(cells_of(frame), file=file.name, lines=range(len(frame)))


_READERS = {
    ".csv": read_text,
    ".tsv": read_text,
    ".txt": read_text,
    ".parquet": _read_parquet,
    ".xlsx": read_excel,
}
