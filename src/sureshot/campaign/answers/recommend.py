"""What to choose, and how sure that is (by draws of the weights)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from sureshot.campaign.answers.fit.checks import Caution
from sureshot.campaign.answers.most_successful import why_not
from sureshot.campaign.answers.wording import added, chance, detailed, in_case, noted, percent, percents, sentence
from sureshot.campaign.document import Document
from sureshot.campaign.log.ledger import Entry, Ledger, tally, totals
from sureshot.campaign.model.spec import Spec
from sureshot.core import Belief, Mixture, interval, predictive
from sureshot.core.lookahead.perfect import perfect_knowledge
from sureshot.core.numerics.stable import Array
from sureshot.said import Call, Text
from sureshot.space.tables.column import Value

if TYPE_CHECKING:
    from sureshot.campaign.answers.effects import Effects

__all__ = [
    "UNLIKELY",
    "Leading",
    "Recommendation",
    "leading",
    "likeliest",
    "nothing_known",
    "recommendation",
    "to_choose",
]

#: How many effects stand beside what to choose; all of them are told by ``effects``.
FIRST = 3
#: Chances this close are the same: of alternatives that differ in nothing that is a feature, but for rounding.
TWINS = 1e-9
#: Below this chance of being best of all, a person is told how it can be the one to choose all the same.
UNLIKELY = 0.05
#: If the best of all is expected to be better by less than this, it hardly matters which one it is.
HARDLY = 0.01

#: What a recommendation rests on: no outcome at all, what an earlier campaign learned, outcomes of which none was a
#: success, or outcomes.
Known = Literal["nothing", "earlier campaign", "only failures", "outcomes"]


def nothing_known(pending: Sequence[int]) -> Text:
    """That nothing is known yet, and what to do, where these trials are pending."""
    if not pending:
        return Text("Nothing is known yet: no trial has an outcome. Begin with ", Call("ask"), ".")
    first = pending[0]
    waits = f"Nothing is known yet: trial {first} is waiting for its outcome. Tell it with "
    return Text(waits, Call("tell", first), ".")


def to_choose(what: str, known: Known) -> str:
    """What to choose, or what is likeliest while nothing has worked.

    >>> to_choose("power 14", "outcomes"), to_choose("power 14", "only failures")
    ('Choose power 14', 'Nothing has worked yet. The likeliest to work is power 14')
    """
    return f"Nothing has worked yet. The likeliest to work is {what}" if known == "only failures" else f"Choose {what}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recommendation(Document):
    """What to choose."""

    alternative: int
    label: str
    levels: dict[str, Value]
    context: dict[str, Value] | None
    probability: float
    interval: tuple[float, float]  # 95 %
    chance_best: float  # that no other is truly better, by draws ...
    chance_error: float  # ... with this standard error
    successes: int  # of its own trials ...
    of: int  # ... of so many
    not_most_successful: str | None  # why it is not the one with most successes, or why though it only failed
    outcomes: int  # that this rests on
    cautions: tuple[str, ...] = ()  # what to beware of: a model that does not fit, a context outside its range
    shape: str | None = None  # what bends and what speaks for it; None while nothing is known
    effects: tuple[str, ...] = ()  # what else is known of the parameters: the clearest, see Campaign.effects
    known: Known = "outcomes"  # what this rests on; with "nothing", one alternative is as good as another
    pending: tuple[int, ...] = ()  # trials whose outcomes are still to come
    better_by: float = 0.0  # what the best of all, whichever it is, is expected to be better by
    id: str | None = None  # the name of its row, where a column names the rows; then that is its label ...
    details: str = ""  # ... and these are its levels

    @property
    def unknown(self) -> str | None:
        """That nothing is known yet, and what to do; None where something is."""
        return nothing_known(self.pending) if self.known == "nothing" else None

    @property
    def choice(self) -> str:
        """``Choose power 14, catalyst Co``, and in which case; what is likeliest, while nothing has worked."""
        return to_choose(f"{detailed(self.label, self.details)}{in_case(self.context)}", self.known)

    @property
    def sureness(self) -> str:
        """How likely it succeeds, and that nothing is better; with a reason where that is unlikely."""
        told = (
            f"{percent(self.probability)} ({percents(*self.interval)}), best of all with chance "
            f"{chance(self.chance_best)}"
        )
        if self.chance_best >= UNLIKELY:
            return f"{told}."
        if self.better_by < HARDLY:
            return f"{told}: another is probably better, but hardly ({added(self.better_by, self.better_by)})."
        open_yet = f"{told}: another is probably better, but which one is not known yet"
        if self.known == "only failures":  # then it is called the likeliest already
            return f"{open_yet}."
        return f"{open_yet}; of all, this one is likeliest to succeed."

    @property
    def seen(self) -> str:
        """What bends, what helps and what hardly matters, as sentences; empty while nothing is known."""
        return " ".join(sentence(one) for one in ((self.shape,) if self.shape else ()) + self.effects)

    def __str__(self) -> str:
        if self.unknown is not None:
            return f"{self.unknown}{noted(self.cautions)}"
        why = "" if self.not_most_successful is None else f" {self.not_most_successful}"
        seen = f" {self.seen}" if self.seen else ""
        return f"{self.choice}: {self.sureness}{why}{seen}{noted(self.cautions)}"

    def _repr_html_(self) -> str:
        from sureshot.campaign.pictures.cards import recommendation_card

        return recommendation_card(self)


class Leading(NamedTuple):
    """What leads now, without any draws: quick enough for a list of campaigns."""

    at: int  # row of the pool
    p: Array  # (M,): the chance of every alternative
    interval: tuple[float, float]  # 95 %, of the one that leads
    known: Known

    @property
    def probability(self) -> float:
        """The chance of the one that leads."""
        return float(self.p[self.at])


def leading(spec: Spec, ledger: Ledger, belief: Belief | Mixture, X: Array) -> Leading:
    """The alternative with the largest success probability, and what that rests on."""
    counted, p = ledger.counted(), predictive(belief, X)
    at = likeliest(p, counted)
    low, high = interval(belief, X[at : at + 1])
    known: Known = "outcomes" if totals(counted)[0] else "only failures" if counted else "nothing"
    if known == "nothing" and spec.prior_given.startswith("posterior of "):
        known = "earlier campaign"
    return Leading(at, p, (float(low[0]), float(high[0])), known)


def recommendation(
    spec: Spec,
    ledger: Ledger,
    belief: Belief | Mixture,
    X: Array,
    context: dict[str, Value] | None,
    rng: np.random.Generator,
    *,
    raised: Sequence[Caution],
    seen: Effects,
) -> Recommendation:
    """The alternative with the largest success probability, how sure that is, what is wrong with the model (``raised``)
    and the first of what is ``seen`` of the parameters.
    """
    counted, lead = ledger.counted(), leading(spec, ledger, belief, X)
    at = lead.at
    draws = perfect_knowledge(belief, X, at, rng)
    won, of = totals(e for e in counted if e.alternative == at)
    return Recommendation(
        alternative=at,
        label=spec.pool.space.label(at),
        levels=spec.pool.space.row(at),
        context=context,
        probability=lead.probability,
        interval=lead.interval,
        chance_best=draws.chance_best,
        chance_error=draws.chance_error,
        successes=won,
        of=of,
        not_most_successful=why_not(spec.pool, belief, counted, context, at, lead.p),
        outcomes=len(counted),
        cautions=(*(one.text for one in raised), *spec.pool.unusual(context)),
        shape="; ".join(seen.bends) or None if seen.both_seen else None,
        effects=seen.others[:FIRST] if seen.both_seen else (),
        known=lead.known,
        pending=tuple(entry.trial for entry in ledger.pending()),
        better_by=draws.evpi,
        id=spec.pool.space.name(at),
        details=spec.pool.space.details(at),
    )


def likeliest(p: Array, counted: Sequence[Entry]) -> int:
    """The alternative with the largest chance; of several with the same chance the one that worked most often, so that
    nobody is sent from what worked to its untried twin.
    """
    tied = np.flatnonzero(p >= p.max() - TWINS)
    every = tally((entry.alternative, entry) for entry in counted)

    def worked(row: int) -> tuple[int, int]:
        won, of = every.get(row, (0, 0))
        return won, won - of

    return max(tied.tolist(), key=worked)
