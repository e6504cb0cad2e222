"""What to choose in each of many cases: the action with the largest chance of success there, and how sure that is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sureshot.campaign.answers.predictions import unused
from sureshot.campaign.answers.wording import case, count, noted, percent, percents
from sureshot.campaign.model.pool import Pool
from sureshot.campaign.model.spec import Spec
from sureshot.campaign.settings import Cases
from sureshot.core import Belief, Mixture, interval, predictive
from sureshot.core.numerics.stable import Array
from sureshot.space.tables.column import Value, plain
from sureshot.space.tables.frames import beside, frame_of, is_frame, is_other_frame

__all__ = ["Choices", "chosen"]

#: Actions in cases that are looked at together.
AT_ONCE = 20_000
#: Cases outside the usual ranges that are named one by one, at most.
NAMED = 5


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Choices:
    """What to choose in each of n cases, in the order given."""

    campaign: str
    success: str
    cases: dict[str, list[object]]  # the table as it was given, by column
    contexts: list[dict[str, Value]]  # (n,)
    alternative: NDArray[np.intp]  # (n,) rows of the actions
    labels: list[str]  # (n,) how a person reads them
    levels: dict[str, NDArray[Any]]  # (n,) of each parameter of an action
    chance: Array  # (n,)
    low: Array  # (n,) 95 %
    high: Array  # (n,)
    cautions: tuple[str, ...] = ()  # what is wrong with the model
    notes: tuple[str, ...] = ()  # cases outside the ranges that the campaign was made for

    def __len__(self) -> int:
        return len(self.contexts)

    def first(self, n: int) -> Choices:
        """The first ``n`` of them."""
        return replace(
            self,
            cases={name: cells[:n] for name, cells in self.cases.items()},
            contexts=self.contexts[:n],
            alternative=self.alternative[:n],
            labels=self.labels[:n],
            levels={name: cells[:n] for name, cells in self.levels.items()},
            chance=self.chance[:n],
            low=self.low[:n],
            high=self.high[:n],
        )

    def columns(self) -> dict[str, Any]:
        """What is chosen, by column; a name that the cases have already gets an underscore."""
        found = {**self.levels, "chance": self.chance, "low": self.low, "high": self.high}
        return {called: found[name] for name, called in unused(list(found), self.cases).items()}

    def to_frame(self, given: object = None) -> Any:
        """The cases with what to choose in each: ``given`` is the frame that they came from, if they did."""
        if is_frame(given) or is_other_frame(given):
            frame = beside(given, self.columns())
        else:
            frame = frame_of({**self.cases, **self.columns()})
        if is_frame(frame):
            frame.attrs.update(cautions=list(self.cautions), notes=list(self.notes))
        return frame

    def to_dict(self) -> dict[str, Any]:
        """All of it, for ``json.dumps``."""
        each = [
            {
                "context": self.contexts[i],
                "alternative": int(self.alternative[i]),
                "label": self.labels[i],
                "levels": {name: plain(values[i]) for name, values in self.levels.items()},
                "chance": float(self.chance[i]),
                "low": float(self.low[i]),
                "high": float(self.high[i]),
            }
            for i in range(len(self))
        ]
        told = {"cautions": list(self.cautions), "notes": list(self.notes)}
        return {"campaign": self.campaign, "success": self.success, "choices": each, **told}

    def __str__(self) -> str:
        rows = [
            f"In the case {case(self.contexts[i])}, choose {self.labels[i]}: "
            f"{percent(self.chance[i])} ({percents(self.low[i], self.high[i])})."
            for i in range(min(len(self), 10))
        ]
        return "\n".join(rows) + noted((*self.cautions, *self.notes))


def chosen(name: str, spec: Spec, belief: Belief | Mixture, given: Cases, *, raised: Sequence[str] = ()) -> Choices:
    """What to choose in each of the cases. Those that come several times are looked at once."""
    pool = spec.pool
    texts = [json.dumps(one, sort_keys=True) for one in given.contexts]
    first = {text: i for i, text in reversed(list(enumerate(texts)))}
    at = {text: k for k, text in enumerate(first)}
    which = np.array([at[text] for text in texts], dtype=np.intp)
    rows, chance, low, high = _best(pool, belief, [given.contexts[i] for i in first.values()])
    rows = rows[which]
    return Choices(
        campaign=name,
        success=spec.words.success,
        cases=given.columns,
        contexts=given.contexts,
        alternative=rows,
        labels=[pool.space.label(row) for row in rows.tolist()],
        levels={one.name: one.levels[one.codes[rows]] for one in pool.space.columns},
        chance=chance[which],
        low=low[which],
        high=high[which],
        cautions=tuple(raised),
        notes=_unusual(pool, given),
    )


def _best(
    pool: Pool, belief: Belief | Mixture, contexts: Sequence[dict[str, Value]]
) -> tuple[NDArray[np.intp], Array, Array, Array]:
    """The best action of each case, its chance and the ends of the interval."""
    M = len(pool.space)
    step = max(AT_ONCE // M, 1)
    rows, chance, features = [], [], []
    for start in range(0, len(contexts), step):
        some = contexts[start : start + step]
        every = pool.space.table.take(np.tile(np.arange(M), len(some)))
        X = pool.encoded(every, some, np.repeat(np.arange(len(some)), M))
        p = predictive(belief, X).reshape(len(some), M)
        best = p.argmax(axis=1)
        rows.append(best)
        chance.append(p[np.arange(len(some)), best])
        features.append(X[np.arange(len(some)) * M + best])
    low, high = interval(belief, np.concatenate(features))
    return np.concatenate(rows), np.concatenate(chance), low, high


def _unusual(pool: Pool, given: Cases) -> tuple[str, ...]:
    """Which cases lie outside the usual ranges: the first few by name, the rest by their number."""
    found, more = list[str](), 0
    for i, context in enumerate(given.contexts):
        beyond = pool.unusual(context)
        if beyond and len(found) < NAMED:
            found.append(f"{given.place(i)}: {'; '.join(beyond)}")
        elif beyond:
            more += 1
    return (*found, *([f"{count(more, 'more case')} outside the ranges"] if more else []))
