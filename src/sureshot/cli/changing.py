"""``sureshot new NAME --from OLD``: the alternatives and outcomes of a campaign, under another model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sureshot.cli.recipe import Recipe, model_and_aim
from sureshot.errors import InvalidInput

if TYPE_CHECKING:
    from sureshot.campaign import Campaign

__all__ = ["create_from"]

#: What comes from the old campaign, and how it is typed.
_COMES_ALONG = {
    "parameters": "--param",
    "candidates": "--candidates",
    "where": "--where",
    "without": "--without",
    "names": "--names",
    "merge": "--merge",
    "context": "--context",
    "success": "--success",
    "failure": "--failure",
}


def create_from(name: str | None, old: str, old_storage: str | None, said: Mapping[str, Any]) -> Campaign:
    """Make the campaign, beside the old one or in another store."""
    from sureshot.campaign import Campaign
    from sureshot.storage import open_storage

    if name is None or name.lower().endswith(".toml"):
        raise InvalidInput(
            f"with --from, the new campaign must have a name, got {'none' if name is None else repr(name)}: write "
            f"sureshot new NAME --from {old}."
        )
    extra = next((typed for key, typed in _COMES_ALONG.items() if said[key]), None)
    if extra is not None:
        raise InvalidInput(
            f"alternatives, cases and words come from campaign {old!r} with --from, got {extra}: leave it out, or make "
            "a campaign without --from."
        )
    changes = model_and_aim(Recipe().but(**said))
    source = open_storage(old_storage or said["storage"], create=False)
    try:
        earlier = Campaign.open(old, source)
        target = None if old_storage is None else open_storage(said["storage"])
        made = Campaign.create_from(name, earlier, storage=target, **changes)
    except BaseException:
        source.close()
        raise
    if target is not None:
        source.close()
    return made
