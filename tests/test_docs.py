"""The pages of the documentation: stars that would turn into italics, and which commands and options they name."""

import re
from pathlib import Path

import pytest
import typer

from sureshot.cli.app import app

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
WRITTEN = [page for page in PAGES if page.name != "reproduction.md"]  # that one is written by a command


def prose(text):
    """Without what is shown as it stands: fenced and indented blocks, and code in a line."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^ {4}\S.*$", "", text, flags=re.MULTILINE)
    return re.sub(r"`[^`]+`", "code", text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_star_is_meant_as_emphasis_or_escaped(page):
    """KG(*) must be read as it is written: an unescaped star after a letter or a bracket begins or ends italics."""
    for paragraph in prose(page.read_text(encoding="utf-8")).split("\n\n"):
        left = re.sub(r"\\\*| \* ", "", paragraph)  # escaped, or between spaces
        left = re.sub(r"^\s*[*-] ", "", left, flags=re.MULTILINE)
        left = re.sub(r"(?<![\w(*])(\*{1,3})(?=\S)([^*]+?)(?<=\S)\1(?![\w*])", "", left)  # *so*, **so**
        assert "*" not in left, paragraph


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_and_option_that_is_named_exists(page):
    known = typer.main.get_command(app).commands
    text = page.read_text(encoding="utf-8").replace("\\\n", " ")
    blocks = "\n".join(re.findall(r"^```(?:console|sh)\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE))
    lines = re.findall(r"`sureshot ([a-z][^`]*)`", text)
    lines += re.findall(r"^(?:\$ )?sureshot ([a-z].*)$", blocks, flags=re.MULTILINE)
    for line in lines:
        words = line.split("#")[0].split()
        assert words[0] in known or words[0] == "COMMAND", line
        command = known.get(words[0])
        if hasattr(command, "commands") and len(words) > 1:
            assert words[1] in command.commands, line
            command = command.commands[words[1]]
        options = {option for one in getattr(command, "params", ()) for option in (*one.opts, *one.secondary_opts)}
        for word in words[1:]:
            if word.startswith("-") and re.match(r"--?[a-z]", word) and command is not None:
                assert word.split("=")[0] in options | {"--help"}, line


def test_the_menu_has_every_page_once_and_begins_with_what_most_people_need():
    groups = {}
    for line in (ROOT / "mkdocs.yml").read_text(encoding="utf-8").split("\nnav:\n")[1].splitlines():
        if line.startswith("  - "):
            pages = groups.setdefault(line.strip(" -:"), [])
        else:
            pages.append(line.rsplit(": ", 1)[1])
    assert list(groups) == ["Start", "How to", "Understand", "Lab", "Reference"]
    listed = [page for pages in groups.values() for page in pages]
    assert sorted(listed) == sorted(str(page.relative_to(DOCS)) for page in PAGES[1:])
    assert groups["Start"][:3] == ["index.md", "tutorial-bench.md", "tutorial-campaign.md"]
    assert groups["How to"][0] == "how-to/space.md"


def test_the_notes_that_the_page_on_shapes_explains_are_those_that_are_given():
    page = " ".join((DOCS / "fit.md").read_text(encoding="utf-8").split())
    quoted = re.findall(
        r"\*((?:\.\.\. )?[a-z][^*]+)\*", page.split("| the note says |")[1].split("A note is raised")[0]
    )
    given = [
        # the first four are what tests/campaign/answers/fit/test_checks.py finds
        "this model predicts your outcomes no better than their average",
        "a model that may take any shape predicts your outcomes 150 times better, mostly because ...",
        "what was recommended worked in 1 of 6 tries, where 4.3 were expected",
        "power 14 W is recommended, and failed in all 6 tries, while 9 of 14 without it worked",
        "power 11 W lies between the levels 10 and 12",
        "age 95 lies outside 18 to 90",
        "the model is the formula a + b, in which nothing bends",
    ]
    for words, said in zip(quoted, given, strict=True):
        assert re.search(".+".join(map(re.escape, words.split("..."))), said), words
