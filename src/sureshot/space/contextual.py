"""Contexts and actions: what arrives, what can be done about it, and the features of doing it here.

The features of an action in a context are 1 || φ(context) || ψ(action), with their products if wanted, as in
:func:`sureshot.core.in_context`: φ and ψ are designs of their own, without their intercepts. Without the products the
best action is the same in every context (docs/paper.md, erratum 13): a note says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sureshot.core.context import in_context
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput, about
from sureshot.said import Setting, Text
from sureshot.schema import ANYTHING, FLAG, different, record, wrong
from sureshot.space.alternatives import Space
from sureshot.space.features.design import Design, Input
from sureshot.space.stored import reading
from sureshot.space.tables.column import column, show
from sureshot.space.tables.levels import levels_of
from sureshot.space.tables.names import INTERCEPT, check_name
from sureshot.space.tables.table import Table, as_table

__all__ = ["NO_INTERACTIONS", "Actions", "Contexts", "ContextualDesign", "in_every_case", "usual_ranges"]

#: What a person must know who asks for no interactions.
NO_INTERACTIONS = Text(
    "without interactions every context gets the same best action: use ",
    Setting("interactions", True),
    " for decisions that depend on the case",
)

#: Cases that a declared context is spread over, values of a number in them, and cases times actions, at most.
_CASES, _SPREAD, _PAIRS = 64, 11, 20_000
#: The standard deviation of a number spread evenly over a range of 1.
_EVEN = 12**-0.5


def Contexts(example: Any = None, /, **declared: Any) -> Table:
    """What a context looks like: from example rows, or declared.

    A number is declared by its usual range ``(low, high)``, with a unit ``(low, high, "C")``; a category by its levels,
    a boolean by ``bool``.

    >>> Contexts(age=(18, 90), diabetic=bool, ward=["A", "B"]).names
    ('age', 'diabetic', 'ward')
    """
    if (example is None) == (not declared):
        raise InvalidInput(
            "contexts must come from example rows or be declared, one of the two",
            fix="write Contexts(frame) or Contexts(age=(18, 90))",
        )
    if example is not None:
        return as_table(example)
    columns, ranges = [], {}
    for given, spec in declared.items():
        name = check_name(given)
        if spec is bool:
            columns.append(column(name, "boolean", (False, True), [0, 1]))
        elif _is_range(spec):
            low, high = levels_of(spec[:2], name=name).values
            if not isinstance(low, float) or not isinstance(high, float) or not low < high:
                raise InvalidInput(
                    f"the range of {name} must have low < high, got {show(low)} and {show(high)}",
                    fix="write the lower end first",
                )
            ranges[name] = (low, high)
            middle, spread = (low + high) / 2, (high - low) * _EVEN
            unit = spec[2].strip() if len(spec) == 3 else ""
            columns.append(column(name, "number", (middle - spread, middle + spread), [0, 1], unit=unit))
        elif isinstance(spec, (list, tuple)) and all(isinstance(x, str) for x in spec):
            found = levels_of(spec, name=name)
            columns.append(column(name, "category", found.values, np.arange(len(found.values))))
        else:
            raise InvalidInput(
                f"context {name} must be declared as (low, high) for a number, bool, or a list of names, got {spec!r}",
                fix=f"write {name}=(18, 90), {name}=bool or {name}=['A', 'B']",
            )
    n = max(len(c.levels) for c in columns)
    even = n if n % 2 == 0 else 2 * n  # so that both ends of a range come equally often
    filled = tuple(c.take(np.arange(even) % len(c.levels)) for c in columns)
    return Table(filled, ranges=ranges)


def _is_range(spec: Any) -> bool:
    """Whether it is two numbers, or these and a unit."""
    if not isinstance(spec, tuple) or len(spec) not in (2, 3):
        return False
    return all(isinstance(x, (int, float)) for x in spec[:2]) and all(isinstance(x, str) for x in spec[2:])


def usual_ranges(contexts: Table) -> dict[str, tuple[float, float]]:
    """Between what numbers each context column usually lies: as declared, else as in the examples.

    >>> usual_ranges(Contexts(age=(18, 90), diabetic=bool))
    {'age': (18.0, 90.0)}
    """
    seen = {c.name: c.numbers() for c in contexts.columns if c.kind == "number" and c.name not in contexts.ranges}
    return {**contexts.ranges, **{name: (float(v.min()), float(v.max())) for name, v in seen.items() if len(v)}}


def in_every_case(contexts: Table, actions: Table) -> Table:
    """Every action in some cases: those of the examples, or spread over what was declared."""
    cases = max(1, min(max(len(contexts), _CASES), _PAIRS // len(actions)))
    at = np.arange(cases)
    columns = []
    for k, one in enumerate(contexts.columns):
        if one.name in contexts.ranges:
            spread = np.linspace(*contexts.ranges[one.name], _SPREAD)
            found = column(one.name, "number", spread, at * (2 * k + 1) % _SPREAD, unit=one.unit)
        elif contexts.ranges:
            found = one.take(at * (2 * k + 1) % len(one))  # declared: its levels by turns
        else:
            found = one.take(np.linspace(0, len(one) - 1, cases).astype(np.intp))
        columns.append(found.take(np.repeat(at, len(actions))))
    own = [one.take(np.tile(np.arange(len(actions)), cases)) for one in actions.columns]
    return Table((*columns, *own))


def Actions(choices: Any = None, /, **parameters: Any) -> Space:
    """What can be done: a Space, a DataFrame, a list of names, or the parameters of a grid.

    >>> Actions(["drug A", "drug B"]).label(1)
    'action drug B'
    """
    if choices is None:
        return Space.grid(**parameters)
    if isinstance(choices, Space):
        return choices
    if isinstance(choices, Sequence) and not isinstance(choices, str) and all(isinstance(c, str) for c in choices):
        return Space.grid(action=list(choices))
    return Space.from_frame(choices)


def refuse_shared(contexts: Iterable[str], actions: Iterable[str]) -> None:
    """Refuse a column that both a case and an action have."""
    both = sorted(set(contexts) & set(actions))
    if both:
        rule = f"a column must belong to the context or to the action, got {both[0]!r} in both"
        raise InvalidInput(rule, field="context", fix="rename one")


@dataclass(frozen=True, slots=True)
class ContextualDesign:
    """The recipe for the features of every action in a context."""

    context: Design
    action: Design
    interactions: bool

    @classmethod
    def fit(
        cls,
        contexts: Any,
        actions: Any,
        *,
        interactions: bool = True,
        context_formula: str | None = None,
        action_formula: str | None = None,
    ) -> ContextualDesign:
        """Learn both designs: contexts from example rows, actions from the pool of actions."""
        with about("context_formula", whole=True):
            context = Design.fit(contexts, context_formula)
        action = Design.fit(actions, action_formula)
        for what, design in (("contexts", context), ("actions", action)):
            if not design.has_intercept:
                raise InvalidInput(
                    f"the formula of the {what} must keep its intercept, got {design.formula!r}",
                    field="context_formula" if what == "contexts" else "formula",
                    value=design.formula,
                    fix="leave out - 1 and + 0",
                )
        refuse_shared([one.name for one in context.inputs], [one.name for one in action.inputs])
        return cls(context, action, interactions)

    @property
    def context_inputs(self) -> tuple[Input, ...]:
        """The columns of a case."""
        return self.context.inputs

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know about this design."""
        own = () if self.interactions else (NO_INTERACTIONS,)
        return (*own, *self.context.notes, *self.action.notes)

    @property
    def columns(self) -> tuple[str, ...]:
        """The name of each feature, in the order of :func:`sureshot.core.in_context`."""
        phi, psi = self.context.columns[1:], self.action.columns[1:]
        products = tuple(f"{c}:{a}" for c in phi for a in psi) if self.interactions else ()
        return (INTERCEPT, *phi, *psi, *products)

    @property
    def width(self) -> int:
        """How many features there are."""
        return len(self.columns)

    def context_features(self, rows: Any) -> Array:
        """φ: (n, features) of one context or of many."""
        return np.ascontiguousarray(self.context.matrix(rows)[:, 1:])

    def action_features(self, rows: Any) -> Array:
        """ψ: (n, features) of actions."""
        return np.ascontiguousarray(self.action.matrix(rows)[:, 1:])

    def matrix(self, context: Mapping[str, object], actions: Any) -> Array:
        """(actions, d): every action in one context."""
        return in_context(
            self.context_features(context)[0], self.action_features(actions), interactions=self.interactions
        )

    def joined(self, phi: Array, psi: Array) -> Array:
        """(n, d): the features of n contexts, each with an action of its own."""
        parts = [np.ones((len(phi), 1)), phi, psi]
        if self.interactions:
            parts.append((phi[:, :, None] * psi[:, None, :]).reshape(len(phi), -1))
        return np.concatenate(parts, axis=1)

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {
            "version": 1,
            "context": self.context.to_dict(),
            "action": self.action.to_dict(),
            "interactions": self.interactions,
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any], *, at: str = "design") -> ContextualDesign:
        """The design that :meth:`to_dict` wrote; errors say where in the document, which stands ``at``."""
        with reading("design", stored, at):
            record({"context": ANYTHING, "action": ANYTHING, "interactions": FLAG})(stored, at)
            context = Design.from_dict(stored["context"], at=f"{at}.context")
            action = Design.from_dict(stored["action"], at=f"{at}.action")
            for what, design in (("context", context), ("action", action)):
                if not design.has_intercept:
                    raise wrong(f"{at}.{what}.features[0]", "must be the constant, without factors")
            different([one.name for one in (*context.inputs, *action.inputs)], f"{at}.action.inputs", "names")
        return cls(context, action, stored["interactions"])
