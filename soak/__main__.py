"""``make soak``: every kind of trouble, for so long. ``python -m soak kills --count 200`` runs one of them."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from importlib import import_module

from soak.running import PARTS, Table, play


def main() -> int:
    """Run, print a line for each case that is broken as soon as it is found, and a table for each part."""
    parser = argparse.ArgumentParser(prog="python -m soak", description=__doc__)
    parser.add_argument("only", nargs="*", choices=[*PARTS, []], help="which parts; all by default")
    parser.add_argument("--count", type=int, default=1_000_000, help="cases of each part, at the most")
    parser.add_argument("--minutes", type=float, default=60.0, help="at the most, for all of them together (60)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", type=int, default=0, help="begin with this one, to see again what it did")
    parser.add_argument("--words", action="store_true", help="print what was said where something was refused")
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # servers and disks are let go of, as at Ctrl-C
    until, parts, every = time.monotonic() + 60 * asked.minutes, asked.only or list(PARTS), Table()
    for done, name in enumerate(parts):
        begun, table = time.monotonic(), Table()
        mine = begun + (until - begun) / (len(parts) - done)  # what one does not need is left to the next
        for case in play(name, seed=asked.seed, most=asked.count, until=mine, first=asked.case):
            if case.verdict == "BROKEN":
                print(f"BROKEN {case.what}: {case.told}", flush=True)
            table.add(case)
            every.add(case)
        part = import_module(f"soak.parts.{name}")
        title = (part.__doc__ or name).splitlines()[0]
        for said, times in table.words.most_common() if asked.words else ():
            print(f"{times:6} {said}")
        took = time.monotonic() - begun
        print(f"\n{name}: {title} Seed {asked.seed}, {took:.0f} s\n{table}", flush=True)
        if hasattr(part, "deviations"):  # how close to its bounds it came
            print(f"\n{part.deviations}", flush=True)
    total = every.total
    counted = ", ".join(f"{total[verdict]:,} {verdict}" for verdict in ("held", "refused", "BROKEN"))
    print(f"\n{sum(total.values()):,} cases, seed {asked.seed}: {counted}")
    return 1 if every.broken else 0


if __name__ == "__main__":
    sys.exit(main())
