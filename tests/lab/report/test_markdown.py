from __future__ import annotations

import platform
import re

import pytest

from sureshot.errors import StorageError
from sureshot.lab.report.markdown import console, made_on, prose, table, writing


def test_a_paragraph_is_wrapped_and_keeps_its_words():
    text = "A long word-that-is-not-broken and\n      many   others. " * 12
    lines = prose(text)
    assert max(map(len, lines)) <= 120
    assert " ".join(lines).split() == text.split()


def test_a_table_has_a_cell_for_each():
    assert table(("a", "b"), [("1", "2"), ("3", "4")])[2:] == ["| 1 | 2 |", "| 3 | 4 |"]


def test_what_it_was_made_on_names_no_host():
    words = made_on()
    assert re.match(r"20\d\d-\d\d-\d\d; \d+ cores, ", words)
    assert platform.node() not in words


def test_writing_makes_the_folder_and_tells_what_the_disk_refuses(tmp_path):
    to = tmp_path / "new" / "page.md"
    with writing(to):
        to.write_text("x")
    assert to.is_file()
    with pytest.raises(StorageError, match="choose another place"), writing(to / "below.md"):
        pass


def test_nothing_in_a_command_ends_its_block():
    command = "sureshot lab theory --out 'a\n```\n<script>alert(1)</script>\n````b'"
    first, said, last = console(command)
    assert first == "`````console"
    assert said == f"$ {command}"
    assert last == "`````"
