"""What a store holds, as JSON, put into a store as it stands: with digests that are right, whatever the content."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sureshot import Campaign
    from sureshot.storage import MemoryStorage

__all__ = ["campaigns", "held", "looked_at"]


@cache
def campaigns() -> dict[str, Any]:
    """The exports of a small campaign of each sort, from which all inputs begin."""
    from sureshot import Actions, Campaign, Contexts, Space

    grid = Space.grid(power="8,10,12 W", gas=["Ar", "He"], hot=[True, False], where="power < 12 or hot")
    tubes = Campaign.create("tubes", grid, policy="random", seed=1, storage=":memory:")
    tubes.ask_batch(2)
    tubes.tell(1, "success", note="fine")
    tubes.tell_new({"power": 11, "gas": "He", "hot": True}, 2, of=3)
    tubes.correct(1, "failure")
    tubes.withdraw(2)
    tubes.note("a remark")
    cases = Contexts(age=(18, 90), ward=["A", "B"])
    desk = Campaign.create(
        "desk", Actions(["treat", "wait"]), context=cases, policy="random", shape="straight", seed=1, storage=":memory:"
    )
    desk.tell_new("treat", "success", context={"age": 61, "ward": "A"})
    desk.ask(context={"age": 30, "ward": "B"})
    plain = Campaign.create("plain", Space.grid(power=[1, 2, 3]), formula="power", prior=1.0, storage=":memory:")
    plain.tell_new({"power": 2}, 1)
    return {one.name: {**one.export(), "posterior": one.posterior()} for one in (tubes, desk, plain)}


def held(spec: Any, rows: Sequence[Sequence[Any]], *, seed: int = 1) -> MemoryStorage:
    """A store with a campaign of this specification, and the events that these rows are, of all columns but the
    digest: nothing of them was checked by a store.
    """
    from sureshot.storage import MemoryStorage, chain
    from sureshot.storage.memory import _Log
    from sureshot.storage.records import Event

    record = chain.new_record("it", spec, seed, None)._replace(id=1)
    every = list(rows)
    events = [Event(*row, digest) for row, digest in zip(every, chain.digests(record.digest, every), strict=True)]  # type: ignore[arg-type]
    store = MemoryStorage()
    log = store._logs[1] = _Log(record, events)
    for event in events:
        if event.trial is not None:
            log.trials.setdefault(event.trial, []).append(event)
    return store


def looked_at(campaign: Campaign) -> None:
    """Whatever a campaign answers; then another trial. What it does not answer must be refused in words."""
    from sureshot.errors import SureshotError

    refused: SureshotError | None = None
    contextual = campaign.spec.pool.contextual
    case = {"age": 40, "ward": "A"} if contextual else None
    for answer in (
        lambda: campaign.status(),
        lambda: campaign.history(),
        lambda: campaign.events(),
        lambda: campaign.best(case),
        lambda: campaign.predictions(context=case),
        lambda: campaign.posterior(),
        lambda: campaign.export(),
        lambda: [campaign.why(row.trial) for row in campaign.history() if row.asked],
        lambda: campaign.ask(context=case),
    ):
        try:
            str(answer())
        except SureshotError as error:
            refused = refused or error
    if refused is not None:
        raise refused
