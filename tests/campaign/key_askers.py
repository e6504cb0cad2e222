"""What the processes of ``test_keys.py`` do: ``python -m tests.campaign.key_askers <url> <key>...``."""

from __future__ import annotations

import json
import sys
from contextlib import closing

from sureshot.campaign import Campaign
from sureshot.storage import open_storage

if __name__ == "__main__":
    url, *keys = sys.argv[1:]
    with closing(open_storage(url)) as store:
        campaign = Campaign.open("shared", store)
        _ = campaign.belief  # compiled code is loaded before the start
        print("ready", flush=True)  # noqa: T201
        sys.stdin.readline()  # all begin together
        given = {key: [one.number for one in campaign.ask_batch(2, key=key)] for key in keys}
        print(json.dumps(given), flush=True)  # noqa: T201
