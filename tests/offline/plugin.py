"""Puts the whole test run offline: this process and all Python processes that it starts (:mod:`.sitecustomize`)."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.offline import sitecustomize

#: The folder that stands first in PYTHONPATH.
FOLDER = str(Path(__file__).parent)
_record = pytest.StashKey[Path]()


def pytest_configure(config: pytest.Config) -> None:
    """Have every process of this one watch what it calls; worker processes of pytest-xdist have a record each."""
    handle, name = tempfile.mkstemp(prefix="sureshot-called-")
    os.close(handle)
    config.stash[_record] = Path(name)
    os.environ[sitecustomize.RECORD] = name
    others = [one for one in os.environ.get("PYTHONPATH", "").split(os.pathsep) if one and one != FOLDER]
    os.environ["PYTHONPATH"] = os.pathsep.join([FOLDER, *others])


def pytest_unconfigure(config: pytest.Config) -> None:
    """Nothing is left behind."""
    config.stash[_record].unlink(missing_ok=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    """Fail a test by whom it called."""
    try:
        yield
    finally:
        record = item.config.stash[_record]
        if record.stat().st_size:
            called = record.read_text(encoding="utf-8")
            record.write_text("")
            pytest.fail(f"tests may call this machine only, and this one called\n{called}", pytrace=False)
