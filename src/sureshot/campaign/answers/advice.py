"""Whether to go on: what more trials are expected to bring, against what they cost, or as the stopping rule has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

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
from sureshot.errors import InvalidInput, whole_number
from sureshot.policies import Situation
from sureshot.policies.stopping import AHEAD, Ahead, LittleGain, NotWorthIt, StoppingRule
from sureshot.said import Setting, Text
from sureshot.space.tables.column import Value

__all__ = ["Advice", "advised", "campaign_advice", "usual_rule"]

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
    at_least: float  # what so many trials are expected to bring if all are spent on one alternative: KG_m
    up_to: float  # ... or so many times the value per trial; a mix of alternatives may lie above, never above `bound`
    bound: float  # perfect knowledge: no number of trials can bring more; the expected opportunity cost of stopping now
    bound_error: float  # its Monte Carlo standard error
    chance_best: float  # that what would be chosen is the best of all ...
    chance_error: float  # ... with this standard error
    cost: float | None  # of one trial, in success probability
    left: int | None  # trials left in the budget
    cautions: tuple[str, ...] = ()  # why the model does not fit, and what to do: then "stop" is never said
    rule: str | None = None  # the campaign's stopping rule by name, if it has one

    def __str__(self) -> str:
        return self.words

    @property
    def numbers(self) -> tuple[tuple[str, str], ...]:
        """What speaks for going on and for stopping, each with its number as a person reads it."""
        sure = chance(self.chance_best)
        return (
            ("the next trial alone is expected to add", added(self.one_more, self.one_more)),
            (f"{count(self.trials, 'trial')} together", added(self.at_least, self.up_to)),
            ("perfect knowledge (what stopping now costs, on average)", added(self.bound, self.bound)),
            ("chance that no other alternative is better", sure),
        )


def usual_rule(cost: float | None) -> StoppingRule:
    """What is gone by where a campaign has no rule of its own."""
    return LittleGain() if cost is None else NotWorthIt(cost)


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
    """The advice in a campaign as it stands; see :meth:`~sureshot.campaign.Campaign.advice`."""
    price = spec.cost if cost is None else _price(cost, spec.worth)
    now = situation_of(spec, ledger, belief, X, context)
    left = None if spec.budget is None else max(spec.budget - ledger.used(), 0)
    return advised(
        now,
        at=likeliest(now.probability, ledger.counted()),
        left=left,
        cost=price,
        rng=rng,
        rule=spec.stopping if cost is None else None,
        trials=AHEAD if trials is None else whole_number("trials", trials),
        money=spec.worth,
        raised=raised,
    )


def _price(cost: float, worth: float | None) -> float:
    """What one trial costs in success probability."""
    most = 1.0 if worth is None else worth
    if isinstance(cost, bool) or not isinstance(cost, int | float) or not 0.0 < cost < most:
        unit = (
            "in success probability, between 0 and 1" if worth is None else f"between 0 and what it is worth, {most:g}"
        )
        raise InvalidInput(f"`cost` of a trial must be {unit}", got=cost, fix="leave it out for what the campaign says")
    return float(cost) / most


def advised(
    now: Situation,
    *,
    at: int,
    left: int | None,
    cost: float | None,
    rng: np.random.Generator,
    rule: StoppingRule | None = None,
    trials: int = AHEAD,
    money: float | None = None,
    raised: Sequence[Caution] = (),
) -> Advice:
    """The advice, where ``at`` is recommended and ``left`` trials of the budget may still be asked. A model that does
    not fit, for the reasons ``raised``, never says that one may stop.

    :param rule: the campaign's own; what is usual, if it has none.
    :param money: what a success of the final choice is worth, in the unit of the costs, if that is known.
    """
    found = _by_the_model(now, at, left=left, cost=cost, rng=rng, rule=rule, trials=trials, money=money)
    if not raised:
        return found
    found = replace(found, cautions=tuple(one.text for one in raised))
    if found.go_on or (not found.trials and now.pending is not None and len(now.pending)):  # or wait
        return found
    if not found.trials:
        words = f"the budget is used up, and {_UNFIT}. ", raised[0].instead, "; to go on here, ask with ", _BEYOND, "."
        return replace(found, words=Text(*words))
    return replace(found, go_on=True, words=Text(f"don't leave it at this yet: {_UNFIT}. ", raised[0].instead, "."))


def _by_the_model(
    now: Situation,
    at: int,
    *,
    left: int | None,
    cost: float | None,
    rng: np.random.Generator,
    rule: StoppingRule | None,
    trials: int,
    money: float | None,
) -> Advice:
    """Whether to go on, if the model is right."""
    ahead = Ahead(now if cost is not None else replace(now, cost=None), at, rng, trials)
    perfect, trials = ahead.perfect, trials if left is None else min(trials, left)
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
        cost=cost,
        left=left,
        rule=None if rule is None else rule.name,
    )
    if trials < 1:
        pending = 0 if now.pending is None else len(now.pending)
        come = "1 outcome is" if pending == 1 else f"{pending} outcomes are"
        if pending:
            wait = f"wait: {come} still to come, and may change this. Then the budget is used up."
            return replace(found, words=wait)
        before = ", before the best of all was found" if perfect.chance_best < UNLIKELY else ""
        return replace(
            found, words=Text(f"stop: the budget is used up{before}. To go on anyway, ask with ", _BEYOND, ".")
        )
    gains = ahead.gains
    enough = (usual_rule(cost) if rule is None else rule).stops(ahead)
    return replace(
        found,
        go_on=not enough,
        words=_worded(ahead, enough, rule, cost, money),
        one_more=gains.one,
        value_per_trial=gains.value_per_trial,
        at_least=gains.at_least,
        up_to=gains.up_to,
    )


def _worded(ahead: Ahead, enough: bool, rule: StoppingRule | None, cost: float | None, money: float | None) -> str:
    """What is expected of more trials, and what follows."""
    gains, perfect = ahead.gains, ahead.perfect
    more = "more " if len(ahead.now.outcomes) else ""
    plural = f"{gains.trials} {more}trials are" if gains.trials > 1 else f"One {more}trial is"
    told = f"{plural} expected to add {added(gains.at_least, gains.up_to)}"
    if rule is not None:
        return f"stop: {rule.because} (rule {rule.name}). {told}." if enough else f"{told}: worth going on."
    if cost is None:
        hard = f" A better one would hardly be found by {'them' if gains.trials > 1 else 'it'}."
        hard = hard if perfect.chance_best < UNLIKELY else ""
        return f"stop: {told[0].lower() + told[1:]}, at best.{hard}" if enough else f"{told}: worth going on."
    price, top = _priced(cost, money), _priced(gains.per_cost, money)
    if enough and NotWorthIt(cost).beyond_knowing(ahead):
        return (
            f"stop: even perfect knowledge would add only {_priced(perfect.evpi, money)}, and one trial costs {price}."
        )
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
