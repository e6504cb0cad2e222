import re
import zipfile

import numpy as np
import pandas as pd
import pytest

from sureshot.errors import InvalidInput, UnknownName
from sureshot.space import Space
from sureshot.space.tables import text as module


@pytest.fixture
def write(tmp_path):
    def _write(content, name="candidates.csv", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return path

    return _write


def rows(space):
    return [tuple(space.row(i).values()) for i in range(len(space))]


def test_plain(write):
    space = Space.read(write("power (W),Flow rate,catalyst,on\n8,10.5,Fe,true\n\n10,20,Co,FALSE\n"))
    assert rows(space) == [(8, 10.5, "Fe", True), (10, 20, "Co", False)]
    assert space.names == ("power", "Flow_rate", "catalyst", "on")
    assert space.column("power").unit == "W"
    assert space.notes == ("column 'Flow rate' is called Flow_rate",)


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        ("power;flow;cat\n8,5;10;Fe\n10;20;Co\n", "utf-8"),
        ("\ufeffpower;flow;cat\r\n8,5;10;Fe\r\n10,0;20;Co\r\n", "utf-8"),
        ("power\tflow\tcat\n8,5\t10\tFe\n10\t20\tCo\n", "utf-16"),
        ("power,flow,cat\n8.5,10,Fe\n10,20,Co", "utf-8"),
        ('"power","flow","cat"\n"8.5","10","Fe"\n"10.0","20","Co"\n', "cp1252"),
    ],
)
def test_as_labs_write_it(write, content, encoding):
    assert rows(Space.read(write(content, encoding=encoding))) == [(8.5, 10, "Fe"), (10, 20, "Co")]


def test_kindness_is_said(write):
    notes = Space.read(write("temp;rôle\n8,5;é\n", encoding="cp1252")).notes
    assert [word in " ".join(notes) for word in ("Windows-1252", "';'", "decimal commas")] == [True] * 3


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "empty file"),
        ("\n \n", "empty file"),
        ("power,cat\n", "got none"),
        ("8,10\n9,11\n", "first line must name the columns, got '8'"),
        ("power,,c\n1,2,3\n", "none for column 2"),
        ("power,power\n1,2\n", "'power' for columns 1 and 2"),
        ("power (W),power [kW]\n1,2\n", r"from 'power \(W\)' and 'power \[kW\]'"),
        ("power,cat\n8,Fe\n\nten,Co\n9,Co\n", "line 4 of candidates.csv: power must be all numbers.*'ten' beside '8'"),
        ("power,cat\n8,Fe\n,Co\n", "line 3 of candidates.csv: power must have a value"),
        ("power,cat\n8,Fe\n9,NA\n", "line 3 of candidates.csv: cat must have a value, got the text 'NA'"),
        ("power,cat\n8,Fe\nnan,Co\n", "line 3 of candidates.csv: power must have a value"),
        ("power,cat\n8,Fe\ninf,Co\n", "line 3 of candidates.csv: power must be finite"),
        ("power,cat\n1_000,Fe\n2,Co\n", "line 2 of candidates.csv: power must be all numbers"),
        ("power,cat\n8,5,Fe\n", "line 2 of candidates.csv: a row must have 2 cells.*got 3.*decimal commas"),
        ("power,cat\n8\n", "got 1: fill or cut"),
        ("power;x\n1.234;2\n3,5;4\n", "line 2 of candidates.csv: power must have decimal points or decimal commas"),
        ('power,x\n"1,500",2\n"2,500",4\n', "line 2 of candidates.csv: power must be written without separators"),
        ('power,x\n"1,500.5",2\n"2,500.0",4\n', "write 1500.5, or say that the column holds names"),
        ("power,cat\n8,Fe\n9,Co\n8.0,Fe\n", "line 2 of candidates.csv and line 4 of candidates.csv"),
        ('power,cat\n8,"Fe\n', "fix the quotes"),
        ('note,power\n"two\nlines",1\nx,bad\ny,2\nz,3\n', "line 4 of candidates.csv: power"),
        ("class,cat\n8,Fe\n", "'class1'"),
        (b"PK\x00\x00", "zero bytes"),
        (b"power,cat\n8,\x81\n", "UTF-8"),
    ],
)
def test_bad_files(write, content, said):
    with pytest.raises(InvalidInput, match=said):
        Space.read(write(content))


def test_declared_kinds_settle_it(write):
    space = Space.read(write("batch,x\n10,1\n2,2\nNA,3\n"), kinds={"batch": "category"})
    assert space.column("batch").levels.tolist() == ["10", "2", "NA"]
    numbered = Space.read(write("batch,x\n10,1\n2,2\n"), kinds={"batch": "category"})
    assert numbered.column("batch").levels.tolist() == ["2", "10"]
    flags = Space.read(write("batch,x\n10,1\n2,no\n3,True\n4,0\n"), kinds={"x": "boolean"})
    assert flags.column("x").values().tolist() == [True, False, True, False]
    with pytest.raises(InvalidInput, match=r"line 2 of candidates.csv: x must be true or false, got '2'"):
        Space.read(write("batch,x\n10,2\n"), kinds={"x": "boolean"})


def test_headers_are_mended_with_a_word(write):
    space = Space.read(write("% EtOH,2-propanol,A/B,x.1\n1,2,3,4\n2,3,4,5\n"))
    assert space.names == ("EtOH", "x2_propanol", "A_B", "x_1")
    assert "column '2-propanol' is called x2_propanol" in space.table.notes
    with pytest.raises(InvalidInput, match="the first line must name the columns, got '1'"):
        Space.read(write("1,2\n3,4\n"))


def test_columns_are_left_out_by_header_by_name_or_without_the_unit(write):
    path = write("x,price \u20ac,Flow rate (sccm),lambda\n1,2,3,4\n2,3,4,5\n")
    for names in (["price \u20ac", "Flow rate", "lambda"], ["price \u20ac", "Flow_rate", "lambda"]):
        assert Space.read(path, without=names).names == ("x",)


def test_columns_left_out_may_be_anything(write):
    space = Space.read(write("power,note\n1,\n2,late\n3,7\n"), without=["note"])
    assert rows(space) == [(1,), (2,), (3,)]


def test_sodium_is_not_missing(write):
    assert rows(Space.read(write("salt\nNa\nK\nnone\n"))) == [("Na",), ("K",), ("none",)]


def test_too_many_rows(write, monkeypatch):
    monkeypatch.setattr(module, "MAX_ALTERNATIVES", 3)
    with pytest.raises(InvalidInput, match=r"at most .* alternatives, got 5"):
        Space.read(write("a\n1\n2\n3\n4\n5\n"))


def test_no_such_file(tmp_path, write):
    with pytest.raises(InvalidInput, match="must exist"):
        Space.read(tmp_path / "nothing.csv")
    with pytest.raises(UnknownName, match=r"'.csv'"):
        Space.read(write("a", name="x.json"))


FRAME = pd.DataFrame({"power": [8, 10.5, 3], "cat": ["Fe", "Co", "Fe"], "on": [True, False, True], "n": [1, 2, 3]})


def test_parquet(tmp_path):
    path = tmp_path / "a.parquet"
    FRAME.to_parquet(path)
    assert Space.read(path).content_hash == Space.from_frame(FRAME).content_hash
    path.write_bytes(b"not parquet")
    with pytest.raises(InvalidInput, match="Parquet"):
        Space.read(path)
    FRAME.iloc[:0].to_parquet(path)
    with pytest.raises(InvalidInput, match="rows"):
        Space.read(path)


def test_excel(tmp_path):
    path = tmp_path / "a.xlsx"
    FRAME.to_excel(path, index=False)
    assert Space.read(path).content_hash == Space.from_frame(FRAME).content_hash
    path.write_bytes(b"not excel")
    with pytest.raises(InvalidInput, match="Excel"):
        Space.read(path)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([["a", "a"], [1, 2]], "'a' for columns 1 and 2"),
        ([["a", None], [1, 2]], "none for column 2"),
        ([["a", "b"], [1, "x"], [None, "y"]], "row 3 of a.xlsx: a must have a value"),
        ([["a", "b"], [1, "x"], ["z", "y"], [2, "y"]], "row 3 of a.xlsx: a must be all numbers"),
        ([["a"], [pd.Timestamp("2020-01-01")]], "row 2 of a.xlsx: a must hold numbers, text or booleans"),
        ([["a"]], "must have rows below its header"),
        ([[8, 9], [1, 2]], "first line must name"),
    ],
)
def test_bad_excel(tmp_path, rows, said):
    path = tmp_path / "a.xlsx"
    pd.DataFrame(rows).to_excel(path, index=False, header=False)
    with pytest.raises(InvalidInput, match=said):
        Space.read(path)


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "'a' for columns 1 and 2"),
        (pd.DataFrame({"a": [1, None]}), "row 1: a must have a value, got nothing"),
        (pd.DataFrame({"a": pd.array([1, pd.NA, 2], dtype="Int64")}), "row 1: a must have a value"),
        (pd.DataFrame({"a": ["x", None]}), "row 1: a must have a value"),
        (pd.DataFrame({"a": [1, "x", 3]}), "row 1: a must be all numbers or all names, got 'x' beside '1'"),
        (pd.DataFrame({"a": [True, 1, 2]}), "row 0: a must be all numbers"),
        (pd.DataFrame({"a": pd.to_datetime(["2020-01-01"])}), "a date as a number of days"),
        (pd.DataFrame({"a": [[1], [2]]}), "one value"),
        ({"a": [[1], [2]]}, "row 0: a cell must be one value"),
        (pd.DataFrame({0: [1]}), "'x0'"),
        ([{"a": 1}, {"a": 2, "b": 3}], "row 1: rows must have the same columns"),
        ([{}, {"a": 2}], "row 1: rows must have the same columns, got a after a row without any"),
        ([{}, {}], "at least one column"),
        ([{"a": 1}, 5], "row 1: a row must be a mapping"),
        ({"a": [1, 2], "b": 3}, "lists, got 3 for b"),
    ],
)
def test_bad_frames(frame, said):
    with pytest.raises(InvalidInput, match=said):
        Space.from_frame(frame)


def test_every_kind_of_pandas_column():
    frame = pd.DataFrame(
        {
            "i": pd.array([1, 2], dtype="Int64"),
            "f": np.array([0.5, -0.0], dtype=np.float32),
            "s": pd.array(["x", "y"], dtype="string"),
            "o": np.array(["x", "y"], dtype=object),
            "c": pd.Categorical(["lo", "hi"], categories=["lo", "hi"]),
            "b": pd.array([True, False], dtype="boolean"),
        }
    )
    space = Space.from_frame(frame)
    assert [c.kind for c in space.columns] == ["number", "number", "category", "category", "category", "boolean"]
    assert rows(space) == [(1, 0.5, "x", "x", "lo", True), (2, 0, "y", "y", "hi", False)]


@pytest.mark.parametrize(
    "cell",
    [
        '<c r="A2" t="n"><v>many</v></c>',
        '<c r="A2" t="s"><v>99</v></c>',
        '<c r="1A"><v>1</v></c>',
        '<c r="A2" t="d"><v>99999999-99-99</v></c>',
    ],
)
def test_a_workbook_that_is_damaged_inside_is_refused(tmp_path, cell):
    path, whole = tmp_path / "a.xlsx", tmp_path / "whole.xlsx"
    pd.DataFrame({"a": [1]}).to_excel(whole, index=False)
    with zipfile.ZipFile(whole) as old, zipfile.ZipFile(path, "w") as new:
        for one in old.infolist():
            text = old.read(one)
            if one.filename == "xl/worksheets/sheet1.xml":
                text, times = re.subn(rb'<c r="A2".*?</c>', cell.encode(), text)
                assert times == 1
            new.writestr(one, text)
    with pytest.raises(InvalidInput, match=r"a\.xlsx must be an Excel workbook, and cannot be read as one"):
        Space.read(path)
