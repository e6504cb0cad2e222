"""``make fuzz``: so many inputs of every format. ``python -m fuzz csv --inputs 500`` tries one of them."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from fuzz.running import FORMATS, GUIDED, run

FOUND = Path(__file__).parent / "found"


def main() -> int:
    """Try, print a line for each format, and keep each input that broke the promise."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("only", nargs="*", choices=[*FORMATS, []], help="which formats; all by default")
    parser.add_argument("--inputs", type=int, default=20_000, help="for each format (20,000)")
    parser.add_argument("--minutes", type=float, default=60.0, help="at the most, for all of them together (60)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--engine", choices=("coverage", "seeded"), default="coverage" if GUIDED else "seeded")
    asked = parser.parse_args()
    until, broken = time.monotonic() + 60 * asked.minutes, 0
    for name in asked.only or FORMATS:
        report = run(name, inputs=asked.inputs, seed=asked.seed, until=until, guided=asked.engine == "coverage")
        print(f"{report} ({asked.engine})", flush=True)
        for called, (told, data) in report.broken.items():
            FOUND.mkdir(exist_ok=True)
            kept = FOUND / f"{name}-{called}"
            kept.write_bytes(data)
            kept.with_name(f"{kept.name}.txt").write_text(told)
            print(f"  {told.splitlines()[0]}: {kept.relative_to(FOUND.parents[1])}", flush=True)
        broken += len(report.broken)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
