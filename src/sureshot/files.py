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
    try:
        there, inside, is_folder = os.path.lexists(to), to.parent.is_dir(), to.is_dir()
        plain = not there or to.is_file()
    except OSError as error:  # a name that no file can have
        raise InvalidInput(f"{str(to)!r} can't be a file ({error.strerror}): name another.") from error
    if not inside:
        raise InvalidInput(f"there is no folder {str(to.parent)!r} to put {to.name!r} in: make it first.")
    if is_folder:
        raise InvalidInput(f"{str(to)!r} is a folder: name a file in it.")
    if not plain:
        raise InvalidInput(f"{str(to)!r} is there, and is not a file that can be overwritten: name another.")
    if there and not force:
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
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop of links
        why = getattr(error, "strerror", None) or error
        raise StorageError(f"{target} can't be written ({why}): nothing was changed. Choose another place.") from error


def _replace(target: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=".sureshot-", dir=target.parent)
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
