"""The page about threats: every line says who, what stops it, what is left, and names tests that are there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
LINES = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in PAGE.splitlines()
    if line.startswith("| ") and not line.startswith("| what could be tried |")
]
ACTORS = set(re.findall(r"^- \*\*(\w+)\*\*: ", PAGE, re.M)) - {"Bench", "Team", "Public"}


def named(cell: str) -> list[str]:
    return re.findall(r"`(tests/[^`]+)`", cell)


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[0][:60])
def test_every_line_is_whole_and_its_tests_are_there(line: list[str]) -> None:
    what, who, stops, left, tests = line
    assert what
    assert set(who.split(", ")) <= ACTORS
    assert stops.endswith(".")
    assert left.endswith(".")
    assert named(tests), "a line without a test"
    for one in named(tests):
        file, *names = one.split("::")
        node: ast.AST | None = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        for name in names:
            inside = (part for part in ast.iter_child_nodes(node) if getattr(part, "name", None) == name)  # type: ignore[arg-type]
            node = next(inside, None)
            assert node is not None, f"there is no test {one}"
        assert names[-1].startswith("test_")


def test_there_is_a_line_for_each_threat_and_each_actor() -> None:
    assert len(LINES) > 35
    assert {"Site", "Stranger", "Member", "Neighbour", "File"} == ACTORS
    assert {who for line in LINES for who in line[1].split(", ")} == ACTORS
