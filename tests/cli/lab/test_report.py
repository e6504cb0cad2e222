"""``sureshot lab report`` and ``sureshot lab tune``: what a study found, and what a parameter is worth."""

import json
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sureshot.lab import load_rows
from sureshot.lab.report.comparisons import differences
from sureshot.lab.report.reports import ratio_table
from sureshot.lab.report.statistics import means
from sureshot.lab.study.sealed import write_sealed
from tests.cli.commands import call
from tests.lab.report.test_tables import number, parsed
from tests.viz.reading import Read

STUDY = """
runs = 8
budget = 4
world = [{ name = "synthetic", d = 2, M = 15 }, { name = "noisy", d = 2, M = 15 }]
policy = [{ name = "random" }, { name = "thompson" }]
belief = [{ label = "unit", prior = 1.0 }]
"""


@pytest.fixture(scope="module")
def _played(tmp_path_factory):
    there = tmp_path_factory.mktemp("played")
    (there / "small.toml").write_text(STUDY)
    done = call(f"lab run {there}/small.toml --out {there} --processes 1")
    assert done.code == 0, done.err
    return there / "small"


@pytest.fixture
def played(_played, folder):
    return _played


def test_tables_on_the_screen(played):
    done = call(f"lab report {played} --at 2,area --reference random")
    assert (done.code, done.err) == (0, "")
    assert max(map(len, done.out.splitlines())) <= 80
    assert "\x1b" not in done.out
    for title in (
        "Opportunity cost, n = 2",
        "Opportunity cost, mean over n",
        "Opportunity cost, successes and time",
        "Opportunity cost minus that of random, n = 2",
        "Opportunity cost, averaged over worlds, by that of random",
    ):
        assert title in done.out.splitlines()
    row = means(load_rows(played), at=[2]).set_index(["world", "policy"]).loc[("noisy-d2-M15", "random")]
    best = re.search(r"random\s+(\*?)([\d.]+) \[", done.out)
    assert float(best[2]) == pytest.approx(row["mean"], abs=0.006)


def test_markdown_is_one_table_after_the_other(played):
    done = call(f"lab report {played} --markdown --at 4 --reference thompson")
    blocks = [block for block in done.out.split("\n**") if "|" in block]
    assert len(blocks) == 4
    cells = parsed(blocks[2])
    row = differences(load_rows(played), "thompson", at=[4]).set_index("world").loc["noisy-d2-M15"]
    assert number(cells["random"]["noisy-d2-M15"]) == pytest.approx(row.difference, abs=0.006)


def test_at_a_third_two_thirds_and_the_end_unless_said(played):
    done = call(f"lab report {played} --latex --only random")
    assert [f"Opportunity cost, n = {n}." in done.out for n in (1, 2, 3, 4)] == [True, False, True, True]
    assert "thompson" not in done.out
    assert done.out.count(r"\begin{table}") == 4


def test_json(played):
    told = call(f"lab report {played} --json --at 4 --reference random --measure successes").json()
    assert {"means", "average", "scorecard", "differences", "average_differences"} <= set(told)
    (one,) = [row for row in told["differences"] if row["world"] == "noisy-d2-M15"]
    assert one["policy"] == "thompson"
    assert one["runs"] == 8
    assert one["verdict"] in ("better", "worse", "can't be told")


def test_pictures(played):
    refused = call(f"lab report {played} --plot a.gif")
    assert (refused.code, refused.out) == (1, "")  # before anything is shown
    assert "choose one of --log and --reference" in call(f"lab report {played} --log --reference random").err
    done = call(f"lab report {played} --plot a.png --log")
    assert done.err == "Picture: a.png\n"
    assert Path("a.png").read_bytes().startswith(b"\x89PNG")
    assert call(f"lab report {played} --plot b.svg --reference random").code == 0
    assert "minus that of random" in re.sub(r"<!--|-->", "", Path("b.svg").read_text())
    assert call(f"lab report {played} --plot c.html --log").err == "Picture: c.html\n"
    assert Read(Path("c.html").read_text()).fetched() == []  # it works offline


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--at 4,five", "between commas, got '4,five'"),
        ("--at 9", "from 1 to 4, got 9"),
        ("--reference kg", "unknown contender 'kg': choose one of 'random/unit', 'thompson/unit'"),
        ("--seed -1", "--seed must be a whole number of at least 0, got --seed -1"),
        ("--only kg", "unknown contender 'kg'"),
        ("--measure ocs", "unknown measure 'ocs'"),
        ("--markdown --latex", "choose one of"),
        ("--plot a.gif", "must end in"),
    ],
)
def test_refused(played, line, message):
    done = call(f"lab report {played} {line}")
    assert done.code == 1
    assert message in done.err
    assert len(done.err.splitlines()) == 1


def test_a_reference_that_costs_nothing_leaves_the_other_tables(played):
    rows = load_rows(played)
    free = rows["policy"] == "random"
    rows.loc[free & (rows["n"] == 4), "oc"] = 0.0
    table = ratio_table(rows, "random", [2, 4])
    assert list(table.columns) == ["n = 2"]
    assert "At n = 4 the reference costs nothing, and there is no ratio." in table.note
    for path in Path(played).rglob("*random*/*/*.parquet"):
        part = pq.read_table(path)
        zero = pa.array([0.0] * len(part), type=part.schema.field("oc").type)
        content = pa.BufferOutputStream()
        pq.write_table(part.set_column(part.schema.get_field_index("oc"), "oc", zero), content)
        stem = "-".join(path.stem.split("-")[:3])
        write_sealed(Path("free") / path.parent.relative_to(played), stem, ".parquet", content.getvalue().to_pybytes())
    for path in Path(played).rglob("*thompson*/*/*.parquet"):
        kept = Path("free") / path.relative_to(played)
        kept.parent.mkdir(parents=True)
        kept.write_bytes(path.read_bytes())
    done = call("lab report free --reference random --at 4 --plot a.png")
    assert done.code == 0
    assert "Opportunity cost minus that of random, n = 4" in done.out
    assert done.err.startswith("No ratios: a ratio to 'random/unit' needs a cost above 0")
    assert Path("a.png").exists()


def test_no_study_there(folder):
    done = call("lab report results/none")
    assert done.code == 1
    assert "results/none" in done.err


def test_tune(folder):
    done = call("lab tune ucb --world synthetic,d=2,M=15 --grid 0.1,1 --runs 4 --budget 3 --processes 1 --to out.json")
    assert done.code == 0, done.err
    assert "1.0 (default)" in done.out or "1 (default)" in done.out
    kept = json.loads(Path("out.json").read_text())
    assert (kept["policy"], kept["parameter"], kept["default"]) == ("ucb", "alpha", 1.0)
    assert [one["value"] for one in kept["training"]] == [0.1, 1]
    assert kept["worlds"] == ["synthetic-d2-M15"]
    assert kept["gain"]["verdict"] in ("better", "worse", "can't be told")


def test_tune_on_the_worlds_of_a_study(folder):
    Path("small.toml").write_text(STUDY)
    line = "lab tune thompson --study small.toml --grid 2 --runs 3 --held-out 2 --budget 2 --at 2 --processes 1"
    told = call(f"{line} --json").json()
    assert told["worlds"] == ["synthetic-d2-M15", "noisy-d2-M15"]
    assert (told["belief"], told["training_runs"], told["held_out_runs"], told["at"]) == ("unit", 3, 2, 2)
    assert parsed(call(f"{line} --markdown").out)


def test_tune_for_the_objective_of_a_study_or_another(folder):
    Path("small.toml").write_text('objective = "online"\n' + STUDY)
    line = "lab tune online-kg --parameter tau --grid 1,5 --runs 2 --budget 2 --processes 1"
    done = call(f"{line} --study small.toml")
    assert (done.code, done.err) == (0, "")
    assert "*: the best in training." in done.out
    assert call(f"{line} --world synthetic,d=2 --objective online").code == 0
    assert "can't deal with objective 'offline'" in call(f"{line} --world synthetic,d=2").err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("ucb", "tuning needs a world"),
        ("ucb --world synthetic --objective both", "unknown objective 'both'"),
        ("ucb --world nowhere", "unknown world 'nowhere'"),
        ("ucb --world synthetic,2", "key=value pairs"),
        ("ucb --world synthetic --at 1,2", "one number of trials"),
        ("ucb --world synthetic --to no/out.json", "make it first"),
        ("random --world synthetic", "no parameters"),
    ],
)
def test_tune_refused(folder, line, message):
    done = call(f"lab tune {line}")
    assert done.code == 1
    assert message in done.err
