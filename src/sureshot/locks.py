"""Locks of the operating system on open files: one process at a time, and they go with it, however it ends."""

from __future__ import annotations

import errno
import sys

__all__ = ["locked"]

#: What a system answers where somebody else holds the lock; anything else says that there can be none.
_HELD = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)

if sys.platform == "win32":
    import msvcrt
    import os

    def locked(held: int, *, at: int = 0) -> bool:
        """Lock an open file. False if somebody else holds it: another process, or this one by opening it twice.

        :param at: the byte that is locked. On Windows nobody else can read it, so it lies beyond what is to be read.
        :raises OSError: there are no locks where this file is.
        """
        os.lseek(held, at, os.SEEK_SET)
        try:
            msvcrt.locking(held, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            if error.errno in _HELD:
                return False
            raise
        return True
else:
    import fcntl

    def locked(held: int, *, at: int = 0) -> bool:  # noqa: ARG001
        """Lock an open file. False if somebody else holds it: another process, or this one by opening it twice.

        :param at: the byte that is locked. On Windows nobody else can read it, so it lies beyond what is to be read.
        :raises OSError: there are no locks where this file is.
        """
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in _HELD:
                return False
            raise
        return True
