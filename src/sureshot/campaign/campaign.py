"""The campaign: ask what to try, tell how it went, be told what to choose. The one stateful thing."""

from __future__ import annotations

import json
import os
import secrets
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

from sureshot.campaign.answers import handed_out
from sureshot.campaign.answers import status as standing
from sureshot.campaign.answers.trial import Trial, TrialRow
from sureshot.campaign.answers.wording import undo
from sureshot.campaign.kept import Kept
from sureshot.campaign.log.ledger import Entry, Ledger
from sureshot.campaign.log.requests import checked_key, request_of, told_request
from sureshot.campaign.model.again import Changes, again
from sureshot.campaign.model.aim import new_spec
from sureshot.campaign.model.options import Cost, Options, PolicyGiven, ValueOver, explained, fields
from sureshot.campaign.model.pool import Context
from sureshot.campaign.model.prior import PriorGiven
from sureshot.campaign.model.same import Said, refuse_another
from sureshot.campaign.model.situation import situation_of
from sureshot.campaign.model.spec import Spec
from sureshot.campaign.model.words import Outcome
from sureshot.core.numerics.stable import Array
from sureshot.errors import Conflict, InvalidInput, OutOfDate, StorageError, UnknownName
from sureshot.policies import Objective, decide
from sureshot.said import Call, Setting, Text
from sureshot.space import NO_INTERACTIONS, Shape
from sureshot.storage import (
    CampaignSummary,
    NewEvent,
    Storage,
    asked,
    corrected,
    noted,
    open_storage,
    restore_campaign,
    told,
    withdrawn,
)
from sureshot.storage.chain import new_record
from sureshot.storage.copying import proved_export

if TYPE_CHECKING:
    from sureshot.campaign.importing import Blank, Imported, Repeated
    from sureshot.campaign.running import Cases, Ran
    from sureshot.campaign.telling import Told

__all__ = ["Campaign", "only_name"]


class Campaign(Kept):
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

    #: The trials that were chosen last: after which event, how many and in which case, and which.
    _looked_at: tuple[tuple[str, int, str | None], list[tuple[int, dict[str, Any]]]] | None = None

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
        prior: PriorGiven = "auto",
        link: str | None = None,
        value: ValueOver | None = None,
        policy: PolicyGiven = "auto",
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
        new_record(name, kept, chosen, None)  # what can't be kept is refused before there is a store
        with _opened(storage) as store:
            return cls(store.create_campaign(name, kept, seed=chosen), store, spec)

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
            return cls(record, store, Spec.from_dict(record.spec))

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
            refuse_another(found._log.record, found.spec, space, said)
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
        spec = Spec.from_dict(record.spec)
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

    # -- ask

    def ask(
        self,
        context: Context | None = None,
        *,
        author: str | None = None,
        beyond_budget: bool = False,
        key: str | None = None,
    ) -> Trial:
        """The next trial, recorded as handed out. Trials that others are still running are taken into account.

        Asked again with the same ``key``, by whichever process, it gives the same trial again: for a caller who can't
        know whether the answer to a request was lost on its way.
        """
        return self.ask_batch(1, context=context, author=author, beyond_budget=beyond_budget, key=key)[0]

    def ask_batch(
        self,
        q: int,
        *,
        context: Context | None = None,
        author: str | None = None,
        beyond_budget: bool = False,
        key: str | None = None,
    ) -> tuple[Trial, ...]:
        """``q`` trials to run at once, each chosen as if those before it were pending; with a ``key`` as in
        :meth:`ask`.

        >>> from sureshot.space import Space
        >>> campaign = Campaign.create("plate", Space.grid(power=[8, 10, 12]), seed=1, storage=":memory:")
        >>> [one.number for one in campaign.ask_batch(2, key="plate A") + campaign.ask_batch(2, key="plate A")]
        [1, 2, 1, 2]
        """
        if isinstance(q, bool) or not isinstance(q, int) or q < 1:
            raise InvalidInput("`q` must be a whole number of trials, at least 1", got=Setting("q", q))
        case, X = self._spec.pool.case(context)
        request = (
            {} if key is None else request_of(checked_key(key), q=q, context=case, beyond_budget=bool(beyond_budget))
        )

        def decided(ledger: Ledger) -> tuple[tuple[int, ...], list[NewEvent]]:
            before = None if key is None else ledger.requests.get(key)
            if before is not None and key is not None:
                before.refuse_other(key, request["request"]["digest"])
                return before.trials, []
            used, budget = ledger.used(), self._spec.budget
            if budget is not None and used + q > budget and not beyond_budget:
                raise Conflict(
                    f"the budget is {budget} trials, {used} are used and {q} more asked for",
                    field="budget",
                    value=budget,
                    fix=Text("see ", Call("best"), " for what to choose, or ask with ", Setting("beyond_budget", True)),
                )
            events = [
                asked(alternative, context=case, payload={**request, **seen}, author=author)
                for alternative, seen in self._next(ledger, case, X, q)
            ]
            return (), events

        before, numbers = self._log.record_decided(decided)
        return self._handed_out(before or numbers)

    def preview(self, context: Context | None = None) -> Trial:
        """The trial that :meth:`ask` would hand out now (in this context), with nothing recorded: for who wants to see
        it before they take it. Until something else is recorded, ``ask`` gives the same.

        >>> from sureshot.space import Space
        >>> campaign = Campaign.create("oven", Space.grid(power=[8, 10, 12]), seed=1, storage=":memory:")
        >>> seen = campaign.preview()
        >>> campaign.last_event(), campaign.ask() == seen
        (0, True)
        """
        case, X = self._spec.pool.case(context)
        ledger = self._log.sync()
        ((alternative, seen),) = self._next(ledger, case, X, 1)
        event = asked(alternative, context=case, payload=seen)
        entry = Entry(
            trial=max(ledger.trials, default=0) + 1,
            state="pending",
            asked=True,
            alternative=alternative,
            context_json=event.context_json,
            payload_json=event.payload_json,
            opened=ledger.last + 1,
            opened_at="",
            opened_by=None,
        )
        return handed_out.trial(self.name, self._spec, ledger, entry, position=ledger.used() + 1)

    def _next(self, ledger: Ledger, case: dict[str, Any] | None, X: Array, q: int) -> list[tuple[int, dict[str, Any]]]:
        """The next ``q`` alternatives to try, and what is seen in each. What was looked at last is known: to take it
        costs nothing more.
        """
        at = ledger.digest, q, None if case is None else json.dumps(case)
        if self._looked_at is not None and self._looked_at[0] == at:
            return self._looked_at[1]
        raised = self._raised(X)
        now = situation_of(self._spec, ledger, self._log.believed(), X, case)
        waiting = 0 if now.pending is None else len(now.pending)
        chosen = decide(self._spec.policy, now, self._log.rng(ledger.last + 1, stream=0), q)
        found = [
            (one.alternative, handed_out.predicted(one, outcomes=len(now.outcomes), pending=waiting + i, raised=raised))
            for i, one in enumerate(chosen)
        ]
        self._looked_at = at, found
        return found

    def run(
        self,
        function: Callable[..., Any],
        n: int | None = None,
        *,
        context: Cases | None = None,
        author: str | None = None,
        progress: Ran | None = None,
    ) -> tuple[TrialRow, ...]:
        """Ask, call ``function`` with the levels, tell what it gives back: ``n`` times, or until the budget is used.

        - ``function(levels)``, or ``function(levels, context)`` where the campaign decides in a context, gives back
          what :meth:`tell` takes; or a pair, so many successes of so many tries.
        - ``context`` is the case of every trial, or a function or an iterator that gives one for each.
        - ``progress`` is called after each trial with its row, how many are done, and of how many.

        If the function raises, or gives back what is not an outcome, the trial is withdrawn with a note, for nobody
        will ever tell it, and goes back to the budget; the exception is raised with the trial's number noted.

        >>> from sureshot.space import Space
        >>> campaign = Campaign.create("simulated", Space.grid(power=[8, 10, 12]), budget=5, seed=1, storage=":memory:")
        >>> rows = campaign.run(lambda levels: levels["power"] > 9)
        >>> len(rows), campaign.status().told
        (5, 5)
        """
        from sureshot.campaign.running import run

        return run(self, function, n, context=context, author=author, progress=progress)

    # -- tell

    def tell(
        self,
        trial: Trial | int,
        outcome: Outcome,
        *,
        of: int | None = None,
        author: str | None = None,
        note: str | None = None,
    ) -> TrialRow:
        """The outcome of a trial: a word, True/False, 1/0, or so many successes ``of`` so many tries.

        Late and out of order is fine; a second outcome for one trial is a :class:`~sureshot.errors.Conflict`.
        """
        won, tries = self._spec.words.counts(outcome, of)
        return self._record_one(told(self._number(trial), won, of=tries, text=note, author=author))

    def tell_new(
        self,
        alternative: int | str | Mapping[str, object],
        outcome: Outcome,
        *,
        of: int | None = None,
        context: Context | None = None,
        author: str | None = None,
        note: str | None = None,
        key: str | None = None,
    ) -> TrialRow:
        """An experiment that was never asked: its row, its levels, or its name where rows have names (``id``) or there
        is one parameter.

        It need not be in the pool: numbers beyond the levels are learned from too, and ``cautions`` names them and says
        how to take back what was mistyped; a category that the features do not know is refused. Told again with the
        same ``key``, as in :meth:`ask`, it is recorded once.
        """
        won, tries = self._spec.words.counts(outcome, of)
        case = self._spec.pool.checked(context)
        row, levels = self._spec.pool.located(alternative)
        payload: dict[str, Any] = {} if levels is None else {"levels": levels}
        if key is not None:
            tried = row if levels is None else levels
            payload = {**told_request(checked_key(key), tried=tried, context=case, outcome=(won, tries)), **payload}
        event = told(
            None, won, of=tries, alternative=row, context=case, payload=payload or None, text=note, author=author
        )

        def once(ledger: Ledger) -> tuple[tuple[int, ...], list[NewEvent]]:
            before = None if key is None else ledger.requests.get(key)
            if before is None or key is None:
                return (), [event]
            before.refuse_other(key, payload["request"]["digest"])
            return before.trials, []

        known, new = self._log.record_decided(once) if key is not None else ((), self._log.append([event]))
        entry = self._log.ledger.entry((known or new)[0])
        found = standing.row(self._spec, self._log.ledger, entry)
        far = self._spec.pool.far(entry)
        return replace(found, cautions=(*found.cautions, undo(found.trial))) if far else found

    def import_table(
        self,
        table: Any,
        *,
        outcome: str = "outcome",
        of: str | None = None,
        author: str | None = None,
        blank: Blank = "skip",
        repeated: Repeated = "refuse",
    ) -> Imported:
        """Outcomes of many experiments that were never asked: a file, a DataFrame, columns or rows; all or none.

        - ``outcome`` and ``of`` name columns.
        - ``blank``: a row without an outcome (or that says PENDING) is passed over and counted, or refused.
        - ``repeated``: a table with all the rows of an earlier import is refused; ``"skip"`` records only its other
          rows, ``"record"`` all of them once more.
        """
        from sureshot.campaign.importing import imported

        rows = list(table) if isinstance(table, Iterator) else table  # it may be read more than once

        def read(ledger: Ledger) -> tuple[Imported, list[NewEvent]]:
            return imported(
                self._spec, ledger, rows, outcome=outcome, of=of, author=author, blank=blank, repeated=repeated
            )

        found, numbers = self._log.record_decided(read)
        if not numbers:
            return found
        outside = tuple(numbers[at] for at in found.outside)
        cautions = (*found.cautions, undo(*outside)) if outside else found.cautions
        return replace(found, trials=(numbers[0], numbers[-1]), outside=outside, cautions=cautions)

    def tell_table(
        self, table: Any, *, outcome: str | None = None, of: str | None = None, author: str | None = None
    ) -> Told:
        """The outcomes of many trials that were asked, by their numbers: a file, a DataFrame, columns or rows; all or
        none. It needs the columns ``trial`` and ``outcome`` (or another that you name), as ``sureshot ask --csv``
        writes them; a column ``of`` may say of how many tries.

        Rows without an outcome are passed over and counted, and so are outcomes that were told already. Another outcome
        than the one told is a :class:`~sureshot.errors.Conflict`, and a row that says other levels than its trial has
        is refused. Experiments that were never asked are for :meth:`import_table`.

        >>> from sureshot.space import Space
        >>> campaign = Campaign.create("plate", Space.grid(power=[8, 10, 12]), seed=1, storage=":memory:")
        >>> _ = campaign.ask_batch(3)
        >>> print(campaign.tell_table({"trial": [1, 2, 3], "outcome": ["success", "", "failure"]}))
        2 outcomes recorded; 1 row without an outcome passed over.
        """
        from sureshot.campaign.telling import told_back

        rows = list(table) if isinstance(table, Iterator) else table  # it may be read more than once

        def read(ledger: Ledger) -> tuple[Told, list[NewEvent]]:
            return told_back(self._spec, ledger, rows, outcome=outcome, of=of, author=author)

        return self._log.record_decided(read)[0]

    def correct(
        self,
        trial: Trial | int,
        outcome: Outcome,
        *,
        of: int | None = None,
        author: str | None = None,
        note: str | None = None,
        told_event: int | None = None,
    ) -> TrialRow:
        """Another outcome in place of the one told; what was told stays in the log.

        ``told_event`` is the event of the outcome that you mean to correct, as the trial's row says it; if somebody
        else corrected it since, that is an :class:`~sureshot.errors.OutOfDate`, and nothing is recorded.
        """
        won, tries = self._spec.words.counts(outcome, of)
        number = self._number(trial)
        event = corrected(number, won, of=tries, text=note, author=author)
        if told_event is None:
            return self._record_one(event)

        def decided(ledger: Ledger) -> tuple[None, list[NewEvent]]:
            found = ledger.entry(number)
            if found.outcome != told_event:
                raise OutOfDate(
                    f"trial {number} has another outcome since: that of event {found.outcome}, not {told_event}",
                    field="trial",
                    value=number,
                    fix="look at it again and decide anew",
                )
            return None, [event]

        self._log.record_decided(decided)
        return self.row(number)

    def withdraw(self, trial: Trial | int, *, author: str | None = None, note: str | None = None) -> TrialRow:
        """A trial that was not run, or whose outcome must not count."""
        return self._record_one(withdrawn(self._number(trial), text=note, author=author))

    def note(self, text: str, *, trial: Trial | int | None = None, author: str | None = None) -> None:
        """A remark about a trial, or about the campaign."""
        self._log.append([noted(text, trial=None if trial is None else self._number(trial), author=author)])

    def note_simulated(self, world: str, *, seed: int, author: str | None = None) -> None:
        """Note that a simulated world answers, not a lab: its name and seed, by which its truth can be drawn again.

        >>> from sureshot.space import Space
        >>> campaign = Campaign.create("tubes", Space.grid(power=[8, 10]), seed=1, storage=":memory:")
        >>> campaign.note_simulated("nanotubes", seed=7)
        >>> campaign.simulated, campaign.status().notes[0]
        ({'world': 'nanotubes', 'seed': 7}, 'A simulated lab answers here (nanotubes, seed 7): nothing of it is real.')
        """
        text = f"A simulated lab answers here ({world}, seed {seed}): nothing of it is real."
        self._log.append([noted(text, payload={"simulated": {"world": world, "seed": seed}}, author=author)])

    def asked_under(self, key: str) -> tuple[Trial, ...]:
        """The trials that were asked for under this key; none if nobody did."""
        ledger = self._log.sync()
        found = ledger.requests.get(checked_key(key))
        asked = [] if found is None else [number for number in found.trials if ledger.entry(number).asked]
        return self._handed_out(asked) if asked else ()

    def _handed_out(self, numbers: Sequence[int]) -> tuple[Trial, ...]:
        """Trials that were handed out together: the first by its place among all, the others by theirs after it."""
        ledger = self._log.ledger
        before = sum(e.asked and e.state != "withdrawn" for e in ledger.trials.values() if e.trial < numbers[0])
        return tuple(
            handed_out.trial(self.name, self._spec, ledger, ledger.entry(number), position=before + i)
            for i, number in enumerate(numbers, start=1)
        )

    def _record_one(self, event: NewEvent) -> TrialRow:
        (number,) = self._log.append([event])
        return standing.row(self._spec, self._log.ledger, self._log.ledger.entry(number))


def only_name(every: Sequence[CampaignSummary]) -> str:
    """The name of the only campaign in use; an error says which there are."""
    names = [one.name for one in every if one.archived_at is None]
    if len(names) != 1:
        aside = f" ({len(every) - len(names)} archived)" if len(every) > len(names) else ""
        held = f"{len(names)}: {', '.join(names)}{aside}. Name one" if names else f"none{aside}. Make one with "
        make = () if names else (Call("Campaign.create"),)
        raise UnknownName("without a name there must be one campaign in the store, and it holds ", held, *make, ".")
    return names[0]


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
