"""Files that a browser or a program keeps, and does not show."""

from __future__ import annotations

from urllib.parse import quote

from starlette.responses import Response

__all__ = ["attached"]


def attached(content: str, name: str, media_type: str) -> Response:
    r"""A file to be kept; its name in ASCII for old browsers, and as it is for all others. Half a character, which
    UTF-8 can't hold, is escaped.

    >>> answer = attached("Å\ud800", "Röhren.csv", "text/csv")
    >>> answer.headers["content-disposition"], answer.body
    ('attachment; filename="Rhren.csv"; filename*=UTF-8\'\'R%C3%B6hren.csv', b'\xc3\x85\\ud800')
    """
    plain = name.encode("ascii", "ignore").decode() or "file"
    told = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name)}"
    kept = content.encode("utf-8", "backslashreplace")
    return Response(kept, media_type=f"{media_type}; charset=utf-8", headers={"Content-Disposition": told})
