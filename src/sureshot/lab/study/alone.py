"""One process at a time computes what a folder keeps; any number may read it meanwhile.

The lock is the operating system's, on a file in the folder, and goes with the process that holds it: after a kill
nothing has to be cleaned up. Who holds it stands in the file for as long as it does, for the word to the next.
"""

from __future__ import annotations

import json
import logging
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from sureshot.errors import Conflict, StorageError
from sureshot.locks import locked

__all__ = ["LOCK", "alone_in"]

log = logging.getLogger(__name__)

#: The file that is locked. It stays, and is empty while nobody computes.
LOCK = ".lock"
#: The byte of it that is locked, past what it says.
_AT = 2**20


@contextmanager
def alone_in(folder: Path) -> Iterator[bool]:
    """Nobody else computes in this folder meanwhile; False where the file system has no locks, and nobody can know.

    :raises Conflict: somebody else does.
    """
    path = folder / LOCK
    try:
        held = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise StorageError(f"{folder} can't be written to ({error.strerror}): choose another folder.") from error
    try:
        if not _is_ours(held, folder):
            yield False
            return
        _say(held, {"pid": os.getpid(), "host": platform.node(), "since": datetime.now(UTC).isoformat()})
        try:
            yield True
        finally:
            _say(held, None)
    finally:
        os.close(held)


def _is_ours(held: int, folder: Path) -> bool:
    try:
        free = locked(held, at=_AT)
    except OSError as error:
        log.warning(
            "%s is on a file system without locks (%s): see to it that only one process computes it.",
            folder,
            error.strerror or error,
        )
        return False
    if not free:
        raise Conflict(
            f"one process at a time may compute {folder}, and {_who(held)}",
            value=str(folder),
            fix="wait until it ends and run this again, or choose another folder with `out`",
        )
    return True


def _say(held: int, word: dict[str, object] | None) -> None:
    """Say in the file who holds it, or that nobody does."""
    with suppress(OSError):  # a full disk: it is held all the same
        os.ftruncate(held, 0)
        if word is not None:
            os.lseek(held, 0, os.SEEK_SET)
            os.write(held, json.dumps(word).encode())


def _who(held: int) -> str:
    """Who holds it, as it stands there."""
    try:
        os.lseek(held, 0, os.SEEK_SET)
        word = json.loads(os.read(held, 4096))
        since = datetime.fromisoformat(word["since"]).astimezone(UTC)
        return f"process {int(word['pid'])} on {word['host']!s:.80} has been doing so since {since:%Y-%m-%d %H:%M} UTC"
    except (OSError, ValueError, KeyError, TypeError):  # it is just about to say so
        return "another one is doing so"
