"""``docs/tutorial-bench.md`` is played from top to bottom: it prints what it says, and its table is the oven."""

import re
from pathlib import Path

from tests.cli.commands import call
from tests.cli.sessions import played

PAGE = (Path(__file__).parents[2] / "docs" / "tutorial-bench.md").read_text(encoding="utf-8")


def oven():
    """What the page's table answers: by temperature, solvent and additive."""
    head, _, *rows = re.search(r"^\| temperature \|.*\n(?:\|.*\n)+", PAGE, flags=re.MULTILINE).group().splitlines()
    columns = [tuple(cell.strip().split(", ")) for cell in head.split("|")[2:-1]]
    found = {}
    for row in rows:
        temperature, *outcomes = (cell.strip() for cell in row.split("|")[1:-1])
        found |= {(temperature, *column): outcome for column, outcome in zip(columns, outcomes, strict=True)}
    return found


def test_the_page_prints_what_it_says_and_the_oven_answers_from_its_table(folder):
    assert played(PAGE) == PAGE
    truth = oven()
    rows = call("history -c perovskite --json").json()["trials"]
    assert len(truth) == 36
    assert len(rows) == 13
    for row in rows:
        setting = tuple(re.fullmatch(r"temperature (\d+ C), solvent (\w+), additive (\w+)", row["label"]).groups())
        assert row["successes"] == (truth[setting] == "black"), row


def test_the_commands_in_passing_are_taken_too(folder):
    """What the page only names, in the campaign that it makes: the remarks under "Correct a mistake", and going on."""
    played(PAGE)
    named = re.findall(r"`sureshot ((?:withdraw|tell --at|note) [^`]*)`", PAGE)
    assert len(named) == 3
    for line in named:
        words = re.findall(r'"[^"]*"|\S+', line)
        done = call([*(word.strip('"') for word in words), "-c", "perovskite"])
        assert done.code == 0, done.err
    for _ in range(4):
        assert call("ask -c perovskite --beyond-budget").code == 0
