"""``sureshot new``: by options, step by step, from a TOML file, from a file of candidates."""

import json

import pytest

from sureshot.campaign import Campaign
from tests.cli.commands import call

TOML = """
name = "nanotubes"
success = "single-walled"
failure = "double-walled"
budget = 30
seed = 3
where = ["power * ethylene <= 400"]

[parameters]
power = [8, 10, 12, 14]
ethylene = "10:40:10 sccm"
catalyst = ["Fe", "Co"]
"""


def test_step_by_step(folder):
    answers = "\n".join(["lab", "power", "power=8,10 W", "power=9", "catalyst=Fe,Co", "", "works", "fails", "12"])
    done = call("new", stdin=answers + "\n")
    assert done.code == 0, done.err
    said = "Campaign lab: 4 alternatives, 2 parameters, kept in sureshot.db\nThen: sureshot ask\n"
    assert done.out.lstrip() == said  # the questions went to standard error but for the blanks after them
    assert "a parameter must be written name=levels, got 'power'" in done.err  # asked again
    assert "got 'power' twice" in done.err
    spec = Campaign.open("lab", "sureshot.db").spec
    assert (spec.words.success, spec.words.failure, spec.budget) == ("works", "fails", 12)
    assert spec.pool.space.label(0) == "power 8 W, catalyst Fe"


def test_true_or_false_is_declared_as_in_a_context(folder):
    assert call("new lab --param power=8,10 --param stir=bool").code == 0
    assert Campaign.open("lab", "sureshot.db").spec.pool.space.column("stir").levels.tolist() == [False, True]


def test_step_by_step_with_nothing_but_enter(folder):
    done = call("new --json", stdin="\npower=8,10\n\n\n\n0\n")
    found = json.loads(done.out)
    assert (found["name"], found["success"], found["failure"], found["budget"]) == (
        "experiment",
        "success",
        "failure",
        None,
    )


def test_each_answer_is_checked_at_once(made):
    answers = ["nanotubes", " ", "lab", "power=8,8", "power=8,10,12", "", "failure", "works", "works", "Works"]
    answers += ["broken", "many", "-3", "12", "perhaps", "no"]
    done = call("new", stdin="\n".join(answers) + "\n")
    assert done.code == 0, done.err
    for said in (
        "there already is a campaign 'nanotubes' in this store",
        "power must have each level once",
        "'What a success is called' and 'What a failure is called' must differ, got 'works' for both",
        "a budget must be a whole number of trials, got 'many': 0 for an open end.",
        "got '-3'",
        "the answer must be yes or no, got 'perhaps'",
    ):
        assert said in " ".join(done.err.split())
    spec = Campaign.open("lab", "sureshot.db").spec
    assert (spec.words.success, spec.words.failure, spec.budget) == ("works", "broken", 12)
    assert spec.pool.model == "shape straight"


def test_one_may_go_back_and_what_was_typed_stays(folder):
    answers = ["<", "lab", "power=8,10,12", "stir=bool", "back", "catalyst=Fe,Co", "", "works", "fails", "<", "<", "<"]
    answers += ["<", "<", "<", "lab2", "power=9,10,11", "", "", "", "7", "<", "8", "yes"]
    done = call("new", stdin="\n".join(answers) + "\n")
    assert done.code == 0, done.err
    assert "This is the first question." in done.err
    assert "stir=bool is taken back." in done.err
    spec = Campaign.open("lab2", "sureshot.db").spec
    assert (spec.words.success, spec.words.failure, spec.budget) == ("works", "fails", 8)
    assert spec.pool.space.names == ("power",)
    assert spec.pool.model == "shape auto"


def test_when_the_last_check_fails_only_what_is_wrong_is_asked_again(folder, monkeypatch):
    """Somebody else takes the name between the question and the end."""
    from sureshot.cli import stepwise

    call("new lab --param p=1,2")
    monkeypatch.setattr(stepwise, "_held", lambda _: set())
    done = call("new --budget 9", stdin="lab\npower=8,10\n\nworks\nfails\n<\nlab2\n")
    assert done.code == 0, done.err
    assert "there already is a campaign 'lab' in this store" in done.err
    assert "all others are kept" in done.err
    assert "How many trials" not in done.err  # said by an option
    spec = Campaign.open("lab2", "sureshot.db").spec
    assert (spec.words.success, spec.budget) == ("works", 9)
    done = call("new --link logitt", stdin="lab3\npower=8,10\n\n\n\n\n")
    assert done.code == 1  # nothing that was asked is wrong
    assert "Did you mean 'logit'" in done.err


def test_no_more_answers_is_a_clean_stop(folder):
    done = call("new", stdin="lab\n")
    assert done.code == 130
    assert done.err.endswith("Stopped: nothing more was recorded.\n")
    assert list(folder.iterdir()) == []


def test_toml(folder):
    (folder / "nanotubes.toml").write_text(TOML)
    done = call("new nanotubes.toml --budget 20 --storage other.db --json")
    assert done.code == 0, done.err
    found = done.json()
    assert (found["name"], found["alternatives"], found["seed"], found["storage"]) == ("nanotubes", 26, 3, "other.db")
    assert found["budget"] == 20  # an option wins over the file


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("budgt = 30", "bad.toml: unknown key 'budgt': choose one of 'budget', 'candidates'"),
        ('budget = "thirty"', 'bad.toml: budget must be a whole number, got "thirty": write budget = 30.'),
        ("budget = true", "bad.toml: budget must be a whole number, got true"),
        ("where = [1]", "bad.toml: where must be a list of texts, got [1]"),
        ("parameters = 3", "bad.toml: parameters must be a table, got 3"),
        ('name = "a"\nname = "b"', "bad.toml must be TOML"),
        ("[parameters]\np = [1, 2]", "a campaign must have a name"),
        ('name = "a"\nobjective = "fastest"\n[parameters]\np = [1, 2]', "unknown objective 'fastest': choose one of"),
        ('name = "a"\n[parameters]\np = [1, "x"]', "the levels of p must be all numbers"),
        ('name = "a"\ncandidates = "c.csv"', "the file must exist"),
        ('name = "a"\ninteractions = false\n[parameters]\np = [1, 2]', "interactions = false: leave it out, or give"),
    ],
)
def test_toml_that_is_wrong_is_named_by_key_value_and_choices(folder, content, said):
    (folder / "bad.toml").write_text(content)
    done = call("new bad.toml")
    assert done.code == 1
    assert said in done.err
    assert not (folder / "sureshot.db").exists()


def test_files_in_a_toml_lie_beside_it(folder):
    (folder / "sub").mkdir()
    (folder / "sub" / "c.csv").write_text("sample,power,batch\ns1,8,1\ns2,9,2\ns3,9,2\n")
    (folder / "sub" / "c.toml").write_text(
        'name = "c"\ncandidates = "c.csv"\nwithout = ["sample"]\nnames = ["batch"]\nmerge = true\nprior = 2.0\n'
    )
    done = call("new sub/c.toml --json")
    assert done.code == 0, done.err
    assert done.json()["alternatives"] == 2
    assert "with a precision the model is the formula power + batch, in which nothing" in " ".join(done.json()["about"])
    space = Campaign.open("c", "sureshot.db").spec.pool.space
    assert space.column("batch").kind == "category"


def test_a_table_that_is_too_wide(folder):
    def write(columns: int) -> None:
        lines = [",".join(f"{(i * (k + 3)) % 17}.5" for k in range(columns)) for i in range(20)]
        (folder / "wide.csv").write_text("\n".join([",".join(f"x{k}" for k in range(columns)), *lines, ""]))

    write(1001)
    done = call("new a --candidates wide.csv --merge")
    assert (done.code, done.out) == (1, "")
    assert "at most 1,000 slopes and levels" in done.err
    assert "got 1,001: leave columns out with --without, or give --formula." in done.err
    assert not (folder / "sureshot.db").exists()
    assert call("new a --candidates wide.csv --merge --formula x0+x1").code == 0
    write(300)
    said = " ".join(call("new b --candidates wide.csv --merge").out.split())
    assert "Note: 300 parameters are too many for a curve of each: curves are left out." in said
    assert "Note: 300 slopes and levels for 17 alternatives are more than outcomes can tell apart" in said
    assert "300 slopes and levels" in " ".join(call("status -c b").out.split())


@pytest.mark.parametrize("suffix", ["parquet", "xlsx"])
def test_other_files_of_candidates(folder, suffix):
    import pandas as pd

    frame = pd.DataFrame({"power": [8, 10, 12], "catalyst": ["Fe", "Co", "Fe"]})
    frame.to_parquet("c.parquet") if suffix == "parquet" else frame.to_excel("c.xlsx", index=False)
    assert call(f"new c --candidates c.{suffix} --cost power --json").json()["alternatives"] == 3
    frame["outcome"] = ["success", "failure", "success"]
    frame.to_parquet("c.parquet") if suffix == "parquet" else frame.to_excel("c.xlsx", index=False)
    done = call(f"import c.{suffix} --json")
    assert done.code == 0, done.err
    assert done.json()["imported"] == 3


def test_the_posterior_of_one_campaign_is_the_prior_of_the_next(made):
    assert call("export --posterior learned.json").out == "What is believed after 7 events written to learned.json.\n"
    grid = "--param power=8,10,12,14 --param ethylene=10:40:10 --param catalyst=Fe,Co"
    assert call(f"new second {grid} --prior learned.json --seed 1").code == 0
    first, second = (call(f"best -c {name} --json").json() for name in ("nanotubes", "second"))
    assert second["probability"] == first["probability"]
    assert (second["label"], second["outcomes"]) == (first["label"], 0)


def test_decisions_in_a_context(folder):
    line = "new desk --param treatment=wait,treat --context age=18:90 --context diabetic=bool --context ward=A,B"
    assert call(f"{line} --objective online --seed 2").code == 0
    done = call("ask --context age=61 --context diabetic=true,ward=A")
    assert done.code == 0, done.err
    assert "Trial 1        treatment" in done.out
    assert "in the case age 61, diabetic True, ward A" in done.out
    assert call("tell --at treatment=wait --context age=30,diabetic=false,ward=B failure").code == 0
    found = call("best --context age=61,diabetic=true,ward=A --json").json()
    assert found["context"] == {"age": 61.0, "diabetic": True, "ward": "A"}
    assert "age 30, diabetic False, ward B" in call("history").out
    said = call("ask").err
    assert said.endswith("give --context age=... --context diabetic=... --context ward=....\n")
    said = call("ask --context age=61,diabetic=perhaps,ward=A").err
    assert said.startswith("Error: the case: diabetic must be true or false, got 'perhaps'")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (["--policy", "ucb alpha=2"], ""),
        ([], 'policy = "ucb alpha=2"\n'),
        ([], '[policy]\nname = "ucb"\nalpha = 2\n'),
        (["--policy", "ucb alpha=2"], 'policy = "thompson"\n'),
    ],
)
def test_a_policy_is_kept_however_it_is_written(folder, line, said):
    table = said if said.startswith("[") else ""
    (folder / "lab.toml").write_text(f'name = "lab"\n{"" if table else said}[parameters]\npower = [8, 10]\n{table}')
    made = call(["new", "lab.toml", "--json", *line])
    assert made.code == 0, made.err
    assert made.json()["policy"] == {"name": "ucb", "alpha": 2}
    assert call("ask").code == 0
    assert "ucb chose it: its score may turn out highest" in " ".join(call("why").out.split())


def test_a_policy_that_is_unknown_or_unable_is_refused_and_nothing_is_made(folder):
    for line, says in (
        ("tompson", "Did you mean 'thompson'"),
        ("online-kg", "can't deal with an offline objective"),
        ("ucb alpha", "must be written name=value"),
    ):
        done = call(["new", "lab", "--param", "power=8,10", "--policy", line])
        assert done.code != 0
        assert says in done.err.replace("\n", " ")
    (folder / "lab.toml").write_text('name = "lab"\npolicy = 3\n[parameters]\npower = [8, 10]\n')
    assert "policy must be a name or a table, got 3" in call("new lab.toml").err.replace("\n", " ")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("budget = 0", "broken.toml: budget must be a whole number of trials, at least 1, got 0: leave it out for"),
        ("seed = -1", "broken.toml: seed must lie between"),
        ('shape = "round"', "broken.toml: unknown shape 'round'"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_in_its_own_words(tmp_path, monkeypatch, line, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.toml").write_text(f'name = "t"\n{line}\n[parameters]\npower = [8, 10]\n')
    done = call("new broken.toml")
    assert done.code == 1
    assert said in done.err
    assert "--" not in done.err


def test_what_is_typed_beside_a_file_is_said_as_typed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.toml").write_text('name = "t"\nbudget = 9\n[parameters]\npower = [8, 10]\n')
    assert "Error: --budget must be" in call("new good.toml --budget 0").err


@pytest.mark.parametrize("option", ["--without power", "--names power", "--merge"])
def test_options_of_a_file_are_refused_without_one(tmp_path, monkeypatch, option):
    monkeypatch.chdir(tmp_path)
    done = call(f"new t --param power=8,10 {option}")
    assert (done.code, "is for a file of alternatives: leave it out." in done.err) == (1, True)
