"""Candidates, imports and sheets go through one reader: the same file is accepted by all three, or by none."""

import io

import numpy as np
import openpyxl
import pandas as pd
import pytest

from sureshot.campaign import Campaign
from sureshot.errors import SureshotError
from sureshot.space import Space
from tests.cli.commands import call

SPACE = Space.from_frame({"power": [8.5, 10, 12], "catalyst": ["Fe", "Co", "Ni"]})
ROWS = [(8.5, "Fe"), (10.0, "Co"), (12.0, "Ni")]
LINES = "power,catalyst,outcome\n8.5,Fe,success\n10,Co,failure\n12,Ni,\n"


def candidates(path):
    try:
        space = Space.read(path, without=["outcome"])
    except SureshotError as error:
        return str(error)
    return [tuple(space.row(i).values()) for i in range(len(space))]


def imported(path):
    campaign = Campaign.create("doors", SPACE, seed=1, storage=":memory:")
    try:
        campaign.import_table(path, blank="skip")
    except SureshotError as error:
        return str(error)
    return [row.label for row in campaign.history()]


def sheet(path):
    done = call(["sheet", str(path), "--to", str(path.with_stem("ranked")), "--json"])
    assert done.code in (0, 1), done.err  # never a traceback
    return done.err.removeprefix("Error: ").strip() if done.code else done.json()


def excel(rows):
    out = io.BytesIO()
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(out)
    return out.getvalue()


def parquet(frame):
    out = io.BytesIO()
    frame.to_parquet(out)
    return out.getvalue()


FRAME = pd.DataFrame({"power": [8.5, 10, 12], "catalyst": ["Fe", "Co", "Ni"], "outcome": ["success", "failure", None]})
TABLE = [list(FRAME.columns), [8.5, "Fe", "success"], [10, "Co", "failure"], [12, "Ni", None]]

ODD = {
    "plain.csv": LINES,
    "semicolons.csv": LINES.replace(",", ";").replace("8.5", "8,5"),
    "tabs.tsv": LINES.replace(",", "\t"),
    "decimal-commas.txt": LINES.replace(",", "\t").replace("8.5", "8,5"),
    "mark.csv": LINES.encode("utf-8-sig"),
    "sixteen.csv": LINES.encode("utf-16"),
    "big-end.csv": b"\xfe\xff" + LINES.encode("utf-16-be"),
    "windows.csv": LINES.replace("\n", "\r\n").encode("cp1252"),
    "quotes.csv": LINES.replace("Fe", '"Fe"').replace("power", '"power"'),
    "spaces.csv": LINES.replace(",", " , "),
    "blanks.csv": "\n" + LINES.replace("10,", "\n , ,\n10,") + "\n\n",
    "no-end.csv": LINES.strip(),
    "old-mac.csv": LINES.replace("\n", "\r"),
    "units.csv": LINES.replace("power", "power (W)"),
    "book.xlsx": excel(TABLE),
    "gaps.xlsx": excel([[], TABLE[0], [], *TABLE[1:], [" "]]),
    "frame.parquet": parquet(FRAME),
    "categories.parquet": parquet(FRAME.astype({"catalyst": "category"})),
}


@pytest.mark.parametrize("name", ODD)
def test_what_one_accepts_all_accept(folder, name):
    path = folder / name
    path.write_bytes(ODD[name] if isinstance(ODD[name], bytes) else ODD[name].encode())
    assert candidates(path) == ROWS
    assert imported(path) == [SPACE.label(0), SPACE.label(1)]
    found = sheet(path)
    assert (found["rows"], found["outcomes"], found["successes"]) == (3, 2, 1)
    assert found["next"]["alternative"].endswith("catalyst Ni")
    again = sheet(path.with_stem("ranked"))  # what was written is read again, with its own columns
    assert again["next"] == found["next"]
    assert candidates(path) == ROWS


BAD = {
    "empty.csv": "",
    "blank.csv": "\n  \n",
    "header.csv": "power,catalyst,outcome\n",
    "numbers.csv": "8,10,1\n9,11,0\n",
    "nameless.csv": "power,,outcome\n8,Fe,\n",
    "trailing.csv": "power,catalyst,outcome,\n8,Fe,,\n",
    "short.csv": "power,catalyst,outcome\n8,Fe,success\n\n10\n",
    "long.csv": "power,catalyst,outcome\n8,5,Fe,success\n",
    "twice.csv": "power,catalyst,power,outcome\n8,Fe,8,success\n",
    "quote.csv": 'power,catalyst,outcome\n8,"Fe,success\n',
    "after-quote.csv": 'power,catalyst,outcome\n8,"Fe"s,success\n',
    "zeros.csv": b"PK\x00\x00",
    "bytes.csv": b"power,catalyst,outcome\n8,\x81,success\n",
    "infinite.csv": "power,catalyst,outcome\n8,Fe,success\ninf,Co,failure\n",
    "missing.csv": "power,catalyst,outcome\n8,Fe,success\n,Co,failure\n",
    "other.json": "{}",
    "broken.xlsx": b"not excel",
    "header.xlsx": excel([["power", "catalyst", "outcome"]]),
    "nothing.xlsx": excel([]),
    "nameless.xlsx": excel([["power", None, "outcome"], [8, "Fe", None]]),
    "formula.xlsx": excel([*TABLE[:3], ["=2*6", "Ni", "success"]]),
    "broken.parquet": b"not parquet",
    "empty.parquet": parquet(FRAME.iloc[:0]),
    "twice.parquet": parquet(FRAME.rename(columns={"catalyst": "power (W)"}).assign(catalyst="Fe")),
    "missing.parquet": parquet(FRAME.assign(power=[8.5, np.nan, 12])),
}


@pytest.mark.parametrize("name", BAD)
def test_what_one_refuses_all_refuse_in_the_same_words(folder, name):
    path = folder / name
    path.write_bytes(BAD[name] if isinstance(BAD[name], bytes) else BAD[name].encode())
    said = candidates(path)
    assert isinstance(said, str)
    assert imported(path) == said.replace(" (from 'power' and 'power (W)')", "")
    assert sheet(path).split(" If it is not a parameter:")[0] == said


def test_a_file_that_is_not_there(folder):
    assert candidates(folder / "none.csv") == imported(folder / "none.csv") == sheet(folder / "none.csv")
    (folder / "dir.csv").mkdir()
    assert "must be a file, got a folder: name a file." in candidates(folder / "dir.csv")
    assert candidates(folder / "dir.csv") == imported(folder / "dir.csv") == sheet(folder / "dir.csv")


def test_rows_without_an_outcome_may_be_unfinished(folder):
    """An import looks at no other cell of them, wherever the table comes from."""
    rows = [{"power": 8.5, "catalyst": "Fe", "outcome": 1}, {"power": None, "catalyst": "?", "outcome": None}]
    (folder / "c.csv").write_text("power,catalyst,outcome\n8.5,Fe,1\n,?,\n")
    for table in (rows, pd.DataFrame(rows), {name: [row[name] for row in rows] for name in rows[0]}, folder / "c.csv"):
        campaign = Campaign.create("unfinished", SPACE, seed=1, storage=":memory:")
        done = campaign.import_table(table)
        assert (done.recorded, done.blank) == (1, 1)
