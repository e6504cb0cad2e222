"""Small wordings of the command line; for chances, values and cases see :mod:`sureshot.campaign.answers.wording`."""

from __future__ import annotations

import re

__all__ = ["count", "for_the_shell", "pairs"]


def count(number: int, noun: str) -> str:
    """A number with its noun.

    >>> count(1, "trial"), count(30, "trial"), count(1200, "alternative")
    ('1 trial', '30 trials', '1,200 alternatives')
    """
    from sureshot.campaign.answers import wording

    return wording.count(number, noun)


#: What is written in Python, and how the same is typed.
_TYPED = (
    (r"kinds=\{'(\w+)': 'category'\}", r"--names \1"),
    (r"without=\['(\w+)'\]", r"--without \1"),
    (r"\b(outcome|of)='([^']*)'", r"--\1 \2"),
    (r'duplicates="merge"', "--merge"),
    (r"repeated='skip'", "--only-new"),
    (r"repeated='record'", "--again"),
    (r"beyond_budget=True", "--beyond-budget"),
    (r"interactions=True", "--interactions"),
    (r"\bvalue='([^']*)'", r"--value '\1'"),
    (r"\b(best|ask)\(\)", r"sureshot \1"),
    (r"\b(tell|correct)\((\d+), \.\.\.\)", r"sureshot \1 \2 OUTCOME"),
    (r"\btell_new\(\)", "sureshot tell --at"),
    (r"\bCampaign\.create\(\)", "sureshot new"),
)
_OPTIONS = {"prior": "--prior", "link": "--link", "formula": "--formula", "context": "--context", "of": "--of"}


def for_the_shell(message: str) -> str:
    """A fix that is written for Python, as it is typed in a shell.

    >>> for_the_shell("say that the column holds names with kinds={'batch': 'category'}.")
    'say that the column holds names with --names batch.'
    """
    for pattern, typed in _TYPED:
        message = re.sub(pattern, typed, message)
    message = re.sub(
        r"give context=\{\.\.\.\} with ([\w, ]+), got None",
        lambda found: "add " + " ".join(f"--context {name}=..." for name in found[1].split(", ")),
        message,
    )
    message = re.sub(r"`(\w+)`", lambda found: _OPTIONS.get(found[1], found[1]), message)
    return " ".join(message.split())  # one line


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
