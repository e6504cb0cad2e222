"""How long a bare import and the help take, in a fresh process on a warm disk (wall time)."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from benchmarks.report import markdown, milliseconds

SURESHOT = str(Path(sys.executable).with_name("sureshot"))
FIRST = """
from sureshot import core
from sureshot.core.lookahead import knowledge_gradient
knowledge_gradient(core.prior(2), [[1, 2], [1, 0]], lookahead="{}")
"""
COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "import sureshot": [sys.executable, "-c", "import sureshot"],
    "import sureshot.core": [sys.executable, "-c", "import sureshot.core"],
    "sureshot --help": [SURESHOT, "--help"],
    "first update, warm cache": [
        sys.executable,
        "-c",
        "from sureshot import core; core.observe(core.prior(2), [1, 2], 1)",
    ],
    "first knowledge gradient by update, warm cache": [sys.executable, "-c", FIRST.format("update")],
    "first exact one, warm cache": [sys.executable, "-c", FIRST.format("exact")],
}


def wall(command: list[str], repeats: int = 5) -> float:
    times = []
    for _ in range(repeats + 1):
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return min(times[1:])


def main(seed: int) -> None:  # every benchmark takes the seed
    rows = [[name, milliseconds(wall(command))] for name, command in COMMANDS.items()]
    print(markdown("A fresh process (wall time, best of five)", ["what", "time"], rows), "\n")
