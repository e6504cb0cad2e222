"""``make bench``: every benchmark in one run, as Markdown tables. ``python -m benchmarks update`` runs one of them."""

from __future__ import annotations

import argparse
import os
from importlib import import_module
from pathlib import Path

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")  # before NumPy is loaded; a benchmark that uses both cores says so

# A file bench_<name>.py with a function main(seed) is a benchmark; nothing else is needed to add one.
BENCHMARKS = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("only", nargs="*", choices=[*BENCHMARKS, []], help="which to run; all by default")
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    from benchmarks.report import machine

    chosen = wanted.only or BENCHMARKS
    command = " ".join(["python -m benchmarks", *wanted.only]) if wanted.only else "make bench"
    print("## sureshot benchmarks\n")
    print(machine(command, wanted.seed), "\n")
    for name in chosen:
        import_module(f"benchmarks.bench_{name}").main(wanted.seed)


if __name__ == "__main__":
    main()
