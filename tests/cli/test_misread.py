"""What may be misread is said, or read right: through the command."""

from pathlib import Path

import pytest
from openpyxl import Workbook

from sureshot import Campaign, Space
from sureshot.errors import Notice
from tests.cli.commands import call

ROWS = [("A1", 100, "DMSO"), ("A2", 120, "DMF"), ("A3", 140, "DMSO"), ("A4", 160, "DMF"), ("A5", 180, "DMSO")]


@pytest.fixture
def samples(folder: Path) -> Path:
    (folder / "c.csv").write_text("sample,temperature (C),solvent\n" + "".join(f"{a},{b},{c}\n" for a, b, c in ROWS))
    done = call("new lab --candidates c.csv --id sample --seed 1")
    assert (done.code, "Note" in done.out) == (0, False), done.err
    return folder


def words(text: str) -> str:
    return " ".join(text.split())


def test_a_sample_is_known_by_its_name(samples):
    asked = call("ask --json").json()[0]
    called = {name: (t, s) for name, t, s in ROWS}[asked["id"]]
    assert asked["label"] == f"sample {asked['id']}"
    assert asked["details"] == f"temperature {called[0]} C, solvent {called[1]}"
    assert list(asked["levels"].values()) == list(called)
    assert f"Trial 1, sample {asked['id']}: success." in call("tell 1 success").out
    assert call("tell --at A2 failure").out == "Trial 2, sample A2: failure.\n"
    assert call("tell --at sample=A2,solvent=DMF failure").out == "Trial 3, sample A2: failure.\n"
    assert "no sample is called 'A22': did you mean 'A2'?" in call("tell --at A22 failure").err
    assert f"Choose sample {asked['id']} (temperature {called[0]} C" in words(call("best").out)
    assert f"Trial 1, sample {asked['id']}: chance of success" in words(call("why 1").out)
    assert [one["id"] for one in call("history --json").json()["trials"]] == [asked["id"], "A2", "A2"]
    assert "sample A2" in call("history").out
    assert call("ask").out.splitlines()[0].split()[-2] == "sample"


def test_names_come_along(samples):
    call("tell --at A3 success")
    assert call("new straight --from lab --shape straight").code == 0
    assert "sample A3" in call("history -c straight").out
    spec = call("export -c lab").json()["spec"]
    assert spec["space"]["row_names"] == {"column": "sample", "names": [name for name, *_ in ROWS]}
    campaign = Campaign.open("lab", "sureshot.db")
    assert campaign.tell_new("A5", "failure").label == "sample A5"
    assert campaign.tell_new({"sample": "A5"}, "failure").alternative == 4


def test_outcomes_are_imported_by_name_and_other_columns_are_named(samples):
    (samples / "o.csv").write_text("sample,outcome,operator\nA4,success,me\nA5,failure,you\n")
    assert call("import o.csv").out == (
        "o.csv: 2 outcomes recorded as trials 1 to 2; column operator was passed over.\n"
    )
    assert [row.id for row in Campaign.open("lab", "sureshot.db").history()] == ["A4", "A5"]
    (samples / "p.csv").write_text("sample,solvent,outcome\nA4,DMSO,success\n")
    assert "line 2 of p.csv: sample A4 has solvent DMF, got solvent DMSO" in call("import p.csv").err
    (samples / "q.csv").write_text("sample,temperature,solvent,outcome\nA1,100,DMSO,failure\n,150,DMSO,success\n")
    done = call("import q.csv --json").json()
    assert (done["imported"], done["columns"], done["outside"]) == (2, [], [])


def test_a_sheet_is_called_by_its_names(samples):
    done = call("sheet c.csv --id sample --json").json()
    name = ROWS[done["next"]["line"] - 2][0]
    assert (done["next"]["id"], done["next"]["alternative"].split(" (")[0]) == (name, f"sample {name}")
    assert done["then"] == "sureshot sheet c.csv --id sample"
    assert f"sample {name}" in call("sheet c.csv --id sample").out


def test_a_sample_that_is_tried_again_has_its_name_again_in_a_sheet(folder):
    (folder / "c.csv").write_text("sample,power,outcome\nA1,8,success\nA1,8,\nA2,10,\n")
    assert call("sheet c.csv --id sample").code == 0
    (folder / "d.csv").write_text("sample,power,outcome\nA1,8,success\nA1,9,\n")
    said = "line 3 of d.csv: rows of one name must be alike, got 'A1' for power 8 and for power 9: rename one."
    assert said in call("sheet d.csv --id sample").err


def test_a_name_must_be_one_rows_own(folder):
    (folder / "c.csv").write_text("sample,power\nA1,8\nA1,10\n")
    said = "sample must name each row once, got 'A1' in line 2 of c.csv and in line 3 of c.csv"
    assert said in call("new lab --candidates c.csv --id sample").err
    assert "--id is for a file of alternatives" in call("new lab --param power=8,10 --id sample").err


def test_a_number_far_beyond_the_levels_says_how_to_undo_it(samples):
    said = words(call(["tell", "--at", "temperature=15000 C,solvent=DMSO", "success"]).out)
    assert "temperature 15000 C lies outside the levels, 100 to 180." in said
    assert said.endswith("Note: if that is mistyped, take it back with sureshot withdraw 1.")
    assert call("withdraw 1").code == 0
    between = call(["tell", "--at", "temperature=110 C,solvent=DMSO", "success"]).out
    assert "withdraw" not in between
    (samples / "o.csv").write_text(
        "temperature,solvent,outcome\n100,DMSO,success\n9000,DMF,failure\n8000,DMF,failure\n"
    )
    done = call("import o.csv --json").json()
    assert done["outside"] == [4, 5]
    assert done["cautions"][-1] == "if that is mistyped, take it back with sureshot withdraw 4, sureshot withdraw 5"
    row = Campaign.open("lab", "sureshot.db").tell_new({"temperature": 15000, "solvent": "DMF"}, "failure")
    assert str(row.cautions[-1]) == "if that is mistyped, take it back with withdraw(6)"


def test_a_running_number_is_said(folder):
    (folder / "c.csv").write_text("run,power,cat\n3,8,a\n1,9,b\n2,8,b\n4,9,a\n")
    said = words(call("new lab --candidates c.csv").out)
    assert "Note: run is a running number, 1 to 4, and is taken as a parameter: if it only names the rows" in said
    assert "leave it out with --without run, or have the rows called by it with --id run." in said
    assert "Note" not in call("new other --candidates c.csv --id run").out


def test_levels_that_may_be_meant_otherwise(folder):
    said = words(call(["new", "lab", "--param", "time=1:10:4", "--param", "t=100 C, 120 C, 140C"]).out)
    assert "Note: time: 1:10:4 gives 1, 5 and 9, and leaves 10 out: to have it too, write 1:10:4,10." in said
    assert "Note: the levels of t were read as numbers in C: quote each of them if they are names." in said
    assert Campaign.open("lab", "sureshot.db").spec.pool.space.label(0) == "time 1, t 100 C"
    refused = call("new other --param temperature=100-200")
    assert (refused.code, "write '100:200:20'" in refused.err) == (1, True)


def test_python_says_it_too():
    with pytest.warns(Notice, match="x has two levels, 0 and 1, and none between") as seen:
        space = Space.grid(x=(0.0, 1.0))
    assert seen[0].filename == __file__
    assert len(space.notes) == 1
    assert Space.from_dict(space.to_dict()).notes == space.notes
    with pytest.warns(Notice, match="t has the names '100 C', '120 C', ...: for numbers write '100,120 C'"):
        Space.grid(t=["100 C", "120 C"])


@pytest.mark.parametrize("title", ["Screening in March\n", "Screening in March,,\n\n", "Screening\nby Ann\n"])
def test_a_title_above_the_header_of_a_text_file(folder, title):
    (folder / "c.csv").write_text(f"{title}power,cat,x\n8,a,1\n9,b,2\n")
    space = Space.read("c.csv")
    assert (space.names, len(space)) == (("power", "cat", "x"), 2)
    assert "line 1, 'Screening" in space.notes[0]
    assert call("sheet c.csv").code == 0
    after = (folder / "c.csv").read_text()
    assert after.startswith(f"{title}power,cat,x,outcome,priority,chance,next\n8,a,1,,")
    assert call("sheet c.csv").code == 0  # and once more


def test_a_title_with_a_comma_is_refused_with_what_to_do(folder):
    (folder / "c.csv").write_text("Screening, March\npower,cat,x\n8,a,1\n")
    assert "If line 1 is a title and not the names of the columns, remove it" in call("new l --candidates c.csv").err


def test_a_title_and_empty_rows_and_columns_in_excel(folder):
    book = Workbook()
    page = book.worksheets[0]
    page["B2"] = "Screening in March"
    page.merge_cells("B2:D2")
    for i, row in enumerate([("power", "cat"), (8, "a"), (9, "b")], start=4):
        page.cell(i, 3).value, page.cell(i, 4).value = row
    book.save("c.xlsx")
    space = Space.read("c.xlsx")
    assert (space.names, space.table.place(0)) == (("power", "cat"), "row 5 of c.xlsx")
    assert space.notes == ("c.xlsx: row 2, 'Screening in March', was passed over as a title",)
    assert call("sheet c.xlsx").code == 0
    from openpyxl import load_workbook

    after = load_workbook("c.xlsx").worksheets[0]
    assert [cell.value for cell in after[4]][2:] == ["power", "cat", "outcome", "priority", "chance", "next"]
    assert sorted(after.cell(i, 6).value for i in (5, 6)) == [1, 2]
    assert call("sheet c.xlsx --json").json()["rows"] == 2


def test_a_header_with_a_gap_is_refused_with_what_to_do(folder):
    book = Workbook()
    for row in (["power", None, "cat"], [8, 1, "a"]):
        book.worksheets[0].append(row)
    book.save("c.xlsx")
    said = call("new l --candidates c.xlsx").err
    assert "got none for column 2 in the first line: name it there" in said


@pytest.mark.parametrize("model", ["", "--shape straight", "--formula power+oven+day"])
def test_a_column_that_never_varies_is_named_once_when_the_campaign_is_made(folder, model):
    (folder / "c.csv").write_text("power,oven,day\n8,B,5\n10,B,5\n12,B,5\n")
    made = words(call(f"new lab --candidates c.csv {model}").out)
    told = "day is the same in the whole pool: nothing can be learned about it"
    assert made.count(told) == 1
    assert (f"{told}; leave it out with --without day." in made) == ("formula" not in model)
    assert (
        "oven is the same in the whole pool: nothing can be learned about it; leave it out with --without oven" in made
    )
    assert "; leave it out" not in words(call("status").out)
    assert "Note" not in call("new rest --candidates c.csv --without oven --without day").out
