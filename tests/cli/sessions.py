"""Pages with sessions, played again: each command in a ``console`` block, and each row of a table of trials.

``python -m tests.cli.sessions docs/tutorial-bench.md`` plays the page in an empty folder and writes into it what the
commands print now: read what changed before you keep it.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
import tempfile
from pathlib import Path

from sureshot.campaign.answers.wording import percent
from tests.cli.commands import call

#: A table of trials that are asked and told one after the other begins with this line.
TRIALS = "| trial | try | chance | outcome |"
_PARTS = re.compile(rf"(```console\n.*?```|{re.escape(TRIALS)}\n(?:\|[^\n]*\n)+)", flags=re.DOTALL)


def played(page: str) -> str:
    """The page with what its commands print, played in the working folder from top to bottom."""
    return "".join(_part(part) for part in _PARTS.split(page))


def _part(text: str) -> str:
    if text.startswith("```console\n"):
        return _session(text)
    return _trials(text) if text.startswith(TRIALS) else text


def _session(block: str) -> str:
    first, *commands = block.removesuffix("```").split("$ sureshot ")
    if not commands:
        return block
    parts = [first]
    for part in commands:
        command, said = re.fullmatch(r"((?:[^\n]*\\\n)*[^\n]*)\n(.*)", part, flags=re.DOTALL).groups()  # type: ignore[union-attr]
        done = call(shlex.split(command.replace("\\\n", "")))
        printed = "".join(f"{line.rstrip()}\n" for line in (done.out + done.err).splitlines())
        parts.append(f"$ sureshot {command}\n{printed}" + ("\n" if said.endswith("\n\n") or said == "\n" else ""))
    return "".join(parts) + "```"


def _trials(table: str) -> str:
    head, line, *rows = table.splitlines()
    new = [head, line]
    for row in rows:
        outcome = row.split("|")[4].strip()
        (asked,) = call("ask --json").json()
        told = call(f"tell {asked['number']} {outcome}")
        assert told.code == 0, told.err
        new.append(f"| {asked['number']} | {asked['label']} | {percent(asked['probability'])} | {outcome} |")
    return "\n".join(new) + "\n"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name).resolve()
        here = Path.cwd()
        with tempfile.TemporaryDirectory() as empty:
            os.chdir(empty)
            text = played(path.read_text(encoding="utf-8"))
            os.chdir(here)
        path.write_text(text, encoding="utf-8")
