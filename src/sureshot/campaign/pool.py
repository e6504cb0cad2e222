"""What can be tried, as rows of features: the alternatives of a campaign, or its actions in a context."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sureshot.campaign.ledger import Entry
from sureshot.core.stable import Array
from sureshot.errors import InvalidInput, SureshotError, unknown_name
from sureshot.space import ContextualDesign, Design, Space
from sureshot.space.column import Value, show
from sureshot.space.design import Input
from sureshot.space.table import as_table

__all__ = ["Context", "Pool"]

Context = Mapping[str, object]


@dataclass(frozen=True, eq=False)
class Pool:
    """A space and the design that gives its rows their features."""

    space: Space
    design: Design | ContextualDesign
    context_names: tuple[str, ...] = ()  # of a contextual campaign

    @property
    def contextual(self) -> bool:
        """Whether every decision is made in a context."""
        return isinstance(self.design, ContextualDesign)

    @property
    def has_intercept(self) -> bool:
        """Whether the first feature is the constant 1."""
        return self.contextual or (isinstance(self.design, Design) and self.design.has_intercept)

    @cached_property
    def _own(self) -> Array:
        """The features of the rows of the space: all of them, or those of the actions without their context."""
        if isinstance(self.design, ContextualDesign):
            return self.design.action_features(self.space)
        return self.design.matrix(self.space)

    def encode(self) -> None:
        """Compute the features of all rows now, or raise the error that names the row."""
        self._own  # noqa: B018

    def matrix(self, context: Context | None = None) -> Array:
        """(M, d): every alternative, or every action in the context."""
        if isinstance(self.design, ContextualDesign):
            from sureshot.core import in_context

            phi = self.design.context_features([self.checked(context)])[0]
            return in_context(phi, self._own, interactions=self.design.interactions)
        self.checked(context)
        return self._own

    def checked(self, context: Context | None) -> dict[str, Value] | None:
        """The context as it is stored: known columns, their kinds, plain values. None where the campaign has none."""
        if not isinstance(self.design, ContextualDesign):
            if context is not None:
                raise InvalidInput("this campaign has no contexts, got one: leave `context` out.")
            return None
        if not isinstance(context, Mapping):
            raise InvalidInput(
                f"this campaign decides in a context: give context={{...}} with {', '.join(self.context_names)}, "
                f"got {context!r}."
            )
        for name in context:
            if name not in self.context_names:
                raise unknown_name("context column", name, self.context_names)
        self.design.context_features([dict(context)])
        return self._typed({k: [v] for k, v in context.items()}, self.design.context.inputs)[0]

    def located(self, alternative: object) -> tuple[int | None, dict[str, Value] | None]:
        """The row of an alternative (a row number, or its levels), or the levels of one that is not in the pool."""
        if not isinstance(alternative, Mapping):
            self.space.row(alternative)  # type: ignore[arg-type]  # a clear error for whatever is no row
            return int(alternative), None  # type: ignore[call-overload]
        try:
            return self.space.find(alternative), None
        except SureshotError as error:
            wanted = {one.name for one in self._action.inputs}
            if not wanted <= set(alternative) or not set(alternative) <= set(self.space.names) | wanted:
                raise
            try:
                self._action.matrix([dict(alternative)])
            except SureshotError:
                raise error from None
            return None, self._typed({k: [v] for k, v in alternative.items()}, self._action.inputs)[0]

    def outside(self, columns: Mapping[str, Sequence[object]]) -> list[dict[str, Value]]:
        """The levels of many alternatives that are not in the pool, as they are recorded; all must have features."""
        self._action.matrix(columns)
        return self._typed(columns, self._action.inputs)

    def label(self, row: int | None, levels: Mapping[str, object] | None = None) -> str:
        """How a person reads an alternative: ``power 14 W, catalyst Co``."""
        if row is not None:
            return self.space.label(row)
        units = {column.name: column.unit for column in self.space.columns}
        parts = [(name, show(value), units.get(name, "")) for name, value in (levels or {}).items()]
        return ", ".join(" ".join(part for part in one if part) for one in parts)

    def levels(self, entry: Entry) -> dict[str, Value]:
        """The levels that a trial tried."""
        return self.space.row(entry.alternative) if entry.alternative is not None else levels_of(entry)

    def features(self, entries: Sequence[Entry]) -> Array:
        """(n, d): what each trial tried, in its context. In columns: a hundred thousand take a fraction of a second."""
        rows = np.fromiter((-1 if e.alternative is None else e.alternative for e in entries), np.intp, len(entries))
        if len(rows) and rows.max() >= len(self.space):
            raise InvalidInput(f"the log names alternative {rows.max()}, and there are {len(self.space)}.")
        own = self._own[rows]
        outside = np.flatnonzero(rows < 0).tolist()
        if len(outside):
            features = self._action.matrix([levels_of(entries[i]) for i in outside])
            own[outside] = features[:, 1:] if self.contextual else features
        if not isinstance(self.design, ContextualDesign) or not len(entries):
            return own if len(entries) else np.empty((0, self.design.width))
        texts, which = np.unique([e.context_json or "{}" for e in entries], return_inverse=True)
        phi = self.design.context_features([json.loads(str(text)) for text in texts])[which]
        parts = [np.ones((len(own), 1)), phi, own]
        if self.design.interactions:
            parts.append((phi[:, :, None] * own[:, None, :]).reshape(len(own), -1))
        return np.concatenate(parts, axis=1)

    @property
    def _action(self) -> Design:
        return self.design.action if isinstance(self.design, ContextualDesign) else self.design

    def _typed(self, given: Mapping[str, Sequence[object]], inputs: Sequence[Input]) -> list[dict[str, Value]]:
        """Rows of plain values of the kinds that the design has."""
        kinds = {one.name: one.kind for one in inputs if one.name in given}
        levels = {one.name: one.levels for one in inputs if one.kind == "category" and one.levels}
        columns = as_table(dict(given), kinds=kinds, levels=levels).columns
        return [{c.name: c.value(i) for c in columns} for i in range(len(columns[0]))]


def levels_of(entry: Entry) -> dict[str, Any]:
    """The levels of an alternative that is not in the pool, as they were recorded."""
    found = json.loads(entry.payload_json or "{}").get("levels")
    if not isinstance(found, dict):
        raise InvalidInput(
            f"trial {entry.trial} names no alternative and no levels: the log was written by no sureshot."
        )
    return found
