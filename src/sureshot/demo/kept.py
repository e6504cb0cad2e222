"""A demo campaign that is kept in a store, for a person to go on with: the simulated lab answers when it is asked."""

from __future__ import annotations

from collections.abc import Sequence

from sureshot.campaign import Campaign, TrialRow
from sureshot.demo.labs import hundred, typical
from sureshot.demo.run import begin
from sureshot.demo.world import FAILURE, SUCCESS, World, nanotubes
from sureshot.errors import InvalidInput
from sureshot.said import Call, Text
from sureshot.storage import Storage

__all__ = ["LAB", "answer", "keep", "world_of"]

#: Who tells the outcomes of the simulated lab.
LAB = "simulated lab"
#: Trials that are made at first: enough to see what a campaign knows, with most of the budget left.
FIRST = 8


def keep(storage: Storage, *, seed: int | None = None, first: int = FIRST, author: str | None = None) -> Campaign:
    """A new campaign in a simulated nanotube lab with its ``first`` trials made, and a note that it is simulated.

    >>> from sureshot.storage import open_storage
    >>> store = open_storage(":memory:")
    >>> keep(store, seed=1, first=2)
    Campaign('nanotubes', 180 alternatives, 2 trials)
    >>> keep(store, seed=1, first=0).name
    'nanotubes 2'
    """
    world = nanotubes(typical(hundred()) if seed is None else seed)
    campaign = begin(world, storage=storage, name=_free_name([one.name for one in storage.campaigns()]))
    campaign.note_simulated("nanotubes", seed=world.seed, author=author)
    for _ in range(first):
        answer(campaign, campaign.ask(author=author).number)
    return campaign


def world_of(campaign: Campaign) -> World | None:
    """The simulated lab of a campaign, with its truth; None where experiments are real, or in a world of others."""
    noted = campaign.simulated
    if noted is None or noted.get("world") != "nanotubes":
        return None
    world = nanotubes(int(noted["seed"]))
    same = world.space.content_hash == campaign.spec.pool.space.content_hash
    return world if same else None


def answer(campaign: Campaign, trial: int) -> TrialRow:
    """Let the simulated lab answer a trial that is pending, and tell it. It answers the same, however often asked."""
    world = world_of(campaign)
    if world is None:
        raise InvalidInput(
            f"campaign {campaign.name!r} is not of a simulated lab",
            fix=Text("run the trial, then ", Call("tell", trial)),
        )
    asked = campaign.trial(trial)
    won = bool(world.answers(asked.position)[asked.position - 1, asked.alternative])
    return campaign.tell(trial, SUCCESS if won else FAILURE, author=LAB)


def _free_name(taken: Sequence[str]) -> str:
    name, number = "nanotubes", 1
    while (name if number == 1 else f"{name} {number}") in taken:
        number += 1
    return name if number == 1 else f"{name} {number}"
