"""The README's example is run as it stands, and prints what the README says."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

from sureshot import demo
from sureshot.campaign.answers.wording import percent, percents
from tests.cli.commands import call

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def block(language: str, which: int = 0) -> str:
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)[which]


def test_the_example_prints_what_the_readme_says():
    done = subprocess.run([sys.executable, "-c", block("python")], capture_output=True, text=True, check=True)
    assert done.stdout == block("text")


def test_the_picture_and_the_pages_it_links_to_are_there():
    targets = re.findall(r"\]\(([^)#]+)\)", README)
    assert targets
    assert [t for t in targets if not (Path(__file__).parents[1] / t).exists()] == []


def test_the_session_prints_what_the_readme_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    parts = block("console", 1).replace("\\\n", "").split("$ sureshot ")[1:]
    for part in parts:
        command, _, said = part.partition("\n")
        assert [line.rstrip() for line in call(shlex.split(command)).out.splitlines()] == said.splitlines(), command


def test_the_demo_ends_as_the_readme_says():
    """The demo itself takes ten seconds: here the line of the hundred labs, and the truth about what it recommends."""
    kept = demo.hundred()
    shown = next(lab for lab in kept if lab.seed == demo.typical(kept))
    words = " ".join(block("console").split())
    assert str(demo.summary(kept)) in words
    assert f": {percent(shown.shown)} ({percents(shown.low, shown.high)})." in words
    assert f"it works {shown.sureshot:.0%} of the time".replace("%", " %") in words


def test_the_front_page_of_the_docs_says_the_same():
    page = (Path(__file__).parents[1] / "docs" / "index.md").read_text(encoding="utf-8")
    assert str(demo.summary(demo.hundred())) in " ".join(page.replace("\n> ", " ").split())
