"""``docs/how-to/command-line.md`` documents every command, every option and every exit code."""

import re
import shlex
from pathlib import Path

import typer

from sureshot import cli
from sureshot.campaign import fields
from sureshot.cli.app import app
from sureshot.cli.words import option_for
from tests.cli.commands import call

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "command-line.md").read_text(encoding="utf-8")
EVERY = typer.main.get_command(app).commands
SINGLE = {name: command for name, command in EVERY.items() if not hasattr(command, "commands")}
TOKEN = {f"token {name}": command for name, command in EVERY["token"].commands.items()}
COMMANDS = SINGLE | TOKEN  # those of the lab: tests/cli/lab


def test_every_command_has_its_section_and_no_other():
    assert re.findall(r"^## `sureshot (\w+)`$", PAGE, flags=re.MULTILINE) == list(EVERY)


def test_every_option_is_named():
    for name, command in COMMANDS.items():
        assert name in SINGLE or f"sureshot {name}" in PAGE
        own = PAGE.split(f"## `sureshot {name.split()[0]}`", 1)[1].split("\n## ", 1)[0]
        common = PAGE.split("## `sureshot new`", 1)[0]
        for parameter in command.params:
            options = [*parameter.opts, *parameter.secondary_opts]
            if not options[0].startswith("-") or "--help" in options:
                continue
            assert any(re.search(rf"(?<![\w-]){option}(?![\w-])", own + common) for option in options), (name, options)


def test_the_table_of_options_is_the_record():
    table = [f"| `{option_for(one.name)}` | {one.says} |" for one in fields() if one.name not in ("name", "storage")]
    assert "\n".join(table) in PAGE


def test_new_takes_every_option_with_its_sentence():
    said = {parameter.name: parameter.help for parameter in COMMANDS["new"].params}
    for one in fields():
        assert one.says in said[one.name]


def test_every_command_takes_json():
    for name, command in COMMANDS.items():
        assert any("--json" in parameter.opts for parameter in command.params), name


def test_every_exit_code_is_named():
    listed = [int(code) for code in re.findall(r"^\| (\d+) \|", PAGE, flags=re.MULTILINE)]
    assert listed == [cli.OK, cli.REFUSED, cli.USAGE, cli.CONFLICT, cli.UNPRINTED, cli.STOPPED]


def test_the_sessions_print_what_the_page_says(folder):
    told = {"14,10,Co": "success", "8,10,Co": "success", "8,40,Fe": "failure"}
    grid = [f"{p},{e},{c}" for p in (8, 10, 12, 14) for e in (10, 20, 30, 40) for c in ("Fe", "Co")]
    rows = [f"{one},{told.get(one, '')}" for one in grid]
    (folder / "candidates.csv").write_text("\n".join(["power,ethylene,catalyst,outcome", *rows, ""]))
    for block in re.findall(r"```console\n(.*?)```", PAGE, flags=re.DOTALL):
        for part in block.replace("\\\n", "").split("$ sureshot ")[1:]:
            command, _, said = part.partition("\n")
            printed = [line.rstrip() for line in call(shlex.split(command)).out.splitlines()]
            assert printed == said.strip().splitlines(), command
