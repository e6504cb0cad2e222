"""Several people at once on one campaign: no trial number twice, no outcome lost, pending trials taken into account."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from sureshot.campaign import Campaign
from sureshot.space import Space
from sureshot.storage import open_storage

ROOT = Path(__file__).parents[2]
BUDGET = 18


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_three_processes_ask_and_tell(kind: str, space: Space, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    url = f"sqlite:///{tmp_path}/store.db" if kind == "sqlite" else request.getfixturevalue("postgres_url")
    with closing(open_storage(url)) as store:
        campaign = Campaign.create("shared", space, budget=BUDGET, seed=1, storage=store)
        running = [
            subprocess.Popen(
                [sys.executable, "-m", "tests.campaign.askers", url, f"asker {i}"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                cwd=ROOT,
            )
            for i in range(3)
        ]
        for process in running:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        said = []
        for process in running:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        for process in running:
            said += [json.loads(line) for line in process.communicate(timeout=120)[0].splitlines()]
            assert process.returncode == 0

        assert sorted(number for number, _, _ in said) == list(range(1, BUDGET + 1))
        rows = campaign.history()
        assert sorted([row.trial, row.alternative, row.successes] for row in rows) == sorted(said)
        assert all(row.notes == ("running",) and row.opened_by == row.told_by for row in rows)
        campaign.verify()

        # what was suggested is what one process, alone, suggests on the same events: nobody decided on old news
        events = store.events(campaign._log.record.id)
        for event in events:
            if event.kind == "asked":
                alone = Campaign.create(f"alone {event.number}", space, budget=BUDGET, seed=1, storage=":memory:")
                _copy(alone, events[: event.payload["after"]])
                assert alone.ask().alternative == event.alternative
                assert not any(one.kind == "asked" for one in events[event.payload["after"] : event.number - 1])


def _copy(into: Campaign, events: tuple) -> None:
    from sureshot.storage import asked, noted, told

    for e in events:
        if e.kind == "asked":
            new = asked(e.alternative, payload=e.payload)
        elif e.kind == "told":
            new = told(e.trial, e.successes)
        else:
            new = noted(e.text, trial=e.trial)
        into._log.append([new])
