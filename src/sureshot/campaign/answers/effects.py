"""What each parameter does, in numbers and in a sentence: its average chance at each level, and the difference that
counts.

All comes from the curves of :mod:`sureshot.campaign.answers.dependence`. Which levels a difference is between is
decided by their average chances; given the outcomes, its interval holds whichever levels are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from sureshot.campaign.answers.dependence import Curve, curves
from sureshot.campaign.answers.fit.bends import SURE, spoken_for
from sureshot.campaign.answers.fit.checks import Caution
from sureshot.campaign.answers.wording import (
    bends_near,
    case,
    gained,
    hardly_matters,
    not_clear,
    noted,
    sentence,
)
from sureshot.campaign.document import Document
from sureshot.campaign.log.ledger import Entry, Ledger
from sureshot.campaign.model.spec import Spec
from sureshot.core import Belief, Mixture
from sureshot.space.tables.column import Kind, Value, show

__all__ = ["HARDLY", "Effect", "Effects", "Verdict", "effects_after"]

#: A parameter hardly matters where its largest difference is surely smaller: one success in twenty runs is less than
#: anybody notices at a bench, and less than the final choice is usually uncertain by.
HARDLY = 0.05
#: Levels of one category that a sentence names, at most.
NAMED = 2
#: Ends of a 95 % interval.
ENDS = (0.025, 0.975)

Verdict = Literal["clear", "bends", "hardly matters", "not clear yet"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect(Document):
    """What one parameter does. Chances are averaged over the pool, all other parameters as they are."""

    parameter: str
    unit: str
    kind: Kind
    levels: tuple[Value, ...]  # a number's in rising order; of very many, some that stand for those nearby
    chance: tuple[float, ...]  # at each level
    low: tuple[float, ...]  # 95 % ...
    high: tuple[float, ...]
    tries: tuple[int, ...]  # at each level, or at those that it stands for
    successes: tuple[int, ...]
    at: tuple[Value, ...]  # the levels whose chance is higher by ``gain`` ...
    over: tuple[Value, ...]  # ... than the (average) chance at these
    gain: float
    gain_low: float  # 95 % of the difference
    gain_high: float
    verdict: Verdict
    words: str  # in a sentence, with the difference
    brief: str  # the same in fewer words, beside what to choose

    def __str__(self) -> str:
        return sentence(self.words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects(Document):
    """What each parameter does, the clearest first: ``effects["power"]`` is that of one."""

    campaign: str
    success: str
    outcomes: int  # that this rests on; 0: nothing is known yet, and there are no effects
    context: dict[str, Value] | None  # the case; None: none, or averaged over the cases met lately
    effects: tuple[Effect, ...]
    shapes: tuple[str, ...] = ()  # what the outcomes say of curves and pairs
    both_seen: bool = False  # whether something worked, and something did not
    left_out: tuple[str, ...] = ()  # parameters that are no part of the model, or have one level only
    cautions: tuple[str, ...] = ()  # what to beware of: a model that does not fit, a context outside its range

    def __iter__(self) -> Iterator[Effect]:
        return iter(self.effects)

    def __len__(self) -> int:
        return len(self.effects)

    def __getitem__(self, parameter: str) -> Effect:
        for one in self.effects:
            if one.parameter == parameter:
                return one
        raise KeyError(parameter)

    @property
    def bends(self) -> tuple[str, ...]:
        """Where numbers are surely best inside their range, and what the outcomes say of curves and pairs."""
        return (*(one.brief for one in self.effects if one.verdict == "bends"), *self.shapes)

    @property
    def others(self) -> tuple[str, ...]:
        """What else is known, the clearest first."""
        return tuple(one.brief for one in self.effects if one.verdict in ("clear", "hardly matters"))

    @property
    def sentences(self) -> tuple[str, ...]:
        """What to tell a person, a line each."""
        if not self.outcomes:
            return ("Nothing is known yet: no outcome was told.",)
        told = [*map(str, self.effects), *map(sentence, self.shapes)]
        if self.left_out:
            told.append(f"Not in the model, or with one level only: {', '.join(self.left_out)}.")
        return tuple(told)

    @property
    def legend(self) -> str:
        """What the numbers mean."""
        return (
            f"Points of the chance of {self.success}, averaged over the alternatives, all else as it is; with the 95 % "
            "interval of the difference."
        )

    def __str__(self) -> str:
        head = f"In the case {case(self.context)}: " if self.context else ""
        return f"{head}{' '.join(self.sentences)}{noted(self.cautions)}"


@dataclass(frozen=True, slots=True)
class _Difference:
    """Between the average chances at some levels of a curve, and at others."""

    at: tuple[int, ...]
    over: tuple[int, ...]
    gain: float
    low: float
    high: float

    @property
    def clear(self) -> bool:
        return not self.low <= 0.0 <= self.high

    @property
    def reach(self) -> float:
        """The largest that it may be, up or down."""
        return max(abs(self.low), abs(self.high))

    @property
    def clearness(self) -> float:
        """How many of its widths it is from nothing."""
        return abs(self.gain) / max(self.high - self.low, 1e-12)

    @property
    def turned(self) -> _Difference:
        return _Difference(self.over, self.at, -self.gain, -self.high, -self.low)


@dataclass(frozen=True, slots=True)
class _Judged:
    """The difference that counts, and what it means."""

    difference: _Difference
    verdict: Verdict
    words: str
    brief: str = ""


def effects_after(
    name: str,
    spec: Spec,
    ledger: Ledger,
    belief: Belief | Mixture,
    context: dict[str, Value] | None,
    rng: np.random.Generator,
    *,
    raised: Sequence[Caution] = (),
) -> Effects:
    """What each parameter of campaign ``name`` does, after its ``ledger`` led to this ``belief``; in a (checked) case,
    or averaged over those met lately. ``raised``: what is wrong with the model.
    """
    pool, counted = spec.pool, ledger.counted()
    found = _effects(curves(pool, ledger, belief, context, rng), counted) if counted else ()
    named = {one.parameter for one in found}
    both = 0 < sum(e.successes or 0 for e in counted) < sum(e.of or 0 for e in counted)
    bends = any(one.verdict == "bends" for one in found)
    return Effects(
        campaign=name,
        success=spec.words.success,
        outcomes=len(counted),
        context=context,
        effects=found,
        shapes=tuple(spoken_for(pool, belief, bends=bends)) if both else (),
        both_seen=both,
        left_out=tuple(one for one in pool.space.names if one not in named) if counted else (),
        cautions=(*(one.text for one in raised), *pool.unusual(context)),
    )


def _effects(found: Sequence[Curve], counted: Sequence[Entry]) -> tuple[Effect, ...]:
    """The clearest first: those that matter, those that hardly do, those that are not clear yet."""
    rank = {"clear": 0, "bends": 0, "hardly matters": 1, "not clear yet": 2}
    every = []
    for curve in found:
        judged = _number(curve) if curve.column.kind == "number" else _category(curve)
        every.append((rank[judged.verdict], -judged.difference.clearness, _effect(curve, counted, judged)))
    return tuple(effect for _, _, effect in sorted(every, key=lambda one: one[:2]))


def _effect(curve: Curve, counted: Sequence[Entry], judged: _Judged) -> Effect:
    levels, column, found = curve.levels, curve.column, judged.difference
    low, high = np.quantile(curve.drawn, ENDS, axis=0)
    tries, won = _tried(curve, counted)
    return Effect(
        parameter=column.name,
        unit=column.unit,
        kind=column.kind,
        levels=levels,
        chance=tuple(curve.chance.tolist()),
        low=tuple(np.minimum(low, curve.chance).tolist()),  # as the intervals of alternatives, they hold the chance
        high=tuple(np.maximum(high, curve.chance).tolist()),
        tries=tuple(tries),
        successes=tuple(won),
        at=tuple(levels[i] for i in found.at),
        over=tuple(levels[i] for i in found.over),
        gain=found.gain,
        gain_low=found.low,
        gain_high=found.high,
        verdict=judged.verdict,
        words=judged.words,
        brief=judged.brief or judged.words,
    )


def _tried(curve: Curve, counted: Sequence[Entry]) -> tuple[list[int], list[int]]:
    """The tries at each level, and the successes; of levels that the pool does not have, none."""
    column, tries, won = curve.column, [0] * len(curve.codes), [0] * len(curve.codes)
    for entry in counted:
        if entry.alternative is not None:
            code = int(column.codes[entry.alternative])
        else:
            value = entry.levels.get(column.name)
            code = -1 if value is None else int(column.lookup([value])[0])
        at = int(curve.group[code]) if code >= 0 else -1
        if at >= 0:
            tries[at] += entry.of or 0
            won[at] += entry.successes or 0
    return tries, won


def _differences(curve: Curve, pairs: Sequence[tuple[Sequence[int], Sequence[int]]]) -> list[_Difference]:
    """Between the average over some levels and over others, for each pair; under each draw, so that what is common to
    both does not count.
    """
    share = np.zeros((len(curve.codes), len(pairs)))
    for i, (a, b) in enumerate(pairs):
        share[list(a), i], share[list(b), i] = 1.0 / len(a), -1.0 / len(b)
    gain = curve.chance @ share
    low, high = np.quantile(curve.drawn @ share, ENDS, axis=0)
    return [
        _Difference(tuple(a), tuple(b), float(gain[i]), float(low[i]), float(high[i])) for i, (a, b) in enumerate(pairs)
    ]


# -- numbers


def _number(curve: Curve) -> _Judged:
    name, unit, last = curve.column.name, curve.column.unit, len(curve.codes) - 1
    every = _differences(curve, [((b,), (a,)) for a, b in combinations(range(last + 1), 2)])
    each = {(one.at[0], one.over[0]): one for one in every}
    widest = max(every, key=lambda one: one.reach)
    if widest.reach <= HARDLY:
        return _hardly(name, widest)
    where = _best_inside(curve)
    if where is not None:
        inside = 1 + int(np.argmax(curve.chance[1:last]))
        found = each[last, inside].turned if curve.chance[last] > curve.chance[0] else each[inside, 0]
        near = bends_near(name, *where, unit)
        return _Judged(found, "bends", f"{near} ({gained(found.gain, found.low, found.high, 'over the ends')})", near)
    shown = [show(one) for one in curve.levels]
    ends = each[last, 0]
    if ends.clear:
        found, word = (ends, "higher") if ends.gain > 0 else (ends.turned, "lower")
        span = f"from {shown[found.over[0]]} to {shown[found.at[0]]} {unit}".rstrip()
        return _Judged(found, "clear", f"{word} {name} helps ({gained(found.gain, found.low, found.high, span)})")
    top, bottom = int(np.argmax(curve.chance)), int(np.argmin(curve.chance))
    found = each[top, bottom] if top > bottom else each[bottom, top].turned if top < bottom else ends
    if found.clear:
        better, over = (f"{words} {unit}".rstrip() for words in (f"{name} {shown[top]}", f"over {shown[bottom]}"))
        return _Judged(found, "clear", f"{better} helps ({gained(found.gain, found.low, found.high, over)})")
    return _Judged(ends, "not clear yet", not_clear(name, ends.low, ends.high))


def _hardly(name: str, found: _Difference) -> _Judged:
    return _Judged(found, "hardly matters", hardly_matters(name, found.low, found.high), f"{name} hardly matters")


def _best_inside(curve: Curve) -> tuple[str, str] | None:
    """Between which levels a number is best, where that is surely inside its range."""
    if len(curve.codes) < 3:
        return None
    top = np.argmax(curve.drawn, axis=1)
    inside = curve.bent & (top > 0) & (top < len(curve.codes) - 1)
    if inside.mean() < SURE:
        return None
    values = np.array(curve.levels, dtype=np.float64)
    low, high = np.quantile(values[top[inside]], [0.1, 0.9], method="nearest").tolist()
    return show(low), show(high)


# -- categories


def _category(curve: Curve) -> _Judged:
    """Each level against the average of the others; of two, the better against the other."""
    name, L = curve.column.name, len(curve.codes)
    if L == 2:
        best = int(curve.chance[1] >= curve.chance[0])
        pairs: list[tuple[Sequence[int], Sequence[int]]] = [((best,), (1 - best,))]
    else:
        pairs = [((i,), [j for j in range(L) if j != i]) for i in range(L)]
    each = _differences(curve, pairs)
    widest = max(each, key=lambda one: one.reach)
    if widest.reach <= HARDLY:
        return _hardly(name, widest)
    clear = sorted((one for one in each if one.clear), key=lambda one: -one.clearness)
    if not clear:
        return _Judged(widest, "not clear yet", not_clear(name, widest.low, widest.high))
    told = [_helps(curve, one, first=i == 0) for i, one in enumerate(clear[:NAMED])]
    return _Judged(clear[0], "clear", ", ".join(told))


def _helps(curve: Curve, one: _Difference, *, first: bool) -> str:
    level = curve.levels[one.at[0]]
    verb, size = "helps" if one.gain > 0 else "hurts", gained(one.gain, one.low, one.high)
    if curve.column.kind == "boolean":  # two levels: said of True
        if level is True:
            return f"{curve.column.name} {verb} ({size})"
        return f"{curve.column.name} hurts ({gained(-one.gain, -one.high, -one.low)})"
    named = f"{curve.column.name} {show(level)}" if first else show(level)
    return f"{named} {verb} ({size})"
