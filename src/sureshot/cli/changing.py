"""``sureshot new NAME --from OLD``: the alternatives and outcomes of a campaign, under another model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sureshot.campaign.model.options import fields
from sureshot.campaign.recipe import understood
from sureshot.cli.options import typed
from sureshot.errors import InvalidInput

if TYPE_CHECKING:
    from sureshot.campaign import Campaign

__all__ = ["create_from"]


def create_from(name: str | None, old: str, old_storage: str | None, said: Mapping[str, Any]) -> Campaign:
    """Make the campaign, beside the old one or in another store."""
    from sureshot.campaign import Campaign
    from sureshot.storage import open_storage

    if name is None or name.lower().endswith(".toml"):
        raise InvalidInput(
            f"with --from, the new campaign must have a name, got {'none' if name is None else repr(name)}: write "
            f"sureshot new NAME --from {old}."
        )
    extra = next((typed(one.name) for one in fields("alternatives", "cases", "words") if said.get(one.name)), None)
    if extra is not None:
        raise InvalidInput(
            f"alternatives, cases and words come from campaign {old!r} with --from, got {extra}: leave it out, or make "
            "a campaign without --from."
        )
    changes = understood(said)
    storage = changes.pop("storage", None)
    source = open_storage(old_storage or storage, create=False)
    try:
        earlier = Campaign.open(old, source)
        target = None if old_storage is None else open_storage(storage)
        made = Campaign.create_from(name, earlier, storage=target, **changes)
    except BaseException:
        source.close()
        raise
    if target is not None:
        source.close()
    return made
