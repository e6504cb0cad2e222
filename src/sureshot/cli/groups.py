"""Which command stands where in ``sureshot --help``: what most people need first."""

from __future__ import annotations

__all__ = ["GROUPS", "group_of", "in_order"]

#: The groups in order, each with its commands in order. A new command is entered here.
GROUPS: dict[str, tuple[str, ...]] = {
    "Every day": ("new", "ask", "tell", "best"),
    "Looking": (
        "status",
        "history",
        "why",
        "advice",
        "predict",
        "effects",
        "plot",
        "report",
        "compare",
        "check",
    ),
    "Correcting": ("correct", "withdraw", "note"),
    "Taking it along": ("import", "export", "sheet", "rename", "archive", "delete"),
    "The store": ("backup", "doctor"),
    "At the bench": ("serve", "token"),
    "The lab": ("demo", "lab"),
}

_PLACES = {name: (group, place) for place, (group, name) in enumerate((g, n) for g, ns in GROUPS.items() for n in ns)}


def group_of(command: str) -> str | None:
    """The group of a command; None if it was not entered.

    >>> group_of("ask"), group_of("correct")
    ('Every day', 'Correcting')
    """
    return _PLACES.get(command, (None, 0))[0]


def in_order(commands: list[str]) -> list[str]:
    """Commands in the order of their groups; those without one at the end."""
    return sorted(commands, key=lambda name: _PLACES.get(name, ("", len(_PLACES)))[1])
