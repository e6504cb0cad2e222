"""What a study is, from Python and from a file; and what is refused, with the key, the value and the choices."""

from pathlib import Path

import pytest

from sureshot.errors import InvalidInput, StorageError, SureshotError, UnknownName
from sureshot.lab import AUTO, PAPER, BeliefRecipe, Contender, Study, contenders, read_study
from sureshot.lab.study.fingerprint import fingerprint
from sureshot.lab.study.study_file import parse_study
from sureshot.policies import get_policy
from tests.lab.little import Little

GOOD = """
name = "first"
seed = 3
runs = 7
budget = 11
objective = "online"
max_kg = true

[[world]]
name = "synthetic"
d = 2

[[world]]
name = "synthetic"
d = 3

[[policy]]
name = "random"

[[policy]]
name = "thompson"
scale = 2.0
label = "bold"
beliefs = ["paper"]

[[belief]]
label = "paper"
covariance = "diagonal"
method = "laplace"
prior = 1.0

[[belief]]
label = "probit"
link = "probit"
method = "adf"
prior = 0.5
"""


def test_a_file_says_it_all():
    study = parse_study(GOOD)
    said = (study.name, study.seed, study.runs, study.budget, study.objective, study.max_kg)
    assert said == ("first", 3, 7, 11, "online", True)
    assert [world.d for world in study.worlds] == [2, 3]
    assert [(one.label, one.belief.label) for one in study.contenders] == [
        ("random", "paper"),
        ("random", "probit"),
        ("bold", "paper"),
    ]
    assert study.contenders[1].belief == BeliefRecipe("probit", link="probit", method="adf", prior=0.5)
    assert study.contenders[0].belief == PAPER
    assert study.contenders[2].policy == get_policy("thompson", scale=2.0)


def test_a_file_says_little(tmp_path):
    path = tmp_path / "short.toml"
    path.write_text('[[world]]\nname = "synthetic"\n[[policy]]\nname = "kg"\n')
    study = read_study(path)
    assert (study.name, study.seed, study.runs, study.budget, study.objective) == ("short", 1, 100, 30, "offline")
    assert study.contenders == (Contender(get_policy("kg"), AUTO),)
    assert read_study(path, runs=5, seed=None).runs == 5
    assert read_study(path, runs=5, seed=None).seed == 1
    with pytest.raises(UnknownName, match=r"'run'.*Did you mean 'runs'"):
        read_study(path, run=5)


BAD = {
    "unknown key": ("sed = 1\n" + GOOD, UnknownName, r"unknown key 'sed': .*'runs', 'seed', .* mean 'seed'\?"),
    "not TOML": ("name = first", InvalidInput, r"a study must be TOML \(.*line 1"),
    "nested": ("name = " + "[" * 5_000, InvalidInput, "a study must be nested at most 50 deep"),
    "digits": (
        GOOD.replace("seed = 3", "seed = " + "3" * 400),
        InvalidInput,
        "a study: a number must have at most 309",
    ),
    "seed": (GOOD.replace("seed = 3", "seed = -3"), InvalidInput, "seed.* at least 0, got seed=-3"),
    "seed as text": (GOOD.replace("seed = 3", 'seed = "3"'), InvalidInput, "whole number of at least 0, got seed='3'"),
    "runs": (GOOD.replace("runs = 7", "runs = 0"), InvalidInput, "runs.* between 1 and 1,000,000, got runs=0"),
    "many runs": (
        GOOD.replace("runs = 7", "runs = 1000000000000"),
        InvalidInput,
        "runs.* between 1 and 1,000,000, got",
    ),
    "long": (GOOD.replace("budget = 11", "budget = 1000000000"), InvalidInput, "budget.* between 1 and 100,000, got"),
    "runs as yes": (GOOD.replace("runs = 7", "runs = true"), InvalidInput, "got runs=True"),
    "budget": (GOOD.replace("budget = 11", "budget = 2.5"), InvalidInput, "budget.*whole number.*got budget=2.5"),
    "objective": (
        GOOD.replace('"online"', '"onlin"'),
        UnknownName,
        r"unknown objective 'onlin': choose one of 'offline', 'online'. Did you mean 'online'\?",
    ),
    "max_kg": (GOOD.replace("max_kg = true", "max_kg = 1"), InvalidInput, "max_kg.*true or false, got max_kg=1"),
    "name": (GOOD.replace('"first"', '"../first"'), InvalidInput, r"folder can have, got '\.\./first'"),
    "no world": ('[[policy]]\nname = "kg"', InvalidInput, r"at least one \[\[world\]\]"),
    "no policy": ('[[world]]\nname = "synthetic"', InvalidInput, r"at least one \[\[policy\]\]"),
    "single brackets": (
        GOOD.replace('[[policy]]\nname = "random"', '[policy]\nname = "random"').split("[[policy]]")[0],
        InvalidInput,
        r"policy must be written as tables, \[\[policy\]\] with double brackets, got \{'name': 'random'\}",
    ),
    "world's name": (
        GOOD.replace('"synthetic"\nd = 3', '"sythetic"'),
        UnknownName,
        r"\[\[world\]\] 2: unknown world 'sythetic': choose one of .*'synthetic'.* Did you mean 'synthetic'\?",
    ),
    "world without a name": (
        GOOD.replace('name = "synthetic"\nd = 3', ""),
        InvalidInput,
        r"\[\[world\]\] 2: .* name, one of",
    ),
    "world's parameter": (GOOD.replace("\nd = 3", "\ndd = 3"), SureshotError, r"\[\[world\]\] 2: .*'dd'.*'d'"),
    "world's value": (GOOD.replace("\nd = 3", '\nd = "3"'), SureshotError, r"\[\[world\]\] 2: .*'3'"),
    "the same world twice": (GOOD.replace("\nd = 3", "\nd = 2"), InvalidInput, "each world must occur once.*2 times"),
    "policy's name": (
        GOOD.replace('"random"', '"randm"'),
        UnknownName,
        r"\[\[policy\]\] 1: unknown policy 'randm': choose one of .*'kg'.* Did you mean 'random'\?",
    ),
    "policy's parameter": (
        GOOD.replace("scale = 2.0", "scal = 2.0"),
        UnknownName,
        r"\[\[policy\]\] 2: unknown parameter of policy 'thompson' 'scal': choose one of 'scale'",
    ),
    "policy's value": (GOOD.replace("scale = 2.0", "scale = -2.0"), InvalidInput, r"\[\[policy\]\] 2: .*scale.*-2"),
    "policy's label": (GOOD.replace('label = "bold"', "label = 3"), InvalidInput, r"\[\[policy\]\] 2: label .* got 3"),
    "the same policy twice": (
        GOOD.replace('"random"', '"thompson"\nscale = 2.0\nlabel = "bold"'),
        InvalidInput,
        "each policy/belief must occur once in a study, got 'bold/paper' 2 times: give one another label",
    ),
    "one label for two": (
        GOOD.replace('"random"', '"random"\nlabel = "bold"\nbeliefs = ["probit"]'),
        InvalidInput,
        "a label must mean one policy, got 'bold' for two",
    ),
    "policy's beliefs": (
        GOOD.replace('beliefs = ["paper"]', 'beliefs = ["papr"]'),
        UnknownName,
        r"\[\[policy\]\] 2: unknown belief 'papr': choose one of 'paper', 'probit'. Did you mean 'paper'\?",
    ),
    "policy's beliefs as text": (
        GOOD.replace('beliefs = ["paper"]', 'beliefs = "paper"'),
        InvalidInput,
        r"\[\[policy\]\] 2: beliefs must be a list of labels of beliefs, got 'paper'",
    ),
    "belief's key": (
        GOOD.replace("covariance =", "covarance ="),
        UnknownName,
        r"\[\[belief\]\] 1: unknown key 'covarance': .*Did you mean 'covariance'\?",
    ),
    "belief without a label": (
        GOOD.replace('label = "probit"', ""),
        InvalidInput,
        r"\[\[belief\]\] 2: .*must have a label",
    ),
    "covariance": (
        GOOD.replace('"diagonal"', '"diag"'),
        UnknownName,
        r"\[\[belief\]\] 1: unknown covariance 'diag': choose one of 'diagonal', 'full'",
    ),
    "link": (
        GOOD.replace('link = "probit"', 'link = "logitt"'),
        UnknownName,
        r"unknown link 'logitt'.* mean 'logit'\?",
    ),
    "method": (
        GOOD.replace('"adf"', '"vb"'),
        UnknownName,
        "unknown method 'vb': choose one of 'adf', 'ep'",
    ),
    "shape": (GOOD.replace("prior = 0.5", 'shape = "round"'), UnknownName, "unknown shape 'round'"),
    "prior": (
        GOOD.replace("prior = 0.5", "prior = -0.5"),
        InvalidInput,
        r"\[\[belief\]\] 2: prior must be a precision above 0, 'auto', 'auto-pool' or 'notebook', got -0.5",
    ),
    "prior without end": (GOOD.replace("prior = 0.5", "prior = inf"), InvalidInput, "prior must be .* got inf"),
    "prior as a list": (GOOD.replace("prior = 0.5", "prior = [1.0, 2.0]"), InvalidInput, r"got \[1.0, 2.0\]"),
    "prior of the pool on a diagonal": (
        GOOD.replace("prior = 1.0", 'prior = "auto-pool"'),
        InvalidInput,
        "prior 'auto-pool' needs covariance 'full', got 'diagonal': use prior 'auto', or a precision",
    ),
    "policy's beliefs as lists": (
        GOOD.replace('beliefs = ["paper"]', 'beliefs = [["paper"]]'),
        UnknownName,
        r"\[\[policy\]\] 2: unknown belief \['paper'\]",
    ),
    "a function": (
        GOOD.replace('"synthetic"\nd = 3', '"function"'),
        InvalidInput,
        r"\[\[world\]\] 2: world 'function' needs a Python function, which no file holds: make this study in Python",
    ),
    "a table that is not there": (
        GOOD.replace('"synthetic"\nd = 3', '"table"\nsource = "none.csv"\noutcome = "grew"'),
        InvalidInput,
        r"\[\[world\]\] 2: the file must exist, got 'none.csv': check the path",
    ),
    "prior as a word": (
        GOOD.replace("prior = 0.5", 'prior = "wide"'),
        InvalidInput,
        "'auto-pool' or 'notebook', got 'wide'",
    ),
    "belief twice": (GOOD.replace('label = "probit"', 'label = "paper"'), InvalidInput, "'random/paper' 2 times"),
    "two that would be called alike": (
        GOOD.replace('"random"', '"random"\nlabel = "bold/x"\nbeliefs = ["paper"]')
        .replace('beliefs = ["paper"]\n\n[[belief]]', 'beliefs = ["x/paper"]\n\n[[belief]]')
        .replace('label = "probit"', 'label = "x/paper"'),
        InvalidInput,
        "got 'bold/x/paper' 2 times",
    ),
    "what a policy can't": (
        GOOD.replace('"online"', '"offline"').replace('"random"', '"online-kg"'),
        InvalidInput,
        "policy 'online-kg' can't deal with objective 'offline'",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_files(case):
    text, kind, message = BAD[case]
    assert text != GOOD
    with pytest.raises(kind, match=message):
        parse_study(text)


def test_an_error_names_the_file(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text("runs = 0\n" + GOOD.replace("runs = 7", ""))
    with pytest.raises(InvalidInput, match=r"bad\.toml: .*runs=0"):
        read_study(path)
    with pytest.raises(StorageError, match=r"none\.toml can't be read \(No such file"):
        read_study(tmp_path / "none.toml")
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidInput, match=r"bad\.toml: a study must be text in UTF-8"):
        read_study(path)
    with pytest.raises(StorageError, match=r"can't be read \(Is a directory"):
        read_study(Path(tmp_path))


def test_a_belief_that_says_nothing_is_that_of_a_study_without_any():
    study = parse_study('[[world]]\nname = "synthetic"\n[[policy]]\nname = "kg"\n[[belief]]\nlabel = "auto"\n')
    assert study.contenders[0].belief == AUTO


def test_a_table_lies_beside_the_file_that_names_it(tmp_path, monkeypatch):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "tubes.csv").write_text("power,grew\n1,0\n2,1\n3,0\n4,1\n")
    path = tmp_path / "own" / "tubes.toml"
    path.write_text('[[world]]\nname = "table"\nsource = "tubes.csv"\noutcome = "grew"\n[[policy]]\nname = "kg"\n')
    told = []
    for where, name in ((tmp_path, "own/tubes.toml"), (tmp_path / "own", "tubes.toml"), (tmp_path, path)):
        monkeypatch.chdir(where)
        study = read_study(name)
        told.append(fingerprint(study, study.worlds[0], study.contenders[0]))
    assert told[0] == told[1] == told[2]  # rows that are there go on, wherever the command is given
    (tmp_path / "own" / "tubes.csv").write_text("power,grew\n1,0\n2,1\n3,0\n4,0\n")
    assert read_study(path).worlds[0].label != told[0]["world"]["label"]
    path.write_text(path.read_text().replace('"grew"', '"grow"'))
    with pytest.raises(UnknownName, match=r"tubes.toml: \[\[world\]\] 1: unknown column 'grow'"):
        read_study(path)


def test_labels_tell_contenders_apart():
    thompson = get_policy("thompson")
    made = contenders(["kg", thompson, get_policy("thompson", scale=0.5), ("TS", thompson)], [PAPER, AUTO])
    assert [one.label for one in made] == [
        label for label in ("kg", "thompson", "thompson scale=0.5", "TS") for _ in range(2)
    ]
    assert [one.belief for one in made[:2]] == [PAPER, AUTO]


def test_a_study_from_python_is_checked_too():
    field = contenders(["kg"], [PAPER])
    with pytest.raises(InvalidInput, match="at least one world"):
        Study("empty", [], field)
    with pytest.raises(InvalidInput, match=r"`worlds` of a study must be of type World, got 'sonar': get_world"):
        Study("text", ["sonar"], field)
    with pytest.raises(InvalidInput, match=r"`contenders` of a study must be of type Contender, got 'kg': contenders"):
        Study("text", [Little()], ["kg"])
    with pytest.raises(InvalidInput, match="must be a policy, got 'kg'"):
        Contender("kg")
    with pytest.raises(InvalidInput, match=r"occur once in a study, got 'little .*' 2 times"):
        Study("twice", [Little(), Little()], field)
    other = contenders(["random"], [BeliefRecipe("paper", prior=2.0)])
    with pytest.raises(InvalidInput, match="a label must mean one belief, got 'paper'"):
        Study("mixed", [Little()], [*field, *other])
