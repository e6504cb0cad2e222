"""What would steer a terminal is shown and not obeyed; all else, and every JSON value, stays what it is."""

from __future__ import annotations

import ast
import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.table import Table
from rich.text import Text

import sureshot.cli
from sureshot.cli.screen.output import console, json_text
from sureshot.cli.screen.visible import escaped_json, guarded, visible

STEERING = [
    "\x1b[31m",
    "\x1b]0;title\x07",
    "\x1b]52;c;ZXZpbA==\x1b\\",
    "\x1b]8;;http://x\x1b\\y",
    "\x9b2J",
    "\x90q\x9c",
    "\r",
    "\b\b",
    "\x7f",
    "\u202e",
    "\u2066",
    "\u200f",
    "\u2028",
    "\u00ad",
    "\u115f",
    "\u180e",
    "\u3164",
    "\u0085",
    "\ufeff",
    "\U000e0041",
    "\udcff",
]
EVERY = st.text(st.characters(codec=None, exclude_categories=()))


def steers(char: str) -> bool:
    """By what Unicode says of it, and not by our list."""
    if char in "\n\t":
        return False
    turns = unicodedata.bidirectional(char) in ("RLE", "LRE", "RLO", "LRO", "PDF", "RLI", "LRI", "FSI", "PDI")
    return turns or unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp")


@pytest.mark.parametrize("text", STEERING)
def test_each_is_escaped_as_python_writes_it(text):
    shown = visible(text.replace("\\", "/"))
    assert shown.isascii()
    assert shown.isprintable()
    assert ast.literal_eval(f"'{shown}'") == text.replace("\\", "/")


@given(EVERY)
def test_nothing_that_steers_is_left_and_all_else_is(text):
    for written in (visible(text), guarded(text.replace("\x1b", "").replace("\r", "")), escaped_json(json.dumps(text))):
        assert not any(map(steers, written))
    harmless = "".join(one for one in text if one.isprintable())
    assert visible(harmless) == harmless
    assert guarded(harmless) == harmless


@given(EVERY)
def test_a_json_document_has_the_same_value(text):
    for document in (json_text([text]), escaped_json(json.dumps([text])), escaped_json(json.dumps([text], indent=1))):
        assert json.loads(document) == [text]


def test_what_our_libraries_write_passes_and_nothing_else():
    own = "\x1b[1;32mbold\x1b[0m\r\x1b[2K\x1b[1A\x1b[?25l\x1b[?25h"
    assert guarded(own) == own
    for text in ("\x1b[2J", "\x1b[?1049h", "\x1b]0;t\x07", "\x1b]8;;u\x1b\\", "\x1bc", "\x1b[6n", "\x1bP", "\x1b[5i"):
        assert "\x1b" not in guarded(text)


@pytest.mark.parametrize("text", [*STEERING, "[red]x[/red]", "[link=http://x]y[/link]", ":smiley:", "[bold"])
def test_a_screen_shows_it_wherever_it_stands(text, capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    screen = console()
    table = Table(title=text)
    table.add_column(text)
    table.add_row(text)
    table.add_row(Text(text))
    screen.print(text, style="bold")
    screen.print(Text.assemble((text, "red"), ("after", "bold")))
    screen.print(table)
    printed = capsys.readouterr().out
    assert "after" in printed
    for char in "\x1b[1m", "\x1b[31m", "\x1b[1;31m", "\x1b[3m", "\x1b[0m", "\x1b[2m", "\x1b[1;2m":
        printed = printed.replace(char, "")
    assert not any(map(steers, printed))
    assert printed.replace("\n", "").count(visible(text.replace("\r", "").replace("\b", ""))) >= 3


def test_styles_stay_on_the_characters_that_they_were_on(monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    console().print(Text.assemble(("a\u202eb", "bold"), "c\u202e", ("d", "red")))
    assert capsys.readouterr().out == "\x1b[1ma\\u202eb\x1b[0mc\\u202e\x1b[31md\x1b[0m\n"


def test_all_that_is_shown_passes_through_one_place():
    """Nobody else writes to the terminal; help, the version and questions are Typer's."""
    own = {"screen/output.py", "screen/streams.py", "cli/__init__.py"}
    for file in Path(sureshot.cli.__file__).parent.rglob("*.py"):
        if f"{file.parent.name}/{file.name}" in own:
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            assert called not in ("print", "sys.stdout.write", "sys.stderr.write", "Console"), (file, called)
            assert called not in ("typer.echo", "typer.secho") or file.name == "app.py", (file, called)
