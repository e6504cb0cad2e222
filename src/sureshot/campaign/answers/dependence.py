"""The chance of success at each level of a parameter, all else as it is: partial dependence, in draws of the belief.

For each draw, every alternative (or a sample of them) is given each level of the parameter in turn, its other
parameters as they are, and the chances are averaged (Friedman 2001, "Greedy function approximation", section 8.2). So
what goes along with the parameter in the pool is not taken for its effect. Where a constraint forbids a level, this is
what the model says of it all the same; where the features have no value there, the average is over the alternatives of
the pool that have the level.

What is said of a parameter is a difference between levels under the same draw: its interval is that of the difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sureshot.campaign.answers.fit.bends import bending
from sureshot.campaign.log.ledger import Ledger
from sureshot.campaign.model.pool import Pool
from sureshot.core import Belief, Mixture, check, predictive
from sureshot.core.beliefs.mixture import sample_components, scores_of
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput
from sureshot.space.tables.column import Column, Value, plain
from sureshot.space.tables.table import Table

__all__ = ["Curve", "curves"]

#: Draws of the belief: the ends of a 95 % interval have a standard error of 0.09 of the standard deviation.
DRAWS = 1_000
#: Alternatives that chances are averaged over, at most and (where there are so many) at least ...
AVERAGED, FEWEST = 500, 100
#: ... and in between, so many settings in all, each alternative with each level: then the command ``best``, which says
#: the clearest of it, takes about a tenth longer.
SETTINGS = 4_000
#: Settings whose chances are drawn at once.
AT_ONCE = 5_000
#: Levels of a number that are looked at: of more, so many from the lowest to the highest, which stand for those nearby.
GROUPS = 12

Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """The average chance at each of L levels of a parameter."""

    column: Column
    codes: Rows  # (L,) which of the column's levels
    group: Rows  # (all levels of the column,) at which of the L each is counted; -1: no alternative has it
    chance: Array  # (L,)
    drawn: Array  # (DRAWS, L)
    bent: NDArray[np.bool_]  # (DRAWS,) whether the draw is from a belief in which this parameter may bend

    @property
    def levels(self) -> tuple[Value, ...]:
        """The levels, as plain values."""
        return tuple(plain(one) for one in self.column.levels[self.codes])


@dataclass(frozen=True, slots=True, eq=False)
class _Averaged:
    """The alternatives that chances are averaged over, each in one of the cases, and how much each counts."""

    rows: Rows  # (R,)
    cases: Sequence[Mapping[str, Value]]
    which: Rows  # (R,)
    weight: Array  # (R,), summing to one


@dataclass(frozen=True, slots=True, eq=False)
class _Task:
    """Some levels of one parameter."""

    at: int  # which parameter
    column: Column
    codes: Rows  # (l,)


def curves(
    pool: Pool,
    ledger: Ledger,
    belief: Belief | Mixture,
    context: Mapping[str, Value] | None,
    rng: np.random.Generator,
) -> list[Curve]:
    """The curve of each parameter that has several levels and is a part of the model, in the pool's order; in a
    (checked) ``context``, else averaged over the cases met lately.
    """
    used = {one.name for one in pool.design.action.inputs}
    named = [c for c in pool.space.columns if c.name in used and len(np.unique(c.codes)) > 1]
    if not named:
        return []
    levels = [_levels(column) for column in named]
    over = _averaged(pool, ledger, context, sum(len(codes) for codes, _ in levels), rng)
    drawn = sample_components(belief, rng, DRAWS)
    found: list[list[tuple[Array, Array]]] = [[] for _ in named]
    step = max(AT_ONCE // len(over.rows), 1)
    tasks = [
        _Task(i, column, codes[start : start + step])
        for i, (column, (codes, _)) in enumerate(zip(named, levels, strict=True))
        for start in range(0, len(codes), step)
    ]
    for task, chance, each in _evaluated(pool, belief, drawn, over, tasks, rng):
        found[task.at].append((chance, each))
    return [
        Curve(
            column=column,
            codes=codes,
            group=group,
            chance=np.concatenate([chance for chance, _ in parts]),
            drawn=np.concatenate([each for _, each in parts], axis=1),
            bent=np.concatenate([np.full(len(w), bending(pool, column.name, one)) for one, w in drawn]),
        )
        for column, (codes, group), parts in zip(named, levels, found, strict=True)
    ]


def _levels(column: Column) -> tuple[Rows, Rows]:
    """The levels that are looked at, a number's in rising order; and at which of them each level is counted."""
    there = np.unique(column.codes).astype(np.intp)
    if column.kind == "number":
        there = there[np.argsort(column.levels[there], kind="stable")]
    many = column.kind == "number" and len(there) > GROUPS
    at = np.round(np.linspace(0, len(there) - 1, GROUPS)).astype(np.intp) if many else np.arange(len(there))
    group = np.full(len(column.levels), -1, dtype=np.intp)
    group[there] = np.abs(np.arange(len(there))[:, None] - at).argmin(axis=1)
    return there[at], group


def _averaged(
    pool: Pool, ledger: Ledger, context: Mapping[str, Value] | None, levels: int, rng: np.random.Generator
) -> _Averaged:
    met: list[tuple[Mapping[str, Value], int]] = [({}, 1)]
    if pool.contextual:
        met = [(context, 1)] if context else list(pool.lately(ledger.trials.values()))
    M, size = len(pool.space), min(AVERAGED, max(FEWEST, SETTINGS // levels))
    often = np.array([times for _, times in met]) / sum(times for _, times in met)
    cases = [case for case, _ in met]
    if M * len(met) <= size:
        which = np.repeat(np.arange(len(met)), M)
        return _Averaged(np.tile(np.arange(M), len(met)), cases, which, often[which] / M)
    rows = ((np.arange(size) + rng.random(size)) * (M / size)).astype(np.intp)  # one of each stretch of the pool
    which = rng.choice(len(met), size, p=often) if len(met) > 1 else np.zeros(size, dtype=np.intp)
    return _Averaged(rows, cases, which, np.full(size, 1.0 / size))


def _evaluated(
    pool: Pool,
    belief: Belief | Mixture,
    drawn: Sequence[tuple[Belief, Array]],
    over: _Averaged,
    tasks: Sequence[_Task],
    rng: np.random.Generator,
) -> Iterator[tuple[_Task, Array, Array]]:
    """The chance at each level of each task, (l,), and under each draw, (DRAWS, l). On a small grid all parameters have
    the same settings, and these are looked at once.
    """
    wanted = [_settings(pool.space.table, over, task) for task in tasks]
    every, place = _distinct(wanted)
    if len(every) > AT_ONCE and len(tasks) > 1:
        for task in tasks:
            yield from _evaluated(pool, belief, drawn, over, [task], rng)
        return
    own = np.split(place, np.cumsum([len(one) for one in wanted])[:-1])
    try:
        X, order = _features(pool, every, over)
    except InvalidInput:  # a formula that has no value there
        for task in tasks:
            if len(tasks) > 1:
                yield from _evaluated(pool, belief, drawn, over, [task], rng)
            else:
                yield _of_the_pool(pool, belief, drawn, over, task, rng)
        return
    chance, each = predictive(belief, X), _chances(drawn, X, rng)
    for task, part in zip(tasks, own, strict=True):
        share = np.zeros((len(X), len(task.codes)))
        levels = np.repeat(np.arange(len(task.codes)), len(over.rows))
        np.add.at(share, (order[part], levels), np.tile(over.weight, len(task.codes)))
        mine = np.flatnonzero(share.any(axis=1))
        yield task, np.minimum(chance[mine] @ share[mine], 1.0), np.minimum(each[:, mine] @ share[mine], 1.0)


def _settings(table: Table, over: _Averaged, task: _Task) -> NDArray[np.int64]:
    """(l·R, parameters + 1): the codes of each alternative with each level in turn, and its case."""
    codes = np.stack([c.codes[over.rows] for c in table.columns] + [over.which], axis=1).astype(np.int64)
    found = np.tile(codes, (len(task.codes), 1))
    found[:, table.names.index(task.column.name)] = np.repeat(task.codes, len(over.rows))
    return found


def _distinct(wanted: Sequence[NDArray[np.int64]]) -> tuple[NDArray[np.int64], Rows]:
    """Settings without copies, and where each of those wanted is among them."""
    every = np.concatenate(wanted)
    sizes = every.max(axis=0) + 1
    if np.log2(sizes.astype(np.float64)).sum() < 62.0:  # then a setting is one number, which is quickly compared
        keys = np.ravel_multi_index(tuple(every.T), tuple(sizes.tolist()))
        _, first, place = np.unique(keys, return_index=True, return_inverse=True)
        return every[first], place.reshape(-1)
    found, place = np.unique(every, axis=0, return_inverse=True)
    return found, place.reshape(-1)


def _features(pool: Pool, settings: NDArray[np.int64], over: _Averaged) -> tuple[Array, Rows]:
    """The features of the settings, and where each stands among them. Where these are just the alternatives, as on a
    grid, they are the pool's own, of which much is known already.
    """
    columns = pool.space.table.columns
    table = Table(tuple(replace(c, codes=settings[:, k].astype(np.int32)) for k, c in enumerate(columns)))
    if not pool.contextual and len(settings) == len(pool.space) == len(over.rows):
        return pool.matrix(), pool.space.find_many(table)
    return check.frozen(pool.encoded(table, over.cases, settings[:, -1])), np.arange(len(settings))  # looked at often


def _chances(drawn: Sequence[tuple[Belief, Array]], X: Array, rng: np.random.Generator) -> Array:
    return np.concatenate([one.link.probability(f) for one, f in scores_of(drawn, X, rng)])


def _of_the_pool(
    pool: Pool,
    belief: Belief | Mixture,
    drawn: Sequence[tuple[Belief, Array]],
    over: _Averaged,
    task: _Task,
    rng: np.random.Generator,
) -> tuple[_Task, Array, Array]:
    """The same over the alternatives of the pool that have each level."""
    own = task.column.codes
    some = [rng.permutation(np.flatnonzero(own == code))[: len(over.rows)] for code in task.codes]
    which = [rng.choice(over.which, len(rows), p=over.weight) for rows in some]
    at = np.concatenate(some)
    X = pool.encoded(pool.space.table.take(at), over.cases, np.concatenate(which))
    share = np.zeros((len(at), len(some)))
    share[np.arange(len(at)), np.repeat(np.arange(len(some)), [len(rows) for rows in some])] = 1.0
    share /= share.sum(axis=0)
    return task, np.minimum(predictive(belief, X) @ share, 1.0), np.minimum(_chances(drawn, X, rng) @ share, 1.0)
