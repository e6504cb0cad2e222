from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.commands import NEW, call
from tests.storage.postgres import postgres_server, postgres_url

__all__ = ["postgres_server", "postgres_url"]  # fixtures


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, and no settings from outside."""
    for name in ("STORAGE", "CAMPAIGN", "AUTHOR", "PLUGINS"):
        monkeypatch.delenv(f"SURESHOT_{name}", raising=False)
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def _made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign with four trials: 1 told, 2 pending, 3 told and corrected, 4 never asked."""
    path = tmp_path_factory.mktemp("made") / "sureshot.db"
    for line in (NEW, "ask -q 3", "tell 1 single-walled", "tell 3 success", "correct 3 failure --note misread"):
        done = call(f"{line} --storage {path}")
        assert done.code == 0, done.err
    done = call(f"tell --at power=14,ethylene=10,catalyst=Co 7 --of 10 --author Ann --storage {path}")
    assert done.code == 0, done.err
    return path


@pytest.fixture
def made(_made: Path, folder: Path) -> Path:
    """That campaign, in the working folder."""
    return Path(shutil.copy(_made, folder / "sureshot.db"))
