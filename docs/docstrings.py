"""Docstrings as Markdown: examples in a fence of their own, and cross-references as code.

mkdocstrings hands docstrings to Markdown as they are, where ``>>>`` is a quotation in a quotation.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

from sureshot.campaign.model.options import explanations

_ROLE = re.compile(r":[a-z]+:`~?([^`]+)`")


def as_markdown(text: str) -> str:
    """The same text with its doctests fenced and its roles turned into code."""
    lines: list[str] = []
    inside = False
    for line in _ROLE.sub(r"`\1`", text).splitlines():
        if not inside and line.startswith(">>> "):
            lines.append("```pycon")
            inside = True
        elif inside and not line.strip():
            lines.append("```")
            inside = False
        lines.append(line)
    return "\n".join([*lines, "```"] if inside else lines)


class Docstrings(griffe.Extension):
    """Rewrites each docstring as it is collected."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """One module, class, function or attribute."""
        if obj.docstring is not None:
            if obj.path.endswith(".Campaign.create"):  # as `explained` does for help()
                obj.docstring.value += "\n\n" + explanations(one.name for one in obj.parameters)
            obj.docstring.value = as_markdown(obj.docstring.value)
