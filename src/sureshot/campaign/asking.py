"""What to try next: chosen by the policy, within the budget, and handed out once for each key."""

from __future__ import annotations

import json
from typing import Any

from sureshot.campaign.answers import handed_out
from sureshot.campaign.answers.fit.doubts import Doubts
from sureshot.campaign.answers.trial import Trial
from sureshot.campaign.log.ledger import Entry, Ledger
from sureshot.campaign.log.log import Log
from sureshot.campaign.log.requests import keyed
from sureshot.campaign.model.pool import Context
from sureshot.campaign.model.situation import situation_of
from sureshot.core.numerics.stable import Array
from sureshot.errors import Conflict, whole_number
from sureshot.policies import decide
from sureshot.said import Call, Setting, Text
from sureshot.storage import NewEvent, asked

__all__ = ["Asking"]

_GO_ON = Text("see ", Call("best"), " for what to choose, or ask with ", Setting("beyond_budget", True))


class Asking:
    """Chooses the trials of a campaign. Those that were chosen last are known: to take what was looked at before costs
    nothing more.
    """

    def __init__(self, log: Log, doubts: Doubts) -> None:
        self._log, self._doubts = log, doubts
        #: After which event, how many and in which case; and which were chosen.
        self._last: tuple[tuple[str, int, str | None], list[tuple[int, dict[str, Any]]]] | None = None

    def ask(
        self, q: int, context: Context | None, *, author: str | None, beyond_budget: bool, key: str | None
    ) -> tuple[Trial, ...]:
        """See :meth:`~sureshot.campaign.Campaign.ask_batch`."""
        q = whole_number("q", q, of="trials")
        case, X = self._log.spec.pool.case(context)

        def decided(ledger: Ledger) -> tuple[None, list[NewEvent]]:
            if not beyond_budget:
                _refuse_beyond(self._log.spec.budget, ledger.used(), q)
                self._refuse_more(ledger, X)
            return None, [
                asked(alternative, context=case, payload={"after": ledger.last, **seen}, author=author)
                for alternative, seen in self._chosen(ledger, case, X, q)
            ]

        # Outcomes that come in meanwhile do not make a decision worthless; another trial would be handed out twice.
        call = keyed(key, q, case, bool(beyond_budget))
        _, given = self._log.record_decided(call, decided, unless="trials", prepare=lambda: self._doubts.raised(X))
        return handed_out.trials(self._log.record.name, self._log.spec, self._log.ledger, given)

    def preview(self, context: Context | None) -> Trial:
        """See :meth:`~sureshot.campaign.Campaign.preview`."""
        case, X = self._log.spec.pool.case(context)
        ledger = self._log.sync()
        ((alternative, seen),) = self._chosen(ledger, case, X, 1)
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
        return handed_out.trial(self._log.record.name, self._log.spec, ledger, entry, position=ledger.used() + 1)

    def _refuse_more(self, ledger: Ledger, X: Array) -> None:
        """Refuse a trial where the campaign's stopping rule says that what is known is enough, as advice does."""
        spec = self._log.spec
        rule = spec.stopping
        if rule is None or self._doubts.raised(X):
            return
        from sureshot.campaign.answers.advice import ahead_in
        from sureshot.policies.stopping import stops

        if stops(rule, ahead_in(spec, ledger, self._log.believed(), X, None, self._log.rng(ledger.learned, stream=1))):
            raise Conflict(
                f"the stopping rule {rule.name!r} says stop, since {rule.because}",
                field="stopping",
                value=rule.name,
                fix=_GO_ON,
            )

    def _chosen(
        self, ledger: Ledger, case: dict[str, Any] | None, X: Array, q: int
    ) -> list[tuple[int, dict[str, Any]]]:
        """The next ``q`` alternatives to try, and what is seen in each."""
        at = ledger.digest, q, None if case is None else json.dumps(case)
        if self._last is not None and self._last[0] == at:
            return self._last[1]
        spec, raised = self._log.spec, self._doubts.raised(X)
        now = situation_of(spec, ledger, self._log.believed(), X, case)
        waiting = 0 if now.pending is None else len(now.pending)
        found = [
            (one.alternative, handed_out.seen(one, outcomes=len(now.outcomes), pending=waiting + i, raised=raised))
            for i, one in enumerate(decide(spec.policy, now, self._log.rng(ledger.last + 1, stream=0), q))
        ]
        self._last = at, found
        return found


def _refuse_beyond(budget: int | None, used: int, q: int) -> None:
    if budget is not None and used + q > budget:
        raise Conflict(
            f"the budget is {budget} trials, {used} are used and {q} more asked for",
            field="budget",
            value=budget,
            fix=_GO_ON,
        )
