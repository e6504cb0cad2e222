"""The library, in a process of its own: a call as a JSON line comes in, what it gave goes out as one."""

from __future__ import annotations

import json
import sys
import traceback
from functools import partial
from typing import Any

from soak.doors.calls import Answer, Call, performed
from sureshot import Campaign
from sureshot.errors import SureshotError
from sureshot.storage import Storage, open_storage

__all__ = ["answered"]


def answered(make: Any) -> Answer:
    """What a call gave, or how it failed."""
    try:
        return Answer(ok=True, found=make())
    except SureshotError as error:
        return Answer(kind=type(error).__name__, words=str(error))
    except Exception:
        return Answer(broken=traceback.format_exc())


class Worker:
    """Has one store open at a time, and the campaigns in it, as a program of a person would."""

    def __init__(self) -> None:
        self.store: Storage | None = None
        self.campaigns: dict[str, Campaign] = {}

    def open(self, storage: str) -> None:
        """Another store from now on; the one before is closed."""
        self.close()
        self.store = open_storage(storage)

    def close(self) -> None:
        """No store any more."""
        self.campaigns.clear()
        if self.store is not None:
            self.store.close()
        self.store = None

    def call(self, call: Call) -> Any:
        """Make it."""
        assert self.store is not None
        made = partial(Campaign.create, storage=self.store)
        if call.kind == "create":
            return performed(None, made, call)
        if call.campaign not in self.campaigns:
            self.campaigns[call.campaign] = Campaign.open(call.campaign, self.store)
        return performed(self.campaigns[call.campaign], made, call)


def main() -> None:
    """Until there are no more lines."""
    worker = Worker()
    for line in sys.stdin:
        said = json.loads(line)
        if "call" in said:
            found = answered(lambda said=said: worker.call(Call(*said["call"])))
        elif "open" in said:
            found = answered(lambda said=said: worker.open(said["open"]))
        else:
            found = answered(worker.close)
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
