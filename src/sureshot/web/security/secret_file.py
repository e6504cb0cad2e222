"""Files that hold secrets: for their owner's eyes only, whole or not at all, changed by one process at a time."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sureshot.errors import Conflict, StorageError
from sureshot.locks import locked

__all__ = ["alone", "refuse_if_others_may_read", "write_secret"]

#: Seconds that one process waits for another that changes the file.
PATIENCE = 10.0
#: What nobody but the owner may have; its group may read, as where a service manager hands a file on.
_OTHERS = stat.S_IRWXO | stat.S_IWGRP | stat.S_IXGRP


def write_secret(path: Path, content: str) -> None:
    """Write a file with mode 600, on the disk before this returns."""
    target = path.resolve()
    try:
        number, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")  # made with mode 600
        try:
            with os.fdopen(number, "w", encoding="utf-8") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise StorageError(
            f"{path} can't be written ({error.strerror})", value=str(path), fix="choose a folder that you may write to"
        ) from error


def refuse_if_others_may_read(path: Path) -> None:
    """Refuse a file of secrets that other people on this machine may read."""
    if os.name == "posix" and path.stat().st_mode & _OTHERS:
        raise StorageError(
            f"{path} holds secrets, and others on this machine may read it", fix=f"chmod 600 {path}", value=str(path)
        )


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """One process at a time. The lock is the system's, and goes with the process that holds it, however that ends."""
    target = path.resolve()
    try:
        held = _opened(target)
    except OSError as error:
        raise StorageError(
            f"{path} can't be written ({error.strerror})",
            value=str(path),
            fix="choose a folder that is there and that you may write to",
        ) from error
    try:
        deadline = time.monotonic() + PATIENCE
        while not locked(held):
            if time.monotonic() > deadline:
                raise Conflict(f"another process is changing {path}", fix="try again in a moment")
            time.sleep(0.02)
        yield
    finally:
        os.close(held)


def _opened(target: Path) -> int:
    if sys.platform == "win32":
        return os.open(target.parent / f".{target.name}.lock", os.O_CREAT | os.O_RDWR)
    return os.open(target.parent, os.O_RDONLY)  # the folder can be locked: nothing is left behind
