"""The web: a real ``sureshot serve``, and the client that is shipped, here."""

from __future__ import annotations

import json
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any

from soak.doors.calls import Answer, Call, performed
from soak.doors.door import Door
from soak.doors.forked import Nursery
from soak.doors.worker import answered
from soak.gates import Gates
from soak.stores.proxy import Proxy
from sureshot.client import Client, RemoteCampaign
from sureshot.client import connection as connection_module
from sureshot.client import remote as remote_module
from sureshot.errors import StorageError

__all__ = ["Web"]


#: Seconds that the client asks again for: little where the server is killed in the midst of it, for time's sake.
SHORT, LONG = 1.0, 20.0


class Web(Door):
    """A server that stays alive from case to case, as long as the store is the same."""

    name = "web"

    def __init__(self, gates: Gates, nursery: Nursery, folder: Path) -> None:
        super().__init__(gates, nursery, folder)
        self.opened = ""
        self.client: Client | None = None
        self.between: Proxy | None = None
        self.campaigns: dict[str, RemoteCampaign] = {}
        remote_module.PAUSE, connection_module.PATIENCE = 0.1, 20.0

    def ready(self, storage: str, campaign: str) -> None:  # noqa: ARG002
        """A server over that store."""
        if self.alive and self.opened == storage:
            return
        self.leave()
        line = ["serve", "--port", "0", "--json", "--storage", storage]
        process = self._start("sureshot", *line, XDG_STATE_HOME=str(self.folder / "state"))
        said = ""
        while not said.endswith("}\n"):
            new = process.stdout.readline()
            if not new:
                err = process.stderr.read()
                raise AssertionError(err) if "Traceback" in err or not err else StorageError(err.strip())
            said += new
        found = json.loads(said)
        if "error" in found:
            raise StorageError(found["error"]["message"])
        self.between = Proxy(found["port"])
        self.client = Client(f"http://127.0.0.1:{self.between.port}", timeout=90)
        self.opened = storage

    def begin(self, call: Call, *, stop: int = 0) -> Future[Answer]:
        """Send it to the server."""
        assert self.entered is not None
        remote_module.PATIENCE = SHORT if stop else LONG
        self.entered.arm(stop)
        return self._calling.submit(self._answered, call)

    def kill(self) -> None:
        """The server, not who calls it."""
        super().kill()
        self.opened = ""

    def leave(self) -> None:
        """No server any more."""
        self.kill()
        if self.client is not None:
            with suppress(RuntimeError):
                self.client.close()
        if self.between is not None:
            self.between.close()
        self.client = self.between = None
        self.campaigns.clear()

    def close(self) -> None:
        """Neither a server nor a client."""
        self.leave()
        super().close()

    def _answered(self, call: Call) -> Answer:
        found = answered(lambda: self._made(call))
        if found.kind != "Broken":
            return found
        code = None if self.process is None else self.process.poll()
        itself = code not in (None, -9)  # nobody killed it
        return found._replace(gone=True, broken=f"the server ended with {code}" if itself else "")

    def _made(self, call: Call) -> Any:
        client = self.client
        assert client is not None
        if call.kind == "create":
            return performed(None, client.create, call)
        if call.campaign not in self.campaigns:
            self.campaigns[call.campaign] = client.open(call.campaign)
        return performed(self.campaigns[call.campaign], client.create, call)
