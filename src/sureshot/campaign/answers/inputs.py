"""What a form asks a person for: the parameters of an experiment, or the columns of a case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sureshot.campaign.document import Document
from sureshot.campaign.model.pool import Pool
from sureshot.errors import InvalidInput, SureshotError
from sureshot.space.features.design import aligned
from sureshot.space.tables.column import Kind, show
from sureshot.space.tables.levels import bare_number

__all__ = ["Input", "case_inputs", "experiment_inputs", "wrong_in_case"]

#: Up to so many levels are listed one by one.
LISTED = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Input(Document):
    """One field: how it is called, what it holds, and what may be chosen."""

    name: str
    kind: Kind
    unit: str = ""
    choices: tuple[str, ...] = ()  # all levels; none where there are too many, or where any number will do
    open: bool = False  # whether something else than the choices may be written: another number
    hint: str = ""  # what to write, in a few words


def experiment_inputs(pool: Pool) -> tuple[Input, ...]:
    """What says which experiment it was: the name of a row, where rows have names, or a level of each parameter. A
    number may be another than the levels.

    >>> from sureshot import Campaign, Space
    >>> made = Campaign.create("tubes", Space.grid(power=[8, 10, 14], catalyst=["Fe", "Co"]), storage=":memory:")
    >>> [(one.name, one.choices, one.hint) for one in experiment_inputs(made.spec.pool)]
    [('power', ('8', '10', '14'), '8 to 14'), ('catalyst', ('Fe', 'Co'), '')]
    """
    named = pool.space.row_names
    if named is not None:
        return (Input(name=named.column, kind="category", open=True, hint="its name"),)
    return tuple(_levels(one.name, one.kind, one.unit, one.levels.tolist()) for one in pool.space.columns)


def case_inputs(pool: Pool) -> tuple[Input, ...]:
    """What says which case it is: every column of a context, numbers with the range in which they usually lie.

    >>> from sureshot import Actions, Campaign, Contexts
    >>> wards = Contexts(age=(18, 90), ward=["A", "B"])
    >>> desk = Campaign.create("desk", Actions(["treat", "wait"]), context=wards, storage=":memory:")
    >>> [(one.name, one.choices, one.hint) for one in case_inputs(desk.spec.pool)]
    [('age', (), '18 to 90'), ('ward', ('A', 'B'), '')]
    """
    found = []
    for one in pool.design.context_inputs:
        if one.kind == "number":
            usual = pool.context_ranges.get(one.name)
            hint = "" if usual is None else _between(usual, one.unit)
            found.append(Input(name=one.name, kind=one.kind, unit=one.unit, open=True, hint=hint))
        else:
            levels = (True, False) if one.kind == "boolean" else one.levels
            found.append(_levels(one.name, one.kind, one.unit, levels))
    return tuple(found)


def wrong_in_case(pool: Pool, given: Mapping[str, object]) -> dict[str, SureshotError]:
    """What is wrong with each column of a case, by its name, so that a form can say it at each field.

    >>> from sureshot import Actions, Campaign, Contexts
    >>> wards = Contexts(age=(18, 90), ward=["A", "B"])
    >>> desk = Campaign.create("desk", Actions(["treat", "wait"]), context=wards, storage=":memory:")
    >>> {name: str(error) for name, error in wrong_in_case(desk.spec.pool, {"age": "old"}).items()}
    {'age': "age must be a number, got 'old': fix it.", 'ward': 'ward must be said: fill it in.'}
    """
    found: dict[str, SureshotError] = {}
    for one in pool.design.context_inputs:
        if one.name not in given:
            found[one.name] = InvalidInput(f"{one.name} must be said", field=one.name, fix="fill it in")
            continue
        try:
            value = given[one.name]
            if one.unit and isinstance(value, str):
                value = bare_number(value, name=one.name, unit=one.unit)
            aligned([{one.name: value}], (one,))
        except SureshotError as error:
            found[one.name] = error.moved()
    return found


def _levels(name: str, kind: Kind, unit: str, levels: Sequence[object]) -> Input:
    few, number = len(levels) <= LISTED, kind == "number"
    shown = tuple(map(show, levels)) if few else ()
    hint = _between((min(levels), max(levels)), unit) if number else "" if few else f"one of {len(levels):,}"  # type: ignore[type-var]
    return Input(name=name, kind=kind, unit=unit, choices=shown, open=number or not few, hint=hint)


def _between(ends: tuple[object, object], unit: str) -> str:
    return f"{show(ends[0])} to {show(ends[1])} {unit}".strip()
