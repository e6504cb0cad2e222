"""A campaign from its store, in a fresh process: opening 100,000 events, and asking among 10,000 alternatives."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.report import markdown
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
