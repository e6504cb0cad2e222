"""One campaign, many processes that ask and tell in it as fast as they can, on SQLite and on PostgreSQL: how many
events a second, how long each waits, and that nothing is refused, lost or doubled.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from contextlib import closing

import numpy as np

from benchmarks.bench_web import postgres
from benchmarks.report import markdown, milliseconds
from sureshot import Campaign, Space
from sureshot.errors import SureshotError
from sureshot.storage import open_storage

TOGETHER = (1, 20, 40)
#: Seconds in which processes begin something.
LONG = 15.0
NAME = "tubes"


def create(store: str, seed: int) -> Campaign:
    """The campaign: 180 alternatives, as a bench has them."""
    space = Space.grid(
        power=[8, 10, 12, 14, 16], flow=[10, 20, 30, 40, 50, 60], catalyst=["Fe", "Co", "Ni"], gas=["a", "b"]
    )
    with closing(open_storage(store)) as opened:
        return Campaign.create(NAME, space, seed=seed, storage=opened)


def loaded() -> None:
    """Load all compiled code that asking takes, with outcomes and a trial outstanding, in a campaign of one's own."""
    own = create(":memory:", 0)
    for _ in range(6):
        first, _ = own.ask_batch(2)
        own.tell(first, first.number % 2)


def take_part(store: str, who: int) -> None:
    """One process: it asks, and tells what it was given, until the time is over."""
    rng = np.random.default_rng(who)
    with closing(open_storage(store)) as opened:
        campaign = Campaign.open(NAME, storage=opened)
        campaign.preview()
        loaded()  # before anybody looks at the clock
        print("ready", flush=True)
        sys.stdin.readline()
        asks, tells, refused = [], [], []
        until = time.perf_counter() + LONG
        while (begun := time.perf_counter()) < until:
            try:
                trial = campaign.ask(author=f"person {who}")
                asks.append(time.perf_counter() - begun)
                works = rng.random() < 0.2 + 0.5 * (trial.levels["power"] == 12)
                begun = time.perf_counter()
                campaign.tell(trial, bool(works))
                tells.append(time.perf_counter() - begun)
            except SureshotError as error:
                refused.append(str(error))
        print(json.dumps({"asks": asks, "tells": tells, "refused": refused}), flush=True)
        sys.stdin.readline()  # to end takes half a second of a processor: when all are done


def together(store: str, people: int, seed: int) -> list[str]:
    """All of them at once: a row of the table."""
    create(store, seed)
    line = [sys.executable, "-m", "benchmarks.bench_together", store]
    processes = [
        subprocess.Popen([*line, str(who)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for who in range(people)
    ]
    for one in processes:
        one.stdout.readline()
    begun = time.perf_counter()
    for one in processes:
        one.stdin.write("go\n")
        one.stdin.flush()
    found = [json.loads(one.stdout.readline()) for one in processes]
    spent = time.perf_counter() - begun
    for one in processes:
        one.communicate("end\n")
    asks, tells = (np.array([time for one in found for time in one[name]]) for name in ("asks", "tells"))
    refused = sum(len(one["refused"]) for one in found)
    with closing(open_storage(store)) as opened:
        campaign = Campaign.open(NAME, storage=opened)
        campaign.verify()
        kinds = [one.kind for one in opened.events(campaign.number)]
    wrong = abs(kinds.count("asked") - len(asks)) + abs(kinds.count("told") - len(tells))
    return [
        f"{(len(asks) + len(tells)) / spent:.0f}",
        *(milliseconds(float(np.percentile(times, q))) for times in (asks, tells) for q in (50, 99)),
        f"{refused} of {refused + len(asks) + len(tells)}",
        str(wrong),
    ]


def main(seed: int) -> None:
    """Both stores, one process to forty."""
    rows = []
    for people in TOGETHER:
        with tempfile.TemporaryDirectory() as folder:
            rows.append([f"SQLite, {people} at once", *together(f"{folder}/together.db", people, seed)])
        with postgres() as store:
            rows.append([f"PostgreSQL, {people} at once", *together(store, people, seed)])
    header = ["store", "events a second", "ask p50", "ask p99", "tell p50", "tell p99", "refused", "lost or doubled"]
    print(markdown(f"one campaign, {LONG:.0f} s of asking and telling", header, rows), "\n")


if __name__ == "__main__":
    take_part(sys.argv[1], int(sys.argv[2]))
