"""What another campaign learned, as a prior."""

from __future__ import annotations

from fuzz.nested import inside as mutated  # noqa: F401  # what the frame looks for


def target(data: bytes) -> None:
    """A campaign that begins with it; of the sort that it says to be from."""
    from fuzz.stored import looked_at
    from sureshot import Actions, Campaign, Contexts, Space
    from sureshot.documents import read_json

    found = read_json(data)
    desk = isinstance(found, dict) and found.get("contexts") is not None
    if desk:
        space, context = Actions(["treat", "wait"]), Contexts(age=(18, 90), ward=["A", "B"])
    elif isinstance(found, dict) and "formula" in str(found.get("design", ""))[:60]:
        space, context = Space.grid(power=[1, 2, 3]), None
    else:
        space, context = Space.grid(power="8,10,12 W", gas=["Ar", "He"], hot=[True, False]), None
    looked_at(Campaign.create("it", space, context=context, prior=found, policy="random", storage=":memory:"))
