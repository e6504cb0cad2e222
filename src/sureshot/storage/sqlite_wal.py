"""Commits that a damaged write-ahead log lost, found before SQLite passes over them.

SQLite reads its log up to the first frame whose checksum is wrong, and takes what comes after for a commit that was
never finished; and where all of a log was in the database already, what is left of it hides what came later. But the
file ``-shm`` beside the log, as a killed process left it, says how many frames were committed
(https://www.sqlite.org/walformat.html), and a commit is on the disk before it says so. A log that holds fewer was cut,
changed, deleted, or is that of another database.

After a power cut ``-shm`` may be older than the log. Then it counts fewer frames, or it is of an earlier round of the
log: each round has a number one above the one before (the first salt).
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path
from typing import NamedTuple

from sureshot.errors import CorruptLog

__all__ = ["locked", "refuse_lost_commits"]

ROUNDS = 1 << 24
"""How many rounds later a log may be than what ``-shm`` says of it: more than there are in years of writing."""

_NATIVE = "="
_HEADER, _FRAME = 32, 24
_DEAD_MAN = 128  # the byte of -shm on which every process that has the database open holds a lock


class _Shared(NamedTuple):
    """What ``-shm`` says."""

    frames: int  # committed
    settled: int  # of these, in the database itself
    page: int  # bytes of one
    salts: bytes


def refuse_lost_commits(log: Path, shared: Path) -> None:
    """Raise if the log holds less than was committed, unless it holds no commit and the database has them all. While a
    process has the database open, that is its affair.
    """
    says = _said(shared)
    if says is None:
        return
    file, found = log.name.removesuffix("-wal"), _committed(log, says)
    if found >= says.frames or _said(shared) != says:
        return
    if says.settled < says.frames:
        raise CorruptLog(
            f"the last commits of {file} are lost: {log.name} is damaged, missing, or that of another store",
            fix=f"put the right {log.name} back; to go on without what is lost, delete {shared.name}",
        )
    if found:  # SQLite would put what is left of the log over the newer pages of the database
        raise CorruptLog(
            f"{log.name} is damaged, and what is left of it is older than {file}, which holds all of it",
            fix=f"put the right {log.name} back, or delete {log.name} and {shared.name}: nothing is lost by that",
        )


def locked(shared: Path) -> bool:
    """Whether another process has the database open of which this is the ``-shm``."""
    try:
        with shared.open("rb") as stream:
            return _in_use(stream.fileno())
    except OSError:
        return False


def _said(shared: Path) -> _Shared | None:
    """None: nothing that can be relied on, or somebody has the database open."""
    try:
        with shared.open("rb") as stream:
            held = _in_use(stream.fileno())
            content = stream.read(100)
    except OSError:
        return None
    if held or len(content) < 100 or content[:48] != content[48:96] or not content[12]:
        return None
    if struct.unpack(f"{_NATIVE}II", content[40:48]) != _checksum(content[:40], _NATIVE):
        return None
    (page,), (frames,) = struct.unpack(f"{_NATIVE}H", content[14:16]), struct.unpack(f"{_NATIVE}I", content[16:20])
    (settled,) = struct.unpack(f"{_NATIVE}I", content[96:100])
    return _Shared(frames, settled, 65536 if page == 1 else page, content[32:40])


def _in_use(handle: int) -> bool:
    """Whether another process has the database open, where the system can say so."""
    if sys.platform != "linux":
        return False
    import fcntl

    asked = struct.pack("hhqqi", fcntl.F_WRLCK, 0, _DEAD_MAN, 1, 0)
    (kind,) = struct.unpack_from("h", fcntl.fcntl(handle, fcntl.F_GETLK, asked))
    return bool(kind != fcntl.F_UNLCK)


def _committed(log: Path, says: _Shared) -> int:
    """Frames from the first on whose checksums are right, up to the last commit among them: what SQLite takes. All that
    are looked for, if the log is of a later round.
    """
    try:
        content = log.read_bytes()
    except OSError:
        return 0
    header = content[:_HEADER]
    if len(header) < _HEADER or header[:3] != b"\x37\x7f\x06":
        return 0
    order = ">" if header[3] & 1 else "<"
    if struct.unpack(">II", header[24:32]) != (before := _checksum(header[:24], order)):
        return 0
    if header[16:24] != says.salts:
        rounds = struct.unpack(">I", header[16:20])[0] - struct.unpack(">I", says.salts[:4])[0]
        return says.frames if 0 < rounds % (1 << 32) < ROUNDS else 0
    committed = 0
    for number in range(says.frames):
        at = _HEADER + number * (_FRAME + says.page)
        frame = content[at : at + _FRAME + says.page]
        if len(frame) < _FRAME + says.page or frame[8:16] != says.salts:
            return committed
        before = _checksum(frame[:8] + frame[_FRAME:], order, before)
        if struct.unpack(">II", frame[16:24]) != before:
            return committed
        if any(frame[4:8]):  # the size of the database after this commit
            committed = number + 1
    return committed


def _checksum(content: bytes, order: str, start: tuple[int, int] = (0, 0)) -> tuple[int, int]:
    one, two = start
    words = struct.unpack(f"{order}{len(content) // 4}I", content)
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return one, two
