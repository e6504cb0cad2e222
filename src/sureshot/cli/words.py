"""How inputs are typed, and what was typed read; for the words of answers see :mod:`sureshot.campaign.answers`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from functools import cache

from sureshot.errors import InvalidInput
from sureshot.said import Call, Case, Field, Record, Remade, Setting

__all__ = ["option_for", "pairs", "typed"]

#: Options with another name than the input that they give.
_OPTIONS = {"parameters": "--param", "kinds": "--names", "q": "-q", "old": "--from", "as_name": "--as"}
#: Options that say an input and its value in one.
_FLAGS = {
    ("duplicates", "merge"): "--merge",
    ("repeated", "skip"): "--only-new",
    ("repeated", "record"): "--again",
    ("interactions", False): "--no-interactions",
}
#: What a campaign can do, where the command has another name for it.
_COMMANDS = {
    "Campaign.create": "new",
    "Campaign.create_from": "new --from",
    "import_table": "import",
    "tell_table": "tell --from",
    "posterior": "export --posterior",
    "tell_new": "tell --at",
    "download_tables": "lab download FOLDER",
}


def option_for(name: str) -> str:
    """The option that gives an input.

    >>> option_for("parameters"), option_for("context_formula")
    ('--param', '--context-formula')
    """
    return _OPTIONS.get(name, f"--{name.replace('_', '-')}")


def typed(record: Record) -> str:
    """An input, a setting or a call as it is typed in a shell; an input without an option by its name.

    >>> typed(Field("prior")), typed(Setting("kinds", {"batch": "category"})), typed(Call("tell", 3))
    ('--prior', '--names batch', 'sureshot tell 3 OUTCOME')
    """
    match record:
        case Field(name):
            return _option(name)
        case Case(columns):
            return " ".join(f"--context {column}=..." for column in columns)
        case Call(name, trial):
            number = "" if trial is None else f" {trial}"
            command = f"sureshot {_COMMANDS.get(name, name)}{number}{' OUTCOME' * record.needs_outcome}"
            return f"`{command}`" if record.apart else command
        case Remade(old, new, setting):
            return f"`sureshot new {shlex.quote(new)} --from {shlex.quote(old)} {typed(setting)}`"
        case Setting(name, list() | dict() as values):
            return " ".join(f"{_option(name)} {shlex.quote(str(value))}" for value in values)
        case Setting(name, str() | bool() as value) if (name, value) in _FLAGS:
            return _FLAGS[name, value]
        case Setting(name, value):
            return _option(name) if value is True else f"{_option(name)} {shlex.quote(str(value))}"


def _option(name: str) -> str:
    option = option_for(name)
    return option if option in _options() else name


@cache
def _options() -> frozenset[str]:
    """The options of all commands."""
    from typer.main import get_command

    from sureshot.cli.app import app

    found, commands = set[str](), [get_command(app)]
    for command in commands:
        commands += getattr(command, "commands", {}).values()
        found.update(option for one in command.params for option in one.opts)
    return frozenset(found)


def pairs(texts: Iterable[str], what: str, *, levels: bool = False) -> dict[str, str]:
    """``name=value`` texts, each name once; commas may part several in one text, or the ``levels`` of one name.

    >>> pairs(["power=14,catalyst=Co"], "--at"), pairs(["power=8,10,12"], "--param", levels=True)
    ({'power': '14', 'catalyst': 'Co'}, {'power': '8,10,12'})
    """
    found: dict[str, str] = {}
    form, example = ("levels", "power=8,10,12,14") if levels else ("value", "power=14,catalyst=Co")
    for text in texts:
        for one in [text] if levels else re.split(r",(?=\s*\w+\s*=)", text):
            name, equals, value = (part.strip() for part in one.partition("="))
            if not equals or not name or not value:
                raise InvalidInput(f"{what} must be written name={form}, got {one!r}: for example {example}.")
            if name in found:
                raise InvalidInput(f"{what} must be given once, got {name!r} twice: remove one.")
            found[name] = value
    return found
