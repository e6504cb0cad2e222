"""The password of a database is nowhere in what a command says, writes or stores."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import psycopg
import pytest
from sqlalchemy.engine import make_url

from sureshot.cli.session import named_again, store_name
from tests.cli.commands import call

NEW = "new tubes --param power=8,10,12 --param gas=Ar,He --policy random --seed 1"
COMMANDS = [
    NEW,
    "new other --from tubes --policy greedy",
    "status",
    "status --json",
    "ask -c tubes",
    "ask -c tubes -q 2 --csv plate.csv",
    "ask -c tubes --json",
    "tell 1 success -c tubes",
    "best -c tubes",
    "history -c tubes",
    "export whole.json -c tubes",
    "export -c tubes",
    "best",  # which of the two?
    "ask -c nobody",
    "tell 1 failure -c tubes --json",
    "new tubes --param p=1,2",
    "delete other --yes",
    "import whole.json --as again",
    "archive again",
]


def test_a_password_in_the_storage_is_shown_by_no_command_and_stored_by_none(folder, postgres_url):
    url = make_url(postgres_url).set(username="postgres", password="hunter2").render_as_string(hide_password=False)
    url += "&sslpassword=hunter2"
    said = []
    for line in COMMANDS:
        done = call([*line.split(), "--storage", url])
        assert "hunter2" not in done.out + done.err, line
        assert "Traceback" not in done.err
        said.append(done)
    with psycopg.connect(postgres_url) as server:
        for table in ("campaign", "event", "snapshot"):
            for row in server.execute(f"SELECT * FROM {table}"):
                assert "hunter2" not in repr(row)
    for file in Path().iterdir():
        assert "hunter2" not in file.name
        assert b"hunter2" not in file.read_bytes()
    then = next(" ".join(done.out.split()) for done in said if "Then: sureshot tell" in done.out)
    words = shlex.split(then[then.index("Then: sureshot tell") :])
    again = words[words.index("--storage") + 1]
    assert then.endswith("(the password: in PGPASSWORD or ~/.pgpass)")
    assert call(["status", "-c", "tubes", "--storage", again]).code == 0


@pytest.mark.parametrize(
    "line",
    [
        "ask {}",
        "status {}",
        "ask -c {}",
        "tell {} success",
        "why {}",
        "plot {}",
        "best --context {}",
        "tell --at {} success",
        "tell 1 {}",
        "import {}",
        "import file.csv --outcome {}",
        "new {} --param p=1,2 --link {}",
        "new x --param {}",
        "new x --candidates {}",
        "new x --param p=1,2 --prior {}",
        "new x --from tubes --from-storage {}",
        "history --csv {}/x.csv",
        "ask --{}",
        "{}",
        "sheet {}",
        "lab report {}",
        "token list --tokens {}",
        "serve --host {} --port 0",
        "status --storage {}x",
    ],
)
def test_nor_where_it_is_typed_in_a_wrong_place(folder, line):
    assert call(NEW).code == 0
    done = call(line.format("postgresql://ann:hunter2@127.0.0.1:1/lab", "postgresql://ann:hunter2@127.0.0.1:1/lab"))
    assert done.code in (1, 2)
    assert "hunter2" not in done.out + done.err
    done = call(f"{line} --json".format(*["postgresql://ann:hunter2@127.0.0.1:1/lab"] * 2))
    assert "hunter2" not in done.out + done.err
    assert "hunter2" not in json.dumps(done.json())


def test_what_is_typed_next_names_the_store_as_the_shell_needs_it(monkeypatch):
    monkeypatch.delenv("SURESHOT_STORAGE", raising=False)
    url = "postgresql://ann:hunter2@host/lab?options=-c search_path=x"
    bare = "'postgresql://ann@host/lab?options=-c+search_path%3Dx'"
    assert named_again("a b", url) == f" -c 'a b' --storage {bare} (the password: in PGPASSWORD or ~/.pgpass)"
    assert named_again(None, "postgresql://ann@host/lab") == " --storage postgresql://ann@host/lab"
    assert named_again(None, "lab.db") == " --storage lab.db"
    assert named_again("x", None) == " -c x"
    monkeypatch.setenv("SURESHOT_STORAGE", url)
    assert named_again(None, url) == ""


def test_a_mistyped_url_makes_no_file(folder, monkeypatch):
    done = call("new tubes --param p=1,2 --storage postgres:ann:hunter2@host")
    assert done.code == 1
    assert done.err == (
        "Error: a store must be a path or a URL, and --storage (or SURESHOT_STORAGE) looks like a mistyped URL: write "
        "postgresql://user@host/database, with the password in PGPASSWORD or ~/.pgpass, or sqlite:///path; if it is "
        "the name of a file, write ./ before it.\n"
    )
    monkeypatch.setenv("SURESHOT_STORAGE", "postgresql:/ann:hunter2@host")
    for line in ("new tubes --param p=1,2", "status", "serve --port 0", "new x --from tubes --storage y.db"):
        done = call(line)
        assert done.code == 1
        assert "hunter2" not in done.err
    assert not [file for file in folder.iterdir() if "y.db" not in file.name]


@pytest.mark.parametrize("line", ["status", "status --json", NEW])
@pytest.mark.parametrize(
    "rest",
    [
        "host=/nowhere;password=hunter2",
        "host=/nowhere%3Bpassword%3Dhunter2",
        "host=/nowhere&options=-cpassword%3Dhunter2",
        "host=/nowhere&options=-cpassword=hunter2",
    ],
)
def test_a_password_within_another_parameter_is_not_shown_either(folder, line, rest):
    url = f"postgresql://ann@/lab?{rest}"
    done = call([*line.split(), "--storage", url])
    assert done.code == 1
    assert "hunter2" not in done.out + done.err + store_name(url)
    if "options" in rest:
        assert "hunter2" not in named_again(None, url)
    else:
        assert "has a ; between its parameters: write & there" in done.out + done.err
