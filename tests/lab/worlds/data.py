"""Which worlds there are to test, and whether the real tables are here."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from sureshot.lab.play.world import Truth, World
from sureshot.lab.worlds import WORLDS, FunctionWorld, TableWorld, get_world

FOLDER = os.environ.get("SURESHOT_DATA", "")
UCI_NAMES = ("sonar", "glass", "transfusion", "haberman", "wpbc", "planning-relax", "climate")

BENCH_NAMES = ("perovskites", "vapour-diffusion", "direct-arylation", "deoxyfluorination")
HAS_BENCHES = bool(FOLDER) and (Path(FOLDER) / "benches").is_dir()

needs_data = pytest.mark.skipif(not FOLDER, reason="SURESHOT_DATA does not name the folder of the seven UCI tables")
needs_benches = pytest.mark.skipif(
    not HAS_BENCHES, reason="SURESHOT_DATA does not name a folder with `benches`, the four tables from real benches"
)


def here(name: str) -> bool:
    """Whether what a world is made of is on this machine."""
    return (bool(FOLDER) or name not in UCI_NAMES) and (HAS_BENCHES or name not in BENCH_NAMES)


def half_up(row: np.ndarray) -> float:
    return float(0.5 + 0.4 * np.tanh(row[0]))


def a_pool(rng: np.random.Generator) -> np.ndarray:
    return rng.normal(size=(7, 2))


def tried() -> dict[str, list[object]]:
    rng = np.random.default_rng(5)
    power = rng.uniform(5, 15, 40).round(2)
    gas = rng.choice(["Ar", "He", "N"], 40)
    grew = (rng.random(40) < 1 / (1 + np.exp(-(power - 10)))).astype(int)
    return {"power": power.tolist(), "gas": gas.tolist(), "grew": grew.tolist()}


def some_worlds() -> list[World]:
    """One of each kind, some with other parameters; those made of tables only if these are here."""
    import pandas as pd

    given: dict[str, dict[str, object]] = {
        "delayed": {"world": "synthetic"},
        "table": {"source": pd.DataFrame(tried()), "outcome": "grew", "title": "tubes"},
        "perovskites": {"amine": "NOHLSFNWSBZSBW"},
        "function": {"function": half_up, "pool": [[-1.0], [0.0], [1.0]]},
    }
    kinds = [name for name in WORLDS if here(name)]
    more = [
        get_world("synthetic", d=2, M=20, intercept=False),
        get_world("misspecified-prior", d=3, tails=2.0, base=-4.0),
        get_world("wrong-link", link="t", df=1),
        *(get_world("bench", kind=kind, success="rare") for kind in ("straight", "cliff", "pair")),
        get_world("delayed", world={"name": "loans", "judged": 5}, delay=2, law="geometric"),
        FunctionWorld(half_up, a_pool),
        TableWorld(source=pd.DataFrame(tried()), outcome="grew", title="tubes", noise=1.0, intercept=False),
    ]
    return [*(get_world(name, **given.get(name, {})) for name in kinds), *more]


def same(one: Truth, other: Truth) -> bool:
    """Whether two truths are equal to the bit."""
    names = ("X", "probability", "arrivals", "judged", "delays")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)


def frame_of(file: str) -> object:
    import pandas as pd

    return pd.read_csv(Path(FOLDER) / file)
