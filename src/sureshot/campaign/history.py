"""What is recorded of a campaign: what it is, its trials and events, and how it was at an earlier time.

What only one of its answers needs is imported there: commands that ask for another need not load it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from sureshot.campaign.answers import flat, handed_out
from sureshot.campaign.answers.status import row
from sureshot.campaign.answers.trial import Trial, TrialRow, Why
from sureshot.campaign.answers.wording import count
from sureshot.campaign.log.log import Log
from sureshot.campaign.model.spec import Spec
from sureshot.errors import InvalidInput, whole_number
from sureshot.storage import CampaignRecord, Storage, exported_campaign

if TYPE_CHECKING:
    import pandas as pd

    from sureshot.campaign.answers.events import EventRow
    from sureshot.campaign.answers.fit.calibration import Calibration
    from sureshot.campaign.answers.recorded import Recorded

__all__ = ["History"]


class History:
    """All that a :class:`~sureshot.campaign.Campaign` knows without any belief."""

    def __init__(self, record: CampaignRecord, storage: Storage, spec: Spec, *, until: int | None = None) -> None:
        self._log, self._spec = Log(record, storage, spec, until), spec
        self._names = {record.name}  # that it has had since it was opened

    @property
    def name(self) -> str:
        """Its name in the store."""
        return self._log.record.name

    @property
    def number(self) -> int:
        """Its number in the store, which no other campaign ever gets and no other name changes."""
        return self._log.record.id

    @property
    def spec(self) -> Spec:
        """What it is: alternatives, features, words, objective, prior. It never changes."""
        return self._spec

    @property
    def storage(self) -> Storage:
        """Where it is kept."""
        return self._log.storage

    def last_event(self) -> int:
        """The number of the last event, of whoever recorded it; 0 if there is none yet."""
        return self._log.sync().last

    @property
    def simulated(self) -> dict[str, Any] | None:
        """The world that answers in place of a lab, as it was noted: ``{"world": "nanotubes", "seed": 1}``; None where
        experiments are real.
        """
        found = self._log.sync().simulated
        return None if found is None else dict(found)

    def __repr__(self) -> str:
        view = "" if self._log.until is None else f", as of event {self._log.until}"
        size, trials = len(self._spec.pool.space), len(self._log.ledger.trials)
        return f"Campaign({self.name!r}, {count(size, 'alternative')}, {count(trials, 'trial')}{view})"

    def trial(self, number: int) -> Trial:
        """A trial that was asked, as :meth:`ask` gave it."""
        return handed_out.trials(self.name, self._spec, self._log.sync(), [self._number(number)])[0]

    def why(self, trial: Trial | int | None = None) -> Why:
        """What a trial is for, as it was seen when it was asked; without a number, the last one asked."""
        return handed_out.why(self._spec, self._log.sync(), None if trial is None else self._number(trial))

    def row(self, number: Trial | int) -> TrialRow:
        """A trial as it stands: its row of :meth:`history`."""
        ledger = self._log.sync()
        return row(self._spec, ledger, ledger.entry(self._number(number)))

    def history(self) -> tuple[TrialRow, ...]:
        """All trials in order, one flat row each."""
        ledger = self._log.sync()
        return tuple(row(self._spec, ledger, entry) for entry in ledger.trials.values())

    def events(self, *, before: int | None = None, most: int | None = None) -> tuple[EventRow, ...]:
        """What happened, the newest first: all events, or ``most`` of those with numbers below ``before``.

        >>> from sureshot import Campaign, Space
        >>> made = Campaign.create("tubes", Space.grid(power="8,10 W"), seed=1, storage=":memory:")
        >>> _ = made.tell_new({"power": 8}, "success", author="Ann"), made.correct(1, "failure", note="misread")
        >>> [str(one) for one in made.events()]
        ['Trial 1 was corrected to failure, from success: misread',
         'Trial 1 was told without being asked: power 8 W; success.']
        """
        from sureshot.campaign.answers.events import event_rows, first_needed

        ledger = self._log.sync()
        end = ledger.last if before is None else min(max(before - 1, 0), ledger.last)
        start = 0 if most is None else max(end - most, 0)
        wanted = self.storage.events(self._log.record.id, after=start)[: end - start]
        needed = first_needed(wanted, ledger)
        earlier = self.storage.events(self._log.record.id, after=needed - 1)[: start - needed + 1] if wanted else ()
        return tuple(reversed(event_rows(self._spec, ledger, wanted, earlier)))

    def recorded(self, event: int) -> Recorded:
        """What the event of that number recorded, in a sentence, and the trial that it is about.

        >>> from sureshot import Campaign, Space
        >>> made = Campaign.create("tubes", Space.grid(power=[8, 10]), seed=1, storage=":memory:")
        >>> _ = made.tell_new({"power": 8}, "success"), made.withdraw(1)
        >>> print(made.recorded(1))
        Recorded: trial 1 was told without being asked: power 8; success.
        >>> print(made.recorded(2))
        Recorded: trial 1 was withdrawn, with its outcome (power 8).
        """
        from sureshot.campaign.answers.recorded import recorded

        whole_number("event", event)
        ledger = self._log.sync()
        since = self._log.storage.events(self._log.record.id, after=event - 1) if event <= ledger.last else ()
        return recorded(self._spec, ledger, event, since)

    def calibration(self) -> Calibration:
        """What was expected when trials were asked, against what came of them."""
        from sureshot.campaign.answers.fit.calibration import calibration

        return calibration(self.history())

    def trials_frame(self) -> pd.DataFrame:
        """All trials, a row each: number, levels, the case, outcome, successes, tries, chance and value when it was
        asked, state, who, when, the numbers of its events, notes. The same as :meth:`history`, as a pandas DataFrame.

        >>> from sureshot import Campaign, Space
        >>> made = Campaign.create("tubes", Space.grid(power=[8, 10]), seed=1, storage=":memory:")
        >>> _ = made.tell_new({"power": 8}, "success"), made.tell_new({"power": 10}, 3, of=4, author="Ann")
        >>> made.trials_frame()[["trial", "power", "outcome", "successes", "of", "state", "told_by", "told_event"]]
           trial  power  outcome  successes  of state told_by  told_event
        0      1    8.0  success          1   1  told     ...           1
        1      2   10.0        3          3   4  told     Ann           2
        """
        pool = self._spec.pool
        return flat.frame_of(pool, flat.trial_columns(pool, self.history()))

    def to_frame(self) -> pd.DataFrame:
        """The outcomes that count, a row each: levels, the case, ``outcome`` and ``of`` how many tries; nothing else,
        so that ``import_table`` of a campaign with the same parameters takes it, and other libraries too.

        Trials that are pending or withdrawn are in :meth:`trials_frame`, and so is who told what and when; what is
        believed of each alternative, tried or not, is another table. An outcome is the campaign's word, or the number
        of successes where there were several tries.

        >>> from sureshot import Campaign, Space
        >>> made = Campaign.create("tubes", Space.grid(power=[8, 10]), seed=1, storage=":memory:")
        >>> _ = made.tell_new({"power": 8}, "success"), made.tell_new({"power": 10}, 3, of=4)
        >>> made.to_frame()
           power  outcome  of
        0    8.0  success   1
        1   10.0        3   4
        """
        pool = self._spec.pool
        return flat.frame_of(pool, flat.outcome_columns(pool, self.history()))

    def rewind(self, to: int) -> Self:
        """The campaign as it stood after event ``to``: to look at, not to write to."""
        self._log.sync()
        if isinstance(to, bool) or not isinstance(to, int) or not 0 <= to <= self._log.ledger.last:
            raise InvalidInput(f"`to` must be the number of an event, 0 to {self._log.ledger.last}", got=to)
        return type(self)(self._log.record, self._log.storage, self._spec, until=to)

    def export(self) -> dict[str, Any]:
        """The whole campaign as JSON: its specification and every event, in order."""
        return exported_campaign(self._log.record, self._log.events())

    def proved(self) -> str:
        """All events read from the store again, each proved to follow the one before, and the belief compared with what
        they give: a sentence that says so, or a :class:`~sureshot.errors.CorruptLog`.

        >>> from sureshot import Campaign, Space
        >>> made = Campaign.create("tubes", Space.grid(power=[8, 10]), seed=1, storage=":memory:")
        >>> _ = made.tell_new({"power": 8}, "success")
        >>> made.proved()
        'The history is intact: 1 event, each proved to follow the one before, and what is believed is what they give.'
        """
        events = self._log.events()
        self.verify()
        each = "each proved to follow the one before, and what is believed is what they give"
        return f"The history is intact: {count(len(events), 'event')}, {each}."

    def verify(self) -> None:
        """Fold all events again from the prior and compare: raises if the belief in use differs in any bit."""
        self._log.verify()

    def _number(self, trial: Trial | int) -> int:
        return handed_out.number_of(trial, self.name, self._names)
