"""Standard output and standard error while a command runs: what can't be written there is no error of the command.

A command that recorded something has recorded it, whoever reads its answer. So nothing raises here: a character that
the stream has no code for is replaced, a pipe whose reader went away is written to no more, and what else fails (a full
disk) is kept, to be said at the end.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from sureshot.cli.screen.visible import guarded

__all__ = ["Stream", "streams"]


class Stream:
    """A stream that never fails; on a terminal, it writes nothing that steers it but colours and bars."""

    def __init__(self, file: TextIO | None) -> None:
        self._file = file  # None: it was closed before we began
        self._terminal = file is not None and file.isatty()
        self.error: OSError | None = None

    def write(self, text: str) -> int:
        """Write as much as can be written."""
        shown = guarded(text) if self._terminal else text
        try:
            self._write(shown)
        except UnicodeEncodeError:
            encoding = self.encoding or "ascii"
            self._write(shown.encode(encoding, "replace").decode(encoding))
        return len(text)

    def write_data(self, text: str) -> None:
        """Write a table for a program to read: every character of it, in UTF-8 where the stream has no code for one."""
        try:
            text.encode(self.encoding or "utf-8")
        except UnicodeEncodeError:
            binary = getattr(self._file, "buffer", None)
            if binary is not None and not self._terminal:
                self.flush()
                with self._lost_quietly():
                    binary.write(text.encode("utf-8", "surrogateescape"))
                return
        self.write(text)

    def flush(self) -> None:
        """Write what is held back."""
        if self._file is not None and self.error is None:
            with self._lost_quietly():
                self._file.flush()

    def _write(self, text: str) -> None:
        if self._file is not None and self.error is None:
            with self._lost_quietly():
                self._file.write(text)

    @contextmanager
    def _lost_quietly(self) -> Iterator[None]:
        try:
            yield
        except UnicodeEncodeError:
            raise
        except (OSError, ValueError) as error:  # ValueError: somebody closed it meanwhile
            self.error = error if isinstance(error, OSError) else OSError(errno.EBADF, os.strerror(errno.EBADF))
            self._let_go()

    def _let_go(self) -> None:
        """Let what is held back go nowhere: Python would try again when it ends, and complain."""
        try:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._file.fileno())  # type: ignore[union-attr]
            os.close(nowhere)
        except (OSError, ValueError, AttributeError):  # it is no file of the system
            pass

    def isatty(self) -> bool:
        """Whether somebody looks at it."""
        return self._terminal

    @property
    def encoding(self) -> str | None:
        """The codes of its characters."""
        return getattr(self._file, "encoding", None)

    @property
    def failed(self) -> str | None:
        """Why what was written is lost; None where all is well, or whoever read it has gone away."""
        return None if self.error is None or self.error.errno == errno.EPIPE else self.error.strerror

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


@contextmanager
def streams() -> Iterator[tuple[Stream, Stream]]:
    """Standard output and standard error as such streams, until the block ends."""
    if None in (sys.stdin, sys.stdout, sys.stderr):
        _filled()
    before = sys.stdout, sys.stderr
    out, err = Stream(sys.stdout), Stream(sys.stderr)
    sys.stdout, sys.stderr = cast(TextIO, out), cast(TextIO, err)
    try:
        yield out, err
        out.flush()
        err.flush()
    finally:
        sys.stdout, sys.stderr = before


def _filled() -> None:
    """Take the numbers of closed streams: a file that is opened later would get one, and be written to as a screen."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:  # standard input, output and error
        pass
    os.close(number)
