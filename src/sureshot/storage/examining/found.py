"""Look a store over, as a doctor would: what is damaged, what to beware of, and what to do. Nothing is changed.

A SQLite store is examined on a copy in the folder for temporary files: to open a damaged file may change it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast

from sureshot.errors import InvalidInput, StorageError, SureshotError, about
from sureshot.storage.chain import SEE_DOCTOR
from sureshot.storage.opening import store_at
from sureshot.storage.protocol import Storage
from sureshot.storage.records import CampaignRecord

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from sureshot.storage.backend import Backend
    from sureshot.storage.sql import SqlStorage

__all__ = ["BACKUP", "Deeper", "Examined", "ExaminedCampaign", "Finding", "doctor"]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a person should know."""

    kind: Literal["damage", "caution"]  # what was recorded is not there as it was | nothing is lost, and yet
    about: str  # the file, the server, a campaign
    says: str
    fix: str | None = None

    def __str__(self) -> str:
        return f"{self.about}: {self.says}"


@dataclass(frozen=True, slots=True)
class ExaminedCampaign:
    """A campaign that was read and proved, or was not."""

    name: str
    events: int
    sound: bool
    pending: int | None = None  # trials that wait for an outcome; None: not counted


Deeper = Callable[[Storage, CampaignRecord], Iterable[Finding]]
"""What a floor above looks for in a campaign whose log is proved: its specification, what is believed."""


@dataclass(frozen=True, slots=True)
class Examined:
    """What was found in a store."""

    place: str
    schema: int | None
    facts: tuple[str, ...]  # what was looked at: the file, the server
    campaigns: tuple[ExaminedCampaign, ...]
    findings: tuple[Finding, ...]

    @property
    def sound(self) -> bool:
        """Whether nothing is damaged."""
        return not any(one.kind == "damage" for one in self.findings)


@about("storage")
def doctor(url: str | os.PathLike[str] | None = None, *, deeper: Deeper | None = None) -> Examined:
    """Look over the store at a path or URL, named as for :func:`~sureshot.storage.open_storage`.

    >>> from sureshot.storage import open_storage
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     open_storage(f"{folder}/lab.db").close()
    ...     found = doctor(f"{folder}/lab.db")
    >>> found.sound, found.campaigns
    (True, ())
    """
    where = store_at(url)
    if where == ":memory:":
        raise InvalidInput("a store that is looked over must be a file or a server, got ':memory:'")
    from sureshot.storage.examining import file, server

    if where.partition(":")[0].startswith("postgres") and "://" in where:
        return server.examined(where, deeper)
    return file.examined(where, deeper)


def examined_campaigns(
    backend: Backend, deeper: Deeper | None
) -> tuple[tuple[ExaminedCampaign, ...], tuple[Finding, ...]]:
    """Each campaign of an open store: read, proved, and looked at further."""
    from sureshot.storage.heads import proved_campaigns
    from sureshot.storage.sql import SqlStorage

    store, found, findings = SqlStorage(backend), list[ExaminedCampaign](), list[Finding]()
    names: list[object] = []
    with caught("the store", findings), backend.reading() as connection:
        names = _names(connection)
    for name in names:
        before = len(findings)
        title = f"campaign {name!r}" if name is not None else "a campaign"
        events, pending = 0, None
        with caught(title, findings):
            record = store.campaign(cast(str, name))
            log = store.events(record.id)
            events, pending = len(log), _pending(store, record)
            findings += _of_the_snapshot(store, record, title)
            findings += () if deeper is None else deeper(store, record)
        sound = not any(one.kind == "damage" for one in findings[before:])
        found.append(ExaminedCampaign(str(name), events, sound, pending))
    if not findings:  # what concerns no single one: a campaign that is missing
        with caught("the store", findings), backend.reading() as connection:
            proved_campaigns(connection)
    return tuple(found), tuple(findings)


def _names(connection: Connection) -> list[object]:
    from sqlalchemy import select

    from sureshot.storage.tables import campaign

    return list(connection.scalars(select(campaign.c.name).order_by(campaign.c.id)))


def _pending(store: SqlStorage, record: CampaignRecord) -> int:
    opened: dict[int, bool] = {}
    for event in store.events(record.id):
        if event.trial is not None and event.kind != "noted":
            opened[event.trial] = event.kind == "asked"
    return sum(opened.values())


def _of_the_snapshot(store: SqlStorage, record: CampaignRecord, title: str) -> Iterator[Finding]:
    from sqlalchemy import func, select

    from sureshot.storage.tables import snapshot

    with store._backend.reading() as connection:
        kept = connection.scalar(select(func.count()).where(snapshot.c.campaign_id == record.id))
    if kept and store.get_snapshot(record.id) is None:
        says = "its snapshot is not of this log: it is passed over, and what is believed is computed from the events"
        yield Finding("caution", title, says, "nothing: the next snapshot takes its place")


@contextmanager
def caught(title: str, findings: list[Finding]) -> Iterator[None]:
    """An error within the block is a finding. One that nobody foresaw too: a doctor does not faint. What can't be
    looked at now, for it is locked or a disk is full, is not said to be damaged, nor to be sound: that error passes.
    """
    from sureshot.storage.backend import NotNow

    try:
        yield
    except NotNow as error:
        raise error if error.place else error.at(f"{title} could not be looked at") from error
    except SureshotError as error:
        fix = _without_doctor(error.fix) or BACKUP
        says = _without_doctor(error.wrong(title)).removeprefix(f"{title}: ").removeprefix(f"{title} ")
        findings.append(Finding("damage", title, says, fix))
    except Exception as error:
        findings.append(Finding("damage", title, f"it can't be read ({type(error).__name__}: {error})", BACKUP))


BACKUP = "restore the store from a backup; campaigns that are sound can be exported first"


def _without_doctor(said: str | None) -> str:
    """What was said without the advice to call the doctor, who is here."""
    return (said or "").replace(str(SEE_DOCTOR), "").rstrip(".")


def refused(place: str, error: StorageError) -> Examined:
    """A store that can't be opened at all."""
    findings: list[Finding] = []
    with caught(place, findings):
        raise error
    return Examined(place, None, (), (), tuple(findings))
