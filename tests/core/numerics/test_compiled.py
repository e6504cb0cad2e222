"""The compiled twin's cache on disk: never older than any of its sources."""

from __future__ import annotations

import os
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
