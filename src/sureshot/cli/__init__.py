"""The command line: parse, call, show. Nothing is computed here."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """The ``sureshot`` command. An error that sureshot raises on purpose is one line, not a traceback."""
    from sureshot.cli.app import app
    from sureshot.errors import SureshotError

    try:
        app(prog_name="sureshot")
    except SureshotError as error:
        sys.stderr.write(f"Error: {error}\n")
        sys.exit(2)
