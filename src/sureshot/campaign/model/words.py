"""Outcomes in a person's own words: ``single-walled``, ``success``, True, 1, or 7 of 10."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeAlias

import numpy as np

from sureshot.campaign.answers.wording import succeeded
from sureshot.errors import InvalidInput, UnknownName
from sureshot.said import Setting

__all__ = ["PENDING", "Outcome", "Words", "checked_words"]

Outcome: TypeAlias = str | bool | int
"""What may be told: a word, True or False, 1 or 0, or a count of successes with ``of``."""

#: In a table, the outcome of an experiment that is still running.
PENDING = "pending"
#: Understood in every campaign, whatever its own words are.
_SUCCESS, _FAILURE = frozenset({"success", "true", "1", "1.0"}), frozenset({"failure", "false", "0", "0.0"})


@dataclass(frozen=True, slots=True)
class Words:
    """What a campaign calls its two outcomes."""

    success: str
    failure: str

    def counts(self, outcome: object, of: object = None) -> tuple[int, int]:
        """Successes, and of how many.

        >>> Words("single-walled", "double-walled").counts("Single-walled")
        (1, 1)
        >>> Words("success", "failure").counts(7, 10)
        (7, 10)
        """
        value = outcome.item() if isinstance(outcome, np.generic) else outcome
        tries = of.item() if isinstance(of, np.generic) else of
        if tries is not None and not (isinstance(value, str) and _whole(tries) == 1):
            return _counted(value, tries)
        if isinstance(value, str):
            return self._word(value), 1
        if isinstance(value, bool | int | float) and value in (0, 1):
            return int(value), 1
        hint = " For several tries at once, say of how many with `of`." if isinstance(value, int) else ""
        rule = f"an outcome must be {self.success!r} (or 1) or {self.failure!r} (or 0), got {value!r}."
        raise InvalidInput(rule, hint, field="outcome", value=value)

    def name(self, successes: int, of: int) -> str:
        """How a person reads an outcome.

        >>> Words("works", "fails").name(0, 1), Words("works", "fails").name(7, 10)
        ('fails', 'works in 7 of 10')
        """
        if of == 1:
            return self.success if successes else self.failure
        return succeeded(self.success, successes, of)

    def _word(self, text: str) -> int:
        bare = text.strip().casefold()
        if bare in (self.success.casefold(), self.failure.casefold()):
            return int(bare == self.success.casefold())
        if bare in _SUCCESS | _FAILURE:
            return int(bare in _SUCCESS)
        several = " For successes of several tries, say how many tries with `of`." if bare.isdigit() else ""
        own = {word.casefold(): word for word in (self.success, self.failure)}
        meant = [own[word] for word in get_close_matches(bare, own, n=1)]
        near = f" Did you mean {meant[0]!r}?" if meant else ""
        rule = f"unknown outcome {text!r}: it must be {self.success!r} or {self.failure!r}."
        raise UnknownName(rule, several, near, field="outcome", value=text)


def checked_words(success: object, failure: object) -> Words:
    """The two words, if they can be told apart from each other and from what is always understood."""
    for name, word in (("success", success), ("failure", failure)):
        if not isinstance(word, str) or not word.strip() or word != word.strip() or not word.isprintable():
            rule = f"`{name}` must be a word or a few, without spaces at the ends"
            raise InvalidInput(rule, got=word, fix=f"leave it out for '{name}'")
    first, second = str(success), str(failure)
    if first.casefold() == second.casefold():
        rule = f"`success` and `failure` must differ, got {first!r} for both"
        raise InvalidInput(rule, value=first, fix="give one of them another word")
    if first.casefold() in _FAILURE | {PENDING} or second.casefold() in _SUCCESS | {PENDING}:
        both = Setting("success", first), ", ", Setting("failure", second)
        raise InvalidInput(*both, " would be misread", value=first, fix="choose other words")
    return Words(first, second)


def _whole(value: object) -> object:
    """A number that is whole, or the text of one, as an integer; else as it is."""
    try:
        number = float(value) if isinstance(value, float | str) else None
    except ValueError:
        return value
    return int(number) if number is not None and number.is_integer() else value


def _counted(value: object, tries: object) -> tuple[int, int]:
    won, total = (_whole(v) for v in (value, tries))
    if isinstance(won, bool) or isinstance(total, bool) or not isinstance(won, int) or not isinstance(total, int):
        rule = f"with `of`, an outcome is a whole number of successes, got {value!r} of {tries!r}."
        raise InvalidInput(rule, value=tries)
    if total < 1 or not 0 <= won <= total:
        rule = f"successes must lie between 0 and `of`, and `of` be at least 1, got {won} of {total}."
        raise InvalidInput(rule, value=total)
    return won, total
