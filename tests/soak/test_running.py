"""The frame of ``soak/``: it counts what came of each case, ends when it is told to, and a part that fails is seen."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from types import ModuleType

import pytest
from soak.__main__ import main
from soak.running import Case, Table, play

closed: list[str] = []


@pytest.fixture
def part(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A part with a case that is held, one that is refused, one that is broken, and again."""

    def run(seed: int) -> Iterator[Case]:
        try:
            while True:
                yield Case("a", "held")
                yield Case("a", "refused", "Do this.")
                yield Case("b", "BROKEN", f"seed {seed}")
        finally:
            closed.append("closed")

    module = ModuleType("soak.parts.trouble", "Trouble of one sort.")
    module.run = run  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr("soak.__main__.PARTS", ("trouble",))
    closed.clear()
    return module


def test_so_many_cases_and_no_more(part: ModuleType) -> None:
    assert [case.verdict for case in play("trouble", seed=1, most=4)] == ["held", "refused", "BROKEN", "held"]
    assert closed == ["closed"]


def test_it_ends_when_the_time_is_over(part: ModuleType) -> None:
    assert len(list(play("trouble", seed=1, most=100, until=time.monotonic() - 1))) == 1
    assert closed == ["closed"]


def test_the_table_counts_and_keeps_what_is_broken(part: ModuleType) -> None:
    table = Table()
    for case in play("trouble", seed=7, most=5):
        table.add(case)
    assert (table.total["held"], table.total["refused"], table.total["BROKEN"]) == (2, 2, 1)
    assert [case.told for case in table.broken] == ["seed 7"]
    assert [line.split() for line in str(table).splitlines()[1:]] == [["a", "2", "2", "0"], ["b", "0", "0", "1"]]


def test_the_command_ends_with_1_if_anything_is_broken(
    part: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["soak", "--count", "2"])
    assert main() == 0
    monkeypatch.setattr(sys, "argv", ["soak", "--count", "3", "--seed", "5"])
    assert main() == 1
    said = capsys.readouterr().out
    assert "BROKEN b: seed 5\n" in said
    assert "Trouble of one sort. Seed 5" in said
    assert said.endswith("3 cases, seed 5: 1 held, 1 refused, 1 BROKEN\n")


def test_a_part_that_measures_says_how_close_it_came(
    part: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    part.deviations = "chances: 0.04 of 0.08"  # type: ignore[attr-defined]
    monkeypatch.setattr(sys, "argv", ["soak", "--count", "1"])
    assert main() == 0
    assert "chances: 0.04 of 0.08" in capsys.readouterr().out
