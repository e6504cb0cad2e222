"""What the records of a campaign have in common: each can be written as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

__all__ = ["Document"]


class Document:
    """Values that JSON can hold."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """All fields, for ``json.dumps``."""
        return asdict(self)  # type: ignore[call-overload,no-any-return]
