"""How large a table in a file may be: each limit, and the error for what is beyond it, in one place.

A file of a few kilobytes can unpack to more than a machine holds, or say "column XFD, row 1,048,576" in every row. What
is beyond a limit is refused before it is read, whoever reads: the command, the library, a server (which sets less).
"""

from __future__ import annotations

import csv
from dataclasses import dataclass

from sureshot.errors import InvalidInput
from sureshot.space.tables.table import MAX_ALTERNATIVES

__all__ = ["CELL", "LIMITS", "TableLimits"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLimits:
    """The limits. The defaults are for files of one's own."""

    bytes: int = 1_000_000_000  # of the file: a table of the most rows, with some twenty columns
    rows: int = MAX_ALTERNATIVES
    columns: int = 16_384  # as many as Excel has
    text_cells: int = 100_000_000  # of a text file: four bytes each, beside the different texts
    sheet_cells: int = 5_000_000  # of a workbook: each from the first column to the last one used in its row
    sheet_rows: int = 1_048_576  # the number of the last row of a sheet, as Excel has them
    shared: int = 200_000  # cells of a workbook under merged cells and links, and its fonts, fills and formats
    parts: int = 1_000  # of a workbook: sheets, pictures, styles
    unpacked_bytes: int = 1_000_000_000  # of a file that is compressed: a workbook, Parquet
    unpacked_small: int = 5_000_000  # which every file may unpack to
    unpacked_times: int = 100  # beyond that: of its size. XML of real tables unpacks to ten or twenty times

    def refuse_bytes(self, found: int) -> None:
        """Refuse a file that is too large."""
        if found > self.bytes:
            raise InvalidInput(
                f"a file may have {self.bytes:,} bytes, got {found:,}",
                value=found,
                fix="leave out the columns and rows that are not needed",
            )

    def refuse_rows(self, found: int) -> None:
        """Refuse a table that is too long."""
        if found > self.rows:
            fix = "choose those that you would really try"
            raise InvalidInput(f"a file may have {self.rows:,} rows, got more", fix=fix)

    def refuse_columns(self, found: int) -> None:
        """Refuse a table that is too wide."""
        if found > self.columns:
            fix = "leave out those that are not needed"
            raise InvalidInput(f"a file may have {self.columns:,} columns, got {found:,}", value=found, fix=fix)

    def refuse_text_cells(self, found: int) -> None:
        """Refuse a text file with too many cells."""
        if found > self.text_cells:
            fix = "leave out the columns and rows that are not needed"
            raise InvalidInput(f"a file may have {self.text_cells:,} cells, got {found:,}", value=found, fix=fix)

    def refuse_sheet_row(self, number: int) -> None:
        """Refuse a sheet with a row where none can be."""
        if self.rows < self.sheet_rows:
            self.refuse_rows(number - 1)  # one is the header
        if number > self.sheet_rows:
            told = f"a sheet may have {self.sheet_rows:,} rows, got one of the number {number:,}"
            raise InvalidInput(told, value=number, fix="save it again, as .xlsx or .csv")

    def refuse_sheet_cells(self, found: int) -> None:
        """Refuse a workbook with too many cells."""
        if found > self.sheet_cells:
            raise InvalidInput(
                f"a workbook may have {self.sheet_cells:,} cells, empty ones among them, got more",
                fix="save its table as .csv, or delete the empty columns and rows beside the table",
            )

    def refuse_shared(self, found: int) -> None:
        """Refuse a workbook in which too much is merged, linked or formatted."""
        if found > self.shared:
            raise InvalidInput(
                f"a workbook may have {self.shared:,} merged or linked cells and formats together, got more",
                fix="save its table as .csv, or in a workbook of its own",
            )

    def refuse_parts(self, found: int) -> None:
        """Refuse a workbook of too many parts."""
        if found > self.parts:
            told = f"a workbook may have {self.parts:,} parts (sheets, pictures), got {found:,}"
            raise InvalidInput(told, value=found, fix="save its table as .csv, or in a workbook of its own")

    def refuse_unpacked(self, found: int, packed: int | None = None) -> None:
        """Refuse a file that unpacks to too much; of a workbook it also matters how large it is ``packed``."""
        most, what = self.unpacked_bytes, "a file"
        if packed is not None and (fair := max(self.unpacked_small, self.unpacked_times * packed)) < most:
            most, what = fair, f"a workbook of {packed:,} bytes"
        if found > most:
            raise InvalidInput(
                f"{what} may unpack to {most:,} bytes, got {found:,} or more",
                value=found,
                fix="save what is needed as .csv, and nothing else",
            )


#: For files of one's own.
LIMITS = TableLimits()
#: Characters of a cell: more is a quote that was never closed. It is the csv module's own limit.
CELL = csv.field_size_limit()
