"""Whether to go on: what more trials are expected to bring, against what they cost, or as the stopping rule has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real

import numpy as np

from sureshot.campaign.answers.fit.checks import Caution
from sureshot.campaign.answers.recommend import UNLIKELY, likeliest
from sureshot.campaign.answers.wording import added, chance, count
from sureshot.campaign.document import Document
from sureshot.campaign.log.ledger import Ledger
from sureshot.campaign.model.situation import situation_of
from sureshot.campaign.model.spec import Spec
from sureshot.core import Belief, Mixture
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput, UnknownName, whole_number
from sureshot.policies.stopping import AHEAD, Ahead, LittleGain, NotWorthIt, StoppingRule, stops
from sureshot.said import Setting, Text
from sureshot.space.tables.column import Value

__all__ = ["Advice", "ahead_in", "campaign_advice"]

_BEYOND = Setting("beyond_budget", True)
_UNFIT = "this model does not fit your outcomes, so what it expects of more trials does not count"


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice(Document):
    """Whether to go on. Gains are in success probability of the final choice."""

    go_on: bool
    words: str
    one_more: float  # what the best next trial is expected to add by itself: the largest knowledge gradient
    value_per_trial: float  # the largest KG(*): of repeating one alternative, per trial
    trials: int  # looked ahead: ten, as many as you asked about, or those left
    at_least: float  # what 1, 2, 4, 8, ... of these are expected to bring if spent on one alternative: the largest KG_m
    up_to: float  # ... or so many times the value per trial; a mix of alternatives may lie above, never above `bound`
    bound: float  # perfect knowledge: no number of trials can bring more; the expected opportunity cost of stopping now
    bound_error: float  # its Monte Carlo standard error
    chance_best: float  # that what would be chosen is the best of all ...
    chance_error: float  # ... with this standard error
    cost: float | None  # of the next trial that is most worth it, in success probability
    left: int | None  # trials left in the budget
    cautions: tuple[str, ...] = ()  # why the model does not fit, and what to do: then "stop" is never said
    rule: str | None = None  # the campaign's stopping rule by name, if it has one

    def __str__(self) -> str:
        return self.words

    @property
    def numbers(self) -> tuple[tuple[str, str], ...]:
        """What speaks for going on and for stopping, each with its number as a person reads it."""
        more = (
            ("the next trial alone is expected to add", added(self.one_more, self.one_more)),
            (f"{count(self.trials, 'trial')} together", added(self.at_least, self.up_to)),
        )
        return (
            *(more if self.trials else ()),
            ("perfect knowledge (what stopping now costs, on average)", added(self.bound, self.bound)),
            ("chance that no other alternative is better", chance(self.chance_best)),
        )


def ahead_in(
    spec: Spec,
    ledger: Ledger,
    belief: Belief | Mixture,
    X: Array,
    context: Mapping[str, Value] | None,
    rng: np.random.Generator,
    *,
    cost: float | None = None,
) -> Ahead:
    """What lies ahead in a campaign, at what its trials cost, or at another ``cost`` of each of them."""
    price: Array | float | None = spec.cost if cost is None else _price(cost, spec.worth)
    now = situation_of(spec, ledger, belief, X, context)
    if cost is None and spec.costs is not None and spec.cost is not None:
        price = spec.costs * spec.cost
    else:
        now = replace(now, cost=None)
    return Ahead(now, likeliest(now.probability, ledger.counted()), rng, price=price)


def _price(cost: float, worth: float | None) -> float:
    """What one trial costs in success probability."""
    most = 1.0 if worth is None else worth
    if isinstance(cost, bool) or not isinstance(cost, Real) or not 0.0 < cost < most:
        unit = (
            "in success probability, between 0 and 1" if worth is None else f"between 0 and what it is worth, {most:g}"
        )
        raise InvalidInput(f"`cost` of a trial must be {unit}", got=cost, fix="leave it out for what the campaign says")
    return float(cost) / most


def campaign_advice(
    spec: Spec,
    ledger: Ledger,
    belief: Belief | Mixture,
    X: Array,
    context: Mapping[str, Value] | None,
    *,
    cost: float | None = None,
    trials: int | None = None,
    rng: np.random.Generator,
    raised: Sequence[Caution],
) -> Advice:
    """The advice in a campaign as it stands; see :meth:`~sureshot.campaign.Campaign.advice`.

    A model that does not fit, for the reasons ``raised``, never says that one may stop.
    """
    ahead = ahead_in(spec, ledger, belief, X, context, rng, cost=cost)
    rule, lost = (None, "") if cost is not None else _rule(spec)
    left = None if spec.budget is None else max(spec.budget - ledger.used(), 0)
    most = AHEAD if trials is None else whole_number("trials", trials)
    found = _by_the_model(ahead, rule, left=left, most=most, money=spec.worth)
    found = replace(found, words=Text(found.words, lost)) if lost else found
    if not raised:
        return found
    found = replace(found, cautions=tuple(one.text for one in raised))
    waiting = ahead.now.pending is not None and len(ahead.now.pending) > 0
    if found.go_on or (not found.trials and waiting):
        return found
    if not found.trials:
        words = f"the budget is used up, and {_UNFIT}. ", raised[0].instead, "; to go on here, ask with ", _BEYOND, "."
        return replace(found, words=Text(*words))
    return replace(found, go_on=True, words=Text(f"don't leave it at this yet: {_UNFIT}. ", raised[0].instead, "."))


def _rule(spec: Spec) -> tuple[StoppingRule | None, str]:
    """The campaign's own rule; where it is not known here, none, and a word on that."""
    try:
        return spec.stopping, ""
    except UnknownName as error:
        return None, f" (Its stopping rule {error.value!r} is not known here, and was not asked.)"


def _by_the_model(
    ahead: Ahead, rule: StoppingRule | None, *, left: int | None, most: int, money: float | None
) -> Advice:
    """Whether to go on, if the model is right. A campaign's own rule looks as far ahead as it always does."""
    perfect, trials = ahead.perfect, most if left is None else min(most, left)
    price = None if ahead.price is None else float(np.min(ahead.price))
    found = Advice(
        go_on=False,
        words="",
        one_more=0.0,
        value_per_trial=0.0,
        trials=trials,
        at_least=0.0,
        up_to=0.0,
        bound=perfect.evpi,
        bound_error=perfect.evpi_error,
        chance_best=perfect.chance_best,
        chance_error=perfect.chance_error,
        cost=price,
        left=left,
        rule=None if rule is None else rule.name,
    )
    if trials < 1:
        pending = 0 if ahead.now.pending is None else len(ahead.now.pending)
        come = "1 outcome is" if pending == 1 else f"{pending} outcomes are"
        if pending:
            wait = f"wait: {come} still to come, and may change this. Then the budget is used up."
            return replace(found, words=wait)
        before = ", before the best of all was found" if perfect.chance_best < UNLIKELY else ""
        return replace(
            found, words=Text(f"stop: the budget is used up{before}. To go on anyway, ask with ", _BEYOND, ".")
        )
    seen = ahead if most == AHEAD else ahead.so_far(most)
    enough = stops(LittleGain() if price is None else NotWorthIt(), seen) if rule is None else stops(rule, ahead)
    gains = seen.gains
    return replace(
        found,
        go_on=not enough,
        words=_worded(seen, enough, rule, money),
        one_more=gains.one,
        value_per_trial=gains.value_per_trial,
        at_least=gains.at_least,
        up_to=gains.up_to,
        cost=gains.price,
    )


def _worded(ahead: Ahead, enough: bool, rule: StoppingRule | None, money: float | None) -> str:
    """What is expected of more trials, and what follows."""
    gains, perfect = ahead.gains, ahead.perfect
    more = "more " if len(ahead.now.outcomes) else ""
    plural = f"{gains.trials:,} {more}trials are" if gains.trials > 1 else f"One {more}trial is"
    told = f"{plural} expected to add {added(gains.at_least, gains.up_to)}"
    if rule is not None:
        yet = f"the rule {rule.name} does not say stop yet"
        return f"stop: {rule.because} (rule {rule.name}). {told}." if enough else f"{told}; {yet}."
    if gains.price is None or ahead.price is None:
        hard = f" A better one would hardly be found by {'them' if gains.trials > 1 else 'it'}."
        hard = hard if perfect.chance_best < UNLIKELY else ""
        return f"stop: {told[0].lower() + told[1:]}, at best.{hard}" if enough else f"{told}: worth going on."
    if enough and NotWorthIt().beyond_knowing(ahead):
        least = _priced(float(np.min(ahead.price)), money)
        return f"stop: even perfect knowledge would add {_priced(perfect.evpi, money)}, and one trial costs {least}."
    price, top = _priced(gains.price, money), _priced(gains.worth, money)
    if enough:
        return f"stop: the best next trial is worth {top}, and costs {price}. {told}."
    return f"{told}; the best next trial is worth {top} and costs {price}: worth going on."


def _priced(gain: float, money: float | None) -> str:
    """A gain in points, and in money where it is known what a success is worth.

    >>> _priced(0.004, None), _priced(0.004, 20_000.0)
    ('0.4 points', '80 (0.4 points)')
    """
    points = added(gain, gain)
    if money is None:
        return points
    value = gain * money
    return f"{value:,.0f} ({points})" if value >= 100.0 else f"{value:.3g} ({points})"
