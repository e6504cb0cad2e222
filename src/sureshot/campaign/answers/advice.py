"""Whether to go on: what more trials are expected to bring, against what they cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sureshot.campaign.answers.fit.checks import Caution
from sureshot.campaign.answers.recommend import UNLIKELY, Draws, drawn
from sureshot.campaign.answers.wording import added
from sureshot.campaign.document import Document
from sureshot.core.lookahead import knowledge_gradient
from sureshot.core.lookahead.gradient import lookahead_of
from sureshot.core.numerics.stable import Array
from sureshot.policies import Situation
from sureshot.policies.narrow import compared_over, too_large
from sureshot.policies.rules.kg import worth
from sureshot.policies.rules.kg_star import of_most_promising
from sureshot.said import Setting, Text

__all__ = ["AHEAD", "WORTH", "Advice", "advised"]

#: How many trials ahead a person is told about.
AHEAD = 10
#: How many alternatives, the most promising by a quick look, are looked at trial by trial.
COMPARED = 64
#: Without a cost, that many trials are worth it if they are expected to add one point to the final choice.
WORTH = 0.01

_BEYOND = Setting("beyond_budget", True)
_UNFIT = "this model does not fit your outcomes, so what it expects of more trials does not count"


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice(Document):
    """Whether to go on. Gains are in success probability of the final choice."""

    go_on: bool
    words: str
    value_per_trial: float  # the largest KG(*): of repeating one alternative, per trial
    trials: int  # looked ahead: ten, or those left
    at_least: float  # what so many trials are expected to bring if all are spent on one alternative: KG_m
    up_to: float  # ... or so many times the value per trial; a mix of alternatives may lie above, never above `bound`
    bound: float  # perfect knowledge: no number of trials can bring more
    bound_error: float  # its Monte Carlo standard error
    cost: float | None  # of one trial, in success probability
    left: int | None  # trials left in the budget
    cautions: tuple[str, ...] = ()  # why the model does not fit, and what to do: then "stop" is never said

    def __str__(self) -> str:
        return self.words


def advised(
    now: Situation,
    *,
    at: int,
    left: int | None,
    cost: float | None,
    rng: np.random.Generator,
    raised: Sequence[Caution] = (),
) -> Advice:
    """The advice, where ``at`` is recommended and ``left`` trials of the budget may still be asked. A model that does
    not fit, for the reasons ``raised``, never says that one may stop.
    """
    draws = drawn(now.belief, now.X, at, rng)
    found = _by_the_model(now, draws, left=left, cost=cost)
    if not raised:
        return found
    found = replace(found, cautions=tuple(one.text for one in raised))
    if found.go_on or (not found.trials and now.pending is not None and len(now.pending)):  # or wait
        return found
    if not found.trials:
        words = f"the budget is used up, and {_UNFIT}. ", raised[0].instead, "; to go on here, ask with ", _BEYOND, "."
        return replace(found, words=Text(*words))
    return replace(found, go_on=True, words=Text(f"don't leave it at this yet: {_UNFIT}. ", raised[0].instead, "."))


def _by_the_model(now: Situation, draws: Draws, *, left: int | None, cost: float | None) -> Advice:
    """Whether to go on, if the model is right."""
    pending = 0 if now.pending is None else len(now.pending)
    trials = AHEAD if left is None else min(AHEAD, left)
    found = Advice(
        go_on=False,
        words="",
        value_per_trial=0.0,
        trials=trials,
        at_least=0.0,
        up_to=0.0,
        bound=draws.evpi,
        bound_error=draws.evpi_error,
        cost=cost,
        left=left,
    )
    if trials < 1:
        come = "1 outcome is" if pending == 1 else f"{pending} outcomes are"
        if pending:
            wait = f"wait: {come} still to come, and may change this. Then the budget is used up."
            return replace(found, words=wait)
        before = ", before the best of all was found" if draws.chance_best < UNLIKELY else ""
        return replace(
            found, words=Text(f"stop: the budget is used up{before}. To go on anyway, ask with ", _BEYOND, ".")
        )
    price = None if cost is None else now.cost
    ahead = replace(now, objective="offline", trials_left=trials, finals=None, pending=None, cost=price)
    if too_large(ahead):
        ahead = compared_over(ahead)
    rate, each, several = _worth(ahead)
    top = float(rate.max())
    most = max(min(each * trials, draws.evpi), several)
    more = "more " if len(now.outcomes) else ""
    plural = f"{trials} {more}trials are" if trials > 1 else f"One {more}trial is"
    told = f"{plural} expected to add {added(several, most)}"
    if cost is None:
        go_on = most >= WORTH
        hard = f" A better one would hardly be found by {'them' if trials > 1 else 'it'}."
        hard = hard if draws.chance_best < UNLIKELY else ""
        words = f"{told}: worth going on." if go_on else f"stop: {told[0].lower() + told[1:]}, at best.{hard}"
    elif draws.evpi + 2.0 * draws.evpi_error < cost:
        go_on = False
        words = f"stop: even perfect knowledge would add only {_bare(draws.evpi)}, and one trial costs {_bare(cost)}."
    elif top < cost:
        go_on = False
        words = f"stop: the best next trial is worth {_bare(top)}, and costs {_bare(cost)}. {told}."
    else:
        go_on = True
        words = f"{told}; the best next trial is worth {_bare(top)} and costs {_bare(cost)}: worth going on."
    return replace(found, go_on=go_on, words=words, value_per_trial=each, at_least=several, up_to=most)


def _worth(ahead: Situation) -> tuple[Array, float, float]:
    """What a trial of each of the most promising alternatives is worth (per cost), the most that one trial is worth,
    and the most that all trials left are worth if spent on one alternative.
    """
    if lookahead_of(ahead.belief) == "update":
        values = knowledge_gradient(ahead.belief, ahead.X, lookahead="update", finals=ahead.finals)
        return worth(values, ahead), max(float(values.max()), 0.0), max(float(values.max()), 0.0)
    rows, star = of_most_promising(ahead, COMPARED)
    rate = star.score if ahead.cost is None else star.score / ahead.cost[rows]
    return rate, float(star.score.max()), float(star.values.max())


def _bare(gain: float) -> str:
    return added(gain, gain)
