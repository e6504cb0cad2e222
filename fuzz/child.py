"""The process in which inputs are tried: ``python -m fuzz.child MODULE FOLDER``.

It may die: :mod:`fuzz.running` watches.

In the folder it leaves ``now``, the input that it is at, behind a line that says how many were before it and what the
slowest and largest took; and for each mistake that an input showed, the input and what happened.
"""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import os
import random
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from fuzz.judging import Broken, judged
from fuzz.limits import MEMORY, SECONDS, held, hold_memory
from fuzz.mutating import LONGEST, mutations

#: Seconds for whatever is imported with the first input.
_BEGINNING = 30.0
#: So many times its seconds an input may take once: something may be compiled for it, which it is never again.
_ONCE = 6
ROOT = Path(__file__).parents[1]


class Trying:
    """Tries inputs and writes down how it went."""

    def __init__(self, target: Callable[[bytes], None], folder: Path, seconds: float, memory: int) -> None:
        self._target, self._folder, self._seconds = target, folder, seconds
        self._full = held() + memory // 2
        self._now = os.open(folder / "now", os.O_RDWR | os.O_CREAT)
        self.count, self._slowest, self._largest = 0, 0.0, 0
        self._begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    def __call__(self, data: bytes) -> None:
        """Try one."""
        self._write(data)
        found, took = self._judged(data, _ONCE * self._seconds)
        if took > self._seconds:
            found, took = self._judged(data, self._seconds)
        self._slowest = max(self._slowest, took)
        self._largest = max(self._largest, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - self._begun)
        self.count += 1
        if found is not None and not (self._folder / f"{found.name}.txt").exists():
            (self._folder / f"{found.name}.bin").write_bytes(data)
            (self._folder / f"{found.name}.txt").write_text(f"{found.what}\n\n{found.told}", errors="replace")
        self._write(b"")
        if held() > self._full:  # scraps of all inputs before, of which the next one would be accused: another process
            os._exit(0)

    def _judged(self, data: bytes, seconds: float) -> tuple[Broken | None, float]:
        """What was wrong, and the seconds of the processor that it took."""
        begun = time.process_time()
        found = judged(self._target, data, seconds=seconds)
        return found, time.process_time() - begun

    def _write(self, data: bytes) -> None:
        content = b"%d %.3f %d\n" % (self.count, self._slowest, self._largest) + data
        os.pwrite(self._now, content, 0)
        os.ftruncate(self._now, len(content))


def main() -> None:
    """One child: what the arguments say, tried."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.child")
    parser.add_argument("module")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--inputs", type=int, default=1_000)
    parser.add_argument("--skip", type=int, default=0, help="so many inputs were tried already")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--memory", type=int, default=MEMORY)
    parser.add_argument("--guided", action="store_true", help="by coverage, with atheris")
    parser.add_argument("--begin", type=Path, nargs="*", default=[], help="folders with inputs to begin with")
    parser.add_argument("--grown", type=Path, help="where inputs that reached something new are kept")
    asked = parser.parse_args()
    faulthandler.register(signal.SIGUSR1)  # where it is, for who finds that it hangs
    if asked.guided:
        _watch()
    module = import_module(asked.module)
    files = sorted(file for folder in asked.begin if folder.is_dir() for file in folder.iterdir() if file.is_file())
    begun = [file.read_bytes() for file in files]
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        for data in begun[:1]:  # what is imported on the way counts for the libraries, not for an input
            judged(module.target, data, seconds=_BEGINNING)
        hold_memory(asked.memory)
        trying = Trying(module.target, asked.folder, asked.seconds, asked.memory)
        for data in begun[asked.skip : asked.inputs]:
            trying(data)
        left = asked.inputs - asked.skip - trying.count
        if left > 0 and asked.guided:
            _guided(module, trying, left, asked, begun)
        elif left > 0:
            words, own = getattr(module, "WORDS", ()), getattr(module, "mutated", None)
            following = mutations(begun, asked.seed + asked.skip, words=words, own=own)
            for _ in range(left):
                trying(following())


def _watch() -> None:
    """Have atheris see which lines of sureshot are reached; not the compiled ones, which are no longer Python's."""
    import atheris

    sources = ROOT / "src"
    compiled = [
        ".".join(file.relative_to(sources).with_suffix("").parts)
        for file in (sources / "sureshot").rglob("*.py")
        if "compiled" in file.parts or "import numba" in (text := file.read_text()) or "from numba" in text
    ]
    atheris.instrument_imports(include=["sureshot", "openpyxl"], exclude=compiled).__enter__()  # for good


def _guided(module: object, trying: Trying, left: int, asked: argparse.Namespace, begun: list[bytes]) -> None:
    import atheris

    own, words = getattr(module, "mutated", None), getattr(module, "WORDS", ())

    def changed(data: bytes, most: int, seed: int) -> bytes:
        rng = random.Random(seed)
        if rng.random() < 0.5:
            return bytes(atheris.Mutate(data, most))
        if own is not None and rng.random() < 0.7:
            return bytes(own(data, rng)[:most])
        return mutations([data, *begun], seed, words=words)()[:most]

    longest = max([LONGEST, *map(len, begun)])
    options = [f"-atheris_runs={left}", f"-seed={asked.seed + asked.skip + 1}", f"-max_len={longest}", "-timeout=600"]
    options += ["-rss_limit_mb=0", "-verbosity=0", "-len_control=0", "-detect_leaks=0"]
    options += [f"-artifact_prefix={asked.folder}/", "-report_slow_units=600"]  # no files where it was started
    folders = [str(folder) for folder in (asked.grown, *asked.begin) if folder and folder.is_dir()]
    atheris.Setup([sys.argv[0], *options, *folders], lambda data: trying(bytes(data)), custom_mutator=changed)
    try:
        atheris.Fuzz()
    except Exception:  # of our own changes: libFuzzer would wait for ever, and not end
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)


if __name__ == "__main__":
    main()
