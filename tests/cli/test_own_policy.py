"""A policy of one's own from the command line: the real command, told of the module that registers it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.commands import call, environment, sureshot

OWN = """
from dataclasses import dataclass
from typing import ClassVar
import numpy as np
from sureshot.policies import Abilities, Policy, register_policy

@register_policy
@dataclass(frozen=True)
class Last(Policy):
    step: int = 1
    name: ClassVar[str] = "last"
    because: ClassVar[str] = "it stands last"
    abilities: ClassVar[Abilities] = Abilities(pending=False)

    def scores(self, situation, rng):
        return np.arange(len(situation.X)) // self.step

@register_policy
@dataclass(frozen=True)
class Short(Policy):
    name: ClassVar[str] = "short"

    def scores(self, situation, rng):
        return [1.0, 2.0]
"""


@pytest.fixture
def here(folder: Path) -> Path:
    (folder / "own.py").write_text(OWN)
    return folder


def test_the_settings_of_whoever_runs_the_tests_are_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SURESHOT_PLUGINS", "elsewhere.py")
    assert "SURESHOT_PLUGINS" not in environment()


def test_a_campaign_by_a_policy_of_ones_own(here: Path) -> None:
    """Made and asked where the module is named, told and read where it is not: here, where nobody imported it."""

    def run(line: str, *, known: bool, code: int = 0) -> str:
        if known:
            real = sureshot(*line.split(), cwd=here, SURESHOT_PLUGINS="own.py")
            found, out, err = real.returncode, real.stdout, real.stderr
        else:
            done = call(line, columns=200)
            found, out, err = done.code, done.out, done.err
        assert found == code, err
        assert "Traceback" not in err
        return out + err

    new = "new mine --param power=8,10,12,14 --seed 1 --policy"
    said = run(f"{new} last", known=False, code=1)
    assert "unknown policy 'last'" in said
    assert "If it is your own, name the module that registers it in SURESHOT_PLUGINS." in said
    said = run(f"{new} short", known=True, code=1)
    assert "'short' must give one finite score for each of 4 alternatives, got numbers of shape (2,)" in said
    assert not (here / "sureshot.db").exists()

    run(f"{new} last", known=True)
    assert "power 14" in run("ask", known=True)
    said = run("ask", known=True, code=1)
    assert "policy 'last' can't deal with pending trials: ask for one trial at a time" in said
    assert "last chose it: it stands last." in run("why", known=False)
    run("tell 1 success", known=False)
    run("correct 1 failure", known=False)
    run("note hello", known=False)
    run("tell --at power=8 success", known=False)
    run("withdraw 2", known=False)
    (here / "table.csv").write_text("power,outcome\n10,success\n")
    run("import table.csv", known=False)
    assert "policy last" in run("status", known=False)
    assert "power 14" in run("history", known=False)
    assert "Choose" in run("best", known=False)
    kept = json.loads(run("export", known=False))
    assert kept["spec"]["policy"] == {"name": "last", "step": 1}
    said = run("ask", known=False, code=1)
    assert "by the policy 'last', which is not known here: if it is your own, import the module" in said
    assert "SURESHOT_PLUGINS; to go on with another policy, use sureshot new --from." in said
    assert "power 14" in run("ask", known=True)
    run("new other --from mine --policy kg", known=False)
    run("ask -c other", known=False)


def test_a_study_by_a_policy_of_ones_own(here: Path) -> None:
    """In two processes: each finds the module."""
    (here / "study.toml").write_text(
        'runs = 2\nbudget = 2\n[[world]]\nname = "synthetic"\nd = 2\n[[policy]]\nname = "last"\nstep = 2\n'
    )
    done = sureshot("lab", "run", "study.toml", "--processes", "2", cwd=here, SURESHOT_PLUGINS="own.py")
    assert done.returncode == 0, done.stderr
    assert "last step=2" in done.stdout
    done = sureshot("lab", "run", "study.toml", cwd=here, SURESHOT_PLUGINS="gone.py")
    assert done.returncode == 1
    assert "SURESHOT_PLUGINS must name files that exist, got 'gone.py': check the path." in done.stderr
