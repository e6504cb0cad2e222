"""Whatever is refused says in one line what is wrong, where and how to fix it, and leaves the store as it was."""

import pytest

from tests.cli.commands import call, fingerprint

HEAD = "power,ethylene,catalyst,outcome\n8,10,Fe,success\n"


def refused(line, said, code=1):
    before = fingerprint()
    done = call(line)
    assert done.code == code, done
    assert said in done.err
    assert done.err.startswith("Error: ")
    assert done.err.count("\n") == 1
    assert done.out == ""
    assert fingerprint() == before


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("tell 9 success", "no trial 9: its trials are 1 to 4"),
        ("correct 9 success", "no trial 9"),
        ("withdraw 9", "no trial 9"),
        ("why 9", "no trial"),
        ("note hello --trial 9", "no trial 9"),
        ("tell two success", "a trial must be the number that sureshot ask gave, got 'two'"),
        ("tell 2 maybe", "unknown outcome 'maybe': it must be 'single-walled' or 'double-walled'.\n"),
        ("tell 2 single-waled", "Did you mean 'single-walled'?"),
        (
            "tell 9 success",
            "Get a new one with sureshot ask, or record an experiment that was never asked with sureshot",
        ),
        ("correct 1 maybe", "unknown outcome 'maybe'"),
        ("tell 2 11 --of 10", "got 11 of 10"),
        ("tell 2 many --of 10", "a whole number of successes, got 'many' of 10"),
        ("tell --at power=14,ethylene=10,catalyst=Ni success", "catalyst has no level 'Ni': choose one of Fe, Co"),
        ("tell --at powr=14,ethylene=10,catalyst=Co success", "Did you mean 'power'?"),
        ("tell --at power=14 success", "got none for ethylene, catalyst"),
        ("tell --at power success", "name=value, got 'power'"),
        (
            "tell --at power=14kg,ethylene=10,catalyst=Co success",
            "power has no unit here, got '14kg': write the number",
        ),
        ("ask -q 0", "-q must be a whole number of trials, at least 1, got -q 0."),
        ("ask --context age=61", "this campaign has no contexts"),
        ("ask --campaign nanotube", "Did you mean 'nanotubes'?"),
        ("history --to 99", "the number of an event, 0 to 7, got 99"),
        ("why 4", "trial 4 was told without being asked"),
        ("best --storage sqlite:///elsewhere.db", "there is no store"),
        ("new other --param power=8,8", "power must have each level once"),
        ("new other --param power", "must be written name=levels"),
        ("new other", "from parameters or from a file"),
        ("new other --param p=1,2 --objective fastest", "choose one of 'offline', 'online'"),
        ("new other --param p=1,2 --link logitt", "Did you mean 'logit'?"),
        ("new other --param p=1,2 --budget 0", "at least 1"),
        ("new other --param p=1,2 --where p>", "p>"),
        ("new other --param p=1,2 --formula __import__('os')", "must not contain '__import__'"),
        ("new other --param p=1,2 --prior none.json", "export --posterior"),
        ("new other --candidates none.csv", "the file must exist"),
        ("new none.toml", "none.toml can't be read"),
        ("import none.csv", "the file must exist"),
        ("demo --trials 0", "--trials must be at least 1, got --trials 0"),
        ("demo --labs 0", "--labs must be at least 1, got --labs 0"),
        ("demo --seed -1", "--seed must be a whole number of at least 0, got --seed -1"),
    ],
)
def test_input(made, line, said):
    refused(line, said)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("power,power,ethylene,catalyst,outcome\n8,8,10,Fe,success\n", "got 'power' for columns 1 and 2: rename"),
        (HEAD + "eight,10,Fe,failure\n", "line 3 of data.csv: power must be a number, got 'eight': fix"),
        (HEAD + "NaN,10,Fe,failure\n", "line 3 of data.csv: power must have a value, got the text 'NaN': fill"),
        ("8,10,Fe,success\n8,20,Fe,failure\n", "the first line must name the columns, got '8' for column 1: add"),
        (HEAD + "8,20,Fe,maybe\n", "line 3 of data.csv: unknown outcome 'maybe': it must be 'single-walled'"),
        (HEAD + "8,20,Ni,success\n", "line 3 of data.csv: catalyst has no level 'Ni': choose one of Fe, Co"),
        (HEAD + "8,20,Fe\n", "line 3 of data.csv: a row must have 4 cells, one for each column, got 3: fill"),
        ("power,ethylene,outcome\n8,10,success\n", "data.csv must have a column 'catalyst', got"),
        ("Power,ethylene,catalyst,outcome\n8,10,Fe,success\n", "must have a column 'power', got Power, ethylene"),
        ("Power,ethylene,catalyst,outcome\n8,10,Fe,success\n", "rename 'Power'."),
        ("power,ethylene,catalyst\n8,10,Fe\n", "must have a column 'outcome'"),
        ("power,ethylene,catalyst,Result\n8,10,Fe,success\n", "name yours with --outcome Result, or add it"),
        ("", "a header and rows"),
    ],
)
def test_a_table_to_import(made, content, said):
    (made.parent / "data.csv").write_text(content)
    refused("import data.csv", said)


def test_rows_without_an_outcome_may_be_refused(made):
    (made.parent / "data.csv").write_text(HEAD + "\n8,20,Fe,\n")
    refused(
        "import data.csv --refuse-blank", "line 4 of data.csv: every row must have an outcome, got none in 'outcome'"
    )
    (made.parent / "data.csv").write_text(HEAD + "8,20,Fe,pending\n")
    refused("import data.csv --refuse-blank", "line 3 of data.csv: every row must have an outcome, got 'pending'")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("power,power\n8,8\n", "got 'power' for columns 1 and 2"),
        ("power,batch\n8,b1\n9,2\n", "with --names batch. If it is not a parameter: --without batch."),
        ("power,batch\n8,NaN\n", "line 2 of data.csv: batch must have a value, got the text 'NaN'"),
        ("8,1\n9,2\n", "the first line must name the columns"),
        ("power\n8\n8\n", "merge all such rows with --merge"),
    ],
)
def test_a_table_of_candidates(made, content, said):
    (made.parent / "data.csv").write_text(content)
    refused("new other --candidates data.csv", said)
    if "--merge" not in said:  # a sheet may try one alternative twice
        refused("sheet data.csv", said)
        assert (made.parent / "data.csv").read_text() == content


def test_more_rows_than_the_limit(made, monkeypatch):
    monkeypatch.setattr("sureshot.space.tables.text.MAX_ALTERNATIVES", 3)
    (made.parent / "data.csv").write_text("power\n" + "".join(f"{i}\n" for i in range(5)))
    refused("new other --candidates data.csv", "got 5: coarsen the levels")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("tell 1 single-walled", "already has an outcome: 1 of 1"),
        ("tell 1 single-walled", "If that is wrong, correct it with sureshot correct 1 OUTCOME."),
        ("correct 2 success", "has no outcome to correct yet: give it with sureshot tell 2 OUTCOME."),
        ("new nanotubes --param p=1,2", "already is a campaign 'nanotubes'"),
        ("ask -q 28", "the budget is 30 trials, 3 are used and 28 more asked for"),
    ],
)
def test_a_conflict_has_an_exit_code_of_its_own(made, line, said):
    refused(line, said, code=3)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("aks", "Did you mean 'ask'?"),
        ("ask --bogus", "No such option: --bogus. See sureshot ask --help."),
        ("new other --bugdet 3", "No such option: --bugdet. Did you mean --budget? See sureshot new --help."),
        ("import data.csv --again --only-new", "exclude each other"),
        ("tell 1", "write it as sureshot tell TRIAL OUTCOME, got '1'"),
        ("tell 1 success now", "got '1 success now'"),
        ("tell --at power=14 1 success", "sureshot tell --at"),
        ("tell 2 success --context age=1", "--context belongs to --at"),
        ("correct 1", "Missing argument"),
        ("ask -q many", "it must be a whole number, got 'many'. See sureshot ask --help."),
        ("ask nanotubes", "'nanotubes' is one word too many. A campaign is named with --campaign nanotubes."),
        ("note hello world", "'world' is one word too many. See sureshot note --help."),
        ("withdraw 1 success", "'success' is one word too many. See sureshot withdraw --help."),
        ("status nanotubes", "'nanotubes' is one word too many. A campaign is named with --campaign nanotubes."),
        ("new other again --param p=1,2", "'again' is one word too many. See sureshot new --help."),
    ],
)
def test_usage(made, line, said):
    refused(line, said, code=2)


@pytest.mark.parametrize(
    ("line", "code", "expected"),
    [
        ("tell 9 success", 1, {"kind": "UnknownName"}),
        ("tell 2 maybe", 1, {"kind": "UnknownName", "field": "outcome", "value": "maybe"}),
        ("new other --param p=1,2 --budget 0", 1, {"kind": "InvalidInput", "field": "budget", "value": 0}),
        ("tell 1 success", 3, {"kind": "Conflict"}),
        ("ask --bogus", 2, {"kind": "UsageError", "field": "--bogus", "fix": "See sureshot ask --help."}),
        ("ask -q many", 2, {"kind": "UsageError", "field": "q"}),
        ("correct 1", 2, {"kind": "UsageError", "field": "outcome"}),
        ("aks", 2, {"kind": "UsageError", "fix": "See sureshot --help."}),
    ],
)
def test_with_json_an_error_is_a_document_on_standard_output(made, line, code, expected):
    before, plain, done = fingerprint(), call(line), call(f"{line} --json")
    assert (plain.out, plain.code, done.code) == ("", code, code)
    found = done.json()
    assert list(found) == ["error", "code"]
    assert found["code"] == code
    assert sorted(found["error"]) == ["field", "fix", "kind", "message", "place", "value"]
    assert expected.items() <= found["error"].items()
    assert done.err == plain.err  # for people who look
    assert found["error"]["message"].split()[0] in done.err
    assert fingerprint() == before


def test_several_campaigns_and_none_named(made):
    assert call("new second --param p=1,2").code == 0
    refused("ask", "holds 2 campaigns: add --campaign nanotubes or second")
    assert call("ask -c second").code == 0


def test_a_store_that_is_no_database(folder):
    (folder / "sureshot.db").write_text("hello")
    done = call("status")
    assert done.code == 1
    assert done.err.count("\n") == 1


def test_the_missing_store_is_not_made(folder):
    for line in ("ask", "status", "best", "tell 1 success"):
        assert call(line).code == 1
    assert list(folder.iterdir()) == []
