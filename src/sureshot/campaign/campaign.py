"""The campaign: ask what to try, tell how it went, be told what to choose. The one stateful thing."""

from __future__ import annotations

import os
import secrets
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Unpack

from sureshot.campaign.model.again import Changes, again
from sureshot.campaign.model.aim import new_spec
from sureshot.campaign.model.options import Cost, Options, PolicyGiven, StoppingGiven, ValueOver, explained, fields
from sureshot.campaign.model.prior import PriorGiven
from sureshot.campaign.model.same import Said, refuse_another
from sureshot.campaign.model.spec import Spec
from sureshot.campaign.recording import Recording
from sureshot.errors import Conflict, CorruptLog, InvalidInput, StorageError, UnknownName
from sureshot.policies import Objective
from sureshot.said import Call, Setting, Text
from sureshot.space import NO_INTERACTIONS, Shape
from sureshot.storage import CampaignRecord, CampaignSummary, Storage, open_storage, restore_campaign
from sureshot.storage.chain import new_record
from sureshot.storage.copying import proved_export

__all__ = ["Campaign", "only_name"]


class Campaign(Recording):
    """A search for what works. Make one with :meth:`create`, come back to it with :meth:`open`.

    Nothing is kept here that is not in the store: several processes may hold the same campaign, and each call first
    reads what the others recorded. A call that raises has recorded nothing.

    >>> from sureshot.space import Space
    >>> space = Space.grid(power=[8, 10, 12, 14], catalyst=["Fe", "Co"])
    >>> campaign = Campaign.create("nanotubes", space, budget=30, seed=1, storage=":memory:")
    >>> trial = campaign.ask()
    >>> _ = campaign.tell(trial, "success")
    >>> campaign.best().alternative == trial.alternative
    True
    """

    # -- made and found

    @classmethod
    @explained
    def create(
        cls,
        name: str,
        space: Any,
        *,
        context: Any = None,
        interactions: bool = True,
        shape: Shape | None = None,
        formula: str | None = None,
        context_formula: str | None = None,
        success: str = "success",
        failure: str = "failure",
        objective: Objective = "offline",
        budget: int | None = None,
        discount: float | None = None,
        cost: Cost = None,
        worth: float | None = None,
        prior: PriorGiven = "auto",
        link: str | None = None,
        value: ValueOver | None = None,
        policy: PolicyGiven = "auto",
        stopping: StoppingGiven = None,
        seed: int | None = None,
        storage: Storage | str | os.PathLike[str] | None = None,
    ) -> Campaign:
        """A new campaign over a :class:`~sureshot.space.Space`, or over actions in a ``context``.

        A context is declared as for :func:`~sureshot.space.Contexts`, by example rows or a mapping; a policy may also
        be ``{"name": "ucb", "alpha": 2.0}`` or one of your own, if it is registered
        (:func:`~sureshot.policies.register_policy`); costs may be one number for each alternative; and a store may be
        an open one (:func:`~sureshot.storage.open_storage`). What each option is, :func:`~sureshot.campaign.fields`
        tells, and so does ``help(Campaign.create)``.
        """
        given = locals()
        options = Options(**{one.name: given[one.name] for one in fields() if one.part != "alternatives"})
        spec = new_spec(space, options)
        if context is not None and not interactions:
            warnings.warn(f"{NO_INTERACTIONS}.", stacklevel=2)
        chosen, kept = secrets.randbelow(2**31) if seed is None else seed, spec.to_dict()
        # What can't be kept, or could not be read again, is refused before there is a store.
        Spec.from_dict(new_record(name, kept, chosen, None).spec)
        with _opened(storage) as store:
            made = cls(store.create_campaign(name, kept, seed=chosen), store, spec)
            made._log.begun()
            return made

    @classmethod
    def create_from(
        cls,
        name: str,
        old: Campaign | str,
        *,
        seed: int | None = None,
        storage: Storage | str | os.PathLike[str] | None = None,
        **changes: Unpack[Changes],
    ) -> Campaign:
        """A new campaign with the alternatives and all outcomes of an old one, and another model: ``shape="curved"``.

        What is not said is as in the old campaign, its seed too. ``changes`` are the options of :meth:`create` that
        are about the model or the aim: those that are ``changeable`` in :func:`~sureshot.campaign.fields`. A shape or
        a formula takes the place of the other, and a shape that of a prior precision.

        Trials that are pending are not copied; the first note says so, and where all comes from. The old campaign stays
        as it is. It is stored beside the old one, or in ``storage``; whole, or not at all.

        >>> from sureshot.space import Space
        >>> old = Campaign.create("old", Space.grid(power=[8, 10, 12, 14]), shape="straight", storage=":memory:")
        >>> _ = old.tell_new(2, "success"), old.tell_new(3, "failure")
        >>> Campaign.create_from("bent", old, shape="curved")
        Campaign('bent', 4 alternatives, 2 trials)
        """
        source = cls.open(old, storage) if isinstance(old, str) else old
        spec, first = again(source._log, changes)
        chosen = source._log.record.seed if seed is None else seed
        with _opened(source.storage if storage is None or isinstance(old, str) else storage) as store:
            return cls(store.create_campaign(name, spec.to_dict(), seed=chosen, events=first), store, spec)

    @classmethod
    def open(cls, name: str | None = None, storage: Storage | str | os.PathLike[str] | None = None) -> Campaign:
        """The campaign of that name; without one, the only campaign in the store."""
        with _opened(storage, create=False) as store:
            if name is None:
                name = only_name(store.campaigns())
            record = store.campaign(name)
            return cls(record, store, _kept_spec(record))

    @classmethod
    def open_or_create(
        cls,
        name: str,
        space: Any,
        *,
        storage: Storage | str | os.PathLike[str] | None = None,
        **said: Unpack[Said],
    ) -> Campaign:
        """The campaign of that name, made if it is not there: for a script that is run again and again.

        ``said`` are the options of :meth:`create`. One that is there must have these alternatives and be as it is said
        to be, else a :class:`~sureshot.errors.Conflict` names the difference; what is not said may be anything.

        >>> from sureshot.space import Space
        >>> from sureshot.storage import open_storage
        >>> store, space = open_storage(":memory:"), Space.grid(power=[8, 10, 12, 14])
        >>> for _ in range(2):
        ...     campaign = Campaign.open_or_create("tubes", space, budget=30, storage=store)
        >>> Campaign.open_or_create("tubes", space, budget=20, storage=store)
        Traceback (most recent call last):
        sureshot.errors.Conflict: campaign 'tubes' is there already and differs in budget (there 30, here 20): ...
        """
        try:
            found = cls.open(name, storage)
        except (UnknownName, StorageError):  # no such campaign, or no store yet
            try:
                return cls.create(name, space, storage=storage, **said)
            except Conflict:  # another process made it meanwhile
                found = cls.open(name, storage)
        with _closed_unless_well(found.storage, storage):
            refuse_another(found.name, found._log.record.seed, found.spec, space, said)
        return found

    @classmethod
    def import_export(
        cls,
        export: Mapping[str, Any] | str | os.PathLike[str],
        *,
        as_name: str | None = None,
        storage: Storage | str | os.PathLike[str] | None = None,
    ) -> Campaign:
        """A campaign made again, with all its events, from what :meth:`export` gave (or the file that ``sureshot
        export`` wrote): whole, or not at all.

        Its digests are computed anew before anything is stored, and must agree. A name that is taken is a
        :class:`~sureshot.errors.Conflict`: ``as_name`` gives it another.
        """
        from sureshot.campaign.importing import read_export

        document = export if isinstance(export, Mapping) else read_export(export)
        record, _ = proved_export(document)
        spec = _kept_spec(record)
        with _opened(storage) as store:
            try:
                return cls(restore_campaign(document, store, as_name=as_name), store, spec)
            except Conflict:
                raise Conflict(
                    f"there already is a campaign {as_name or record.name!r} in this store",
                    field="as_name",
                    value=as_name or record.name,
                    fix=Text("open it, or give this one another name with ", Setting("as_name", "NAME")),
                ) from None

    # -- kept, under a name, in sight or not

    @property
    def archived(self) -> bool:
        """Whether it was archived when it was opened, or since by :meth:`archive`."""
        return self._log.record.archived_at is not None

    def rename(self, name: str) -> None:
        """Give it another name. Its digests do not cover the name: its history stays proved, and others who hold it go
        on. A name that is taken is a :class:`~sureshot.errors.Conflict`.
        """
        self._log.writable()
        self._log.record = self.storage.rename_campaign(self._log.record.id, name)
        self._names.add(self.name)

    def archive(self, *, undo: bool = False) -> None:
        """Leave it out of lists, and of "the only campaign in the store", until this is undone. Named, it is opened,
        asked and told as ever.
        """
        self._log.writable()
        self._log.record = self.storage.archive_campaign(self._log.record.id, archived=not undo)

    def delete(self, *, expected_last: int | None = None) -> dict[str, Any]:
        """Remove it from its store for ever, and give back the last copy: what :meth:`export` gives.

        ``expected_last`` is the last event that you know; whatever was recorded since, also while this is done, is an
        :class:`~sureshot.errors.OutOfDate`, and nothing is deleted.

        >>> from sureshot import Campaign, Space
        >>> made = Campaign.create("tubes", Space.grid(power=[8, 10]), seed=1, storage=":memory:")
        >>> copy = made.delete()
        >>> Campaign.import_export(copy, storage=made.storage)
        Campaign('tubes', 2 alternatives, 0 trials)
        """
        self._log.writable()
        copy = self.export()
        last = len(copy["events"]) if expected_last is None else expected_last
        self.storage.delete_campaign(self._log.record.id, expected_last=last)
        return copy


def only_name(every: Sequence[CampaignSummary]) -> str:
    """The name of the only campaign in use; an error says which there are."""
    names = [one.name for one in every if one.archived_at is None]
    if len(names) != 1:
        aside = f" ({len(every) - len(names)} archived)" if len(every) > len(names) else ""
        held = f"{len(names)}: {', '.join(names)}{aside}. Name one" if names else f"none{aside}. Make one with "
        make = () if names else (Call("Campaign.create"),)
        raise UnknownName("without a name there must be one campaign in the store, and it holds ", held, *make, ".")
    return names[0]


def _kept_spec(record: CampaignRecord) -> Spec:
    """The specification that a store holds. Its digest is right, so what is wrong in it is nobody's input."""
    try:
        return Spec.from_dict(record.spec)
    except InvalidInput as error:
        newer = error.place == ("spec.version",)
        kind = StorageError if newer else CorruptLog
        place = (f"campaign {record.name!r}", *error.place)
        raise kind(error.sentence, field=error.field, value=error.value, place=place) from error


@contextmanager
def _opened(storage: Storage | str | os.PathLike[str] | None, *, create: bool = True) -> Iterator[Storage]:
    """The store, opened if it is named. It stays open, unless something goes wrong with what it was opened for."""
    if storage is not None and not isinstance(storage, str | os.PathLike):
        yield storage
        return
    store = open_storage(storage, create=create)
    with _closed_unless_well(store, storage):
        yield store


@contextmanager
def _closed_unless_well(store: Storage, storage: Storage | str | os.PathLike[str] | None) -> Iterator[None]:
    """A store that was opened here is let go if something goes wrong; one that was given stays as it is."""
    try:
        yield
    except BaseException:
        if store is not storage:
            store.close()
        raise
