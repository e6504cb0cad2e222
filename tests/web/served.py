"""A real server: ``sureshot serve`` in a process of its own, at a port of this machine that was free."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.cli.commands import environment


@dataclass
class Served:
    address: str
    port: int
    process: subprocess.Popen[str]

    def end(self, number: int) -> tuple[int, str, str]:
        """Send it a signal: its exit code, and what it still said."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err


@contextmanager
def served(folder: Path, *options: str, **more: str) -> Iterator[Served]:
    """A server over the store in a folder, with its own settings there too; ended at the end, whatever happens."""
    process = subprocess.Popen(
        [sys.executable, "-m", "sureshot", "serve", "--port", "0", "--json", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env=environment(XDG_STATE_HOME=str(folder / "state"), **more),
    )
    try:
        assert process.stdout is not None
        said = ""
        while not said.endswith("}\n"):
            line = process.stdout.readline()
            if not line:
                raise AssertionError(f"no server: {said}{process.communicate(timeout=60)[1]}")
            said += line
        found = json.loads(said)
        yield Served(found["address"], found["port"], process)
    finally:
        if process.poll() is None:
            process.kill()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()
        process.wait(timeout=60)
