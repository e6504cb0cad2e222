"""Figures as files: PNG, SVG and PDF by matplotlib, a page that works offline by Plotly."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

from sureshot.errors import InvalidInput
from sureshot.files import free_path, write_whole
from sureshot.viz.libraries import Backend

__all__ = ["KEPT", "backend_for", "picture_path", "png", "save"]

#: Endings of pictures, and what draws each.
KEPT: dict[str, Backend] = {".html": "plotly", ".pdf": "matplotlib", ".png": "matplotlib", ".svg": "matplotlib"}


def picture_path(path: str | os.PathLike[str], *, force: bool = True) -> Path:
    """Where a picture is to go; refused if it can't, or if something is there and is not to be overwritten."""
    to = Path(path)
    if to.suffix.lower() not in KEPT:
        raise InvalidInput(f"a picture must end in {', '.join(KEPT)}, got {to.name!r}.")
    return free_path(to, force=force)


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

        write_whole(to, picture_page(figure).encode())
        return to
    if not hasattr(figure, "savefig"):
        raise InvalidInput(f"{to.name!r} needs a figure of matplotlib, got one of Plotly: name an .html file.")
    undated: dict[str, Any] = {".png": {"Software": None}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    content = io.BytesIO()
    figure.savefig(content, format=ending[1:], dpi=150, metadata=undated[ending])  # the same figure, the same file
    write_whole(to, content.getvalue())
    return to


def png(figure: Any) -> bytes:
    """A figure of matplotlib as PNG, for a page that shows it as it is."""
    content = io.BytesIO()
    figure.savefig(content, format="png", dpi=120, metadata={"Software": None})
    return content.getvalue()
