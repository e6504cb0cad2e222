"""Files that are written once, and whose names hold a digest of their bytes::

    runs-00001-00025-5f1e0c83a9d2b746.parquet

What a disk, a copy or a hand has changed since is known before anything reads it. Files from before have no digest in
their names: whether their bytes are what was written, nobody can tell.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from pathlib import Path

from sureshot.errors import StorageError
from sureshot.files import LEFT, write_whole

__all__ = ["is_sealed", "sealed_name", "sweep", "unsealed", "write_sealed"]

_SEALED = re.compile(r"-([0-9a-f]{16})\.[a-z]+\Z")


def sealed_name(stem: str, ending: str, content: bytes) -> str:
    """What a file with that content is called.

    >>> sealed_name("cases-00001-00050", ".json", b"{}")
    'cases-00001-00050-01e7b720ff566d53.json'
    """
    return f"{stem}-{_digest(content)}{ending}"


def is_sealed(path: Path) -> bool:
    """Whether the name of a file says what is in it."""
    return _SEALED.search(path.name) is not None


def write_sealed(folder: Path, stem: str, ending: str, content: bytes) -> Path:
    """Write a file, whole or not at all, under the name that it gets by its content."""
    path = folder / sealed_name(stem, ending, content)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
    except OSError as error:
        reason = error.__cause__ if isinstance(error, StorageError) else error
        why = getattr(reason, "strerror", None) or reason
        raise StorageError(
            f"{path} can't be written ({why}): what is finished is kept. Make room, or choose another folder, and run "
            "it again."
        ) from error
    return path


def unsealed(path: Path) -> bytes | None:
    """The bytes of a file; None if they are not those that its name speaks of."""
    content = path.read_bytes()
    found = _SEALED.search(path.name)
    return content if found is None or found[1] == _digest(content) else None


def sweep(folder: Path, places: str) -> None:
    """Remove what a process that was killed has left half written in these places of a folder (a pattern). Only for
    one that is alone in the folder: anything half written is then nobody's.
    """
    for pattern in (f"{LEFT}*", ".runs-*.parquet.*"):  # the second is how parts were written before
        for path in folder.glob(f"{places}{pattern}"):
            path.unlink(missing_ok=True)


def _digest(content: bytes) -> str:
    return blake2b(content, digest_size=8).hexdigest()
