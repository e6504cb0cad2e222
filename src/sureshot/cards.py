"""A value as a small piece of HTML, for notebooks: a heading, lines, a table. All text is escaped.

Colours come from the notebook, light or dark: the text is in its own colour, lines are half transparent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["card"]

_CARD = "border-left:3px solid #0072B2;padding:2px 0 2px 12px;margin:4px 0;line-height:1.45;max-width:60em"
_CELL = "text-align:left;padding:1px 14px 1px 0;border:none;background:none"
_QUIET = "opacity:0.72"


def card(
    heading: str,
    lines: Iterable[str] = (),
    *,
    cautions: Iterable[str] = (),
    columns: Sequence[str] = (),
    rows: Iterable[Sequence[str]] = (),
    quiet: Iterable[str] = (),
) -> str:
    """A card: what to beware of comes first, then lines, then a table, then what matters less.

    >>> card("a < b", ["and <b>more</b>"])
    '<div ...><div style="font-weight:600">a &lt; b</div><div>and &lt;b&gt;more&lt;/b&gt;</div></div>'
    """
    parts = [f'<div style="font-weight:600">{_escaped(heading)}</div>']
    parts += [f"<div><b>Careful:</b> {_escaped(str(one))}</div>" for one in cautions]
    parts += [f"<div>{_escaped(str(one))}</div>" for one in lines]
    body = "".join(f"<tr>{''.join(_cell('td', one) for one in row)}</tr>" for row in rows)
    if body:
        head = f"<thead><tr>{''.join(_cell('th', one) for one in columns)}</tr></thead>" if columns else ""
        table = 'style="border-collapse:collapse;margin:4px 0;font-variant-numeric:tabular-nums"'
        parts.append(f"<table {table}>{head}<tbody>{body}</tbody></table>")
    parts += [f'<div style="{_QUIET}">{_escaped(str(one))}</div>' for one in quiet]
    return f'<div class="sureshot" style="{_CARD}">{"".join(parts)}</div>'


def _cell(tag: str, words: str) -> str:
    faint = f";{_QUIET};font-weight:normal" if tag == "th" else ""
    return f'<{tag} style="{_CELL}{faint}">{_escaped(words)}</{tag}>'


def _escaped(words: str) -> str:
    from html import escape  # every command would load its table of entities

    return escape(words)
