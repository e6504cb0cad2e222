"""JSON as the server writes it, whatever text it is to hold."""

from __future__ import annotations

import json
from typing import Any

from starlette.responses import Response

__all__ = ["JsonAnswer"]


class JsonAnswer(Response):
    r"""A document in UTF-8. Half a character, which UTF-8 can't hold, is escaped as JSON does it.

    >>> JsonAnswer({"name": "Å\ud800"}).body.decode()
    '{"name":"Å\\ud800"}'
    """

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """As bytes."""
        text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode("utf-8", "backslashreplace")
