"""What can be tried, as rows of features: the alternatives of a campaign, or its actions in a context."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from sureshot.campaign.log.ledger import Entry
from sureshot.core import check, in_context
from sureshot.core.lookahead import Finals, finals
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput, SureshotError, unknown_name
from sureshot.policies import seen_contexts
from sureshot.said import Case, Text
from sureshot.space import Contexts, ContextualDesign, Design, ShapedDesign, Space, Table
from sureshot.space.beyond import beyond_levels, beyond_ranges, number_ranges, outside_levels, refuse_far
from sureshot.space.contextual import in_every_case
from sureshot.space.features.design import Input, aligned
from sureshot.space.tables.column import Kind, Value, setting
from sureshot.space.tables.identifiers import UNVARIED, identifiers, only_a_name, unvaried
from sureshot.space.tables.levels import bare_number
from sureshot.space.tables.table import as_table

__all__ = ["Context", "Pool", "taken_as_parameters"]

Context = Mapping[str, object]


def taken_as_parameters(table: Table, inputs: Iterable[Input]) -> tuple[str, ...]:
    """A caution for each input of a model that may only name the rows of a table of candidates."""
    used = {one.name for one in inputs}
    return tuple(only_a_name(table, name) for name in identifiers(table) if name in used)


@dataclass(frozen=True, eq=False)
class Pool:
    """A space and the design that gives its rows their features."""

    space: Space
    design: Design | ContextualDesign | ShapedDesign
    context_names: tuple[str, ...] = ()  # of a contextual campaign
    context_ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)  # in which its numbers usually lie

    @property
    def tried_names(self) -> tuple[str, ...]:
        """The columns that say what was tried: the names of the rows, if they have any, and the parameters."""
        named = () if self.space.row_names is None else (self.space.row_names.column,)
        return (*named, *self.space.names)

    @property
    def contextual(self) -> bool:
        """Whether every decision is made in a context."""
        return bool(self.context_names)

    @property
    def model(self) -> str:
        """What the score of an alternative is made of: its shape, or its formula."""
        design = self.design
        if isinstance(design, ShapedDesign):
            return f"shape {design.shape}"
        if isinstance(design, Design):
            return f"formula {design.formula}"
        apart = "" if design.interactions else ", without interactions"
        return f"formulas {design.context.formula} (cases) and {design.action.formula}{apart}"

    @property
    def cautions(self) -> tuple[str, ...]:
        """What to beware of in how the campaign was made."""
        named = () if self.space.is_grid else taken_as_parameters(self.space.table, self.design.action.inputs)
        return (*self.design.notes, *named)

    @property
    def unvaried(self) -> tuple[str, ...]:
        """What to do about columns of a file that never vary, to be said when the campaign is made; later they do no
        harm. What the design says itself is not said again.
        """
        if self.space.is_grid:
            return ()
        known = {note.removesuffix(UNVARIED).strip() for note in self.design.notes if note.endswith(UNVARIED)}
        return unvaried(self.space.table, {one.name for one in self.design.action.inputs} - known)

    @cached_property
    def bending(self) -> ShapedDesign | None:
        """The design in which outcomes decide what bends, to compare this one with; None where this is it, where no
        shape can be (a column that a formula leaves out names the rows), or where a context has a number without a
        range (campaigns made before ranges were kept).
        """
        if isinstance(self.design, ShapedDesign) and self.design.shape == "auto":
            return None
        try:
            if not self.contextual:
                return ShapedDesign.fit(self.space, "auto")
            known = self.declared()
            contexts = Contexts(**{one.name: known.get(one.name) for one in self.design.context_inputs})
            return ShapedDesign.fit(in_every_case(contexts, self.space.table), contexts=self.context_names)
        except InvalidInput:
            return None

    def declared(self) -> dict[str, Any]:
        """What is kept of how the context columns were declared: the range of a number with its unit, ``bool``, the
        levels of names; nothing of what the features leave out.
        """
        kept: dict[str, Any] = dict(self.context_ranges)
        for one in self.design.context_inputs:
            if one.kind == "number":
                kept |= {one.name: (*kept[one.name], one.unit)} if one.unit and one.name in kept else {}
            else:
                kept[one.name] = bool if one.kind == "boolean" else list(one.levels)
        return {name: kept[name] for name in self.context_names if name in kept}

    @property
    def units(self) -> dict[str, str]:
        """The unit of each column of the alternatives, and of the contexts; empty where it has none."""
        contexts = {one.name: one.unit for one in self.design.context_inputs}
        return {**contexts, **{one.name: one.unit for one in self.space.columns}}

    @property
    def kinds(self) -> dict[str, Kind]:
        """What each column of the alternatives, and of the contexts, holds."""
        contexts = {one.name: one.kind for one in self.design.context_inputs}
        return {**contexts, **{one.name: one.kind for one in self.space.columns}}

    @cached_property
    def _own(self) -> Array:
        """The features of the rows of the space: all of them, or those of the actions without their context."""
        if isinstance(self.design, ContextualDesign):
            own = self.design.action_features(self.space)
        else:
            own = self.design.matrix(self.space)
        return check.frozen(own)

    def encode(self) -> None:
        """Compute the features of all rows now, or raise the error that names the row."""
        if isinstance(self.design, ShapedDesign) and self.contextual:
            self.design.action.matrix(self.space)
        else:
            self._own  # noqa: B018

    def case(self, context: Context | None) -> tuple[dict[str, Value] | None, Array]:
        """The context as it is stored, checked, and every action in it; without contexts, every alternative: (M, d)."""
        case = self.checked(context)
        return case, self._own if case is None else self._cases([case])[0]

    def matrix(self, context: Context | None = None) -> Array:
        """(M, d): every alternative, or every action in the context."""
        return self.case(context)[1]

    def _cases(self, contexts: Sequence[Context]) -> list[Array]:
        """(M, d) for each of these checked contexts: every action in it."""
        if isinstance(self.design, ShapedDesign):
            every, M = aligned(list(contexts), self.design.context_inputs), len(self.space)
            return [self.design.in_contexts(self.space.table, every.take(np.full(M, i))) for i in range(len(contexts))]
        assert isinstance(self.design, ContextualDesign)
        phi = self.design.context_features(list(contexts))
        return [in_context(one, self._own, interactions=self.design.interactions) for one in phi]

    def checked(self, context: Context | None) -> dict[str, Value] | None:
        """The context as it is stored: known columns, their kinds, plain values. None where the campaign has none."""
        if not self.contextual:
            if context is not None:
                fix = "leave `context` out"
                raise InvalidInput("this campaign has no contexts, got one", value=context, fix=fix)
            return None
        if not isinstance(context, Mapping) or not context:
            raise InvalidInput(
                "this campaign decides in a context", value=context, fix=Text("give ", Case(self.context_names))
            )
        for name in context:
            if name not in self.context_names:
                raise unknown_name("context column", name, self.context_names, field="context")
        inputs = self.design.context_inputs
        for one in inputs:  # as examples may write them: 61 kg
            if one.unit and isinstance(value := context.get(one.name), str):
                context = {**context, one.name: bare_number(value, name=one.name, unit=one.unit)}
        missing = [one.name for one in inputs if one.name not in context]
        if missing:
            raise InvalidInput(
                f"a context must say {', '.join(one.name for one in inputs)}, got nothing for {', '.join(missing)}",
                value=context,
                field="context",
                fix="add it",
            )
        try:
            if isinstance(self.design, ContextualDesign):
                self.design.context_features([dict(context)])
            else:
                aligned([dict(context)], inputs)
            found = self._typed({k: [v] for k, v in context.items()}, inputs)[0]
            refuse_far(self.context_ranges, found)
            return found
        except SureshotError as error:  # a context is a table of one row only inside
            raise error.moved("the case") from error

    def located(self, alternative: object) -> tuple[int | None, dict[str, Value] | None]:
        """The row of an alternative (a row number, its levels, or its name), or the levels of one not in the pool.

        A name will do where rows have names, or where there is one column: ``"treat"`` for ``{"action": "treat"}``.
        """
        if isinstance(alternative, str) and self.space.row_names is not None:
            return self.space.row_names.row(alternative), None
        if isinstance(alternative, str) and len(self.space.names) == 1:
            alternative = {self.space.names[0]: alternative}
        if not isinstance(alternative, Mapping):
            self.space.row(alternative)  # type: ignore[arg-type]  # a clear error for whatever is no row
            return int(alternative), None  # type: ignore[call-overload]
        given = {name: self.bare(name, value) for name, value in alternative.items()}
        if self.space.row_names is not None and self.space.row_names.column in given:
            return self.space.find(given), None
        try:
            return self.space.find(given), None
        except SureshotError:
            wanted = {one.name for one in self.design.action.inputs}
            if not wanted <= set(given) or not set(given) <= set(self.space.names) | wanted:
                raise
            for one in self.design.action.inputs:
                if one.kind != "number":  # a number beyond the levels is no obstacle, a name that is unknown is one
                    self.space.column(one.name).code(given[one.name])
            try:
                self.design.action.matrix([given])
            except SureshotError as error:
                raise error.moved() from None
            levels = self._typed({k: [v] for k, v in given.items()}, self.design.action.inputs)[0]
            refuse_far(self._ranges, levels)
            return None, levels

    def bare(self, name: str, value: object) -> object:
        """A value of a column of numbers without its unit, where it was written with one: ``14 W``."""
        if not isinstance(value, str) or name not in self.space.names:
            return value
        column = self.space.column(name)
        return bare_number(value, name=name, unit=column.unit) if column.kind == "number" else value

    @cached_property
    def _ranges(self) -> dict[str, tuple[float, float]]:
        return number_ranges(self.space)

    def far(self, entry: Entry) -> bool:
        """Whether a number that a trial tried lies outside its levels."""
        return entry.alternative is None and outside_levels(self.space, entry.levels)

    def beyond(self, entry: Entry) -> tuple[str, ...]:
        """What lies beyond the levels, constraints and ranges in what a trial tried."""
        outside = () if entry.alternative is not None else self._beyond_levels(json.dumps(entry.levels))
        return (*outside, *self.unusual(entry.context))

    def unusual(self, context: Context | None) -> tuple[str, ...]:
        """Which numbers of a checked context lie outside their usual ranges."""
        return beyond_ranges(self.context_ranges, context) if context else ()

    @cached_property
    def _beyond_levels(self) -> Callable[[str], tuple[str, ...]]:
        return lru_cache(maxsize=4096)(lambda levels: beyond_levels(self.space, json.loads(levels)))

    def outside(self, columns: Mapping[str, Sequence[object]]) -> list[dict[str, Value]]:
        """The levels of many alternatives that are not in the pool, as they are recorded; all must have features."""
        self.design.action.matrix(columns)
        found = self._typed(columns, self.design.action.inputs)
        for levels in found:
            refuse_far(self._ranges, levels)
        return found

    def label(self, entry: Entry) -> str:
        """How a person reads what a trial tried: ``power 14 W, catalyst Co``."""
        if entry.alternative is not None:
            return self.space.label(entry.alternative)
        units = {column.name: column.unit for column in self.space.columns}
        return ", ".join(setting(name, value, units.get(name, "")) for name, value in entry.levels.items())

    def name(self, entry: Entry) -> str | None:
        """What the row that a trial tried is called, where rows have names."""
        return None if entry.alternative is None else self.space.name(entry.alternative)

    def details(self, entry: Entry) -> str:
        """The levels that a trial tried as a person reads them, where its label is a name."""
        return "" if entry.alternative is None else self.space.details(entry.alternative)

    def levels(self, entry: Entry) -> dict[str, Value]:
        """The levels that a trial tried."""
        return self.space.row(entry.alternative) if entry.alternative is not None else entry.levels

    def features(self, entries: Sequence[Entry]) -> Array:
        """(n, d): what each trial tried, in its context. In columns: a hundred thousand take a fraction of a second."""
        if not entries:
            return np.empty((0, self.design.width))
        rows = np.fromiter((-1 if e.alternative is None else e.alternative for e in entries), np.intp, len(entries))
        if rows.max() >= len(self.space):
            raise InvalidInput(f"the log names alternative {rows.max()}, and there are {len(self.space)}.")
        outside = np.flatnonzero(rows < 0).tolist()
        found = self._inside(np.maximum(rows, 0), [e.context_json or "{}" for e in entries])
        if outside:
            found[outside] = self._beside([entries[i] for i in outside])
        return found

    def encoded(self, table: Table, contexts: Sequence[Context] = (), which: NDArray[np.intp] | None = None) -> Array:
        """(n, d): the features of a table of alternatives, in the pool or not, each in one of the (checked) contexts;
        ``which`` says in which of them.
        """
        if not self.contextual:
            return cast("Design | ShapedDesign", self.design).matrix(table)
        at = np.zeros(len(table), dtype=np.intp) if which is None else which
        if isinstance(self.design, ShapedDesign):
            return self.design.in_contexts(table, aligned(list(contexts), self.design.context_inputs).take(at))
        assert isinstance(self.design, ContextualDesign)
        return self.design.joined(self.design.context_features(list(contexts))[at], self.design.action_features(table))

    def _inside(self, rows: NDArray[np.intp], cases: Sequence[str]) -> Array:
        """The features of these rows of the pool, each in its context."""
        if not self.contextual:
            return self._own[rows]
        texts, which = np.unique(cases, return_inverse=True)
        contexts = [json.loads(str(text)) for text in texts]
        if isinstance(self.design, ShapedDesign):
            every = aligned(contexts, self.design.context_inputs)
            return self.design.in_contexts(self.space.table.take(rows), every.take(which))
        assert isinstance(self.design, ContextualDesign)
        return self.design.joined(self.design.context_features(contexts)[which], self._own[rows])

    def _beside(self, entries: Sequence[Entry]) -> Array:
        """The features of what was tried and is not in the pool."""
        levels = [entry.levels for entry in entries]
        contexts = [entry.context or {} for entry in entries]
        if isinstance(self.design, ContextualDesign):
            return self.design.joined(self.design.context_features(contexts), self.design.action_features(levels))
        return self.design.matrix([{**one, **case} for one, case in zip(levels, contexts, strict=True)])

    def seen(self, entries: Iterable[Entry], context: Context) -> Finals:
        """The choices in the contexts met lately, the present one among them, each as often as it came.

        ``context`` is checked.
        """
        times = self._lately(entries, json.dumps(dict(context)))
        groups = self._cases([json.loads(text) for text in times])
        return finals(groups, list(times.values()), d=self.design.width)

    def lately(self, entries: Iterable[Entry]) -> list[tuple[dict[str, Value], int]]:
        """The contexts met lately, and how often each came."""
        return [(json.loads(text), times) for text, times in self._lately(entries).items()]

    def _lately(self, entries: Iterable[Entry], *present: str) -> Counter[str]:
        texts = [e.context_json for e in entries if e.state != "withdrawn" and e.context_json]
        return seen_contexts([*texts, *present], len(self.space))

    def _typed(self, given: Mapping[str, Sequence[object]], inputs: Sequence[Input]) -> list[dict[str, Value]]:
        """Rows of plain values of the kinds that the design has."""
        kinds = {one.name: one.kind for one in inputs if one.name in given}
        levels = {one.name: one.levels for one in inputs if one.kind == "category" and one.levels}
        columns = as_table(dict(given), kinds=kinds, levels=levels).columns
        return [{c.name: c.value(i) for c in columns} for i in range(len(columns[0]))]
