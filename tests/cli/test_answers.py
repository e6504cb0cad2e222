"""What each command says, in words and in JSON."""

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

from sureshot.campaign import Campaign
from sureshot.cli.session import store_name
from tests.cli.commands import call, fingerprint, sureshot

READING = ["best", "why", "why 2", "status", "history", "history --to 4", "export", "export --posterior"]
WRITING = [
    "ask",
    "ask -q 2 --author Ann",
    "tell 2 double-walled --note quick",
    "tell 2 3 --of 5",
    "tell --at power=8,ethylene=10,catalyst=Fe failure",
    "correct 1 failure",
    "withdraw 2 --note spilled",
    "note hello",
    "note hello --trial 2",
    "export whole.json",
    "new other --param p=1,2",
    "demo --trials 2",
]


@pytest.mark.parametrize("line", READING)
def test_looking_changes_nothing_and_fits_80_columns(made, line):
    before = fingerprint()
    plain, machine = call(line), call(f"{line} --json")
    assert (plain.code, machine.code, plain.err, machine.err) == (0, 0, "", "")
    assert isinstance(json.loads(machine.out), dict)
    if "export" not in line:
        assert max(map(len, plain.out.splitlines())) <= 80
    assert fingerprint() == before


@pytest.mark.parametrize("line", WRITING)
def test_json_of_what_records(made, line):
    done = call(f"{line} --json")
    assert (done.code, done.err) == (0, "")
    json.loads(done.out)


def test_the_words_of_ask_and_why(made):
    asked = call("ask").out
    assert asked.startswith("Trial 5 (4 of 30)        power ")
    assert "Then: sureshot tell 5 single-walled (or double-walled)" in asked
    assert call("why").out.startswith("Trial 5, power ")


def test_history_tells_what_happened(made):
    call(["note", "the furnace was cold", "--trial", "1"])
    lines = call("history").out.splitlines()
    assert lines[0].split() == ["trial", "events", "tried", "chance", "value", "outcome", "who"]
    text = " ".join(" ".join(lines).split())
    for said in (
        "single-walled",
        "pending",
        "double-walled",
        "(corrected)",
        "7 of 10",
        "the furnace was cold",
        "misread",
    ):
        assert said in text


def test_into_a_pipe_nothing_is_broken_and_a_terminal_is_fitted(made):
    call(["note", "a long remark about the furnace, which was cold when the trial began", "--trial", "1"])
    piped = sureshot("history", cwd=made.parent).stdout.splitlines()
    assert len(piped) == 1 + 4 + 2  # a line for each trial, and for each note
    assert max(map(len, piped)) > 80
    assert "\x1b" not in "".join(piped)
    fitted = sureshot("history", cwd=made.parent, COLUMNS="60").stdout.splitlines()
    assert max(map(len, fitted)) <= 60


def test_an_unlikely_best_is_explained_alike_in_python_and_on_the_command_line(folder):
    call("new middle --param power=1,2,3,4,5 --prior 0.01 --seed 1")
    for power, outcome in ((3, "success"), (3, "success")):
        call(f"tell --at power={power} {outcome}")
    said = Campaign.open("middle", "sureshot.db").best()
    assert said.chance_best < 0.05
    words = " ".join(call("best").out.split())
    assert (
        "best of all with chance <1 %: another is probably better, but which one is not known yet; of all, this"
        in words
    )
    assert words.startswith(str(said))


def test_rewind_is_a_view(made):
    then = call("history --to 4 --json").json()
    assert [row["state"] for row in then["trials"]] == ["told", "pending", "pending"]
    assert then["status"]["viewed_at"] == 4
    assert then["best"]["outcomes"] == 1
    assert "as it stood after event 4" in call("history --to 4").out


def test_status_says_what_is_running(made):
    said = call("status").out
    assert "3 of 30 trials asked, 1 pending; single-walled in 8 of 12 tries\n" in said
    assert "waiting for trial 2: power" in said
    assert said.startswith("Campaign nanotubes: 32 alternatives, 3 parameters, for the best final choice\n")


def test_words_of_the_trade_are_left_to_those_who_used_them(made):
    usual = "".join(
        call(line).out
        for line in ("new usual --param p=1,2,3", "status -c usual", "ask -c nanotubes", "best -c nanotubes")
    )
    for word in ("offline", "feature", "objective", "policy", "seed", "kg-star", "shape"):
        assert word not in usual
    call("new own --param p=1,2,3 --policy thompson --shape curved --objective online --seed 7")
    assert "for the most successes on the way, shape curved, policy thompson" in flat("status -c own")
    whole = flat("status -c nanotubes --details")
    for said in ("model shape auto", "policy kg-star", "objective offline, seed 1", "made today ", "8 events"):
        assert said in whole
    last = call("status").out.splitlines()[1:]
    assert all(re.search(r"  today \d\d:\d\d *$", line) for line in last)
    assert call("status --json -c own").json()["created_at"].count("T") == 1  # machines read ISO


def test_points_and_brackets_are_explained_at_first_and_not_for_ever(folder):
    call("new lab --param p=1,2,3 --seed 1")
    assert "In brackets: where the true chance lies, with 95 % certainty. Value: " in flat("ask")
    assert flat("ask -q 2").count("In brackets") == 1
    for trial in (1, 2, 3):
        call(f"tell {trial} {'success' if trial == 1 else 'failure'}")
    assert flat("best").endswith("A point is one percentage point.")
    assert "In brackets" not in flat("ask")
    call("tell 4 success")
    assert "In brackets" not in flat("best")


def test_best_without_outcomes_says_so_and_what_to_type(folder):
    call("new lab --param p=1,2,3 --seed 1")
    assert flat("best").startswith("Nothing is known yet: no trial has an outcome. Begin with sureshot ask.")
    assert call("best --json").json()["known"] == "nothing"
    call("ask")
    assert "trial 1 is waiting for its outcome. Tell it with sureshot tell 1 OUTCOME." in flat("best")
    call("tell 1 failure")
    assert flat("best").startswith("Nothing has worked yet. The likeliest to work is p ")


def test_no_line_ends_between_a_number_and_its_unit(folder):
    call(["new", "lab", "--param", "flow=10,20,30 sccm", "--param", "power=8,10,12 W", "--seed", "1"])
    call("ask")
    call("tell 1 success")
    call("ask")
    for trial, width in enumerate(range(30, 90, 4), start=3):
        for line in ("best", "why", "ask", f"withdraw {trial}"):  # so that no ask waits for the one before it
            text = call(line, columns=width).out
            assert text
            assert "\ue000" not in text
            for first, second in pairwise(text.splitlines()):
                assert not (re.search(r"\d$", first.rstrip()) and re.match(r"(%|points|sccm|W)\b|%", second)), (
                    first,
                    second,
                )


def test_status_of_several_campaigns_is_a_list(made):
    call("new second --param p=1,2")
    assert [line.split()[:2] for line in call("status").out.splitlines()[1:]] == [["nanotubes", "7"], ["second", "0"]]
    assert [one["name"] for one in call("status --json").json()["campaigns"]] == ["nanotubes", "second"]


def test_the_budget_is_kept_and_may_be_passed_on_purpose(folder):
    call("new short --param p=1,2 --budget 1 --seed 1")
    assert call("ask").code == 0
    done = call("ask")
    assert done.code == 3
    assert "see sureshot best for what to choose, or ask with --beyond-budget." in done.err
    assert call("ask --beyond-budget").code == 0
    call("tell 1 success")
    assert "Wait: 1 outcome is still to come, and may change this. Then the budget is used up." in flat("best")
    call("tell 2 failure")
    assert "Stop: the budget is used up. To go on anyway, ask with --beyond-budget." in flat("best")
    advice = json.loads(call("best --json").out)["advice"]["words"]
    assert advice == "stop: the budget is used up. To go on anyway, ask with --beyond-budget."


def test_what_is_typed_again_can_be_pasted(folder):
    call("new other --param p=1,2 --seed 1")
    assert sureshot("new", "two words", "--param", "p=1,2", cwd=folder).returncode == 0
    assert call("best").err.endswith("add --campaign other or 'two words'.\n")
    call("ask -c other")
    assert "say how many tries with --of." in call("tell 1 7 -c other").err


def test_a_campaign_in_memory_is_refused_here(folder):
    done = call("new gone --param p=1,2 --storage :memory:")
    assert (done.code, done.out) == (1, "")
    assert "must be kept for the next command, got ':memory:': name a file" in done.err


def test_a_model_that_does_not_fit_is_said_before_the_advice(folder):
    """Best inside the range, and a formula that can't bend."""
    rows = [f"{t},{s},{a},{int(t in (140, 160))}" for t in range(100, 201, 20) for s in "abc" for a in "xy"]
    (folder / "old.csv").write_text("\n".join(["temperature,solvent,additive,outcome", *rows, ""]))
    grid = "--param temperature=100:200:20 --param solvent=a,b,c --param additive=x,y --seed 1"
    call(f"new oven {grid} --formula temperature+solvent+additive")
    assert call("import old.csv").code == 0
    said = flat("best")
    caution = "times better, mostly because a number may be best inside its range (curved)."
    fix = "Try `sureshot new oven-2 --from oven --shape auto`, which keeps all outcomes, or see `sureshot compare`."
    assert 0 < said.index("It failed in its only try") < said.index(caution) < said.index(fix) < said.index(" 10 more")
    assert caution in flat("status")
    assert fix in flat("status")
    assert call("best --json").json()["cautions"] == call("status --json").json()["cautions"]
    call(f"new oven-2 {grid}")
    call("import old.csv -c oven-2")
    assert "Temperature bends: best between 140 and 160" in flat("best -c oven-2")


def flat(line):
    return " ".join(call(line).out.split())


def test_a_level_with_a_comma_stays_one_setting(folder):
    Path("wet.csv").write_text('solvent,T\n"EtOH, wet",40\nH2O,20\n')
    call("new wet --candidates wet.csv --seed 1")
    headings = {call("ask").out.splitlines()[0].split(maxsplit=2)[2] for _ in range(4)}
    assert headings == {"solvent EtOH, wet, T 40", "solvent H2O   T 20"}


def test_with_one_alternative_there_is_nothing_to_turn_to(folder):
    call("new one --param a=1 --param b=x --seed 1")
    assert "There is nothing but a 1, b x to choose." in call("ask").out
    assert "There is nothing but a 1, b x to choose." in flat("why 1")


def test_import_records_all_rows(made):
    path = made.parent / "old.csv"
    path.write_text("Power,ethylene (sccm),catalyst,result,n,remark\n8,10,Fe,3,5,fine\n12.5,10,Co,0,1,\n")
    assert call("import old.csv --outcome result --of n").code == 1  # the column is called power
    path.write_text(path.read_text().replace("Power", "power"))
    done = call("import old.csv --outcome result --of n --author Bob")
    assert done.out == (
        "old.csv: 2 outcomes recorded as trials 5 to 6; column remark was passed over.\n"
        "Note: line 3 of old.csv: power 12.5 lies between the levels 12 and 14.\n"
    )
    rows = call("history --json").json()["trials"][-2:]
    assert [(row["successes"], row["of"], row["opened_by"]) for row in rows] == [(3, 5, "Bob"), (0, 1, "Bob")]
    assert rows[1]["alternative"] is None  # not in the pool, and learned from all the same
    path.write_text("power,ethylene,catalyst,outcome\n8,10,Fe,success\n8,20,Fe,\n8,30,Fe,PENDING\n")
    assert call("import old.csv").out == (
        "old.csv: 1 outcome recorded as trial 7; 2 rows without an outcome passed over.\n"
    )


def test_the_same_file_is_not_imported_twice(made):
    path = made.parent / "old.csv"
    path.write_text("power,ethylene,catalyst,outcome\n8,10,Fe,success\n8,20,Fe,failure\n8,30,Fe,\n")
    assert call("import old.csv").code == 0
    before = fingerprint()
    done = call("import old.csv")
    assert done.code == 3
    assert "all 2 rows are recorded already, as trials 5 to 6 (imported " in done.err
    assert "record them with --again." in done.err
    path.write_text(path.read_text().replace("8,30,Fe,\n", "8,30,Fe,success\n"))  # a blank was filled since
    done = call("import old.csv")
    assert done.code == 3
    assert "2 of the 3 rows are recorded already" in done.err
    assert "record only the others with --only-new" in done.err
    assert fingerprint() == before
    done = call("import old.csv --only-new --json").json()
    assert (done["imported"], done["repeated"], done["trials"]) == (1, 2, [7, 7])
    done = call("import old.csv --again").out
    again = "3 of them had been recorded by an earlier import, and count twice."
    assert " ".join(done.split()) == f"old.csv: 3 outcomes recorded as trials 8 to 10; {again}"
    assert call("status --json").json()["told"] == 9


def test_export_holds_every_event(made):
    assert call("export whole.json").out == "The campaign after 7 events written to whole.json.\n"
    whole = json.loads((made.parent / "whole.json").read_text())
    assert whole == call("export").json()
    assert [event["kind"] for event in whole["events"]] == ["asked"] * 3 + ["told"] * 2 + ["corrected", "told"]
    assert call("export nowhere/whole.json").code == 1


def test_the_environment_names_store_campaign_and_author(made, monkeypatch):
    call("new second --param p=1,2 --seed 1")
    monkeypatch.setenv("SURESHOT_STORAGE", str(made))
    monkeypatch.setenv("SURESHOT_CAMPAIGN", "second")
    monkeypatch.setenv("SURESHOT_AUTHOR", "Ann")
    monkeypatch.chdir("/")
    assert call("ask").out.startswith("Trial 1  ")
    assert call("history --json").json()["trials"][0]["opened_by"] == "Ann"


@pytest.mark.parametrize(
    ("storage", "said"),
    [
        (None, "sureshot.db"),
        ("sqlite:///lab.db", "lab.db"),
        ("postgresql://ann:secret@host:5432/lab?sslmode=require", "postgresql://host:5432/lab"),
    ],
)
def test_the_name_of_a_store_never_holds_a_password(folder, storage, said):
    assert store_name(storage) == said
