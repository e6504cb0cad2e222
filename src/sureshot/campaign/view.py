"""A campaign to look at: what to choose, whether to go on, how it stands, what each trial was for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from sureshot.campaign.answers import flat, trials
from sureshot.campaign.answers import status as standing
from sureshot.campaign.answers.advice import advised
from sureshot.campaign.answers.bends import what_bends
from sureshot.campaign.answers.checks import Caution, cautions
from sureshot.campaign.answers.compare import Comparison, Progress, Side, compared, refuse_few
from sureshot.campaign.answers.recommend import recommendation
from sureshot.campaign.answers.results import Advice, Recommendation, Status, Trial, TrialRow, Why
from sureshot.campaign.answers.wording import count
from sureshot.campaign.log.log import Log
from sureshot.campaign.model.earlier import posterior
from sureshot.campaign.model.pool import Context
from sureshot.campaign.model.situation import situation_of
from sureshot.campaign.model.spec import Spec
from sureshot.core import Belief, Mixture, predictive
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput
from sureshot.said import Call
from sureshot.storage import CampaignRecord, Storage, exported_campaign

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["View"]


class View:
    """All that a :class:`~sureshot.campaign.Campaign` answers without recording anything."""

    def __init__(self, record: CampaignRecord, storage: Storage, spec: Spec, *, until: int | None = None) -> None:
        self._log, self._spec = Log(record, storage, spec, until), spec
        self._names = {record.name}  # that it has had since it was opened
        self._cautions: tuple[int, dict[int | None, tuple[Caution, ...]]] = (0, {})  # after which event, for what

    @property
    def name(self) -> str:
        """Its name in the store."""
        return self._log.record.name

    @property
    def spec(self) -> Spec:
        """What it is: alternatives, features, words, objective, prior. It never changes."""
        return self._spec

    @property
    def storage(self) -> Storage:
        """Where it is kept."""
        return self._log.storage

    @property
    def belief(self) -> Belief | Mixture:
        """What is believed about the weights after all outcomes so far."""
        self._log.sync()
        return self._log.believed()

    def __repr__(self) -> str:
        view = "" if self._log.until is None else f", as of event {self._log.until}"
        size, trials = len(self._spec.pool.space), len(self._log.ledger.trials)
        return f"Campaign({self.name!r}, {count(size, 'alternative')}, {count(trials, 'trial')}{view})"

    def best(self, context: Context | None = None) -> Recommendation:
        """What to choose now (in this context), how sure that is, and why it is not the one with most successes."""
        case, X = self._case(context)
        ledger, belief = self._log.ledger, self._log.believed()
        bends = what_bends(self._spec.pool, belief, X, ledger.counted(), self._log.rng(ledger.learned, stream=2))
        return recommendation(
            self._spec, ledger, belief, X, case, self._answering(), raised=self._raised(X), shape=bends
        )

    def advice(self, context: Context | None = None, *, cost: float | None = None) -> Advice:
        """Whether to go on: what more trials are expected to bring, against their ``cost`` in success probability."""
        case, X = self._case(context)
        price = self._spec.cost if cost is None else cost
        if price is not None and not (isinstance(price, int | float) and 0.0 < price < 1.0):
            raise InvalidInput("`cost` is in success probability, between 0 and 1", got=price)
        now = situation_of(self._spec, self._log.ledger, self._log.believed(), X, case)
        left = None if self._spec.budget is None else max(self._spec.budget - self._log.ledger.used(), 0)
        return advised(now, left=left, cost=price, rng=self._answering(), raised=self._raised(X))

    def why(self, trial: Trial | int | None = None) -> Why:
        """What a trial is for, as it was seen when it was asked; without a number, the last one asked."""
        return trials.why(self._spec, self._log.sync(), None if trial is None else self._number(trial))

    def status(self) -> Status:
        """How the campaign stands."""
        ledger, contextual = self._log.sync(), self._spec.pool.contextual
        raised = trials.raised_when_asked(ledger)  # then nothing need be computed
        if raised is None:
            raised = self._raised(None if contextual else self._spec.pool.matrix())
        elif contextual:
            raised = tuple(one for one in raised if one.check != "level")  # that is about what is best in one case
        return standing.status(self._log.record, self._spec, self._log.ledger, self._log.until, raised)

    def trial(self, number: int) -> Trial:
        """A trial that was asked, as :meth:`ask` gave it."""
        ledger = self._log.sync()
        entry = ledger.entry(self._number(number))
        before = [e for e in ledger.trials.values() if e.trial <= entry.trial]
        position = sum(e.asked and e.state != "withdrawn" for e in before)
        return trials.trial(self.name, self._spec, ledger, entry, position=position)

    def history(self) -> tuple[TrialRow, ...]:
        """All trials in order, one flat row each."""
        ledger = self._log.sync()
        return tuple(standing.row(self._spec, ledger, entry) for entry in ledger.trials.values())

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

    def compare(self, *others: View, context: Context | None = None, progress: Progress | None = None) -> Comparison:
        """Side by side with others: which model the outcomes speak for, how well each predicted them, each outcome from
        those before it, and what each would choose now (in this context).

        Models are weighed by their evidence, which needs the same alternatives and outcomes, as :meth:`create_from`
        gives them; else the answer says so. ``progress`` is called with a name, the outcomes predicted so far, and how
        many there are.

        >>> from sureshot import Campaign, Space
        >>> old = Campaign.create("old", Space.grid(power=[8, 10, 12, 14]), shape="straight", storage=":memory:")
        >>> _ = [old.tell_new(row, won, of=5) for row, won in enumerate([0, 5, 5, 0])]
        >>> print(old.compare(Campaign.create_from("bent", old, shape="curved")))
        The outcomes speak ... for bent: they are ... times likelier under it than under old.
        """
        every = (self, *others)
        refuse_few([one.name for one in every])
        sides = []
        for one in every:
            ledger = one._log.sync()
            best = None if one.spec.pool.contextual and context is None else one.best(context)
            sides.append(Side(one.name, one.spec, ledger, best))
        return compared(sides, progress)

    def rewind(self, to: int) -> Self:
        """The campaign as it stood after event ``to``: to look at, not to write to."""
        self._log.sync()
        if isinstance(to, bool) or not isinstance(to, int) or not 0 <= to <= self._log.ledger.last:
            raise InvalidInput(f"`to` must be the number of an event, 0 to {self._log.ledger.last}", got=to)
        return type(self)(self._log.record, self._log.storage, self._spec, until=to)

    def posterior(self) -> dict[str, Any]:
        """What is believed now, as JSON: the ``prior`` of another campaign with the same features."""
        return posterior(self._log)

    def export(self) -> dict[str, Any]:
        """The whole campaign as JSON: its specification and every event, in order."""
        return exported_campaign(self._log.record, self._log.events())

    def verify(self) -> None:
        """Fold all events again from the prior and compare: raises if the belief in use differs in any bit."""
        self._log.verify()

    # -- inside

    def _case(self, context: Context | None) -> tuple[dict[str, Any] | None, Array]:
        case = self._spec.pool.case(context)
        self._log.sync()
        return case

    def _raised(self, X: Array | None) -> tuple[Caution, ...]:
        """What is wrong with the model: looked for once after each outcome, for each case ``X`` that is asked about."""
        ledger = self._log.ledger
        if self._cautions[0] != ledger.learned:
            self._cautions = ledger.learned, {}
        if not ledger.order:
            return ()
        belief, found = self._log.believed(), self._cautions[1]
        key = None if X is None else int(np.argmax(predictive(belief, X)))
        if key not in found:
            found[key] = cautions(self.name, self._spec, ledger, belief, key)
        return found[key]

    def _answering(self) -> np.random.Generator:
        """The same draws, and so the same answer, until something is learned."""
        return self._log.rng(self._log.ledger.learned, stream=1)

    def _number(self, trial: Trial | int) -> int:
        if isinstance(trial, Trial) and trial.campaign not in self._names:
            raise InvalidInput(
                f"trial {trial.number} was asked of campaign {trial.campaign!r}, and this is {self.name!r}: "
                "tell it there."
            )
        number = trial.number if isinstance(trial, Trial) else trial
        if isinstance(number, bool) or not isinstance(number, int | np.integer):
            raise InvalidInput("a trial must be what ", Call("ask"), " gave, or its number", field="trial", got=trial)
        return int(number)
