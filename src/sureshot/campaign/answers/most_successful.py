"""Why what is recommended is not what worked most often, or never worked itself while others did: in numbers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from sureshot.campaign.answers.wording import percent
from sureshot.campaign.log.ledger import Entry, tally
from sureshot.campaign.model.pool import Pool
from sureshot.core import Belief, Mixture, predictive
from sureshot.core.numerics.stable import Array
from sureshot.space.tables.column import Value

__all__ = ["despite_failing", "why_not"]


#: Successes and tries, by the row of the pool or by the levels of what is not in it.
_Tally = Mapping[int | str, tuple[int, int]]


def why_not(
    pool: Pool, belief: Belief | Mixture, counted: Sequence[Entry], context: dict[str, Value] | None, at: int, p: Array
) -> str | None:
    """Why alternative ``at`` is recommended in this context, where others worked more often or it never did. ``p`` are
    the chances of all alternatives in it.
    """
    every = tally((entry.tried, entry) for entry in counted)
    if _only_failed(every, at):
        return _despite_failing(pool, belief, counted, context, at, p, this_case=False)
    if context is not None:  # successes in other cases are no reason, but failures in this one need a reason
        here = [entry for entry in counted if entry.context == context]
        failed = _only_failed(tally((entry.tried, entry) for entry in here), at)
        return _despite_failing(pool, belief, here, context, at, p, this_case=True) if failed else None
    inside = {row: one for row, one in every.items() if isinstance(row, int) and one[0]}
    if not inside:
        return None
    other = max(inside, key=lambda row: (inside[row][0], inside[row][0] / inside[row][1], -row))
    won, tries = inside[other]
    mine, of = every.get(at, (0, 0))
    if other == at or (mine == won and mine * tries == won * of):
        return None
    tried = f"{mine} of {of}" if of else "never tried"
    chance = f"is {percent(p[other])}, against {percent(p[at])} here"
    if _close(p[at], p[other]):
        chance = "is the same" if _same(p[at], p[other]) else "is hardly less"
    return (
        f"It is not the one with most successes: {pool.space.label(other)} has {won} of {tries} (this one: {tried}), "
        f"but from all trials together the chance of that one {chance}."
    )


def _only_failed(every: _Tally, at: int) -> bool:
    """Whether the alternative has tries and no success, while something else worked."""
    return at in every and not every[at][0] and any(won for won, _ in every.values())


def _despite_failing(
    pool: Pool,
    belief: Belief | Mixture,
    counted: Sequence[Entry],
    context: dict[str, Value] | None,
    at: int,
    p: Array,
    *,
    this_case: bool,
) -> str:
    """Why an alternative that never worked is recommended, while others did work: those of the pool, or if none of
    these did, what was tried outside it.
    """
    every = tally((entry.tried, entry) for entry in counted)
    worked = {entry.tried: entry for entry in counted if every[entry.tried][0]}
    inside = [one for one in worked.values() if one.alternative is not None] or list(worked.values())
    case = None if context is None else json.dumps(context)
    chances = predictive(belief, pool.features([one._replace(context_json=case) for one in inside]))
    best = int(chances.argmax())
    other, over = inside[best], "" if context is None or this_case else " over all cases"
    won, of = every[other.tried]
    return despite_failing(
        float(p[at]),
        every[at][1],
        f"{pool.label(other)} ({won} of {of}{over})",
        float(chances[best]),
        outside=other.alternative is None,
        over=over,
        this_case=this_case,
    )


def despite_failing(
    mine: float, of: int, other: str, theirs: float, *, outside: bool = False, over: str = "", this_case: bool = False
) -> str:
    """Why something that failed ``of`` times is recommended, beside the best ``other`` of what worked; ``over`` says
    which cases these were, if not this one.

    >>> despite_failing(0.7, 1, "power 8 (1 of 1)", 0.55)[:72]
    'It failed in its only try, but from all trials together its chance is 70'
    """
    beside = ", which is not among the alternatives and" if outside else ","
    less = percent(theirs)
    if theirs <= mine and _close(mine, theirs):
        less = "the same" if _same(mine, theirs) else f"hardly less ({percent(theirs)})"
    failed = "its only try" if of == 1 else f"all {of} tries of its own{over}"
    return (
        f"It failed in {failed}{' in this case' * this_case}, but from all trials together its chance "
        f"{'here ' * bool(over)}is {percent(mine)}; of those that worked{' in it' * this_case}, the best "
        f"{'here ' * bool(over)}is {other}{beside} whose chance is {less}."
    )


def _same(chance: float, other: float) -> bool:
    """Whether a person would see no difference, even with one decimal."""
    return bool(abs(chance - other) < 0.0005)


def _close(chance: float, other: float) -> bool:
    return bool(chance - other < 0.005 or percent(chance) == percent(other))
