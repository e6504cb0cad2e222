"""What a stored space, design or shape must be to be read: of a known version, and as ``to_dict`` wrote it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sureshot.errors import InvalidInput, SureshotError

__all__ = ["misfit", "reading"]


@contextmanager
def reading(what: str, stored: Mapping[str, Any], versions: tuple[int, ...] = (1,)) -> Iterator[None]:
    """Refuse another version; what goes wrong within is an error about the stored ``what``."""
    try:
        if stored["version"] not in versions:
            raise InvalidInput(
                f"a stored {what} must be of version {' or '.join(map(str, versions))}, got {stored['version']!r}",
                fix="update sureshot",
            )
        yield
    except SureshotError:
        raise
    except (AttributeError, LookupError, OverflowError, TypeError, ValueError) as error:
        raise InvalidInput(f"a stored {what} must be what to_dict wrote: {error!r} is wrong in it.") from error


def misfit(what: str) -> InvalidInput:
    """The error for something stored whose parts do not fit together."""
    return InvalidInput(f"a stored {what} must be what to_dict wrote, and its parts do not fit together.")
