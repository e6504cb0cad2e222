"""What a column may be called: a word that can stand in a formula, a constraint and a Python call."""

from __future__ import annotations

import keyword
import re
from collections.abc import Container
from contextlib import suppress
from unicodedata import normalize

from sureshot.errors import InvalidInput

__all__ = ["check_name", "from_header", "meant"]

#: ``power (W)`` and ``power [W]``: a name and its unit, as tables from a lab have them.
_WITH_UNIT = re.compile(r"^(?P<name>.*?\S)\s*[(\[](?P<unit>[^()\[\]]*)[)\]]$")

#: Characters of a name.
LONGEST = 250
#: The name of the constant feature, which no column may take.
INTERCEPT = "Intercept"


def check_name(name: object) -> str:
    """A column's name in its one spelling (NFKC, as Python spells names), or an error with the fix.

    >>> check_name("power")
    'power'
    >>> check_name("lambda")
    Traceback (most recent call last):
    ...
    sureshot.errors.InvalidInput: a column must have another name than 'lambda', ...
    """
    text = normalize("NFKC", name) if isinstance(name, str) else name
    if isinstance(text, str) and len(text) > LONGEST:
        raise InvalidInput(
            f"a column's name may have {LONGEST} characters, got {len(text):,} ({text[:20]!r} ...)", fix="shorten it"
        )
    if not isinstance(text, str) or not text.isidentifier() or text.startswith("_"):
        raise InvalidInput(
            f"a column's name must be a word of letters, digits and _ that starts with a letter, got {name!r}",
            fix=f"rename it{_suggestion(name)}",
        )
    if keyword.iskeyword(text) or text == INTERCEPT:
        raise InvalidInput(
            f"a column must have another name than {text!r}, a word of the formula language", fix=f"call it '{text}1'"
        )
    return text


def from_header(header: object) -> tuple[str, str]:
    """Name and unit from the header of a table: what can't be in a name becomes ``_``, brackets hold the unit.

    >>> from_header("Flow rate (sccm)"), from_header("2-propanol"), from_header("A/B")
    (('Flow_rate', 'sccm'), ('x2_propanol', ''), ('A_B', ''))
    """
    text = normalize("NFKC", str(header)).strip()
    match = _WITH_UNIT.match(text)
    bare, unit = (match["name"], match["unit"].strip()) if match else (text, "")
    word = re.sub(r"[\s\-]+", "_", bare)
    other = "" if word.isidentifier() or not re.search(r"[^\W\d_]", word) else _nearest_word(word)  # not for a number
    return check_name(other or word), unit


def meant(header: str, names: Container[str]) -> str:
    """The one of these names that a header stands for (``Flow rate (sccm)``: Flow_rate), else the header itself."""
    if header not in names:
        with suppress(InvalidInput):
            name, _ = from_header(header)
            return name if name in names else header
    return header


def _suggestion(name: object) -> str:
    word = _nearest_word(str(name))
    return f", for example {word!r}" if word and word != name else ""


def _nearest_word(text: str) -> str:
    """The word that a text comes nearest to; empty where there is none."""
    word = re.sub(r"\W+", "_", text).strip("_")
    word = word if word[:1].isalpha() else f"x{word}" if word else ""
    return word if word.isidentifier() else ""
