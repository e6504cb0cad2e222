"""Files that somebody sends: what is kept of them, and every way to be too much that we could think of."""

from __future__ import annotations

import io
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook
from starlette.datastructures import UploadFile

from sureshot import Space
from sureshot.errors import InvalidInput, SureshotError, UnknownName
from sureshot.web import Settings
from sureshot.web.uploads import is_given, saved, shown_name

SMALL = Settings(upload_bytes=200_000, upload_rows=1_000, unpacked_bytes=1_000_000)
CSV = b"power,catalyst\n8,Fe\n10,Co\n"


def sent(content: bytes, name: str | None = "candidates.csv") -> UploadFile:
    return UploadFile(io.BytesIO(content), filename=name, size=len(content))


def refused(content: bytes, name: str, settings: Settings = SMALL) -> SureshotError:
    with pytest.raises(SureshotError) as error, saved(sent(content, name), settings):
        raise AssertionError("the file was taken")
    assert error.value.field == "candidates"
    return error.value


def workbook(*rows: list[Any]) -> bytes:
    book, stream = Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(stream)
    return stream.getvalue()


def sheet(xml: bytes, *, name: str = "xl/worksheets/sheet1.xml") -> bytes:
    """A workbook in which this is the sheet."""
    stream = io.BytesIO(workbook(["power"], [8]))
    made = io.BytesIO()
    with zipfile.ZipFile(stream) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for one in old.namelist():
            new.writestr(one, xml if one == "xl/worksheets/sheet1.xml" else old.read(one))
        if name != "xl/worksheets/sheet1.xml":
            new.writestr(name, xml)
    return made.getvalue()


def parquet(columns: dict[str, Any], **options: Any) -> bytes:
    import pyarrow as pa
    from pyarrow.parquet import write_table

    stream = io.BytesIO()
    write_table(pa.table(columns), stream, **options)
    return stream.getvalue()


# -- what is taken


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", CSV),
        ("A.CSV", CSV),
        ("a.tsv", CSV.replace(b",", b"\t")),
        ("a.xlsx", workbook(["power", "catalyst"], [8, "Fe"], [10, "Co"])),
        ("a.parquet", parquet({"power": [8, 10], "catalyst": ["Fe", "Co"]})),
    ],
)
def test_a_table_is_read_from_the_disk_and_removed(name: str, content: bytes) -> None:
    with saved(sent(content, name), SMALL) as path:
        assert len(Space.read(path)) == 2
        assert path.parent.stat().st_mode & 0o077 == 0, "others on this machine can look at it"
    assert not path.parent.exists()


def test_the_file_is_removed_after_an_error_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(RuntimeError), saved(sent(CSV), SMALL):
        raise RuntimeError
    refused(b"PK\x03\x04rubbish", "a.xlsx")
    refused(b"x" * 300_000, "a.csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["../../../tmp/evil.csv", "/etc/cron.d/evil.csv", "..\\..\\evil.csv", "a\0b.csv", ".csv"]
)
def test_the_name_of_a_file_is_never_a_path(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    if name == ".csv":  # an ending without a name is no ending
        assert isinstance(refused(CSV, name), UnknownName)
        return
    with saved(sent(CSV, name), SMALL) as path:
        assert path.name == ("a?b.csv" if "\0" in name else "evil.csv")
        assert path.parent.parent == tmp_path


def test_a_shown_name_is_one_short_line() -> None:
    assert shown_name("a\nb\x1b[31m.csv") == "a?b?[31m.csv"
    assert len(shown_name("a" * 5_000)) == 60
    assert shown_name("\N{SNOWMAN}" * 5_000 + ".csv").endswith("\N{SNOWMAN}.csv")
    assert len(shown_name(f"a.{'b' * 5_000}")) < 60
    assert shown_name("..") == "file"
    assert shown_name("/") == "file"


def test_an_empty_field_is_no_file() -> None:
    assert not is_given(sent(b"", ""))
    assert not is_given("text")
    assert is_given(sent(CSV))
    assert "must be chosen" in str(refused(b"", ""))


# -- what is refused


def test_other_endings_are_refused_with_those_that_can_be_read() -> None:
    error = refused(CSV, "a.exe")
    assert "choose one of '.csv', '.parquet', '.tsv', '.txt', '.xlsx'" in str(error)
    for name in ("a.xls", "a.csv.zip", "a", "csv"):
        assert isinstance(refused(CSV, name), UnknownName)


def test_an_empty_file_is_refused() -> None:
    assert "got an empty one" in str(refused(b"", "a.csv"))


def test_too_many_bytes_are_refused_with_the_limit_and_the_size() -> None:
    error = refused(b"x" * 200_001, "a.csv")
    assert "200,000 bytes, got 200,001" in str(error)
    assert error.fix


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_too_many_rows_of_text_are_refused(end: bytes) -> None:
    fine = b"power" + end + b"".join(b"%d%b" % (i, end) for i in range(1_000))
    with saved(sent(fine), SMALL):
        pass
    assert "1,000 rows" in str(refused(fine + b"1000" + end, "a.csv"))


def test_too_many_columns_of_text_are_refused() -> None:
    for end in (b"\n", b"\r"):
        assert "16,384 columns" in str(refused(b"a" + end + b"," * 20_000 + end + b"1" + end, "a.csv"))


@pytest.mark.parametrize("name", ["a.csv", "a.xlsx", "a.parquet"])
def test_binary_rubbish_is_an_error_and_no_crash(name: str) -> None:
    rubbish = bytes(range(256)) * 40
    with pytest.raises(InvalidInput), saved(sent(rubbish, name), SMALL) as path:
        Space.read(path)


@pytest.mark.parametrize("name", ["a.xlsx", "a.parquet"])
def test_every_truncation_is_an_error_and_no_crash(name: str) -> None:
    whole = workbook(["power"], [8], [10]) if name == "a.xlsx" else parquet({"power": [8, 10]})
    for size in range(1, len(whole), len(whole) // 23):
        with pytest.raises(InvalidInput), saved(sent(whole[:size], name), SMALL) as path:
            Space.read(path)


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.csv", b"power\n"), ("a.xlsx", workbook(["power"])), ("a.parquet", parquet({"power": []}))],
)
def test_a_table_without_rows_is_an_error(name: str, content: bytes) -> None:
    with pytest.raises(InvalidInput), saved(sent(content, name), SMALL) as path:
        Space.read(path)


@pytest.mark.parametrize("row", [["=1+1", 2], ["=1+1", "=2+2"]], ids=["a cell", "a whole row"])
def test_a_formula_that_was_never_computed_is_an_error_and_nothing_is_computed(row: list[Any]) -> None:
    content = workbook(["power", "time"], [8, 1], row)
    with pytest.raises(InvalidInput, match="formula"), saved(sent(content, "a.xlsx"), SMALL) as path:
        Space.read(path)


# -- bombs


def test_a_zip_bomb_is_refused_by_the_sizes_that_it_states() -> None:
    bomb = sheet(b"<a>" + b" " * 5_000_000 + b"</a>")
    assert len(bomb) < 20_000
    assert "unpack to 1,000,000 bytes" in str(refused(bomb, "a.xlsx"))


def test_a_zip_that_lies_about_its_sizes_is_refused() -> None:
    bomb = bytearray(sheet(b"<a>" + b" " * 5_000_000 + b"</a>"))
    true_size, said = (5_000_007).to_bytes(4, "little"), (1_000).to_bytes(4, "little")
    assert bomb.count(true_size) >= 1
    assert isinstance(refused(bytes(bomb.replace(true_size, said)), "a.xlsx"), InvalidInput)


def test_a_zip_of_very_many_parts_is_refused() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as book:
        for i in range(1_500):
            book.writestr(f"{i}", b"")
    assert "1,000 parts (sheets, pictures), got 1,500" in str(refused(stream.getvalue(), "a.xlsx"))


def test_a_zip_within_a_zip_is_not_opened() -> None:
    inner = sheet(b"<a>" + b" " * 900_000 + b"</a>", name="xl/media/inner.zip")
    assert "unpack" in str(refused(inner, "a.xlsx"))


SHEET = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">%b<sheetData>%b</sheetData></worksheet>'
WIDE = b"".join(b'<row r="%d"><c r="XFD%d"><v>1</v></c></row>' % (i, i) for i in range(1, 400))


@pytest.mark.parametrize(
    ("says", "xml"),
    [
        ("1,000 rows", SHEET % (b"", b'<row r="999999999"><c r="A1"><v>1</v></c></row>')),
        ("1,000 rows", SHEET % (b"", b"<row/>" * 1_200)),
        ("16,384 columns", SHEET % (b"", b'<row r="1"><c r="ZZZ1"><v>1</v></c></row>')),
        ("5,000,000 cells", SHEET % (b"", WIDE)),
        (
            "5,000,000 cells",
            b'<x:worksheet xmlns:x="u">' + WIDE.replace(b"<", b"<x:").replace(b"<x:/", b"</x:") + b"</x:worksheet>",
        ),
        (
            "200,000 merged",
            (SHEET % (b"", b"")).replace(b"</w", b'<mergeCells><mergeCell ref="A1:XFD99"/></mergeCells></w'),
        ),
        ("row 1 comes after row 7", SHEET % (b"", b'<row r="7"/><row r="1"/>')),
        ("in row 1, there is a cell that says A7", SHEET % (b"", b'<row r="1"><c r="A7"/></row>')),
        ("declares entities", b'<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>'),
        ("sheet1.xml", b"<worksheet><row>"[:-1]),
    ],
)
def test_a_sheet_that_would_fill_the_memory_is_refused(says: str, xml: bytes) -> None:
    assert says in str(refused(sheet(xml), "a.xlsx"))


def test_a_sheet_in_another_encoding_is_counted_too() -> None:
    xml = ('<?xml version="1.0" encoding="utf-16"?>' + "<a>" + "<row/>" * 1_200 + "</a>").encode("utf-16")
    assert "1,000 rows" in str(refused(sheet(xml), "a.xlsx"))


def test_a_parquet_file_with_too_many_rows_is_refused() -> None:
    assert "1,000 rows" in str(refused(parquet({"power": list(range(1_001))}), "a.parquet"))


def test_a_long_text_that_comes_again_and_again_is_counted_each_time() -> None:
    content = parquet({"name": ["x" * 100_000] * 500})
    assert len(content) < 20_000, "it is written once in the file"
    assert "unpack to 1,000,000 bytes" in str(refused(content, "a.parquet"))


def test_lists_in_a_parquet_file_are_refused() -> None:
    content = parquet({"many": [[1, 2], [3]]})
    with pytest.raises(InvalidInput, match="one value, got a list"), saved(sent(content, "a.parquet"), SMALL) as path:
        Space.read(path)


@pytest.mark.timeout(60)  # it takes a second
def test_a_million_rows_are_measured_soon() -> None:
    content = b"power\n" + b"".join(b"%d\n" % i for i in range(999_999))
    with saved(sent(content), Settings()) as found:
        assert found is not None
