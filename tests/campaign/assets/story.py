"""The campaigns that every asset holds, told in words that sureshot has understood since specifications are kept.

``python tests/campaign/assets/story.py FILE.db`` makes a store with the code that is installed, and beside it
``FILE.json``: what that code said of it. Run it before a version is raised, and keep both.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from pathlib import Path

from sureshot.campaign import Campaign
from sureshot.space import Space
from sureshot.storage import open_storage

CASE = {"age": 61}


def tell(file: Path) -> dict[str, object]:
    """Make the store, and say what its code says of it."""
    store = open_storage(str(file))
    space = Space.grid(power=[8, 10, 12, 14], gas=["Ar", "N2"])
    grid = Campaign.create("grid", space, budget=30, seed=1, storage=store)
    for row, outcome in ((1, 0), (4, 1), (3, 1), (6, 0), (4, 1)):
        grid.tell_new(row, outcome, author="Ann")
    grid.ask(author="Ann")
    cases = Campaign.create("cases", Space.grid(drug=["a", "b"]), context={"age": (18, 90)}, seed=2, storage=store)
    for i, outcome in enumerate([1, 0, 1, 1]):
        cases.tell_new(i % 2, outcome, context={"age": 30 + 10 * i}, author="Ann")
    cases.ask(CASE, author="Ann")
    best, there = grid.best(), cases.best(CASE)
    said = {
        "specification": grid.spec.to_dict()["version"],
        "grid": {"best": best.alternative, "probability": best.probability, "interval": list(best.interval)},
        "cases": {"best": there.alternative, "probability": there.probability, "interval": list(there.interval)},
        "features": grid.spec.pool.matrix().tolist(),
        "features of a case": cases.spec.pool.matrix(CASE).tolist(),
    }
    store.close()
    return said


if __name__ == "__main__":
    made = Path(sys.argv[1])
    if made.exists():
        sys.exit(f"{made} is there already: it is what users have, and stays.")
    made.with_suffix(".json").write_text(json.dumps(tell(made)) + "\n")
    small = sqlite3.connect(made, isolation_level=None)
    for order in ("PRAGMA journal_mode=delete", "PRAGMA page_size=1024", "VACUUM"):
        small.execute(order)
    small.close()
