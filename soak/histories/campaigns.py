"""Campaigns through their public door: asks, outcomes late and out of order, corrections, withdrawals. What they answer
is what a fresh replay of their events answers, and what a fit of what counts gives.

What counts is kept here in a plain list beside the campaign, which knows nothing of events.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from soak.histories.made import DESIGNS, made_campaign, some_case
from soak.histories.seen import Seen, same_belief
from sureshot import Campaign, core
from sureshot.campaign.log import log as kept
from sureshot.campaign.log.believed import BLOCK, TOGETHER, fits
from sureshot.core.numerics.stable import Array
from sureshot.storage import open_storage

__all__ = ["campaign", "long_campaign"]

#: A snapshot after so many outcomes, in place of 4,096: of a history that is played within a second.
SOON = BLOCK


class Told(NamedTuple):
    """What is known of a trial beside the campaign."""

    alternative: int
    case: dict[str, Any] | None
    won: int
    of: int


def campaign(seen: Seen, rng: np.random.Generator) -> str:
    """Tens of events, some hundreds in one of twelve."""
    design, steps = str(rng.choice(DESIGNS)), int(np.exp(rng.uniform(np.log(5), np.log(60))))
    if rng.random() < 1 / 12:
        steps = int(rng.integers(200, 400))
    made = made_campaign(rng, design)
    try:
        known, midway = _played(seen, made, rng, steps)
        _as_listed(seen, made, known)
        _as_replayed(seen, made, rng)
        if midway is not None:
            event, belief = midway
            seen.must(same_belief(made.rewind(event).belief, belief), f"the belief as of event {event} is another now")
    finally:
        made.storage.close()
    return f"{design}{', hundreds of events' if steps >= 200 else ''}"


def long_campaign(seen: Seen, rng: np.random.Generator) -> str:
    """More outcomes than are fitted together, with a snapshot, then some of them corrected or withdrawn."""
    design = str(rng.choice(["straight", "curved", "formula", "contexts"]))
    before, kept.SNAPSHOT_EVERY = kept.SNAPSHOT_EVERY, SOON
    made = made_campaign(rng, design)
    try:
        known: dict[int, Told] = {}
        for size in (TOGETHER + int(rng.integers(0, 3)), int(rng.integers(1, 2 * BLOCK))):
            _imported(made, rng, known, size)
            _ = made.belief if rng.random() < 0.7 else None
        _as_replayed(seen, made, rng)
        for _ in range(int(rng.integers(1, 6))):
            trial = int(rng.choice(list(known)))
            _changed(made, rng, known, trial)
            _ = made.belief if rng.random() < 0.5 else None
        _imported(made, rng, known, int(rng.integers(1, 20)))
        _as_listed(seen, made, known)
        _as_replayed(seen, made, rng)
    finally:
        kept.SNAPSHOT_EVERY = before
        made.storage.close()
    return f"{design}, with a snapshot"


def _played(
    seen: Seen, made: Campaign, rng: np.random.Generator, steps: int
) -> tuple[dict[int, Told], tuple[int, core.Belief | core.Mixture] | None]:
    """So many things done, some of them with a look in between; what counts, and the belief midway."""
    pool, known, waiting = made.spec.pool, {}, {}
    p = rng.choice([0.0, 0.3, 0.5, 1.0]) if rng.random() < 0.4 else None
    chance = rng.beta(0.5, 0.5, len(pool.space)) if p is None else np.full(len(pool.space), p)
    asks, midway = 0, None
    for step in range(steps):
        case = some_case(rng) if pool.contextual else None
        what = rng.choice(["ask", "tell", "new", "new", "new", "change", "note"])
        if what == "ask" and asks < 8:
            asks += 1
            trial = made.ask(case)
            value = trial.value
            seen.must(0.0 <= trial.probability <= 1.0, f"a trial with a chance of {trial.probability}")
            seen.must(value is None or (np.isfinite(value) and value >= 0.0), f"a trial of value {value}")
            waiting[trial.number] = Told(trial.alternative, case, 0, 1)
        elif what == "tell" and waiting:
            number = int(rng.choice(list(waiting)))
            one = waiting.pop(number)
            known[number] = one._replace(won=int(rng.random() < chance[one.alternative]))
            made.tell(number, bool(known[number].won))
        elif what == "change" and known:
            _changed(made, rng, known, int(rng.choice(list(known))))
        elif what == "note":
            made.note("a remark")
        else:
            of = int(rng.choice([1, 1, 1, 5, 40]))
            at = int(rng.integers(len(pool.space)))
            won = int(rng.binomial(of, chance[at]))
            number = made.tell_new(at, won, of=of, context=case).trial
            known[number] = Told(at, case, won, of)
        if step == steps // 2:
            midway = made.last_event(), made.belief
        elif rng.random() < 0.1:
            made.best(case)
    return known, midway


def _changed(made: Campaign, rng: np.random.Generator, known: dict[int, Told], trial: int) -> None:
    """An outcome corrected, or withdrawn."""
    if rng.random() < 0.5:
        made.withdraw(trial)
        del known[trial]
        return
    one = known[trial]
    others = [won for won in range(one.of + 1) if won != one.won]
    known[trial] = one._replace(won=int(rng.choice(others)))
    made.correct(trial, known[trial].won, of=one.of)


def _imported(made: Campaign, rng: np.random.Generator, known: dict[int, Told], size: int) -> None:
    """Many outcomes at one call."""
    space, contextual = made.spec.pool.space, made.spec.pool.contextual
    at = rng.integers(0, len(space), size)
    won = (rng.random(size) < rng.beta(0.5, 0.5, len(space))[at]).astype(int)
    cases = [some_case(rng) for _ in range(4)]
    of_row = [cases[int(i)] if contextual else None for i in rng.integers(0, 4, size)]
    rows = [
        {**space.row(int(i)), **(case or {}), "outcome": int(y)} for i, case, y in zip(at, of_row, won, strict=True)
    ]
    found = made.import_table(rows, repeated="record")
    first, last = found.trials or (0, -1)
    for number, i, case, y in zip(range(first, last + 1), at, of_row, won, strict=True):
        known[number] = Told(int(i), case, int(y), 1)


def _as_listed(seen: Seen, made: Campaign, known: dict[int, Told]) -> None:
    """The belief is the fit of what counts, to the last bit; of more than are fitted together, the first are fitted and
    the others follow in blocks, each from what is left of the mixture.
    """
    status = made.status(checked=False)
    told = [known[number] for number in sorted(known)]
    seen.must(status.told == len(told), f"{status.told} outcomes count, {len(told)} were told")
    seen.must(status.successes == sum(one.won for one in told), "successes are not what was told")
    if len(told) > TOGETHER or not fits(made.spec.prior):
        return
    won, of = np.array([one.won for one in told], int), np.array([one.of for one in told], int)
    found = core.fit(made.spec.prior, _rows(made, told), won, of=of) if told else None
    belief = made.spec.prior if found is None else found.belief
    seen.must(same_belief(made.belief, belief), "the belief is not a fit of what counts")


def _rows(made: Campaign, told: list[Told]) -> Array:
    pool = made.spec.pool
    return np.stack([pool.matrix(one.case)[one.alternative] for one in told])


def _as_replayed(seen: Seen, made: Campaign, rng: np.random.Generator) -> None:
    """Opened again by another who knows nothing, and made again from an export in another store without a snapshot."""
    made.verify()
    case = some_case(rng) if made.spec.pool.contextual else None
    with_status = _answers(made, case), repr(made.status().to_dict())
    other = Campaign(made._log.record, made.storage, made.spec)
    seen.must(same_belief(made.belief, other.belief), "the belief is not what a fresh replay gives")
    seen.must(
        with_status == (_answers(other, case), repr(other.status().to_dict())), "a fresh replay answers otherwise"
    )
    elsewhere = Campaign.import_export(made.export(), storage=open_storage(":memory:"))
    try:
        seen.must(same_belief(made.belief, elsewhere.belief), "the belief is not what an export gives")
        seen.must(
            _answers(elsewhere, case) == with_status[0], "a campaign made again from its export answers otherwise"
        )
    finally:
        elsewhere.storage.close()


def _answers(made: Campaign, case: dict[str, Any] | None) -> tuple[str, str]:
    """All that it says of its alternatives, digit by digit."""
    predictions = made.predictions(context=case)
    p, low, high = predictions.chance, predictions.low, predictions.high
    if not ((low >= 0) & (low <= p) & (p <= high) & (high <= 1)).all():
        raise AssertionError("predictions out of order or of [0, 1]")
    value = predictions.value[~np.isnan(predictions.value)]
    if not (value >= 0.0).all():
        raise AssertionError(f"a trial of value {value.min()}")
    return repr(made.best(case).to_dict()), repr(predictions.to_dict())
