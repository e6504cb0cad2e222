"""Files that are small and ask for much, odd, or no tables at all: refused by a rule, soon, before they are read."""

import io
import os
import resource
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import openpyxl
import pytest

from sureshot.errors import InvalidInput
from sureshot.space import Space
from sureshot.space.tables import read, text
from sureshot.space.tables.limits import CELL, LIMITS, TableLimits

SHEET = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">%b<sheetData>%b</sheetData>%b</worksheet>'
TABLE = (
    b'<row r="1"><c r="A1" t="inlineStr"><is><t>power</t></is></c></row>'
    b'<row r="2"><c r="A2"><v>8</v></c></row><row r="3"><c r="A3"><v>9</v></c></row>'
)


def workbook(path, rows=b"", *, before=b"", after=b"", **parts):
    """A small table and more ``rows``, and other parts of the workbook by the end of their names."""
    stream = io.BytesIO()
    openpyxl.Workbook().save(stream)
    parts["sheet1"] = lambda _: SHEET % (before, TABLE + rows, after)
    with zipfile.ZipFile(stream) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            changed = parts.get(name.rpartition("/")[2].partition(".")[0], bytes)
            new.writestr(name, changed(old.read(name)))
    return path


def refused(path, said):
    with pytest.raises(InvalidInput) as caught:
        Space.read(path)
    assert said in str(caught.value)
    assert path.name in str(caught.value)
    assert caught.value.fix or ": " in str(caught.value)


WIDE = b"".join(b'<row r="%d"><c r="XFD%d"><v>1</v></c></row>' % (i, i) for i in range(4, 400))


@pytest.mark.parametrize(
    ("said", "rows", "after"),
    [
        ("may have 1,048,576 rows, got one of the number 99,999,999,999", b'<row r="99999999999"/>', b""),
        ("may have 16,384 columns, got 18,278", b'<row r="4"><c r="ZZZ4"><v>1</v></c></row>', b""),
        ("may have 5,000,000 cells, empty ones among them", WIDE, b""),
        ("may unpack to 5,000,000 bytes, got 12,", b"<row/>" * 2_000_000, b""),
        ("200,000 merged or linked", b"", b'<mergeCells><mergeCell ref="A4:XFD1048576"/></mergeCells>'),
        ("200,000 merged or linked", b"", b'<hyperlinks><hyperlink ref="A4:XFD1048576"/></hyperlinks>'),
        ("row 3 comes after row 3", b'<row r="3"/>', b""),
        ("in row 4, there is a cell that says A9", b'<row r="4"><c r="A9"><v>1</v></c></row>', b""),
    ],
)
def test_a_small_workbook_that_asks_for_much_is_refused(tmp_path, said, rows, after):
    file = workbook(tmp_path / "a.xlsx", rows, after=after)
    assert file.stat().st_size < 30_000
    refused(file, said)


def test_more_formats_than_a_workbook_has(tmp_path):
    file = workbook(
        tmp_path / "a.xlsx", styles=lambda old: old.replace(b"</fonts>", b"<font/>" * 250_000 + b"</fonts>")
    )
    refused(file, "formats together, got more")


def test_one_sheet_under_many_names(tmp_path):
    one = b'<Relationship Type="/worksheet" Target="/xl/worksheets/sheet1.xml" Id="x%d"/>'
    file = workbook(
        tmp_path / "a.xlsx",
        workbook=lambda old: old.replace(
            b"</Relationships>", b"".join(one % i for i in range(50)) + b"</Relationships>"
        ),
    )
    refused(file, "two of its sheets are one")


def test_what_a_sheet_says_of_its_size_is_not_believed(tmp_path):
    """One that says XFD1048576, with a row far down and rows of different lengths: what is there is read."""
    rows = b'<row r="4"/><row r="1048576"><c r="A1048576"><v>12</v></c></row>'
    space = Space.read(workbook(tmp_path / "a.xlsx", rows, before=b'<dimension ref="A1:XFD1048576"/>'))
    assert [space.row(i)["power"] for i in range(len(space))] == [8, 9, 12]
    assert space.table.place(2) == "row 1048576 of a.xlsx"


def test_rows_that_end_sooner_are_blank_behind(tmp_path):
    book = openpyxl.Workbook()
    for row in (["power", "cat"], [8], [9, "Fe"]):
        book.active.append(row)
    book.save(tmp_path / "whole.xlsx")
    with zipfile.ZipFile(tmp_path / "whole.xlsx") as old, zipfile.ZipFile(tmp_path / "a.xlsx", "w") as new:
        for name in old.namelist():  # as programs write it that do not say how large a sheet is
            new.writestr(name, old.read(name).replace(b'<dimension ref="A1:B3" />', b""))
    refused(tmp_path / "a.xlsx", "row 2 of a.xlsx: cat must have a value, got nothing")


def test_packed_as_excel_never_does(tmp_path):
    workbook(tmp_path / "whole.xlsx")
    with (
        zipfile.ZipFile(tmp_path / "whole.xlsx") as old,
        zipfile.ZipFile(tmp_path / "a.xlsx", "w", zipfile.ZIP_LZMA) as new,
    ):
        for name in old.namelist():
            new.writestr(name, old.read(name))
    refused(tmp_path / "a.xlsx", "it is packed as Excel never does")


def test_a_folder_a_pipe_and_a_name_that_no_file_can_have(tmp_path):
    for ending in (".csv", ".xlsx", ".parquet"):
        (tmp_path / f"folder{ending}").mkdir()
        refused(tmp_path / f"folder{ending}", "must be a file, got a folder")
    os.mkfifo(tmp_path / "pipe.csv")
    refused(tmp_path / "pipe.csv", "must be a file, got something else")  # and nobody waits for what comes out of it
    with pytest.raises(InvalidInput, match="File name too long"):
        Space.read(tmp_path / f"{'n' * 300}.csv")
    with pytest.raises(InvalidInput, match="must exist"):
        Space.read(tmp_path / "n\0.csv")


def test_a_cell_without_an_end(tmp_path):
    file = tmp_path / "a.csv"
    file.write_text(f'power,note\n8,fine\n9,"{"x," * CELL}\n')
    refused(file, "line 3 of a.csv: a cell may have 131,072 characters, got more: close the quote that is open")


def test_more_than_a_text_file_may_have(tmp_path, monkeypatch):
    file = tmp_path / "a.csv"
    file.write_text("a,b\n1,2\n3,4\n")
    for limits, said in (
        (TableLimits(bytes=10), "a.csv: a file may have 10 bytes, got 12: leave out the columns"),
        (TableLimits(columns=1), "a.csv: a file may have 1 columns, got 2"),
        (TableLimits(text_cells=3), "a.csv: a file may have 3 cells, got 4"),
    ):
        for module in (read, text):
            monkeypatch.setattr(module, "LIMITS", limits)
        refused(file, said)


def test_bytes_that_are_no_text(tmp_path):
    file = tmp_path / "a.csv"
    file.write_bytes(b"power\n" + b"8\n" * 3_000 + b"\x00\n")
    refused(file, "line 3002 of a.csv: a cell must be text, got one with a zero byte")
    file.write_bytes("power\n8\n".encode("utf-16") + b"\x00")
    refused(file, "a.csv must be UTF-16, as its first bytes say, and holds something else")
    file.write_bytes(b"\xef\xbb\xbfpower,cat\n8,\xe9\n")
    refused(file, "a.csv must be UTF-8, as its first bytes say, and holds something else")  # not Windows-1252


def test_a_server_sets_less():
    limits = TableLimits(rows=10)
    limits.refuse_sheet_row(11)
    with pytest.raises(InvalidInput, match="10 rows"):
        limits.refuse_sheet_row(12)
    assert TableLimits() == LIMITS


def test_a_long_reading_ends_when_it_is_asked_to(tmp_path):
    """A workbook that is just within the limits: to be terminated ends it, and nothing is left of it."""
    rows = b"".join(b"<row><c><v>%d</v></c></row>" % (i * 7_919 % 1_000_003) for i in range(200_000))
    file = workbook(tmp_path / "a.xlsx", rows)
    script = f"from sureshot.cli import main; main(['sheet', {str(file)!r}])"
    with subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE, text=True) as child:
        while held(child.pid) < 62_000_000:  # it is in the middle of it
            assert child.poll() is None
        child.send_signal(signal.SIGTERM)
        child.communicate(timeout=60)
    assert child.returncode == 130


def held(process):
    """The bytes of memory that a process has."""
    return resource.getpagesize() * int(Path(f"/proc/{process}/statm").read_text().split()[1])
