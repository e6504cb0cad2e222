"""Runs a format's inputs in processes that may die, and says what came of it."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["CRASHES", "FORMATS", "GUIDED", "Report", "run"]

HERE = Path(__file__).parent
CORPUS, CRASHES, GROWN = HERE / "corpus", HERE / "crashes", HERE / "grown"
#: The formats: a file of fuzz/targets each.
FORMATS = tuple(sorted(file.stem for file in (HERE / "targets").glob("*.py") if file.stem != "__init__"))
#: Whether coverage can guide: atheris is there.
GUIDED = importlib.util.find_spec("atheris") is not None
#: Seconds of a clock without a next input: it hangs where no signal of Python's gets through.
_HANGS = 120.0
#: Seconds of a clock until a process is at its first input.
_STARTS = 120.0


@dataclass
class Report:
    """What became of a format's inputs."""

    name: str
    inputs: int = 0
    slowest: float = 0.0  # seconds of processor time
    largest: int = 0  # bytes, beside what was there before the first
    seconds: float = 0.0  # of a clock, for all of them
    broken: dict[str, tuple[str, bytes]] = field(default_factory=dict)  # by a name: what happened, and the input

    def __str__(self) -> str:
        return (
            f"{self.name:12} {self.inputs:>7,} inputs, {len(self.broken)} broken; slowest {self.slowest:.2f} s, "
            f"largest {self.largest / 1e6:,.0f} MB; {self.seconds:.0f} s in all"
        )


def run(
    name: str,
    *,
    inputs: int,
    seed: int = 0,
    until: float = float("inf"),
    guided: bool = False,
    options: tuple[str, ...] = (),
    hangs: float = _HANGS,
) -> Report:
    """Try so many inputs on a format (or on a module of that name with a dot in it), or as many as there is time for.

    ``until`` is a time of :func:`time.monotonic`; ``options`` are more words for :mod:`fuzz.child`.
    """
    report, begun = Report(name.rpartition(".")[2]), time.monotonic()
    module = name if "." in name else f"fuzz.targets.{name}"
    grown = GROWN / report.name
    if guided:
        grown.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="sureshot-fuzz-") as kept:
        folder = Path(kept)
        while report.inputs < inputs and time.monotonic() < until:
            command = [sys.executable, "-m", "fuzz.child", module, str(folder), f"--inputs={inputs}"]
            command += [f"--skip={report.inputs}", f"--seed={seed}", *options]
            command += ["--guided", f"--grown={grown}"] * guided
            command += ["--begin", str(CORPUS / report.name), str(CRASHES / report.name)]
            before = report.inputs
            died = _watched(command, folder, before, report, until, hangs)
            if died is not None:
                report.inputs += 1
                data = (folder / "now").read_bytes().partition(b"\n")[2]
                report.broken[f"died-{report.inputs}"] = (died, data)
            elif report.inputs == before:
                break
        for told in sorted(folder.glob("*.txt")):
            report.broken[told.stem] = (told.read_text(), told.with_suffix(".bin").read_bytes())
    report.seconds = time.monotonic() - begun
    return report


def _watched(command: list[str], folder: Path, before: int, report: Report, until: float, hangs: float) -> str | None:
    """Start a child and wait for it; how it died, if it did so at an input."""
    now, errors = folder / "now", folder / "errors"
    now.unlink(missing_ok=True)
    with errors.open("wb") as said:
        child = subprocess.Popen(command, cwd=HERE.parent, stdout=said, stderr=said, env={**os.environ, **_AROUND})
        last, since, hung = b"", time.monotonic(), False
        try:
            while child.poll() is None:
                time.sleep(0.05)
                head = now.read_bytes()[:64] if now.exists() else b""
                if head != last:
                    last, since = head, time.monotonic()
                hung = time.monotonic() - since > (hangs if head else _STARTS)
                if hung or time.monotonic() > until:
                    break
        finally:
            if hung and child.poll() is None:
                child.send_signal(signal.SIGUSR1)  # it says where it is
                time.sleep(1.0)
            if child.poll() is None:
                child.kill()
            code = child.wait()
    content = now.read_bytes() if now.exists() else b""
    head, _, data = content.partition(b"\n")
    if head:
        done, slowest, largest = head.split()
        report.inputs = before + int(done)
        report.slowest = max(report.slowest, float(slowest))
        report.largest = max(report.largest, int(largest) * 1024)
    if hung and head:
        return f"no end within {hangs:g} s of a clock\n\n{errors.read_text(errors='replace')[-5_000:]}"
    if code in (0, -9) and (code == 0 or time.monotonic() > until):
        return None
    said_last = errors.read_text(errors="replace")[-5_000:]
    if not head or not data:
        raise RuntimeError(f"the process of {report.name} ended with {code} beside any input:\n{said_last}")
    return f"the process ended with {code}\n\n{said_last}"


#: What is around each process: one thread, for two of them keep a small machine busy.
_AROUND = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
#: Files of inputs lie in memory where the system has a place for that: nothing waits for a disk.
if os.access("/dev/shm", os.W_OK):
    _AROUND["TMPDIR"] = "/dev/shm"
