"""``sureshot sheet`` on an Excel file: what goes in comes back, ranked, and all else in the workbook stays."""

import io
import zipfile

import openpyxl
import pytest
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.styles import Font, PatternFill

from tests.cli.commands import call, sureshot


@pytest.fixture
def book(folder):
    made = openpyxl.Workbook()
    page = made.active
    page.title = "runs"
    page.append(["power (W)", "catalyst", "Outcome", "remark"])
    for power in (8, 10, 12):
        for catalyst in ("Fe", "Co"):
            page.append([power, catalyst, None, None])
    page["C2"], page["C3"], page["D4"] = "success", "PENDING", "dusty"
    page["A1"].font = Font(bold=True)
    page["D1"].fill = PatternFill("solid", fgColor="FFFF00")
    page["B2"].comment = Comment("the old bottle", "Ann")
    page.column_dimensions["D"].width = 40
    notes = made.create_sheet("notes")
    notes["A1"], notes["B2"] = "hello", 3.5
    made.save(folder / "c.xlsx")
    return folder / "c.xlsx"


def cells(path, sheet="runs"):
    return [list(row) for row in openpyxl.load_workbook(path)[sheet].iter_rows(values_only=True)]


def test_a_campaign_in_a_workbook_through_the_real_command(book):
    before = cells(book)
    done = sureshot("sheet", "c.xlsx", "--without", "remark", cwd=book.parent)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("c.xlsx: 6 rows, 1 outcome (success in 1 of 1), 1 pending\n")
    assert "Then: write its outcome into the file, and sureshot sheet c.xlsx --without remark\n" in done.stdout
    after = cells(book)
    assert [row[:4] for row in after] == before
    assert after[0][4:] == ["priority", "chance", "next"]
    assert sorted(row[4] for row in after[1:] if row[4] is not None) == [1, 2, 3, 4]  # numbers, not text
    (at,) = [i for i, row in enumerate(after[1:], start=2) if row[6] == "next"]
    assert f"Next: row {at} " in done.stdout
    assert after[at - 1][4] == 1
    assert all(0.0 < row[5] < 1.0 for row in after[1:])
    again = openpyxl.load_workbook(book)
    page = again["runs"]
    assert again.sheetnames == ["runs", "notes"]
    assert (again["notes"]["A1"].value, again["notes"]["B2"].value) == ("hello", 3.5)
    assert page["A1"].font.b
    assert page["B2"].comment.text == "the old bottle"
    assert page.column_dimensions["D"].width == 40
    assert page["E1"].fill.fgColor.rgb == "00FFFF00"  # a new header looks like its neighbour
    page.cell(at, 3).value = "failure"
    again.save(book)
    found = call("sheet c.xlsx --without remark --json").json()
    assert (found["outcomes"], found["successes"]) == (2, 1)
    assert cells(book)[0] == after[0]  # its own columns are filled again, not added again
    assert cells(book)[at - 1][4] is None


def test_the_same_belief_as_from_csv(book):
    rows = ["power (W),catalyst,Outcome", *(f"{row[0]},{row[1]},{row[2] or ''}" for row in cells(book)[1:])]
    (book.parent / "c.csv").write_text("\n".join(rows) + "\n")
    excel, text = (call(f"sheet {name} --json").json() for name in ("c.xlsx --without remark", "c.csv"))
    assert excel["next"] == text["next"]
    assert excel["best"] == text["best"]


def test_into_another_file(book):
    before = book.read_bytes()
    assert call("sheet c.xlsx --without remark --to ranked.xlsx").code == 0
    assert book.read_bytes() == before
    assert cells(book.parent / "ranked.xlsx")[0][4:] == ["priority", "chance", "next"]
    done = call("sheet c.xlsx --without remark --to ranked.csv")
    assert done.code == 1
    assert "--to must end as the file does, got 'ranked.csv' for 'c.xlsx': call it 'ranked.xlsx'." in done.err


def with_formula(path, result):
    """A workbook with power = 2 * 4 in its first row, as Excel stores it: the formula, and its result or none."""
    book = openpyxl.load_workbook(path)
    book["runs"]["A2"] = "=2*4"
    out = io.BytesIO()
    book.save(out)
    with zipfile.ZipFile(out) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "xl/worksheets/sheet1.xml" and result is not None:
                assert b"<f>2*4</f><v" in content
                content = content.replace(b"<f>2*4</f><v />", b"<f>2*4</f><v>%d</v>" % result)
                content = content.replace(b"<f>2*4</f><v></v>", b"<f>2*4</f><v>%d</v>" % result)
            new.writestr(name, content)


def test_formulas_are_read_by_their_results_and_kept(book):
    with_formula(book, 8)
    done = call("sheet c.xlsx --without remark")
    assert done.code == 0, done.err
    assert "Note: formulas are kept, and their results computed anew when the file is" in done.out
    assert cells(book)[1][0] == "=2*4"
    done = call("sheet c.xlsx --without remark")  # nobody opened it in Excel since
    assert done.code == 1
    assert "row 2 of c.xlsx: power is a formula without its result: open the file in Excel, save it" in done.err


def test_what_openpyxl_would_lose_is_not_written_over(book):
    with zipfile.ZipFile(book, "a") as file:
        file.writestr("xl/pivotTables/pivotTable1.xml", "<pivot/>")
    before = book.read_bytes()
    done = call("sheet c.xlsx --without remark")
    assert done.code == 1
    assert "c.xlsx holds what openpyxl can't write back (pivotTables): keep it, and write into another" in done.err
    assert book.read_bytes() == before
    assert call("sheet c.xlsx --without remark --to ranked.xlsx").code == 0


def test_charts_stay(book):
    made = openpyxl.load_workbook(book)
    chart = BarChart()
    chart.add_data(Reference(made["runs"], min_col=1, min_row=1, max_row=7), titles_from_data=True)
    made["notes"].add_chart(chart, "D4")
    made.save(book)
    done = call("sheet c.xlsx --without remark")
    assert done.code == 0, done.err
    with zipfile.ZipFile(book) as file:
        assert any(name.startswith("xl/charts/") for name in file.namelist())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"C5": "maybe"}, "row 5 of c.xlsx: Outcome must be 'success', 'failure', PENDING or blank, got 'maybe'"),
        ({"A3": None}, "row 3 of c.xlsx: power must have a value, got nothing"),
        ({"B1": "power"}, "got 'power' for columns 1 and 2"),
        ({"C1": "result"}, "c.xlsx has no column 'outcome', and 'result' looks like it: add --outcome result."),
    ],
)
def test_what_is_refused_leaves_the_workbook_as_it_was(book, change, said):
    made = openpyxl.load_workbook(book)
    for cell, value in change.items():
        made["runs"][cell] = value
    made.save(book)
    before = book.read_bytes()
    done = call("sheet c.xlsx --without remark")
    assert done.code == 1
    assert said in done.err
    assert book.read_bytes() == before


def test_a_missing_openpyxl_names_the_extra(book, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    done = call("sheet c.xlsx")
    assert done.code == 1
    assert "pip install 'sureshot[tables]'" in done.err
