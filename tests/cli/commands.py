"""Ways to call the command: the real one in a process of its own, or its entry point in this one."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from sureshot.cli import main
from sureshot.storage import open_storage

#: What a command says on a machine that has not compiled yet; not the business of tests of what else it says.
PREPARING = "Preparing the fast code for this machine: up to a minute, once.\n"
COMMAND = Path(sys.executable).with_name("sureshot")
NEW = (
    "new nanotubes --param power=8,10,12,14 --param ethylene=10:40:10 --param catalyst=Fe,Co "
    "--success single-walled --failure double-walled --budget 30 --seed 1"
)


def environment(**more: str) -> dict[str, str]:
    settings = ("SURESHOT_STORAGE", "SURESHOT_CAMPAIGN", "SURESHOT_AUTHOR", "SURESHOT_PLUGINS")
    hidden = ("FORCE_COLOR", "COLUMNS", "NO_COLOR", *settings)
    kept = {k: v for k, v in os.environ.items() if k not in hidden}
    return kept | {"PATH": f"{COMMAND.parent}:{kept['PATH']}"} | more


def sureshot(*arguments: str, cwd: Path | None = None, **more: str) -> subprocess.CompletedProcess[str]:
    """The real command."""
    done = subprocess.run(
        [COMMAND, *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        env=environment(**more),
        check=False,
        cwd=cwd,
    )
    done.stderr = done.stderr.replace(PREPARING, "")
    return done


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)


def call(line: str | list[str], *, stdin: str = "", columns: int = 80) -> Done:
    """The same, in this process: the entry point with its exit code and what it wrote."""
    out, err = io.StringIO(), io.StringIO()
    hidden = mock.patch.dict(os.environ, {"COLUMNS": str(columns)})
    with hidden, redirect_stdout(out), redirect_stderr(err), mock.patch.object(sys, "stdin", io.StringIO(stdin)):
        try:
            main(line.split() if isinstance(line, str) else line)
        except SystemExit as stop:
            code = int(stop.code or 0)
    return Done(code, out.getvalue(), err.getvalue().replace(PREPARING, ""))


def fingerprint(path: str = "sureshot.db") -> list[tuple[str, int, str]]:
    """All that a store holds, as digests: a command that was refused must leave it as it was."""
    with closing(open_storage(path, create=False)) as store:
        found = []
        for one in store.campaigns():
            record = store.campaign(one.name)
            events = store.events(record.id)
            found.append((one.name, len(events), events[-1].digest if events else record.digest))
        return found
