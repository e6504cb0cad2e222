"""The campaign: ask what to try, tell how it went, be told what to go with. The one stateful thing."""

from __future__ import annotations

import os
import secrets
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Unpack

import numpy as np

from sureshot.campaign.answers import build as answers
from sureshot.campaign.answers.bends import what_bends
from sureshot.campaign.answers.checks import Caution, cautions
from sureshot.campaign.answers.compare import Comparison, Progress, Side, compared, refuse_few
from sureshot.campaign.answers.results import Advice, Imported, Recommendation, Status, Trial, TrialRow, Why
from sureshot.campaign.answers.wording import count
from sureshot.campaign.importing import Blank, Repeated, imported
from sureshot.campaign.log.log import Log
from sureshot.campaign.model.again import Changes, carried, changed, refuse_counted_twice, refuse_unfit
from sureshot.campaign.model.pool import Context
from sureshot.campaign.model.situation import situation_of
from sureshot.campaign.model.spec import Objective, PolicyGiven, Spec, ValueOver, new_spec
from sureshot.campaign.model.words import Outcome
from sureshot.core import Belief, Mixture, predictive
from sureshot.core.numerics.stable import Array
from sureshot.errors import Conflict, InvalidInput, OutOfDate, UnknownName
from sureshot.policies import DEFAULT, decide
from sureshot.said import Call, Setting, Text
from sureshot.space import NO_INTERACTIONS, Shape
from sureshot.storage import (
    CampaignRecord,
    NewEvent,
    Storage,
    asked,
    corrected,
    noted,
    open_storage,
    told,
    withdrawn,
)

__all__ = ["Campaign"]

#: How often `ask` decides again when others record something meanwhile.
ATTEMPTS = 50


class Campaign:
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

    def __init__(self, record: CampaignRecord, storage: Storage, spec: Spec, *, until: int | None = None) -> None:
        self._log, self._spec = Log(record, storage, spec, until), spec
        self._cautions: tuple[int, dict[int | None, tuple[Caution, ...]]] = (0, {})  # after which event, for what

    # -- made and found

    @classmethod
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
        cost: float | str | Sequence[float] | None = None,
        prior: Literal["auto"] | float | Mapping[str, Any] = "auto",
        link: str | None = None,
        value: ValueOver | None = None,
        policy: PolicyGiven = DEFAULT,
        seed: int | None = None,
        storage: Storage | str | os.PathLike[str] | None = None,
    ) -> Campaign:
        """A new campaign over a :class:`~sureshot.space.Space`, or over actions in a ``context``.

        - ``context``: what a case looks like, as for :func:`~sureshot.space.Contexts`: example rows, or a mapping of
          declarations; ``interactions`` lets the best action depend on it.
        - ``shape``: what the chance of success may look like. ``"auto"`` lets outcomes decide what bends and what
          depends on what; ``"straight"`` only rises or falls with each number; ``"curved"`` may be best inside a range;
          ``"pairs"`` may have every parameter depend on the others.
        - ``formula``: the features (of the actions) in place of a shape, exactly as it says.
        - ``objective``: ``"offline"`` seeks the best final choice, ``"online"`` the most successes on the way.
        - ``budget``: trials that may be asked; None is an open end. Online, ``discount`` says how soon the end may
          come, 0.99 if neither is given.
        - ``cost``: a number is what one trial is worth in success probability, for :meth:`advice`; the name of a
          column, or one number for each alternative, is what each costs, and trials are chosen by value per cost.
        - ``prior``: ``"auto"`` lets outcomes choose its strength, a number is the precision of every weight, and a
          mapping is what :meth:`posterior` of an earlier campaign gave.
        - ``value``: of a trial in a context: what it teaches, averaged, about the ``"seen contexts"``, this one among
          them (the default: cases to come are like those so far), or about the ``"same context"`` alone.
        - ``policy``: what chooses the trials: a name, ``"ucb alpha=2"``, ``{"name": "ucb", "alpha": 2.0}`` as in a
          study file, or a policy; one of your own must be registered (:func:`~sureshot.policies.register_policy`).
        - ``seed``: all randomness derives from it and the number of the event; drawn if None.
        - ``storage``: a store, its path or URL, or None for the default (see :func:`~sureshot.storage.open_storage`).
        """
        spec = new_spec(
            space,
            context=context,
            interactions=interactions,
            shape=shape,
            formula=formula,
            context_formula=context_formula,
            success=success,
            failure=failure,
            objective=objective,
            budget=budget,
            discount=discount,
            cost=cost,
            prior=prior,
            link=link,
            value=value,
            policy=policy,
        )
        if context is not None and not interactions:
            warnings.warn(f"{NO_INTERACTIONS}.", stacklevel=2)
        chosen = secrets.randbelow(2**31) if seed is None else seed
        store = _opened(storage)
        return cls(store.create_campaign(name, spec.to_dict(), seed=chosen), store, spec)

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

        What is not said is as in the old campaign, its seed too; ``changes`` are those of :meth:`create` that are about
        the model (``shape``, ``formula``, ``context_formula``, ``interactions``, ``prior``, ``link``) or the aim
        (``objective``, ``budget``, ``discount``, ``cost``, ``value``, ``policy``). A shape or a formula takes the place
        of the other, and a shape that of a prior precision.

        Trials that are pending are not copied; the first note says so, and where all comes from. The old campaign stays
        as it is. It is stored beside the old one, or in ``storage``; whole, or not at all.

        >>> from sureshot.space import Space
        >>> old = Campaign.create("old", Space.grid(power=[8, 10, 12, 14]), shape="straight", storage=":memory:")
        >>> _ = old.tell_new(2, "success"), old.tell_new(3, "failure")
        >>> Campaign.create_from("bent", old, shape="curved")
        Campaign('bent', 4 alternatives, 2 trials)
        """
        source = cls.open(old, storage) if isinstance(old, str) else old
        record, ledger = source._log.record, source._log.sync()
        events = source.storage.events(record.id)[: ledger.last]
        refuse_counted_twice(record.name, changes.get("prior"), events)
        spec = changed(record.name, source.spec, changes)
        refuse_unfit(record.name, spec.pool, ledger)
        first = carried(record, ledger, events)
        store = source.storage if storage is None or isinstance(old, str) else _opened(storage)
        chosen = record.seed if seed is None else seed
        return cls(store.create_campaign(name, spec.to_dict(), seed=chosen, events=first), store, spec)

    @classmethod
    def open(cls, name: str | None = None, storage: Storage | str | os.PathLike[str] | None = None) -> Campaign:
        """The campaign of that name; without one, the only campaign in the store."""
        store = _opened(storage, create=False)
        if name is None:
            names = [one.name for one in store.campaigns()]
            if len(names) != 1:
                held = f"{len(names)}: {', '.join(names)}. Name one" if names else "none. Make one with "
                make = () if names else (Call("Campaign.create"),)
                raise UnknownName(
                    "without a name there must be one campaign in the store, and it holds ", held, *make, "."
                )
            (name,) = names
        record = store.campaign(name)
        return cls(record, store, Spec.from_dict(record.spec))

    # -- looked at

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

    # -- ask

    def ask(self, context: Context | None = None, *, author: str | None = None, beyond_budget: bool = False) -> Trial:
        """The next trial, recorded as handed out. Trials that others are still running are taken into account."""
        return self.ask_batch(1, context=context, author=author, beyond_budget=beyond_budget)[0]

    def ask_batch(
        self, q: int, *, context: Context | None = None, author: str | None = None, beyond_budget: bool = False
    ) -> tuple[Trial, ...]:
        """``q`` trials to run at once, each chosen as if those before it were pending."""
        if isinstance(q, bool) or not isinstance(q, int) or q < 1:
            raise InvalidInput("`q` must be a whole number of trials, at least 1", got=Setting("q", q))
        self._log.writable()
        pool = self._spec.pool
        case = pool.checked(context)
        X = pool.matrix(context)
        for _ in range(ATTEMPTS):
            ledger = self._log.sync()
            used = ledger.used()
            if not beyond_budget:
                self._affordable(q, used)
            now = situation_of(self._spec, ledger, self._log.believed(), X, case)
            waiting = 0 if now.pending is None else len(now.pending)
            decisions = decide(self._spec.policy, now, self._log.rng(ledger.last + 1, stream=0), q)
            events = [
                asked(
                    d.alternative,
                    context=case,
                    payload=answers.predicted(d, outcomes=len(now.outcomes), pending=waiting + i),
                    author=author,
                )
                for i, d in enumerate(decisions)
            ]
            try:
                recorded = self._log.append(events, expected_last=ledger.last)
            except OutOfDate:
                continue
            return tuple(
                answers.trial(self.name, self._spec, self._log.ledger.entry(entry), position=used + i + 1)
                for i, entry in enumerate(recorded)
            )
        raise OutOfDate(f"others recorded something {ATTEMPTS} times while this was being decided: ask again.")

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
    ) -> TrialRow:
        """An experiment that was never asked: its row, its levels, or its name where there is one parameter.

        It need not be in the pool: numbers beyond the levels are learned from too, and ``cautions`` names them; a
        category that the features do not know is refused.
        """
        won, tries = self._spec.words.counts(outcome, of)
        case = self._spec.pool.checked(context)
        row, levels = self._spec.pool.located(alternative)
        payload = None if levels is None else {"levels": levels}
        return self._record_one(
            told(None, won, of=tries, alternative=row, context=case, payload=payload, text=note, author=author)
        )

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
        self._log.writable()
        options: dict[str, Any] = {"outcome": outcome, "of": of, "author": author, "blank": blank}
        for _ in range(ATTEMPTS):
            ledger = self._log.sync()
            bulk = imported(self._spec.pool, self._spec.words, ledger, table, repeated=repeated, **options)
            try:
                trials = self._log.append(bulk.events, expected_last=ledger.last) if bulk.events else []
            except OutOfDate:
                continue
            ends = (trials[0], trials[-1]) if trials else None
            return Imported(len(trials), ends, bulk.blank, bulk.repeated, bulk.again, bulk.cautions)
        raise OutOfDate(f"others recorded something {ATTEMPTS} times while this was being imported: import it again.")

    def correct(
        self,
        trial: Trial | int,
        outcome: Outcome,
        *,
        of: int | None = None,
        author: str | None = None,
        note: str | None = None,
    ) -> TrialRow:
        """Another outcome in place of the one told; what was told stays in the log."""
        won, tries = self._spec.words.counts(outcome, of)
        return self._record_one(corrected(self._number(trial), won, of=tries, text=note, author=author))

    def withdraw(self, trial: Trial | int, *, author: str | None = None, note: str | None = None) -> TrialRow:
        """A trial that was not run, or whose outcome must not count."""
        return self._record_one(withdrawn(self._number(trial), text=note, author=author))

    def note(self, text: str, *, trial: Trial | int | None = None, author: str | None = None) -> None:
        """A remark about a trial, or about the campaign."""
        self._log.writable()
        self._log.append([noted(text, trial=None if trial is None else self._number(trial), author=author)])

    # -- be told

    def best(self, context: Context | None = None) -> Recommendation:
        """What to go with now (in this context), how sure that is, and why it is not the one with most successes."""
        case, X = self._case(context)
        ledger, belief = self._log.ledger, self._log.believed()
        bends = what_bends(self._spec.pool, belief, X, ledger.counted(), self._log.rng(ledger.learned, stream=2))
        return answers.recommendation(
            self._spec, ledger, belief, X, case, self._answering(), raised=self._raised(X), shape=bends
        )

    def advice(self, context: Context | None = None, *, cost: float | None = None) -> Advice:
        """Whether to go on: what more trials are expected to bring, against their ``cost`` in success probability."""
        case, X = self._case(context)
        price = self._spec.cost if cost is None else cost
        if price is not None and not (isinstance(price, int | float) and 0.0 < price < 1.0):
            raise InvalidInput("`cost` is in success probability, between 0 and 1", got=price)
        now = situation_of(self._spec, self._log.ledger, self._log.believed(), X, case)
        return answers.advice(self._spec, self._log.ledger, now, price, self._answering(), self._raised(X))

    def why(self, trial: Trial | int | None = None) -> Why:
        """What a trial is for, as it was seen when it was asked; without a number, the last one asked."""
        self._log.sync()
        return answers.why(self._spec, self._log.ledger, None if trial is None else self._number(trial))

    def status(self) -> Status:
        """How the campaign stands."""
        self._log.sync()
        raised = self._raised(None if self._spec.pool.contextual else self._spec.pool.matrix())
        return answers.status(self._log.record, self._spec, self._log.ledger, self._log.until, raised)

    def trial(self, number: int) -> Trial:
        """A trial that was asked, as :meth:`ask` gave it."""
        self._log.sync()
        entry = self._log.ledger.entry(self._number(number))
        before = [e for e in self._log.ledger.trials.values() if e.trial <= entry.trial]
        return answers.trial(
            self.name, self._spec, entry, position=sum(e.asked and e.state != "withdrawn" for e in before)
        )

    def history(self) -> tuple[TrialRow, ...]:
        """All trials in order, one flat row each."""
        self._log.sync()
        return answers.rows(self._spec, self._log.ledger)

    def compare(
        self, *others: Campaign, context: Context | None = None, progress: Progress | None = None
    ) -> Comparison:
        """Side by side with others: which model the outcomes speak for, how well each predicted them, each outcome from
        those before it, and what each would go with now (in this context).

        Models are weighed by their evidence, which needs the same alternatives and outcomes, as :meth:`create_from`
        gives them; else the answer says so. ``progress`` is called with a name, the outcomes predicted so far, and how
        many there are.

        >>> from sureshot.space import Space
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

    def rewind(self, to: int) -> Campaign:
        """The campaign as it stood after event ``to``: to look at, not to write to."""
        self._log.sync()
        if isinstance(to, bool) or not isinstance(to, int) or not 0 <= to <= self._log.ledger.last:
            raise InvalidInput(f"`to` must be the number of an event, 0 to {self._log.ledger.last}", got=to)
        return Campaign(self._log.record, self._log.storage, self._spec, until=to)

    def posterior(self) -> dict[str, Any]:
        """What is believed now, as JSON: the ``prior`` of another campaign with the same features."""
        return answers.posterior(self._log.record, self._spec, self.belief, self._log.ledger)

    def export(self) -> dict[str, Any]:
        """The whole campaign as JSON: its specification and every event, in order."""
        self._log.sync()
        events = self._log.storage.events(self._log.record.id)[: self._log.ledger.last]
        return answers.exported(self._log.record, events)

    def verify(self) -> None:
        """Fold all events again from the prior and compare: raises if the belief in use differs in any bit."""
        self._log.sync()
        answers.check_equal(self._log.folded_anew(), self._log.believed())

    # -- inside

    def _record_one(self, event: NewEvent) -> TrialRow:
        (number,) = self._log.append([event])
        return answers.row(self._spec, self._log.ledger, self._log.ledger.entry(number))

    def _case(self, context: Context | None) -> tuple[dict[str, Any] | None, Any]:
        case = self._spec.pool.checked(context)
        self._log.sync()
        return case, self._spec.pool.matrix(context)

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

    def _affordable(self, q: int, used: int) -> None:
        budget = self._spec.budget
        if budget is not None and used + q > budget:
            raise Conflict(
                f"the budget is {budget} trials, {used} are used and {q} more asked for",
                field="budget",
                value=budget,
                fix=Text("see ", Call("best"), " for what to go with, or ask with ", Setting("beyond_budget", True)),
            )

    def _number(self, trial: Trial | int) -> int:
        if isinstance(trial, Trial) and trial.campaign != self.name:
            raise InvalidInput(
                f"trial {trial.number} was asked of campaign {trial.campaign!r}, and this is {self.name!r}: "
                "tell it there."
            )
        number = trial.number if isinstance(trial, Trial) else trial
        if isinstance(number, bool) or not isinstance(number, int | np.integer):
            raise InvalidInput("a trial must be what ", Call("ask"), " gave, or its number", field="trial", got=trial)
        return int(number)


def _opened(storage: Storage | str | os.PathLike[str] | None, *, create: bool = True) -> Storage:
    if storage is None or isinstance(storage, str | os.PathLike):
        return open_storage(storage, create=create)
    return storage
