"""Small wordings of the command line; chances and values are worded by :mod:`sureshot.campaign.results`."""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["but", "case", "chance", "count", "for_the_shell", "pairs"]


def count(number: int, noun: str) -> str:
    """A number with its noun.

    >>> count(1, "trial"), count(30, "trial"), count(1200, "alternative")
    ('1 trial', '30 trials', '1,200 alternatives')
    """
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def chance(probability: float) -> str:
    """A chance that was counted over draws, which never prove that it is none or certain.

    >>> chance(0.38), chance(0.0), chance(1.0)
    ('38 %', '<1 %', '>99 %')
    """
    if probability > 0.995:
        return ">99 %"
    return "<1 %" if probability < 0.005 else f"{100 * probability:.0f} %"


def but(label: str, known: str) -> str:
    """What differs in an alternative from one that the reader has just read.

    >>> but("power 8, ethylene 10, catalyst Co", "power 14, ethylene 10, catalyst Co")
    'power 8'
    """
    parts, others = label.split(", "), known.split(", ")
    differing = [part for part, other in zip(parts, others, strict=False) if part != other]
    return ", ".join(differing) if len(parts) == len(others) and differing else label


def for_the_shell(message: str) -> str:
    """A fix that is written for Python, as it is typed in a shell.

    >>> for_the_shell("say that the column holds names with kinds={'batch': 'category'}.")
    'say that the column holds names with --names batch.'
    """
    message = re.sub(r"kinds=\{'(\w+)': 'category'\}", r"--names \1", message)
    message = message.replace('duplicates="merge"', "--merge")
    message = message.replace("beyond_budget=True", "--beyond-budget")
    message = re.sub(
        r"give context=\{\.\.\.\} with ([\w, ]+), got None",
        lambda found: "add " + " ".join(f"--context {name}=..." for name in found[1].split(", ")),
        message,
    )
    message = re.sub(r"\b(best|ask)\(\)", r"sureshot \1", message)
    message = re.sub(r"`(\w+)`", lambda found: found[1], message)
    return " ".join(message.split())  # one line


def case(context: Mapping[str, object]) -> str:
    """A context as a person reads it.

    >>> case({"age": 61.0, "ward": "A"})
    'age 61, ward A'
    """
    from sureshot.space.column import show

    return ", ".join(f"{name} {show(value)}" for name, value in context.items())


def pairs(texts: list[str], what: str) -> dict[str, str]:
    """``name=value`` texts, each name once; commas may part several in one text.

    >>> pairs(["power=14,catalyst=Co"], "--at")
    {'power': '14', 'catalyst': 'Co'}
    """
    from sureshot.errors import InvalidInput

    found: dict[str, str] = {}
    for text in texts:
        for one in re.split(r",(?=\s*\w+\s*=)", text):
            name, equals, value = (part.strip() for part in one.partition("="))
            if not equals or not name or not value:
                raise InvalidInput(f"{what} must be written name=value, got {one!r}: for example power=14,catalyst=Co.")
            if name in found:
                raise InvalidInput(f"{what} must name {name} once, got it twice: remove one.")
            found[name] = value
    return found
