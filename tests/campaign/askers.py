"""What the processes of ``test_processes.py`` do: ``python -m tests.campaign.askers <url> <author>``."""

from __future__ import annotations

import json
import sys
from contextlib import closing

from sureshot.campaign import Campaign
from sureshot.errors import Conflict
from sureshot.storage import open_storage

if __name__ == "__main__":
    url, author = sys.argv[1:]
    with closing(open_storage(url)) as store:
        campaign = Campaign.open("shared", store)
        _ = campaign.belief  # compiled code is loaded before the start
        print("ready", flush=True)  # noqa: T201
        sys.stdin.readline()  # all begin together
        while True:
            try:
                trial = campaign.ask(author=author)
            except Conflict as error:
                if "budget" in str(error):
                    break
                raise
            campaign.note("running", trial=trial, author=author)
            won = trial.alternative % 2
            campaign.tell(trial, won, author=author)
            print(json.dumps([trial.number, trial.alternative, won]), flush=True)  # noqa: T201
