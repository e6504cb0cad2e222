"""How long a fresh process takes on a warm disk: a bare import, the help, and the commands of a day at the bench."""

from __future__ import annotations

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.report import markdown, milliseconds

SURESHOT = [sys.executable, "-c", "from sureshot.cli import main; main()"]
FIRST = """
from sureshot import core
from sureshot.core.lookahead import knowledge_gradient
knowledge_gradient(core.prior(2), [[1, 2], [1, 0]], lookahead="{}")
"""
COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "import sureshot": [sys.executable, "-c", "import sureshot"],
    "import sureshot.core": [sys.executable, "-c", "import sureshot.core"],
    "sureshot --help": [*SURESHOT, "--help"],
    "first update, warm cache": [
        sys.executable,
        "-c",
        "from sureshot import core; core.observe(core.prior(2), [1, 2], 1)",
    ],
    "first knowledge gradient by update, warm cache": [sys.executable, "-c", FIRST.format("update")],
    "first exact one, warm cache": [sys.executable, "-c", FIRST.format("exact")],
}

#: What every command needs, whatever it does: the others are measured against it.
FLOOR = [sys.executable, "-c", "import numpy, sqlalchemy"]
#: A campaign of 144 alternatives, 10 outcomes and one trial that is pending.
NEW = "new nanotubes --seed 1 --param power=8:22:2 --param ethylene=5:30:5 --param catalyst=Fe,Co,Ni"
OUTCOMES = 10
#: The most that a command may take, as a multiple of the floor.
BARS = {"status": 1.5, "tell 11 success": 1.5, "history": 1.5, "ask": 3.0, "best": 3.0}
ROUNDS = 9


def spent(command: list[str]) -> tuple[float, float]:
    """Wall time and CPU time of a process. Bytecode is kept, as where sureshot is installed."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=environment)
    wall, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def commands() -> list[list[str]]:
    """The commands in turn, each in a copy of the same store, and how often they take what the floor takes."""
    with tempfile.TemporaryDirectory() as folder:
        kept, used = Path(folder) / "kept.db", Path(folder) / "used.db"

        def run(words: str, store: Path) -> tuple[float, float]:
            return spent([*SURESHOT, *words.split(), "--storage", str(store)])

        run(NEW, kept)
        for trial in range(1, OUTCOMES + 1):
            run("ask", kept)
            run(f"tell {trial} {'success' if trial % 3 else 'failure'}", kept)
        run("ask", kept)
        found: dict[str, list[tuple[float, float, float]]] = {words: [] for words in BARS}
        for count in range(ROUNDS + 1):  # the first is for what is compiled only now
            floor = spent(FLOOR)
            for words, times in found.items():
                shutil.copy(kept, used)
                wall, cpu = run(words, used)
                if count:
                    times.append((wall, wall / floor[0], cpu / floor[1]))
    rows = []
    for words, times in found.items():
        wall, by_wall, by_cpu = (statistics.median(column) for column in zip(*times, strict=True))
        rows.append([words, milliseconds(wall), f"{by_wall:.2f}", f"{by_cpu:.2f}", f"{BARS[words]:.1f}"])
    return rows


def main(seed: int) -> None:  # every benchmark takes the seed
    rows = [[name, milliseconds(min(spent(command)[0] for _ in range(6)))] for name, command in COMMANDS.items()]
    print(markdown("A fresh process (wall time, best of six)", ["what", "time"], rows), "\n")
    title = f"A command, as a multiple of `import numpy, sqlalchemy` just before it (median of {ROUNDS})"
    print(markdown(title, ["command", "wall time", "wall", "CPU", "bar"], commands()), "\n")
