"""What was written for a spreadsheet is read as it was before, from text and from Excel; nothing else is changed."""

from pathlib import Path

import pytest
from openpyxl import Workbook

from sureshot.files import csv_text
from sureshot.space.tables.read import read_cells

TEXTS = ["=1+1", "-OH", "@x", "+", "'=1+1", "''-OH", "'quoted'", "it's", "-5", "plain", "=1+1"]


def written(folder: Path, ending: str) -> Path:
    file = folder / f"t{ending}"
    text = csv_text({"=name": TEXTS, "p": [-float(i) for i in range(len(TEXTS))]})
    if ending == ".csv":
        file.write_text(text)
        return file
    book = Workbook()
    for line in text.splitlines():
        book.active.append(line.split(","))
    for row in book.active.iter_rows():
        for cell in row:
            cell.data_type = "s"
    book.save(file)
    return file


@pytest.mark.parametrize("ending", [".csv", ".xlsx"])
def test_what_was_written_is_read(tmp_path: Path, ending: str) -> None:
    cells = read_cells(written(tmp_path, ending))
    assert cells.names == ["=name", "p"]
    assert cells.column(0) == TEXTS
    assert [float(str(one)) for one in cells.column(1)] == [-float(i) for i in range(len(TEXTS))]
    unique, _ = cells.coded(0)
    assert len(unique) == len(set(TEXTS))


def test_two_ways_to_write_one_text_are_one_level(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("group,p\n-OH,1\n'-OH,2\nH,3\n")
    table = read_cells(file).table()
    assert table.column("group").levels.tolist() == ["-OH", "H"]
    assert table.column("group").values().tolist() == ["-OH", "-OH", "H"]


def test_cells_of_other_kinds_stay_themselves(tmp_path: Path) -> None:
    book = Workbook()
    for row in (["a", "b"], ["'=x", 1], [True, 1.5], [1, "'-y"]):
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    cells = read_cells(tmp_path / "t.xlsx")
    assert [(type(one), one) for one in cells.column(0)] == [(str, "=x"), (bool, True), (int, 1)]
    assert cells.column(1) == [1, 1.5, "-y"]
