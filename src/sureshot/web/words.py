"""How a page names inputs and what a campaign can do: by the labels of fields and buttons. The API says them as Python
does, whose names it takes.
"""

from __future__ import annotations

from sureshot.campaign.model.options import fields
from sureshot.said import Call, Case, Field, Record, Remade, Setting

__all__ = ["BUTTONS", "COLUMNS", "on_the_page"]

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
    "compare": "Results",
}

#: What a column of a file may be taken for, as the form for a new campaign calls it.
COLUMNS = {"names": "names, not numbers", "id": "names the rows", "without": "left out"}


def on_the_page(record: Record) -> str:
    """A record in the words of the page.

    >>> on_the_page(Field("budget")), on_the_page(Setting("beyond_budget", True)), on_the_page(Call("ask"))
    ('“How many trials may be asked”', '“Go on beyond the budget”', '“Ask for a trial”')
    >>> on_the_page(Call("tell", 3)), on_the_page(Setting("without", ["sample"]))
    ('the buttons of trial 3', '“left out” as what sample is')
    """
    match record:
        case Call("tell", trial):
            return f"the buttons of {'the trial' if trial is None else f'trial {trial}'}"
        case Setting("kinds", dict(kinds)) if set(kinds.values()) == {"category"}:
            return on_the_page(Setting("names", list(kinds)))
        case Setting(name, value) if name in COLUMNS:
            columns = " and ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
            return f"“{COLUMNS[name]}” as what {columns} is"
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


def _label(name: str) -> str:
    return _LABELS.get(name, name.replace("_", " "))


_LABELS = {one.name: one.label for one in fields()} | {"beyond_budget": "Go on beyond the budget"}
