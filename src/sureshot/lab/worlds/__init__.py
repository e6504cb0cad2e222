"""Worlds: where outcomes come from in the lab.

>>> import numpy as np
>>> from sureshot.lab.worlds import get_world
>>> world = get_world("synthetic", d=2)
>>> found = world.draw(np.random.default_rng(1), budget=30)
>>> world.label, found.X.shape, float(found.probability.max().round(3))
('synthetic-d2', (1, 200, 3), 0.993)
"""

from sureshot.lab.worlds.bench import Bench, bench_worlds
from sureshot.lab.worlds.contextual import Desk, Story
from sureshot.lab.worlds.correlated import Correlated
from sureshot.lab.worlds.delayed import Delayed
from sureshot.lab.worlds.desks import Admissions, HealthCare, Loans
from sureshot.lab.worlds.drifting import Drifting
from sureshot.lab.worlds.misspecified import MisspecifiedPrior
from sureshot.lab.worlds.own import FunctionWorld, TableWorld
from sureshot.lab.worlds.real.benches import (
    Deoxyfluorination,
    DirectArylation,
    Perovskites,
    VapourDiffusion,
    real_benches,
)
from sureshot.lab.worlds.real.uci import UCI, Climate, Glass, Haberman, PlanningRelax, Sonar, Transfusion, UciPool, Wpbc
from sureshot.lab.worlds.registry import WORLDS, get_world, paper_worlds, register_world
from sureshot.lab.worlds.synthetic import Noisy, Synthetic
from sureshot.lab.worlds.wrong_link import WrongLink

__all__ = [
    "UCI",
    "WORLDS",
    "Admissions",
    "Bench",
    "Climate",
    "Correlated",
    "Delayed",
    "Deoxyfluorination",
    "Desk",
    "DirectArylation",
    "Drifting",
    "FunctionWorld",
    "Glass",
    "Haberman",
    "HealthCare",
    "Loans",
    "MisspecifiedPrior",
    "Noisy",
    "Perovskites",
    "PlanningRelax",
    "Sonar",
    "Story",
    "Synthetic",
    "TableWorld",
    "Transfusion",
    "UciPool",
    "VapourDiffusion",
    "Wpbc",
    "WrongLink",
    "bench_worlds",
    "get_world",
    "paper_worlds",
    "real_benches",
    "register_world",
]
