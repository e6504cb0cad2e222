"""Commands about a store as a whole: backup, doctor."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sureshot.campaign.answers.wording import count
from sureshot.cli.options import Force, Json, Store
from sureshot.cli.screen.output import console, say
from sureshot.cli.words import typed
from sureshot.said import said

if TYPE_CHECKING:
    from sureshot.storage import Examined

__all__ = ["backup", "doctor"]


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to: a SQLite file, a store like any other.")],
    force: Force = False,
    storage: Store = None,
    as_json: Json = False,
) -> None:
    """A copy of the whole store in one file, while others write; of a server too. It is proved before it is kept."""
    from sureshot import storage as stores

    done = stores.backup(storage, file, force=force)
    told = f"{count(done.campaigns, 'campaign')} with {count(done.events, 'event')} copied to {file}, and proved."
    say(done._asdict(), lambda: console().print(told), as_json=as_json)


def doctor(storage: Store = None, as_json: Json = False) -> None:
    """Look the whole store over: what is damaged, what to beware of, and what to do. Nothing is changed by that."""
    from sureshot import storage as stores
    from sureshot.campaign.examined import looked_into
    from sureshot.cli import REFUSED

    found = stores.doctor(storage, deeper=looked_into)
    say(_document(found), lambda: _show(found), as_json=as_json)
    if not found.sound:
        raise typer.Exit(REFUSED)


def _document(found: Examined) -> dict[str, object]:
    return {
        "store": found.place,
        "sound": found.sound,
        "schema": found.schema,
        "facts": found.facts,
        "campaigns": found.campaigns,
        "findings": found.findings,
    }


def _show(found: Examined) -> None:
    screen = console()
    for fact in found.facts:
        screen.print(f"{fact[:1].upper()}{fact[1:]}.")
    for one in found.campaigns:
        waiting = f", {count(one.pending, 'trial')} pending" if one.pending else ""
        state = f"sound, {count(one.events, 'event')}{waiting}" if one.sound else "damaged"
        screen.print(f"Campaign {one.name}: {state}.")
    for finding in found.findings:
        kind = "Damage" if finding.kind == "damage" else "Beware"
        screen.print(f"{kind}: {finding.about}: {said(finding.says, typed)}.")
        if finding.fix is not None:
            screen.print(f"  What to do: {said(finding.fix, typed)}.")
    if found.sound:
        screen.print("The store is sound: each event is what was recorded, and none is missing.")
