"""Which case comes when: every fault at every door, in turn; what costs a process each less often."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from random import Random

from soak.bench import Bench
from soak.doors.door import Door, nursery
from soak.doors.every import DOORS
from soak.gates import Gates
from soak.running import Case
from soak.scene import Fault, played

__all__ = ["OFTEN", "planned", "prepared"]

#: How often a door is gone through in a round of all faults: the library costs least.
OFTEN = {"library": 4, "command": 1, "web": 2}


@contextmanager
def prepared() -> Iterator[tuple[Path, Iterator[Door], ExitStack]]:
    """A folder for all that is made, the doors, and what is closed before these are gone."""
    with tempfile.TemporaryDirectory(prefix="sureshot-soak-") as name, ExitStack() as opened:
        folder = Path(name)
        folder.chmod(0o755)  # a server may run as another user
        gates = Gates(folder)
        opened.callback(gates.close)
        young = nursery(folder)
        opened.callback(young.close)

        def doors() -> Iterator[Door]:
            for made in DOORS:
                (folder / made.name).mkdir()
                yield opened.enter_context(made(gates, young, folder / made.name))

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield folder, doors(), opened


def planned(
    benches: Sequence[Bench], faults: Sequence[Fault], seed: int, first: int, often: Mapping[str, int]
) -> Iterator[Case]:
    """Cases without end, from that number on: each follows from the seed and its number alone."""
    pairs = [(bench, fault) for fault in faults for bench in benches if bench.door.name in fault.doors]
    every = [pair for pair in pairs for _ in range(often[pair[0].door.name])]
    Random(seed).shuffle(every)
    for number in count(first):
        bench, fault = every[number % len(every)]
        yield played(bench, fault, number, seed)
