"""Commands about how campaigns are kept: import, rename, archive, delete."""

from __future__ import annotations

import re
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sureshot.campaign.answers.wording import count
from sureshot.cli import show
from sureshot.cli.options import Author, Json, Name, Store
from sureshot.cli.screen.output import console, json_text, say
from sureshot.cli.screen.visible import visible
from sureshot.cli.session import kept, named_again, opened, store_name
from sureshot.errors import OutOfDate, SureshotError
from sureshot.said import Text

if TYPE_CHECKING:
    from sureshot.campaign import Imported
    from sureshot.storage import Storage

__all__ = ["archive", "delete", "import_", "rename"]

Which = Annotated[str, typer.Argument(metavar="NAME", help="Its name.")]


def import_(
    file: Annotated[
        Path,
        typer.Argument(
            help="A table with a column for each parameter and one for the outcome; or a campaign in .json."
        ),
    ],
    outcome: Annotated[str, typer.Option(help="The column with the outcomes.")] = "outcome",
    of: Annotated[
        str | None, typer.Option("--of", help="The column that says of how many tries; 'of', if there is one.")
    ] = None,
    refuse_blank: Annotated[
        bool, typer.Option("--refuse-blank", help="Refuse rows without an outcome instead of passing over them.")
    ] = False,
    only_new: Annotated[
        bool, typer.Option("--only-new", help="Leave out the rows that an earlier import recorded.")
    ] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Record all rows, also those that an earlier import recorded.")
    ] = False,
    as_name: Annotated[
        str | None, typer.Option("--as", help="Another name for the campaign in a .json file.", metavar="NAME")
    ] = None,
    author: Author = "",
    campaign: Name = None,
    storage: Store = None,
    as_json: Json = False,
) -> None:
    """Record experiments that were never asked, all rows of a file or none; or make a campaign that export wrote."""
    if file.suffix.lower() == ".json":
        if of or refuse_blank or only_new or again:
            raise typer.BadParameter("a .json file is a whole campaign: options about rows are for tables.")
        return _whole(file, as_name, storage, as_json=as_json)
    if as_name is not None:
        raise typer.BadParameter("--as names the campaign in a .json file: leave it out for a table.")
    if only_new and again:
        raise typer.BadParameter("--only-new and --again exclude each other: leave one out.")
    blank: Any = "refuse" if refuse_blank else "skip"
    repeated: Any = "skip" if only_new else "record" if again else "refuse"
    with opened(campaign, storage) as found:
        done: Imported = found.import_table(
            file, outcome=outcome, of=of, author=author or None, blank=blank, repeated=repeated
        )
        whole = {"imported": done.recorded, "file": str(file), **done.to_dict()}
        return say(whole, lambda: show.imported(done, file.name), as_json=as_json)


def _whole(file: Path, name: str | None, storage: str | None, *, as_json: bool) -> None:
    """A campaign made again, with all its events."""
    from sureshot.campaign import Campaign

    made = Campaign.import_export(file, as_name=name, storage=storage)
    with closing(made.storage):
        events = made.status().events
        told = f"Campaign {made.name} with {count(events, 'event')} from {file.name}, kept in {store_name(storage)}"
        whole = {"campaign": made.name, "events": events, "file": str(file)}
        say(whole, lambda: console().print(told), as_json=as_json)


def rename(
    old: Annotated[str, typer.Argument(metavar="OLD", help="Its name.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="Its new name.")],
    storage: Store = None,
    as_json: Json = False,
) -> None:
    """Give a campaign another name; its trials and events stay as they are."""
    with kept(old, storage) as (store, record):
        store.rename_campaign(record.id, new)
        say({"old": old, "new": new}, lambda: console().print(f"Campaign {old} is now called {new}."), as_json=as_json)


def archive(
    name: Which,
    undo: Annotated[bool, typer.Option("--undo", help="Bring it back into the list.")] = False,
    storage: Store = None,
    as_json: Json = False,
) -> None:
    """Leave a campaign out of the list and of commands that name none, until --undo; nothing is lost."""
    with kept(name, storage) as (store, record):
        store.archive_campaign(record.id, archived=not undo)
        told = "is in use again" if undo else "is archived: sureshot status --all lists it, --campaign names it"
        whole = {"campaign": name, "archived": not undo}
        say(whole, lambda: console().print(f"Campaign {name} {told}."), as_json=as_json)


def delete(
    name: Which,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    no_export: Annotated[bool, typer.Option("--no-export", help="Keep no copy.")] = False,
    storage: Store = None,
    as_json: Json = False,
) -> None:
    """Remove a campaign from its store, for ever. A copy is written to a file, from which import makes it again."""
    from sureshot.files import write_whole
    from sureshot.storage import exported_campaign

    with kept(name, storage) as (store, record):
        written = store.events(record.id)
        events, trials = len(written), len({one.trial for one in written if one.trial is not None})
        unread = _unread(name, store)
        file = None if no_export else _unused(name)
        if not yes:
            copy = "No copy is kept." if file is None else f"A copy is kept in {file}."
            held = f"{count(trials, 'trial')}, {count(events, 'event')}"
            typer.confirm(visible(f"Delete campaign {name} ({held}) for ever? {copy}"), abort=True, err=True)
        if file is not None:
            write_whole(file, json_text(exported_campaign(record, written)).encode())
        try:
            store.delete_campaign(record.id, expected_last=events)
        except OutOfDate:  # nothing is deleted
            if file is not None:
                file.unlink(missing_ok=True)
            raise
        except SureshotError as error:  # the campaign may be gone: this may be the only copy
            if file is not None:
                error.sentence = Text(error.sentence, f" A copy is kept in {file}.")
            raise
    again = "" if file is None else f" sureshot import {file}{named_again(None, storage)} makes it again."
    if unread is not None and file is not None:
        again = f" What it held is in {file}, which import refuses, as it can't be read: {unread}"
    told = {"deleted": name, "events": events, "export": None if file is None else str(file)}
    say(told, lambda: console().print(f"Campaign {name} is deleted.{again}"), as_json=as_json)


def _unread(name: str, store: Storage) -> str | None:
    """Why a campaign can't be read, whose events are as they were recorded; None: it can."""
    from sureshot.campaign import Campaign

    try:
        Campaign.open(name, store).last_event()
    except SureshotError as error:
        return str(error)
    return None


def _unused(name: str) -> Path:
    """A file in the working folder that is not there yet: the campaign's name and today."""
    word = re.sub(r"[^\w.-]+", "-", name).strip("-.") or "campaign"
    stem = f"{word}-{date.today().isoformat()}"
    tries = (Path(f"{stem}.json" if i == 1 else f"{stem}-{i}.json") for i in range(1, 10_000))
    return next(path for path in tries if not path.exists())
