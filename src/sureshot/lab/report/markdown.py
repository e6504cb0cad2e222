"""Pieces of the pages that a command writes: paragraphs, tables, what they were made on."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from textwrap import wrap

import numpy
import scipy

from sureshot._version import __version__
from sureshot.errors import StorageError

__all__ = ["console", "made_on", "prose", "table", "writing"]


def made_on() -> str:
    """The day, and the machine: no names of hosts, users or folders."""
    return (
        f"{datetime.now(UTC).date().isoformat()}; {os.cpu_count()} cores, {platform.machine()}, {platform.system()}, "
        f"Python {platform.python_version()}, NumPy {numpy.__version__}, SciPy {scipy.__version__}, "
        f"sureshot {__version__}"
    )


def prose(text: str) -> list[str]:
    """A paragraph in lines of at most 120 characters."""
    return wrap(" ".join(text.split()), 120, break_long_words=False, break_on_hyphens=False)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table in Markdown.

    >>> table(("n", "found"), [("3", "38 %")])
    ['| n | found |', '|---|---|', '| 3 | 38 % |']
    """
    cells = ["|" + "---|" * len(head)]
    return [f"| {' | '.join(head)} |", *cells, *(f"| {' | '.join(row)} |" for row in rows)]


def console(command: str) -> list[str]:
    """A command as it is typed; nothing in it ends the block that it stands in.

    >>> console("sureshot lab theory")
    ['```console', '$ sureshot lab theory', '```']
    """
    fence = "`" * (1 + max([2, *map(len, re.findall("`+", command))]))
    return [f"{fence}console", f"$ {command}", fence]


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Make the folder of a file that is written here; what the disk refuses is told."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield
    except StorageError:
        raise  # it says so already
    except OSError as error:
        raise StorageError(f"{path} can't be written ({error.strerror or error}): choose another place.") from error
