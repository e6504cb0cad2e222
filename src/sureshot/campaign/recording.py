"""What a campaign records: trials that are handed out, and how they went.

What only one way of recording needs is imported there, as in :mod:`sureshot.campaign.history`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sureshot.campaign.answers.status import row
from sureshot.campaign.answers.trial import Trial, TrialRow
from sureshot.campaign.answers.wording import undo
from sureshot.campaign.asking import Asking
from sureshot.campaign.log.ledger import Ledger
from sureshot.campaign.log.requests import Keyed, checked_key, keyed
from sureshot.campaign.model.pool import Context
from sureshot.campaign.model.words import Outcome
from sureshot.campaign.view import View
from sureshot.errors import InvalidInput, OutOfDate, whole_number
from sureshot.storage import NewEvent, corrected, noted, told, withdrawn

if TYPE_CHECKING:
    from sureshot.campaign.importing import Blank, Imported, Repeated
    from sureshot.campaign.running import Cases, Ran
    from sureshot.campaign.telling import Told

__all__ = ["Recording"]


class Recording(View):
    """All by which a :class:`~sureshot.campaign.Campaign` gets new events."""

    @cached_property
    def _asking(self) -> Asking:
        return Asking(self._log, self._doubts)

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

        >>> from sureshot import Campaign, Space
        >>> campaign = Campaign.create("plate", Space.grid(power=[8, 10, 12]), seed=1, storage=":memory:")
        >>> [one.number for one in campaign.ask_batch(2, key="plate A") + campaign.ask_batch(2, key="plate A")]
        [1, 2, 1, 2]
        """
        return self._asking.ask(q, context, author=author, beyond_budget=beyond_budget, key=key)

    def preview(self, context: Context | None = None) -> Trial:
        """The trial that :meth:`ask` would hand out now (in this context), with nothing recorded: for who wants to see
        it before they take it. Until something else is recorded, ``ask`` gives the same.

        >>> from sureshot import Campaign, Space
        >>> campaign = Campaign.create("oven", Space.grid(power=[8, 10, 12]), seed=1, storage=":memory:")
        >>> seen = campaign.preview()
        >>> campaign.last_event(), campaign.ask() == seen
        (0, True)
        """
        return self._asking.preview(context)

    def recorded_under(self, key: str) -> bool:
        """Whether something was recorded under this key, by whatever process: a call with it records nothing more."""
        return checked_key(key) in self._log.sync().requests

    def run(
        self,
        function: Callable[..., Any],
        n: int | None = None,
        *,
        context: Cases | None = None,
        author: str | None = None,
        progress: Ran | None = None,
    ) -> tuple[TrialRow, ...]:
        """Ask, call ``function`` with the levels, tell what it gives back: ``n`` times, or until the budget is used or
        the campaign's stopping rule says stop.

        - ``function(levels)``, or ``function(levels, context)`` where the campaign decides in a context, gives back
          what :meth:`tell` takes; or a pair, so many successes of so many tries.
        - ``context`` is the case of every trial, or a function or an iterator that gives one for each.
        - ``progress`` is called after each trial with its row, how many are done, and of how many.

        If the function raises, or gives back what is not an outcome, the trial is withdrawn with a note, for nobody
        will ever tell it, and goes back to the budget; the exception is raised with the trial's number noted.

        >>> from sureshot import Campaign, Space
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
        key: str | None = None,
    ) -> TrialRow:
        """The outcome of a trial: a word, True/False, 1/0, or so many successes ``of`` so many tries.

        Late and out of order is fine; a second outcome for one trial is a :class:`~sureshot.errors.Conflict`. Told
        again with the same ``key``, as in :meth:`ask`, it is recorded once.
        """
        won, tries = self._spec.words.counts(outcome, of)
        number = self._number(trial)
        event = told(number, won, of=tries, text=note, author=author)
        return self._record_one(event, keyed(key, "tell", number, won, tries, note))

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
        at, levels = self._spec.pool.located(alternative)
        payload = None if levels is None else {"levels": levels}
        event = told(None, won, of=tries, alternative=at, context=case, payload=payload, text=note, author=author)
        call = keyed(key, "tell new", at if levels is None else levels, case, won, tries, note)
        found = self._record_one(event, call)
        far = self._spec.pool.far(self._log.ledger.entry(found.trial))
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

        found, numbers = self._log.record_decided(None, read)
        assert found is not None
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

        >>> from sureshot import Campaign, Space
        >>> campaign = Campaign.create("plate", Space.grid(power=[8, 10, 12]), seed=1, storage=":memory:")
        >>> _ = campaign.ask_batch(3)
        >>> print(campaign.tell_table({"trial": [1, 2, 3], "outcome": ["success", "", "failure"]}))
        2 outcomes recorded; 1 row without an outcome passed over.
        """
        from sureshot.campaign.telling import told_back

        rows = list(table) if isinstance(table, Iterator) else table  # it may be read more than once

        def read(ledger: Ledger) -> tuple[Told, list[NewEvent]]:
            return told_back(self._spec, ledger, rows, outcome=outcome, of=of, author=author)

        found, _ = self._log.record_decided(None, read)
        assert found is not None
        return found

    def correct(
        self,
        trial: Trial | int,
        outcome: Outcome,
        *,
        of: int | None = None,
        author: str | None = None,
        note: str | None = None,
        told_event: int | None = None,
        key: str | None = None,
    ) -> TrialRow:
        """Another outcome in place of the one told; what was told stays in the log. Corrected again with the same
        ``key``, as in :meth:`ask`, it is recorded once.

        ``told_event`` is the event of the outcome that you mean to correct, as the trial's row says it; if somebody
        else corrected it since, that is an :class:`~sureshot.errors.OutOfDate`, and nothing is recorded.
        """
        won, tries = self._spec.words.counts(outcome, of)
        number = self._number(trial)
        event = corrected(number, won, of=tries, text=note, author=author)
        call = keyed(key, "correct", number, won, tries, note)
        if told_event is None:
            return self._record_one(event, call)

        def decided(ledger: Ledger) -> tuple[None, list[NewEvent]]:
            _refuse_another_outcome(number, ledger.entry(number).outcome, told_event)
            return None, [event]

        self._log.record_decided(call, decided)
        return self._row(number)

    def withdraw(
        self, trial: Trial | int, *, author: str | None = None, note: str | None = None, key: str | None = None
    ) -> TrialRow:
        """A trial that was not run, or whose outcome must not count; again with the same ``key``, recorded once."""
        number = self._number(trial)
        event = withdrawn(number, text=note, author=author)
        return self._record_one(event, keyed(key, "withdraw", number, note))

    def note(
        self, text: str, *, trial: Trial | int | None = None, author: str | None = None, key: str | None = None
    ) -> None:
        """A remark about a trial, or about the campaign; again with the same ``key``, it is recorded once."""
        number = None if trial is None else self._number(trial)
        self._log.append_once(noted(text, trial=number, author=author), keyed(key, "note", number, text))

    def note_simulated(self, world: str, *, seed: int, author: str | None = None) -> None:
        """Note that a simulated world answers, not a lab: its name and seed, by which its truth can be drawn again.

        >>> from sureshot import Campaign, Space
        >>> campaign = Campaign.create("tubes", Space.grid(power=[8, 10]), seed=1, storage=":memory:")
        >>> campaign.note_simulated("nanotubes", seed=7)
        >>> campaign.simulated, campaign.status().notes[0]
        ({'world': 'nanotubes', 'seed': 7}, 'A simulated lab answers here (nanotubes, seed 7): nothing of it is real.')
        """
        if not isinstance(world, str) or not world.strip():
            raise InvalidInput("`world` must be text that is not empty", got=world, fix="name the world")
        seed = whole_number("seed", seed, 0)
        text = f"A simulated lab answers here ({world}, seed {seed}): nothing of it is real."
        self._log.append([noted(text, payload={"simulated": {"world": world, "seed": seed}}, author=author)])

    def _record_one(self, event: NewEvent, call: Keyed) -> TrialRow:
        (number,) = self._log.append_once(event, call)
        return self._row(number)

    def _row(self, number: int) -> TrialRow:
        """A trial by what was read when something was recorded last."""
        return row(self._spec, self._log.ledger, self._log.ledger.entry(number))


def _refuse_another_outcome(trial: int, stands: int | None, told_event: int) -> None:
    """Refuse to correct a trial that has the outcome of another event than the one that is meant."""
    if stands != told_event:
        raise OutOfDate(
            f"trial {trial} has another outcome since: that of event {stands}, not {told_event}",
            field="trial",
            value=trial,
            fix="look at it again and decide anew",
        )
