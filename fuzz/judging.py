"""Whether a format kept its promise for one input; if not, what happened instead."""

from __future__ import annotations

import hashlib
import json
import time
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fuzz.limits import SECONDS, TooSlow, timed

__all__ = ["Broken", "Unreadable", "judged"]

#: Characters of an error that a person still reads.
_LONGEST = 5_000


class Unreadable(Exception):
    """An error raised on purpose that nobody could read."""


@dataclass(frozen=True)
class Broken:
    """A promise that was broken."""

    what: str  # the kind of exception and the line that raised it: the same for two inputs that show one mistake
    told: str  # all of it

    @property
    def name(self) -> str:
        """A short name for a file."""
        return hashlib.sha256(self.what.encode()).hexdigest()[:12]


def judged(target: Callable[[bytes], None], data: bytes, *, seconds: float = SECONDS) -> Broken | None:
    """What was wrong with how the target took the input, if anything was."""
    from sureshot.errors import Notice, SureshotError

    begun = time.process_time()
    try:
        with warnings.catch_warnings(), timed(seconds):
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", Notice)
            try:
                target(data)
            except SureshotError as error:
                _read(error)
    except TooSlow as error:
        return Broken(f"TooSlow at {_place(error)}", _told(error))
    except Unreadable as error:
        return Broken(
            f"{type(error.__cause__).__name__} that nobody can read at {_place(error.__cause__)}", _told(error)
        )
    except Exception as error:
        return Broken(f"{type(error).__name__} at {_place(error)}", _told(error))
    took = time.process_time() - begun
    return Broken("TooSlow where nothing can be interrupted", f"{took:.1f} s") if took > seconds else None


def _read(error: Exception) -> None:
    """An error as a shell shows it: words, not too many, that can be written down."""
    try:
        text = str(error)
        text.encode()
        json.dumps(error.as_dict()).encode()  # type: ignore[attr-defined]
    except Exception as why:
        raise Unreadable(f"it can't be written down: {why}") from error
    if not text.strip() or len(text) > _LONGEST:
        raise Unreadable(f"it has {len(text):,} characters: {text[:200]}") from error


def _place(error: BaseException | None) -> str:
    """The last line of sureshot's that was on the way: a mistake is there, whatever library raised it."""
    import sureshot

    ours, here = Path(sureshot.__file__).parent, Path(__file__).parent
    every = [] if error is None else traceback.extract_tb(error.__traceback__)
    others = [frame for frame in every if here not in Path(frame.filename).parents]
    at = ([frame for frame in others if ours in Path(frame.filename).parents] or others or every)[-1:]
    return f"{Path(at[0].filename).name}:{at[0].lineno}" if at else "nowhere"


def _told(error: BaseException) -> str:
    return "".join(traceback.format_exception(error))[-20_000:]
