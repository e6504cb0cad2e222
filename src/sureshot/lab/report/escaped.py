"""Names that people gave to worlds, policies, beliefs and studies, as text in a report: in no format is one markup.

For HTML: :mod:`sureshot.cards` and the pages' templates; for pictures: :mod:`sureshot.viz`.
"""

from __future__ import annotations

from urllib.parse import quote

__all__ = ["in_latex", "in_link", "in_markdown"]

#: As entities where not every Markdown takes a backslash.
_MARKDOWN = {one: f"\\{one}" for one in "\\`*_[]|"}
_MARKDOWN |= {"&": "&amp;", "<": "&lt;", ">": "&gt;", "~": "&#126;", "$": "&#36;"}
_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"$<$",
    ">": r"$>$",
    "−": "$-$",
    "∞": r"$\infty$",
    "[": "{[}",  # at the beginning of a row it would be the room above it
    "*": "{*}",
}


def in_markdown(text: str) -> str:
    r"""A text as it is to be read, in Markdown: in a line, a table's cell, a title.

    >>> print(in_markdown("<script>\nalert_1()</script> [a|b](c)"))
    &lt;script&gt; alert\_1()&lt;/script&gt; \[a\|b\](c)
    """
    return "".join(_MARKDOWN.get(letter, letter) for letter in _line(text))


def in_latex(text: str) -> str:
    r"""A text as it is to be read, in LaTeX.

    >>> print(in_latex(r"\input{x} & 5 % [2cm]"))
    \textbackslash{}input\{x\} \& 5 \% {[}2cm]
    """
    return "".join(_LATEX.get(letter, letter) for letter in _line(text))


def in_link(path: str) -> str:
    """Where a link or a picture leads to, in Markdown.

    >>> in_link("../my figures/a(1).png")
    '../my%20figures/a%281%29.png'
    """
    return quote(path)


def _line(text: str) -> str:
    """The text in one line, without control characters."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
