"""Numbers and their units stay on one line, on every page: a space that does not break stands between them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from markupsafe import escape

__all__ = ["tied"]

#: What stands after a number on any page.
_ALWAYS = ("%", "points")
#: What is left as it is: tags with their attributes, and text that a browser sends back.
_LEFT = r"<(?P<tag>option|textarea|title)\b.*?</(?P=tag)>|<[^>]*>"


def tied(page: str, units: Iterable[str] = ()) -> str:
    r"""A page in HTML with each number tied to the unit after it: one of these, %, or points.

    >>> tied("<p>power 14 W: 58 % (30-80 %)</p>", ["W"])
    '<p>power 14\xa0W: 58\xa0% (30-80\xa0%)</p>'
    >>> tied('<option value="5 %">5 %</option> <b title="5 %">at 5 Watts', ["W"])
    '<option value="5 %">5 %</option> <b title="5 %">at 5 Watts'
    """
    words = "|".join(re.escape(str(escape(one))) for one in sorted({*_ALWAYS, *filter(None, units)}))
    between = rf"{_LEFT}|(?<=\d) (?=(?:{words})(?![\w%]))"
    return re.sub(between, lambda found: "\xa0" if found[0] == " " else found[0], page, flags=re.DOTALL)
