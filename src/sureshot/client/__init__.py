"""Campaigns on a server, used from Python as local ones are."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, Unpack

from sureshot.campaign import Campaign
from sureshot.campaign.campaign import only_name
from sureshot.campaign.importing import read_export
from sureshot.campaign.model.again import Changes
from sureshot.campaign.model.same import Said, refuse_another
from sureshot.client.connection import Broken, Connection, NotAllowed
from sureshot.client.remote import RemoteCampaign
from sureshot.errors import Conflict, UnknownName
from sureshot.storage import CampaignSummary
from sureshot.storage.rules import name_taken, no_campaign

if TYPE_CHECKING:
    import os

    import httpx2

__all__ = ["Broken", "Client", "NotAllowed", "RemoteCampaign"]


class Client:
    """A sureshot server at ``url``, as ``sureshot serve`` says it; with a ``token``, where it needs one.

    ``Campaign.open("tubes")`` becomes ``Client("http://bench:8000", token="...").open("tubes")``, and all else stays:
    the same methods, records and exceptions. A server that can't be reached is a :class:`Broken`
    (a :class:`~sureshot.errors.StorageError`), a token that may not do something a :class:`NotAllowed`.

    ``timeout`` is in seconds, for each request; ``http`` is an ``httpx2.Client`` of your own, for proxies and
    certificates, which stays open.
    """

    def __init__(
        self, url: str, token: str | None = None, *, timeout: float = 120.0, http: httpx2.Client | None = None
    ) -> None:
        self._connection = Connection(url, token, timeout, http)

    def __repr__(self) -> str:
        return f"Client({self._connection.url!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connection."""
        self._connection.close()

    def campaigns(self) -> tuple[CampaignSummary, ...]:
        """All campaigns in the order of their creation, archived ones too."""
        return tuple(map(_summary, self._connection.whole("/campaigns", "campaigns", archived="true")["campaigns"]))

    def open(self, name: str | None = None) -> RemoteCampaign:
        """The campaign of that name; without one, the only campaign on the server."""
        if name is None:
            name = only_name(self.campaigns())
        found = self._connection.get("/campaigns", name=name).found["campaigns"]
        if not found:
            raise no_campaign(name, [one.name for one in self.campaigns()])
        return RemoteCampaign(self._connection, found[0]["id"], found[0]["name"])

    def create(self, name: str, space: Any, **options: Unpack[Said]) -> RemoteCampaign:
        """A new campaign on the server, as :meth:`sureshot.Campaign.create` makes one: it is made here and sent there,
        so ``space`` and ``context`` may be whatever that takes, frames too.
        """
        made = Campaign.create(name, space, storage=":memory:", **options)
        return self._sent(made.export(), name)

    def create_from(
        self, name: str, old: RemoteCampaign | Campaign | str, *, seed: int | None = None, **changes: Unpack[Changes]
    ) -> RemoteCampaign:
        """A new campaign on the server with the alternatives and all outcomes of an old one, and another model."""
        known = self.open(old) if isinstance(old, str) else old
        source = known if isinstance(known, Campaign) else known.local_copy()
        made = Campaign.create_from(name, source, seed=seed, storage=":memory:", **changes)
        return self._sent(made.export(), name)

    def open_or_create(self, name: str, space: Any, **said: Unpack[Said]) -> RemoteCampaign:
        """The campaign of that name, made if it is not there; one that is there must be as it is said to be."""
        try:
            found = self.open(name)
        except UnknownName:
            try:
                return self.create(name, space, **said)
            except Conflict:  # somebody else made it meanwhile
                found = self.open(name)
        refuse_another(name, found.status(checked=False).seed, found.spec, space, said)
        return found

    def import_export(
        self, export: Mapping[str, Any] | str | os.PathLike[str], *, as_name: str | None = None
    ) -> RemoteCampaign:
        """A campaign made again on the server, with all its events, from what ``export`` gave, or its file here. If the
        answer is lost, nothing is sent again: :meth:`campaigns` says whether it is there.
        """
        document = export if isinstance(export, Mapping) else read_export(export)
        try:
            found = self._connection.call("POST", "/copies", {"export": document, "as_name": as_name}).found
        except Broken as error:
            if not error.sent:
                raise
            raise Broken(error.sentence, " It is made if campaigns() lists it: then open it.") from error
        return RemoteCampaign(self._connection, found["id"], found["name"])

    def _sent(self, export: Mapping[str, Any], name: str) -> RemoteCampaign:
        try:
            return self.import_export(export)
        except Conflict:
            raise name_taken(name) from None


def _summary(line: Mapping[str, Any]) -> CampaignSummary:
    return CampaignSummary(
        id=line["id"],
        name=line["name"],
        created_at=line["created_at"],
        last_number=line["last_event"],
        last_at=line["last_at"],
        archived_at=line["archived_at"],
    )
