"""Worlds: where outcomes come from in the lab.

>>> import numpy as np
>>> from sureshot.lab.worlds import get_world
>>> world = get_world("synthetic", d=2)
>>> found = world.draw(np.random.default_rng(1), budget=30)
>>> world.label, found.X.shape, float(found.probability.max().round(3))
('synthetic-d2', (1, 200, 3), 0.993)
"""

from sureshot.lab.worlds.bench import Bench, bench_worlds
from sureshot.lab.worlds.own import FunctionWorld, TableWorld
from sureshot.lab.worlds.real.benches import real_benches
from sureshot.lab.worlds.real.download import download_tables
from sureshot.lab.worlds.registry import WORLDS, get_world, paper_worlds, register_world
from sureshot.lab.worlds.synthetic import Synthetic

__all__ = [
    "WORLDS",
    "Bench",
    "FunctionWorld",
    "Synthetic",
    "TableWorld",
    "bench_worlds",
    "download_tables",
    "get_world",
    "paper_worlds",
    "real_benches",
    "register_world",
]
