"""How a page names inputs and what a campaign can do: by the labels of fields and buttons. The API says them as Python
does, whose names it takes.
"""

from __future__ import annotations

from urllib.parse import urlencode

from sureshot.campaign.model.options import fields
from sureshot.said import Call, Case, Field, Record, Remade, Setting

__all__ = ["BUTTONS", "COLUMNS", "of_a_made_one", "on_the_page", "way_to"]

#: What a campaign can do, as the buttons of the pages call it.
BUTTONS = {
    "ask": "Ask for a trial",
    "ask_batch": "Ask for more",
    "correct": "Correct",
    "withdraw": "Did not run",
    "best": "Results",
    "tell_new": "Record another experiment",
    "import_table": "Import a table",
    "tell_table": "Outcomes from a table",
    "Campaign.create": "New campaign",
    "Campaign.create_from": "New campaign",
    "export": "Download",
    "posterior": "Download",
    "compare": "Calibration so far",
}

#: What a column of a file may be taken for, as the form for a new campaign calls it.
COLUMNS = {"names": "names, not numbers", "id": "names the rows", "without": "left out"}


def on_the_page(record: Record) -> str:
    """A record in the words of the page.

    >>> on_the_page(Field("budget")), on_the_page(Setting("beyond_budget", True)), on_the_page(Call("ask"))
    ('“How many trials may be asked”', '“Go on all the same”', '“Ask for a trial”')
    >>> on_the_page(Call("tell", 3)), on_the_page(Setting("without", ["sample"]))
    ('the buttons of trial 3', '“left out” for sample')
    """
    match record:
        case Call("tell", trial):
            return f"the buttons of {'the trial' if trial is None else f'trial {trial}'}"
        case Setting("kinds", dict(kinds)) if set(kinds.values()) == {"category"}:
            return on_the_page(Setting("names", list(kinds)))
        case Setting(name, value) if name in COLUMNS:
            columns = " and ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
            return f"“{COLUMNS[name]}” for {columns}"
        case Call(name, trial):
            number = "" if trial is None else f" of trial {trial}"
            return f"“{BUTTONS.get(name, name.replace('_', ' '))}”{number}"
        case Remade(old, _, setting):
            return f"“{BUTTONS['Campaign.create_from']}” like {old}, with {on_the_page(setting)}"
        case Case(columns):
            return f"the case ({', '.join(columns)})"
        case Setting(name, value):
            label = _label(name)
            shown = ", ".join(map(str, value)) if isinstance(value, list | tuple | dict) else str(value)
            return f"“{label}”" if isinstance(value, bool) else f"“{label}”: {shown or 'nothing'}"
        case Field(name):
            return f"“{_label(name)}”"


def of_a_made_one(record: Record) -> str:
    """The same about a campaign that is made: for other columns or another model, another is made.

    >>> of_a_made_one(Setting("without", ["sample"])), of_a_made_one(Setting("interactions", True))
    ('a new campaign from the file, with “left out” for sample', 'a new campaign like it, with “Whether the best ...”')
    """
    words = on_the_page(record)
    if _is_column(record):
        return f"a new campaign from the file, with {words}"
    if isinstance(record, Setting) and record.name in _CHANGEABLE:
        return f"a new campaign like it, with {words}"
    return f"{words} in the results" if record == Call("compare", apart=True) else words


def way_to(record: Record, number: int) -> str | None:
    """The address of the page where that can be done for the campaign of this number; None: here, or nowhere.

    >>> way_to(Remade("oven", "oven-2", Setting("shape", "auto")), 3), way_to(Setting("without", ["sample"]), 3)
    ('/new/like?old=3&name=oven-2&shape=auto', '/new')
    """
    match record:
        case Remade(_, new, setting):
            return f"/new/like?{urlencode({'old': number, 'name': new, setting.name: str(setting.value)})}"
        case Setting(name) if name in _CHANGEABLE:
            return f"/new/like?{urlencode({'old': number})}"
        case Call("compare"):
            return f"/c/{number}/results#calibration-head"
    return "/new" if _is_column(record) else None


def _is_column(record: Record) -> bool:
    """Whether it says what a column of a file is."""
    return isinstance(record, Setting) and record.name in (*COLUMNS, "kinds")


def _label(name: str) -> str:
    return _LABELS.get(name, name.replace("_", " "))


_LABELS = {one.name: one.label for one in fields()} | {"beyond_budget": "Go on all the same"}
#: What a campaign made from another may say anew.
_CHANGEABLE = frozenset(one.name for one in fields() if one.changeable)
