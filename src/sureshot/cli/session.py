"""One command's hold on a campaign: opened, used, let go."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from sureshot.errors import InvalidInput, UnknownName
from sureshot.said import Setting, Text

if TYPE_CHECKING:
    from sureshot.campaign import Campaign
    from sureshot.storage import CampaignRecord, Storage

__all__ = ["kept", "leaving_out", "named_again", "opened", "store_name", "trial_number"]


@contextmanager
def opened(name: str | None, storage: str | None) -> Iterator[Campaign]:
    """The campaign of that name, or the only one in the store. A store that is missing is an error, not made."""
    from sureshot.campaign import Campaign
    from sureshot.storage import open_storage

    with closing(open_storage(storage, create=False)) as store:
        if name is None:
            every = store.campaigns()
            held = [one.name for one in every if one.archived_at is None]
            if len(held) > 1:
                names = " or ".join(map(shlex.quote, held))
                raise UnknownName(f"{store_name(storage)} holds {len(held)} campaigns: add --campaign {names}.")
            if every and not held:
                names = " or ".join(shlex.quote(one.name) for one in every)
                raise UnknownName(f"all campaigns in {store_name(storage)} are archived: add --campaign {names}.")
            if not held:
                raise UnknownName(f"{store_name(storage)} holds no campaign yet: make one with sureshot new.")
        yield Campaign.open(name, store)


@contextmanager
def kept(name: str, storage: str | None) -> Iterator[tuple[Storage, CampaignRecord]]:
    """The campaign of that name as its store has it: also one that can't be read as a campaign."""
    from sureshot.storage import open_storage

    with closing(open_storage(storage, create=False)) as store:
        yield store, store.campaign(name)


def named_again(campaign: str | None, storage: str | None) -> str:
    """The options that a command to be typed next needs, so that it meets the same campaign. A password is left out,
    for what is shown may be seen and kept by others; where one was typed, it says where it comes from then.
    """
    from sureshot.storage.address import holds_password, without_password

    if storage is None or storage == os.environ.get("SURESHOT_STORAGE"):
        storage = ""
    words = [("-c", campaign), ("--storage", without_password(storage))]
    again = "".join(f" {option} {shlex.quote(value)}" for option, value in words if value)
    return f"{again} (the password: in PGPASSWORD or ~/.pgpass)" if holds_password(storage) else again


def store_name(storage: str | None) -> str:
    """How a person knows the store: the file's path, or the server without the password."""
    where = storage or "sureshot.db"
    if "://" not in where:
        return where
    from sureshot.storage.address import without_password

    scheme, _, rest = without_password(where).partition("://")
    if scheme.startswith("sqlite"):
        return rest.removeprefix("/")
    host = rest.rpartition("@")[2].partition("?")[0]
    return f"{scheme.partition('+')[0]}://{host}"


def trial_number(text: str) -> int:
    """The number of a trial as it was typed."""
    try:
        return int(text.removeprefix("#"))
    except ValueError:
        raise InvalidInput(
            f"a trial must be the number that sureshot ask gave, got {text!r}: for example sureshot tell 1 success."
        ) from None


@contextmanager
def leaving_out() -> Iterator[None]:
    """A column of a file that can't be read as a parameter may be none: say how to leave it out."""
    try:
        yield
    except InvalidInput as error:
        if error.place and error.field:  # about a cell of that column
            without = Setting("without", [error.field])
            error.sentence = Text(error.sentence, " If it is not a parameter: ", without, ".")
        raise
