"""The README's example is run as it stands, and prints what the README says."""

import re
import subprocess
import sys
from pathlib import Path

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)[0]


def test_the_example_prints_what_the_readme_says():
    done = subprocess.run([sys.executable, "-c", block("python")], capture_output=True, text=True, check=True)
    assert done.stdout == block("text")


def test_the_picture_and_the_pages_it_links_to_are_there():
    targets = re.findall(r"\]\(([^)#]+)\)", README)
    assert targets
    assert [t for t in targets if not (Path(__file__).parents[1] / t).exists()] == []
