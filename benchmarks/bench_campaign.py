"""A campaign from its store, in a fresh process: opening 100,000 events, and asking among 10,000 alternatives; and what
shapes cost beside a straight belief.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.report import markdown, milliseconds
from sureshot import Campaign, Space

#: (alternatives, outcomes in the log)
SIZES = ((10_000, 1_000), (100, 100_000))
PROCESSES = 3

# What a fresh process does: everything imported first, then wall seconds for opening, the first ask (it loads compiled
# code from the disk's cache) and the second (with nothing pending).
FRESH = """
import json, sys, time
import numpy, pandas, sureshot.core.lookahead
from sureshot import Campaign
clock, spent = time.perf_counter, []
begun = clock(); campaign = Campaign.open("bench", storage=sys.argv[1]); spent.append(clock() - begun)
for _ in range(2):
    begun = clock(); trial = campaign.ask(); spent.append(clock() - begun)
    campaign.withdraw(trial)
print(json.dumps(spent))
"""


def fill(store: str, size: int, events: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    candidates = pd.DataFrame(rng.uniform(-1, 1, (size, 4)), columns=list("abcd"))
    campaign = Campaign.create("bench", Space.from_frame(candidates), storage=store)
    tried = rng.integers(size, size=events)
    won = rng.random(events) < 1.0 / (1.0 + np.exp(-2.0 * candidates["a"].to_numpy()[tried]))
    campaign.import_table(candidates.iloc[tried].assign(outcome=np.where(won, "success", "failure")))


def asks(seed: int, **model: str) -> float:
    """Median wall seconds of an ask among 1,000 alternatives, after 30 outcomes and a few more."""
    rng, spent = np.random.default_rng(seed), []
    space = Space.grid(a=list(range(10)), b=list(range(10)), c=list(range(5)), d=["x", "y"])
    campaign = Campaign.create("bench", space, budget=60, seed=seed, storage=":memory:", **model)
    for row in rng.integers(len(space), size=29).tolist():
        campaign.tell_new(row, bool(rng.random() < 0.4))
    for _ in range(10):
        begun = time.perf_counter()
        trial = campaign.ask()
        spent.append(time.perf_counter() - begun)
        campaign.tell(trial, bool(rng.random() < 0.5))
    return float(np.median(spent[1:]))  # the first loads compiled code


def shapes(seed: int) -> str:
    """An ask with the shape that a campaign begins with, beside six straight beliefs, which it began with before."""
    bent, straight = asks(seed), asks(seed, formula="a + b + c + d")
    row = ["shape auto, 16 beliefs", milliseconds(bent), milliseconds(straight), f"{bent / straight:.1f}"]
    header = ["", "an ask", "with six straight beliefs", "ratio"]
    return markdown("An ask among 1,000 alternatives after 30 outcomes: wall time", header, [row])


def main(seed: int) -> None:
    rows = []
    for size, events in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            store = f"sqlite:///{Path(folder) / 'bench.db'}"
            fill(store, size, events, seed)
            runs = []
            for _ in range(PROCESSES + 1):  # the first compiles what is not compiled yet
                done = subprocess.run([sys.executable, "-c", FRESH, store], capture_output=True, text=True, check=True)
                runs.append(json.loads(done.stdout))
        spent = np.array(runs[1:])
        cells = [f"{low:.2f} to {high:.2f} s" for low, high in zip(spent.min(axis=0), spent.max(axis=0), strict=True)]
        rows.append([f"{size:,}", f"{events:,}", *cells])
    header = ["alternatives", "outcomes", "open", "first ask", "second ask"]
    print(markdown(f"A campaign in a fresh process: wall time in {PROCESSES} of them", header, rows))
    print("\n" + shapes(seed))
