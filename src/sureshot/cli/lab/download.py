"""``sureshot lab download``: the UCI tables, which no other command goes to the network for."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sureshot.cli.options import Json

if TYPE_CHECKING:
    from sureshot.lab.worlds.real.uci_data import Facts

__all__ = ["download"]


def download(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder that they go into.")],
    as_json: Json = False,
) -> None:
    """Download the seven UCI tables from OpenML (0.4 MB, CC BY 4.0) into a folder; those that are there stay.

    Nothing else in sureshot goes to the network for data.
    """
    from sureshot.cli.screen.output import console, print_json
    from sureshot.lab.worlds import download_tables
    from sureshot.lab.worlds.real.uci_data import FOLDER

    screen = console(stderr=as_json)

    def tell(facts: Facts, new: bool) -> None:
        came = f"downloaded from OpenML (data set {facts.openml})" if new else "was there already"
        screen.print(f"{facts.file}: {facts.n} rows, {came}")

    made = download_tables(folder, progress=tell)
    if as_json:
        print_json({"folder": str(folder), "files": [str(path) for path in made]})
    else:
        screen.print(f"To use them: export {FOLDER}={shlex.quote(str(folder.absolute()))}", soft_wrap=True)
