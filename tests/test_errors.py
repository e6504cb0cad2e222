"""An error is one sentence in the words of each shell, and the same as data."""

import ast
import copy
import inspect
import json
import pickle
from pathlib import Path
from types import SimpleNamespace
from typing import get_args

import numpy as np
import pytest

import sureshot
from sureshot import errors
from sureshot.campaign import Campaign
from sureshot.cli.words import typed
from sureshot.errors import InvalidInput, PluginError, SureshotError, about, given, unknown_name, whole_number
from sureshot.said import Call, Case, Field, Record, Remade, Setting, Text, marked, named, said
from sureshot.space import Actions, Space

SOURCES = sorted(Path(sureshot.__file__).parent.rglob("*.py"))
EVERY = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, SureshotError)]
WORDS = [
    (Field("prior"), "`prior`", "--prior"),
    (Field("parameters"), "`parameters`", "--param"),
    (Field("alpha"), "`alpha`", "alpha"),  # of a policy: no option
    (Setting("duplicates", "merge"), "duplicates='merge'", "--merge"),
    (Setting("repeated", "skip"), "repeated='skip'", "--only-new"),
    (Setting("repeated", "record"), "repeated='record'", "--again"),
    (Setting("beyond_budget", True), "beyond_budget=True", "--beyond-budget"),
    (Setting("interactions", True), "interactions=True", "--interactions"),
    (Setting("interactions", False), "interactions=False", "--no-interactions"),
    (Setting("kinds", {"batch": "category"}), "kinds={'batch': 'category'}", "--names batch"),
    (Setting("without", ["id", "run nr"]), "without=['id', 'run nr']", "--without id --without 'run nr'"),
    (Setting("value", "seen contexts"), "value='seen contexts'", "--value 'seen contexts'"),
    (Setting("q", 0), "q=0", "-q 0"),
    (Case(("ward", "age")), 'context={"ward": ..., "age": ...}', "--context ward=... --context age=..."),
    (Call("ask"), "ask()", "sureshot ask"),
    (Call("tell", 3), "tell(3, ...)", "sureshot tell 3 OUTCOME"),
    (Call("tell_new"), "tell_new()", "sureshot tell --at"),
    (Call("posterior"), "posterior()", "sureshot export --posterior"),
    (Call("Campaign.create"), "Campaign.create()", "sureshot new"),
    (Call("compare", apart=True), "`compare()`", "`sureshot compare`"),
    (
        Remade("old one", "new", Setting("shape", "auto")),
        "`Campaign.create_from('new', 'old one', shape='auto')`",
        "`sureshot new new --from 'old one' --shape auto`",
    ),
]


@pytest.mark.parametrize(("record", "python", "shell"), WORDS, ids=lambda one: str(one))
def test_a_record_in_python_and_in_the_shell(record, python, shell):
    assert (str(record), typed(record)) == (python, shell)


def test_every_kind_of_record_is_tried_above():
    assert {type(record) for record, _, _ in WORDS} == set(get_args(Record))


def test_what_a_sentence_calls_is_a_command():
    """A call that the shell can't type would show Python's name."""
    from sureshot.cli.app import app

    known = {(one.name or one.callback.__name__).rstrip("_") for one in app.registered_commands if one.callback}
    known |= {one.name for one in app.registered_groups}
    called = {str(call.args[0].value) for call in _calls("Call") if isinstance(call.args[0], ast.Constant)}
    assert len(called) > 5
    assert {typed(Call(name)).split()[1] for name in called} <= known


def test_what_a_sentence_sets_is_an_option():
    names = {str(call.args[0].value) for call in _calls("Setting") if isinstance(call.args[0], ast.Constant)}
    others = {"max_kg", "name", "duplicates", "repeated"}  # of a study file, an argument, and flags (above)
    assert {name for name in names if not typed(Setting(name, "x")).startswith("-")} == others


def test_nothing_looks_into_a_message():
    """What a shell needs of an error is data: no patterns over its text, and no prefixes taken off."""
    for path in SOURCES:
        text = path.read_text()
        assert "str(error)." not in text, path
        if path.name in ("__init__.py", "session.py", "show.py") and path.parent.name == "cli":
            assert "import re\n" not in text, path
    assert not any(name in dir(sureshot.cli.words) for name in ("for_the_shell", "_TYPED"))


def _calls(name):
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name and node.args:
                yield node


def test_a_text_is_a_string_that_keeps_its_records():
    text = Text("use ", Text("it with ", Setting("duplicates", "merge")), ".")
    assert (text, said(text, typed)) == ("use it with duplicates='merge'.", "use it with --merge.")
    assert json.loads(json.dumps({"text": text})) == {"text": text}
    for again in (pickle.loads(pickle.dumps(text)), copy.deepcopy(text)):
        assert again == text
        assert again.parts == text.parts
    assert said("plain `prior`", typed) == "plain `prior`"


@pytest.mark.parametrize(
    ("text", "shell"),
    [
        ("`prior` and `link` are", "--prior and --link are"),
        ("see `sureshot new x` and `prior`", "see `sureshot new x` and --prior"),
        ("`prior` is 'a`b'", "--prior is 'a`b'"),
        ("a ` alone", "a ` alone"),
        ("``", "``"),
        ("", ""),
    ],
)
def test_names_between_backticks_are_inputs(text, shell):
    assert marked(text) == text
    assert said(marked(text), typed) == shell


def test_what_an_error_is_about():
    error = InvalidInput("`budget` must be at least 1", got=0, fix="leave `budget` out", place="t.toml")
    assert str(error) == "t.toml: `budget` must be at least 1, got 0: leave `budget` out."
    assert error.said(typed) == "t.toml: --budget must be at least 1, got 0: leave --budget out."
    assert (error.field, error.value, error.fix, error.place) == ("budget", 0, "leave `budget` out", ("t.toml",))
    assert error.as_dict(typed) == {
        "kind": "InvalidInput",
        "message": error.said(typed),
        "field": "budget",
        "value": 0,
        "fix": "leave --budget out",
        "place": "t.toml",
    }
    plain = InvalidInput("a table must have a row, got none: add one.")
    assert (str(plain), plain.field, plain.value, plain.fix) == (plain.args[0], None, None, None)
    assert str(InvalidInput("`q` is wrong", got=Setting("q", 0))) == "`q` is wrong, got q=0."


def test_a_value_with_backticks_is_no_input():
    error = InvalidInput("it must be a number", got="`prior`")
    assert (error.field, error.said(typed)) == (None, "it must be a number, got '`prior`'.")


@pytest.mark.parametrize("value", [np.int64(3), np.float64(0.5), float("nan"), {1, 2}, object(), np.arange(3), [np.pi]])
def test_the_machine_form_is_json(value):
    found = json.loads(json.dumps(InvalidInput("wrong", got=value).as_dict(), allow_nan=False))
    assert found["value"] == (value.item() if isinstance(value, np.integer) else found["value"])


@pytest.mark.parametrize("got", [0, lambda: 0, Setting("q", lambda: 0)])
@pytest.mark.parametrize("kind", EVERY)
def test_errors_travel_between_processes(kind, got):
    fix = Text("use ", Setting("duplicates", "merge"))
    error = kind("`budget` must be 1", got=got, fix=fix, place="row 3").at("a.csv")
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(again) is kind
        assert again.as_dict() == error.as_dict()
        assert again.said(typed) == error.said(typed)
        assert again.said(typed).endswith(": use --merge.")


def test_an_error_with_an_endless_setting_shows_both_ends() -> None:
    error = InvalidInput("a must be short", fix=Text("write ", Setting("kinds", {"a" * 20_000: "category"})))
    assert str(error).startswith("a must be short: write kinds={'aaaa")
    assert str(error).endswith(": 'category'}.")
    assert len(str(error)) < 5_000


def test_an_error_about_text_that_is_none_can_be_written_down() -> None:
    error = InvalidInput("the name \udcff must be text", fix="rename \udcff")
    assert str(error) == "the name \\udcff must be text: rename \\udcff."
    assert error.as_dict()["fix"] == "rename \\udcff"


def test_places():
    error = InvalidInput("age must be a number", place="row 0")
    assert str(error.at("a.csv", "sheet 2")) == "a.csv: sheet 2: row 0: age must be a number"
    assert str(error.moved("the case")) == "the case: age must be a number"
    assert str(error.moved()) == "age must be a number"
    assert str(error) == "row 0: age must be a number"


def test_reworded_is_the_same_in_every_shell():
    error = InvalidInput("`runs` must be 1", got=0, fix="leave `runs` out").reworded(
        lambda record: str(record).strip("`")
    )
    assert str(error) == error.said(typed) == "runs must be 1, got 0: leave runs out."
    assert (error.field, error.fix) == ("runs", "leave runs out")


def test_about():
    @about("formula")
    def parse(field):
        raise InvalidInput("no", field=field)

    with pytest.raises(InvalidInput) as found:
        parse(None)
    assert found.value.field == "formula"
    with pytest.raises(InvalidInput) as found:
        parse("context")
    assert found.value.field == "context"


def test_about_the_whole():
    with pytest.raises(InvalidInput) as found, about("policy", whole=True):
        raise InvalidInput("`alpha` must be a number", got="x")
    assert (found.value.field, found.value.value) == ("policy", "x")
    with pytest.raises(PluginError) as lost, about("policy", whole=True):
        raise PluginError("gone", field="SURESHOT_PLUGINS")
    assert lost.value.field == "SURESHOT_PLUGINS"


@pytest.mark.parametrize(("field", "got", "value"), [("a", {}, 1), ("a", {"got": 2}, 2), ("z", {}, None)])
def test_given(field, got, value):
    with pytest.raises(InvalidInput) as found, given(SimpleNamespace(a=1)):
        raise InvalidInput("no", field=field, **got)
    assert found.value.value == value
    with pytest.raises(InvalidInput) as long, given(SimpleNamespace(a=[0] * 9_000)):
        raise InvalidInput("no", field="a")
    assert long.value.value == ("[" + "0, " * 400)[:1000] + "..."


def test_unknown_names():
    error = unknown_name("link", "logitt", ["logit"], field="link")
    assert (error.field, error.value) == ("link", "logitt")
    assert error.fix == "choose one of 'logit'. Did you mean 'logit'?"
    assert named("plain") is None


@pytest.mark.parametrize(
    ("given", "field", "value"),
    [
        ({"budget": 0}, "budget", 0),
        ({"objective": "online", "discount": 2}, "discount", 2),
        ({"discount": 0.9}, "discount", 0.9),
        ({"objective": "never"}, "objective", "never"),
        ({"shape": "round"}, "shape", "round"),
        ({"shape": "curved", "formula": "p"}, "shape", "curved"),
        ({"formula": "p +"}, "formula", "p +"),
        ({"formula": "poly(p, 8)"}, "formula", "poly(p, 8)"),
        ({"formula": "poly(p, 9)"}, "formula", "poly(p, 9)"),
        ({"formula": "p**2"}, "formula", "p**2"),
        ({"formula": "p / 2"}, "formula", "p / 2"),
        ({"formula": "p + q"}, "formula", "q"),
        ({"context": {"a": (0, 1)}, "context_formula": "a +"}, "context_formula", "a +"),
        ({"context": {"a": (0, 1)}, "context_formula": "a - 1"}, "context_formula", "a - 1"),
        ({"prior": -1}, "prior", -1),
        ({"prior": "x"}, "prior", "x"),
        ({"prior": float("inf")}, "prior", "inf"),
        ({"prior": {"campaign": "c"}}, "prior", {"campaign": "c"}),
        ({"interactions": 3}, "interactions", 3),
        ({"link": "logitt"}, "link", "logitt"),
        ({"cost": 2}, "cost", 2),
        ({"cost": "price"}, "cost", "price"),
        ({"cost": "p", "objective": "online"}, "cost", "p"),
        ({"cost": True}, "cost", True),
        ({"cost": [1, -1]}, "cost", [1, -1]),
        ({"cost": [1]}, "cost", [1]),
        ({"cost": ["a", "b"]}, "cost", ["a", "b"]),
        ({"success": ""}, "success", ""),
        ({"failure": "success"}, "success", "success"),
        ({"value": "seen contexts"}, "value", "seen contexts"),
        ({"policy": "uucb"}, "policy", "uucb"),
        ({"policy": "ucb alpha"}, "policy", "alpha"),
        ({"policy": "ucb alpha=-1"}, "policy", -1),
        ({"policy": "ucb beta=1"}, "policy", "beta"),
        ({"policy": "ucb name=thompson"}, "policy", "name"),
        ({"policy": "ucb alpha=1 alpha=2"}, "policy", "alpha"),
        ({"policy": {"name": "ucb", "alpha": None}}, "policy", {"name": "ucb", "alpha": None}),
        ({"policy": "kg x=1"}, "policy", "x"),
        ({"policy": 3}, "policy", 3),
        ({"policy": "online-kg"}, "policy", "online-kg"),
        ({"context": {"p": (1, 2, 3)}}, "context", {"p": [1, 2, 3]}),
        ({"context": {"p": (0, 1)}}, "context", {"p": [0, 1]}),
        ({"context": {"p": (0, 1)}, "formula": "p"}, "context", {"p": [0, 1]}),
        ({"context": {"a": (1, 0)}}, "context", {"a": [1, 0]}),
        ({"context": {"a": []}}, "context", {"a": []}),
        ({"context": {"a b;": (0, 1)}}, "context", {"a b;": [0, 1]}),
        ({"context": 3}, "context", 3),
        ({"storage": "mysql://x"}, "storage", None),
        ({"seed": -1}, "seed", -1),
        ({"seed": "x"}, "seed", "x"),
        ({"name": " x"}, "name", " x"),
    ],
)
def test_what_is_wrong_with_a_campaign_is_named_for_a_form(given, field, value):
    with pytest.raises(SureshotError) as found:
        Campaign.create(given.pop("name", "c"), Space.grid(p=[1, 2]), **{"storage": ":memory:", **given})
    error = found.value
    assert (error.field, error.value) == (field, value)
    assert error.fix
    assert said(error.fix, typed) in error.said(typed)
    assert field in inspect.signature(Campaign.create).parameters
    assert "`" not in error.said(typed)
    assert json.dumps(error.as_dict())


#: Where what a person writes for a campaign is checked, but for tables.
CHECKED = "space/language/ campaign/model/aim campaign/model/model campaign/model/again campaign/model/earlier"
POLICY = (
    "campaign/model/tryout policies/registry policies/named policies/checked policies/policy plugins storage/opening"
)


@pytest.mark.parametrize("place", f"{CHECKED} {POLICY}".split())
def test_what_is_refused_there_says_what_to_do_as_data(place):
    """A fix that stands in the sentence alone is lost to a form."""
    files = [path for path in SOURCES if f"sureshot/{place}" in path.with_suffix("").as_posix()]
    assert files
    for path in files:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("InvalidInput", "UnknownName"):
                assert "fix" in {one.arg for one in node.keywords}, f"{path.name}, line {node.lineno}"


def test_a_case_that_is_missing_says_how_to_give_it():
    campaign = Campaign.create("c", Actions(["a", "b"]), context={"ward": ["A", "B"]}, storage=":memory:")
    with pytest.raises(InvalidInput) as found:
        campaign.ask()
    assert str(found.value) == 'this campaign decides in a context: give context={"ward": ...}.'
    assert found.value.said(typed) == "this campaign decides in a context: give --context ward=...."
    assert found.value.field == "context"
    with pytest.raises(InvalidInput, match="the case: ward has no level 'C'"):
        campaign.ask(context={"ward": "C"})


def test_a_whole_number_is_a_plain_one_whoever_counts() -> None:
    found = whole_number("q", np.int64(3), of="trials")
    assert (found, type(found)) == (3, int)
    assert whole_number("offset", 0, 0) == 0


@pytest.mark.parametrize("given", [0, -1, 2.0, True, "3", None])
def test_what_is_not_a_whole_number_is_refused_by_its_name(given: object) -> None:
    with pytest.raises(InvalidInput, match="`q` must be a whole number of trials, at least 1, got q=") as found:
        whole_number("q", given, of="trials")
    assert (found.value.field, found.value.value) == ("q", given)


def test_no_error_is_longer_than_somebody_reads() -> None:
    long = "1" * 20_000
    for error in (
        InvalidInput(f"a must be a number, got {long!r}"),
        InvalidInput("a must be a number", got=long, fix=f"write {long}"),
        InvalidInput("a must be a number", got=Setting("a", long)),
    ):
        assert len(str(error)) < 5_000
        assert str(error).startswith("a must be a number")
        assert len(json.dumps(error.as_dict())) < 10_000
    names = [f"column_{i}" for i in range(1_000)]
    assert str(unknown_name("column", "colum_7", names)).endswith("Did you mean 'column_7'?")
