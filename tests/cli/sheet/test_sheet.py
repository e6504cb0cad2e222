"""The one-file way: what goes in comes back, ranked."""

import csv
import json
import os
import re
import shlex
import stat

import pytest

from sureshot.cli.sheet import file as sheet_file
from sureshot.core.lookahead.pending import EXACT
from tests.cli.commands import call, sureshot

GRID = [f"{power},{catalyst}" for power in (8, 10, 12, 14) for catalyst in ("Fe", "Co")]
PLAIN = "power,catalyst,outcome\n" + "".join(f"{row},\n" for row in GRID)


def rows(path):
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_a_campaign_in_one_file_through_the_real_command(folder):
    path = folder / "candidates.csv"
    path.write_text(PLAIN)
    done = sureshot("sheet", "candidates.csv", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("candidates.csv: 8 rows, 0 outcomes\nNext: line ")
    tried = []
    for outcome in ("success", "failure", "SUCCESS", "0"):
        table = rows(path)
        (at,) = [i for i, row in enumerate(table) if row["next"]]
        assert table[at]["priority"] == "1"
        assert at not in tried
        tried.append(at)
        table[at]["outcome"] = outcome
        with path.open("w", newline="") as stream:
            writer = csv.DictWriter(stream, list(table[0]))
            writer.writeheader()
            writer.writerows(table)
        found = call("sheet candidates.csv --json")
        assert found.code == 0, found.err
    assert (found.json()["outcomes"], found.json()["successes"]) == (4, 2)
    assert [path.name for path in folder.iterdir()] == ["candidates.csv"]  # no database, no leftovers


def test_other_columns_rows_and_the_way_it_is_written_are_kept(folder):
    path = folder / "candidates.csv"
    lines = [
        "sample;Power (W);catalyst;Outcome;comment",
        's1;8;Fe;success;"a; ""b"""',
        "s2;10;Fe;;é",
        "s3;12,5;Co;PENDING;",
        "s4;14;Co;failure;",
        "s5;14;Fe;;",
        "s5;14;Fe;;again",
    ]
    path.write_bytes("\r\n".join([*lines, ""]).encode("cp1252"))
    path.chmod(0o640)
    line = "sheet candidates.csv --without sample --without comment"
    done = call(line)
    assert done.code == 0, done.err
    written = path.read_bytes()
    after = written.decode("cp1252").split("\r\n")
    assert [one.rsplit(";", 3)[0] for one in after[:-1]] == lines
    assert after[0].endswith(";priority;chance;next")
    assert "1 pending" in done.out
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    ranks = [one.split(";")[-3] for one in after[1:-1]]
    assert sorted(ranks) == ["", "", "", "1", "2", "3"]
    assert [ranks[0], ranks[2], ranks[3]] == ["", "", ""]
    assert call(line).code == 0
    assert path.read_bytes() == written  # its own columns are read over, and nothing new is known


def test_an_outcome_column_is_added_or_named(folder):
    path = folder / "candidates.csv"
    path.write_text("power\n8\n10\n")
    assert "an empty column 'outcome' was added" in call("sheet candidates.csv --json").json()["notes"]
    assert list(rows(path)[0]) == ["power", "outcome", "priority", "chance", "next"]
    path.write_text("power,result\n8,good\n10,bad\n12,\n")
    done = call("sheet candidates.csv --outcome result --success good --failure bad --to ranked.csv --json")
    assert (done.json()["outcomes"], done.json()["next"]["line"]) == (2, 4)
    assert path.read_text() == "power,result\n8,good\n10,bad\n12,\n"
    assert rows(folder / "ranked.csv")[2]["next"] == "next"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            "power,result\n8,success\n10,\n",
            "and 'result' looks like it: add --outcome result. If it is a parameter, add",
        ),
        ("power,kind\n8,success\n10,failure\n", "and 'kind' looks like it: add --outcome kind."),
        ("power,my result\n8,bad\n9,good\n", "add --outcome 'my result' --success good --failure bad."),
        ("power,Worked\n8,1\n9,0\n", "'Worked' looks like it: add --outcome Worked. If"),
        ("power,results\n8,\n9,\n", "'results' looks like it: add --outcome results. If"),
    ],
)
def test_an_outcome_column_of_another_name_is_found(folder, content, said):
    (folder / "c.csv").write_text(content)
    done = call("sheet c.csv")
    assert done.code == 1
    assert said in done.err
    assert (folder / "c.csv").read_text() == content


@pytest.mark.parametrize("column", ["hot,1,0,1", "catalyst,Fe,Co,Fe", "result_time,3,4,5"])
def test_a_parameter_is_taken_for_no_outcome(folder, column):
    name, *cells = column.split(",")
    rows = "".join(f"{8 + i},{cell}\n" for i, cell in enumerate(cells))
    (folder / "c.csv").write_text(f"power,{name}\n{rows}")
    assert "an empty column 'outcome' was added" in call("sheet c.csv --json").json()["notes"]


def test_the_hint_repeats_what_was_said(folder):
    (folder / "c.csv").write_text("nr,power,batch,my result\n1,8,1,good\n2,9,2,bad\n3,9,2,\n4,10,1,\n")
    line = ["sheet", "c.csv", "--outcome", "my result", "--success", "good", "--failure", "bad", "--without", "nr"]
    done = call([*line, "--names", "batch", "--formula", "power + batch", "--json"])
    then = done.json()["then"]
    assert then.startswith("sureshot sheet c.csv --outcome 'my result' ")
    again = call([*shlex.split(then)[1:], "--json"])
    assert again.json() == done.json()
    moved = call([*line, "--to", "d.csv", "--json"]).json()["then"]
    assert moved == "sureshot sheet d.csv --outcome 'my result' --success good --failure bad --without nr"


def test_a_column_that_names_the_rows_is_said(folder):
    (folder / "c.csv").write_text("sample,power,outcome\n" + "".join(f"s{i},{8 + i % 2},\n" for i in range(5)))
    said = (
        "Note: sample is different in every row, and is taken as a parameter: if it only names the rows, leave it out "
        "with --without sample, or have the rows called by it with --id sample."
    )
    assert said in " ".join(call("sheet c.csv").out.split())
    assert "Note" not in call("sheet c.csv --without sample").out
    assert said in " ".join(
        call(
            "new c --candidates c.csv --without outcome --without priority --without chance --without next"
        ).out.split()
    )


def test_many_pending_rows_and_a_large_table(folder):
    """More pending than are followed in every combination."""
    rows, pending = 300, 9
    assert pending > EXACT
    path = folder / "candidates.csv"
    cells = [f"{i % 20},{i // 20},{'PENDING' if i < pending else 'success' if i < 20 else ''}" for i in range(rows)]
    path.write_text("a,b,outcome\n" + "\n".join(cells) + "\n")
    found = call("sheet candidates.csv --json").json()
    assert (found["rows"], found["pending"], found["outcomes"]) == (rows, pending, 11)
    assert found["next"]["line"] > 21


def test_nothing_left_to_try(folder):
    (folder / "c.csv").write_text("power,outcome\n8,success\n10,failure\n")
    done = call("sheet c.csv")
    assert "Every row has its outcome" in done.out
    assert "So far, choose power 8" in done.out


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("power,outcome\n8,\n10,maybe\n", "line 3 of c.csv: outcome must be 'success', 'failure', PENDING or blank"),
        ("power,outcome\n8,\n10\n", "line 3 of c.csv: a row must have 2 cells"),
        ("power,comment,outcome\n8,fine,\n9,,\n", "If it is not a parameter: --without comment."),
        ("power,outcome,outcome\n8,,\n", "got 'outcome' for columns 2 and 3"),
        ("power,outcome\n", "must have rows below its header"),
        (
            "power,priority,outcome\n8,high,success\n9,,\n",
            "c.csv: this command writes the columns priority, chance, next",
        ),
        (
            "power,priority,chance,next,outcome\n8,1,0.5,soon,\n9,2,0.4,,\n",
            "next holds 'soon', which is not its own: call",
        ),
        ("power,chance,outcome\n8,0.5,success\n9,,\n", "chance holds '0.5', which is not its own: call"),
        ("chance,outcome\n1,success\n2,\n", "such as my_chance."),
    ],
)
def test_what_is_refused_leaves_the_file_as_it_was(folder, content, said):
    path = folder / "c.csv"
    path.write_text(content)
    done = call("sheet c.csv")
    assert done.code == 1
    assert said in done.err
    assert path.read_text() == content


def test_a_short_row_is_refused_also_when_the_own_columns_are_there(folder):
    path = folder / "c.csv"
    path.write_text("power,outcome\n8,\n10,\n")
    assert call("sheet c.csv").code == 0
    path.write_text(path.read_text() + "12,\n")
    done = call("sheet c.csv")
    assert (done.code, done.out) == (1, "")
    assert "line 4 of c.csv: a row must have 5 cells, one for each column, got 2: fill or cut it." in done.err


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be", "cp1252"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_all_that_is_not_sureshots_own_stays_as_it_was(folder, encoding, newline):
    path = folder / "c.csv"
    text = '''

power,  kind of it, "a ""note""", outcome
 8, "Fe, or so",  "two
lines", success

 ,,,
 10,   Co,é,
12 ,Fe,"",   failure'''
    text = text.replace("\n", newline)
    mark = "\ufeff" if encoding.startswith("utf-16") else ""
    path.write_bytes((mark + text).encode(encoding))
    line = ["sheet", "c.csv", "--without", 'a "note"', "--json"]
    found = call(line).json()
    assert found["next"]["line"] == 8  # as an editor counts
    after = path.read_bytes().decode(encoding).removeprefix("\ufeff")
    own = r",(priority|\d?),(chance|0\.\d{3}),(next)?$"
    assert newline.join(re.sub(own, "", one) for one in after.split(newline)) == text
    assert call(line).json() == found
    assert path.read_bytes().decode(encoding).removeprefix("\ufeff") == after
    assert path.read_bytes().startswith(mark.encode(encoding))


def test_own_columns_are_filled_where_they_stand(folder):
    path = folder / "c.csv"
    path.write_text("next,power, chance ,outcome,priority\n,8,,success,\nnext, 10,0.5,,1\n")
    assert call("sheet c.csv").code == 0
    assert re.fullmatch(
        r"next,power,chance,outcome,priority\n,8,0\.\d{3},success,\nnext, 10,0\.\d{3},,1\n", path.read_text()
    )


def test_a_shape_is_the_one_that_new_makes(folder):
    (folder / "c.csv").write_text(
        "power,time,outcome\n" + "".join(f"{p},{t},\n" for p in (8, 9, 10) for t in (1, 2, 3))
    )
    chances = {}
    for shape in ("auto", "straight", "curved", "pairs"):
        (folder / "d.csv").write_text((folder / "c.csv").read_text().replace("8,1,", "8,1,success", 1))
        found = call(f"sheet d.csv --shape {shape} --json").json()
        assert found["then"] == f"sureshot sheet d.csv --shape {shape}"
        chances[shape] = found["best"]["probability"]
        call(f"new {shape} --candidates c.csv --without outcome --shape {shape} --storage {shape}.db")
        assert call(f"import d.csv --storage {shape}.db").code == 0
        best = call(f"best --storage {shape}.db --json").json()
        assert abs(best["probability"] - chances[shape]) < 1e-9
    assert len(set(chances.values())) == 4
    done = call("sheet c.csv --shape bent")
    assert (done.code, "unknown shape 'bent'" in done.err) == (1, True)
    done = call("sheet c.csv --shape curved --formula power")
    assert "a shape and a formula both say what the features are, got" in done.err


def test_chances_are_written_as_the_numbers_of_the_file_are(folder):
    path = folder / "c.csv"
    path.write_text("a;b;outcome\n1,5;x;success\n2,5;y;failure\n3,5;x;\n")
    for _ in range(2):  # its own columns are known again
        assert call("sheet c.csv").code == 0
        chances = [line.split(";")[4] for line in path.read_text().splitlines()[1:]]
        assert all(re.fullmatch(r"0,\d{3}", chance) for chance in chances)


def test_a_file_that_somebody_saved_meanwhile_is_not_overwritten(folder, monkeypatch):
    path = folder / "c.csv"
    path.write_text("power,outcome\n8,\n10,\n")
    read = sheet_file.read_sheet(path)
    path.write_text("power,outcome\n8,success\n10,\n")
    monkeypatch.setattr("sureshot.cli.sheet.sheet.read_sheet", lambda _: read)
    done = call("sheet c.csv")
    assert done.code == 3
    assert "was changed while it was read" in done.err
    assert path.read_text() == "power,outcome\n8,success\n10,\n"


def test_a_write_that_fails_leaves_the_old_file(folder, monkeypatch):
    path = folder / "c.csv"
    path.write_text("power,outcome\n8,\n10,\n")

    real = os.replace

    def full(source, target, **options):
        if os.path.basename(target) == "c.csv":
            raise OSError(28, "No space left on device")
        real(source, target, **options)  # compiled code may be written to its cache meanwhile

    monkeypatch.setattr(os, "replace", full)
    done = call("sheet c.csv")
    assert done.code == 1
    assert "No space left on device" in done.err
    assert path.read_text() == "power,outcome\n8,\n10,\n"
    assert [one.name for one in folder.iterdir()] == ["c.csv"]


@pytest.mark.parametrize("name", ["c.xlsx", "none.csv"])
def test_files_that_are_no_sheet(folder, name):
    (folder / "c.xlsx").write_text("hello")
    assert call(f"sheet {name}").code == 1


def test_a_row_that_failed_is_not_the_one_to_go_with_without_a_reason(folder):
    rows = [
        *[(t, "failure") for t in (100, 110, 120, 130)],
        *[(t, "success") for t in (160, 170, 180)],
        (200, "failure"),
    ]
    (folder / "runs.csv").write_text("T,outcome\n" + "".join(f"{t},{o}\n" for t, o in [*rows, (140, "")]))
    done = call("sheet runs.csv --formula T")
    assert "So far, choose T 200" in done.out
    said = " ".join(done.out.split())
    assert "It failed in its only try, but from all trials together its chance is " in said
    assert "of those that worked, the best is T 180, whose chance is " in said
    assert json.loads(call("sheet runs.csv --formula T --json").out)["despite"].startswith("It failed in its only try")
    (folder / "runs.csv").write_text("T,outcome\n100,failure\n160,success\n140,\n")
    assert json.loads(call("sheet runs.csv --json").out)["despite"] is None


def test_another_file_is_written_over_only_by_force(folder):
    words = ["sheet", "candidates.csv", "--to", "mine.csv"]
    (folder / "candidates.csv").write_text("power\n8\n10\n")
    (folder / "mine.csv").write_text("mine")
    done = call(words)
    assert (done.code, "'mine.csv' is there already" in done.err, "--force" in done.err) == (3, True, True)
    assert (folder / "mine.csv").read_text() == "mine"
    assert call([*words, "--force"]).code == 0
    assert len(rows(folder / "mine.csv")) == 2
    os.mkfifo(folder / "pipe.csv")
    done = call(["sheet", "candidates.csv", "--to", "pipe.csv", "--force"])
    assert (done.code, "is not a file that can be overwritten" in done.err) == (1, True)
    assert (folder / "pipe.csv").is_fifo()
    assert call("sheet candidates.csv --to candidates.csv").code == 0, "the file itself"
