"""A small disk of its own, which can be filled: a tmpfs where one may mount it, else a plain folder."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["Disk", "disk"]


class Disk:
    """A folder; ``own``: it is a disk, and can be filled."""

    def __init__(self, folder: Path, *, own: bool) -> None:
        self.folder, self.own = folder, own

    def fill(self, leave: int = 0) -> None:
        """Fill it up to the last byte, but for so many."""
        assert self.own
        with open(self.folder / "filler", "ab", buffering=0) as stream, suppress(OSError):
            while True:
                stream.write(bytes(1 << 16))
        with open(self.folder / "filler", "ab", buffering=0) as stream, suppress(OSError):
            while True:
                stream.write(bytes(512))
        if leave:
            os.truncate(self.folder / "filler", max((self.folder / "filler").stat().st_size - leave, 0))

    def read_only(self, *, undo: bool = False) -> bool:
        """Mount it so that nobody may write; False: somebody has a file open to write."""
        return self.own and _done("mount", "-o", f"remount,{'rw' if undo else 'ro'}", str(self.folder))

    def make_room(self) -> None:
        """As it was before."""
        (self.folder / "filler").unlink(missing_ok=True)


@contextmanager
def disk(folder: Path, megabytes: int) -> Iterator[Disk]:
    """A disk of that size, mounted at the folder; gone at the end."""
    folder.mkdir(parents=True, exist_ok=True)
    size = f"size={megabytes}m,mode=0755"
    mounted = os.geteuid() == 0 and _done("mount", "-t", "tmpfs", "-o", size, "sureshot-soak", str(folder))
    try:
        yield Disk(folder, own=mounted)
    finally:
        if mounted and not _done("umount", str(folder)):
            _done("umount", "-l", str(folder))


def _done(*command: str) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False
