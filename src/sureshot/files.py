"""Files that are written for a person: never over another one unasked, and whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from sureshot.errors import Conflict, InvalidInput, StorageError
from sureshot.said import Setting, Text

__all__ = ["free_path", "write_whole"]


def free_path(path: str | os.PathLike[str], *, force: bool) -> Path:
    """Where a file is to go: its folder is there, and nothing is lost by it unless ``force`` says so. To be asked
    before anything takes long.
    """
    to = Path(path)
    if not to.parent.is_dir():
        raise InvalidInput(f"there is no folder {str(to.parent)!r} to put {to.name!r} in: make it first.")
    if to.is_dir():
        raise InvalidInput(f"{str(to)!r} is a folder: name a file in it.")
    if to.exists() and not force:
        raise Conflict(
            f"{str(to)!r} is there already",
            field="force",
            value=str(to),
            fix=Text("name another file, or overwrite it with ", Setting("force", True)),
        )
    return to


def write_whole(target: Path, content: bytes) -> None:
    """Write a file in one step: it is there in full or as it was before."""
    try:
        _replace(target.resolve(), content)
    except OSError as error:
        raise StorageError(
            f"{target} can't be written ({error.strerror or error}): nothing was changed. Choose another place."
        ) from error


def _replace(target: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o644
        os.chmod(name, mode)  # mkstemp lets nobody else read it
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
