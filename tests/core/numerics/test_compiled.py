"""The compiled twin's cache on disk: never older than any of its sources."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sureshot.core.numerics import compiled


def test_a_changed_source_clears_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "core" / "numerics" / "compiled"
    cache = package / "__pycache__"
    cache.mkdir(parents=True)
    (package / "terms.py").write_text("x = 1\n")
    (package.parent / "stable.py").write_text("y = 1\n")
    monkeypatch.setattr(compiled, "__file__", str(package / "__init__.py"))
    code = cache / "terms.learn.nbc"

    code.write_bytes(b"old")
    compiled._drop_stale()
    assert not code.exists()  # no stamp yet: nothing is trusted

    code.write_bytes(b"new")
    compiled._drop_stale()
    assert code.exists()  # nothing changed

    os.utime(package.parent / "stable.py", ns=(1, 1))
    compiled._drop_stale()
    assert not code.exists()  # a constant of another file did


def test_a_read_only_installation_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "core" / "numerics" / "compiled"
    package.mkdir(parents=True)
    (package / "__pycache__").write_text("a file where the folder should be")
    monkeypatch.setattr(compiled, "__file__", str(package / "__init__.py"))
    compiled._drop_stale()


def test_compiling_is_said_once_and_only_by_the_shell(tmp_path: Path) -> None:
    several = "from sureshot.core.numerics.compiled.terms import log_normal_cdf; log_normal_cdf(-9.0)"  # it calls two
    shell = f"import sureshot.cli as cli; cli._quietened(); {several}"

    def said(code: str, cache: str) -> str:
        where = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / cache)}
        run = subprocess.run([sys.executable, "-c", code], env=where, capture_output=True, text=True, check=True)
        assert run.stdout == ""
        return run.stderr

    assert said(shell, "one") == "Preparing the fast code for this machine: up to a minute, once.\n"
    assert said(shell, "one") == ""  # what was compiled is kept
    assert said(several, "another") == ""
