"""Figures as files: PNG, SVG and PDF by matplotlib, a page that works offline by Plotly."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from sureshot.errors import Conflict, InvalidInput, SureshotError
from sureshot.said import Setting
from sureshot.viz.libraries import Backend

__all__ = ["KEPT", "backend_for", "free_path", "picture_path", "save"]

#: Endings of pictures, and what draws each.
KEPT: dict[str, Backend] = {".html": "plotly", ".pdf": "matplotlib", ".png": "matplotlib", ".svg": "matplotlib"}


def picture_path(path: str | os.PathLike[str], *, force: bool = True) -> Path:
    """Where a picture is to go; refused if it can't, or if something is there and is not to be overwritten."""
    to = Path(path)
    if to.suffix.lower() not in KEPT:
        raise InvalidInput(f"a picture must end in {', '.join(KEPT)}, got {to.name!r}.")
    return free_path(to, force=force)


def free_path(path: str | os.PathLike[str], *, force: bool) -> Path:
    """Where a file is to go: its folder is there, and nothing else is lost by it unless ``force`` says so."""
    to = Path(path)
    if not to.parent.is_dir():
        raise InvalidInput(f"there is no folder {str(to.parent)!r} to put {to.name!r} in: make it first.")
    if to.is_dir():
        raise InvalidInput(f"{str(to)!r} is a folder: name a file in it.")
    if to.exists() and not force:
        raise Conflict(
            f"{str(to)!r} is there already: name another file, or overwrite it with ", Setting("force", True), "."
        )
    return to


def backend_for(path: str | os.PathLike[str]) -> Backend:
    """What draws a picture with that ending."""
    return KEPT[picture_path(path).suffix.lower()]


def save(figure: Any, path: str | os.PathLike[str], *, force: bool = True) -> Path:
    """Keep a figure as HTML (Plotly's) or as PNG, SVG or PDF (matplotlib's), by the ending of its name.

    A page holds all that it needs, Plotly's JavaScript too, and asks no server for anything.
    """
    to = picture_path(path, force=force)
    ending = to.suffix.lower()
    if ending == ".html":
        if not hasattr(figure, "to_html"):
            raise InvalidInput(f"a page needs a Plotly figure, got one of matplotlib for {to.name!r}: name a .png.")
        from sureshot.viz.page import picture_page

        write_text(to, picture_page(figure))
        return to
    if not hasattr(figure, "savefig"):
        raise InvalidInput(f"{to.name!r} needs a figure of matplotlib, got one of Plotly: name an .html file.")
    undated: dict[str, Any] = {".png": {"Software": None}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    try:
        figure.savefig(to, dpi=150, metadata=undated[ending])  # the same figure, the same file
    except OSError as error:
        raise unwritten(to, error) from error
    return to


def write_text(to: Path, text: str) -> None:
    """Write a page."""
    try:
        to.write_text(text, encoding="utf-8")
    except OSError as error:
        raise unwritten(to, error) from error


def unwritten(to: Path, error: OSError) -> SureshotError:
    """The error for a file that can't be written."""
    return InvalidInput(f"{to} can't be written ({error.strerror or error}): choose another place.")
