"""The pictures of a campaign, each as a record to be drawn: what it shows is computed by the campaign's own answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from sureshot.campaign.answers.timeline import Moment
from sureshot.campaign.answers.wording import count, in_case
from sureshot.campaign.pictures.field import (
    AT_THE_EDGES,
    DRAWN,
    Measure,
    axes_of,
    drawn_rows,
    field_of,
    legend_of,
    line_of,
)
from sureshot.errors import InvalidInput, unknown_name
from sureshot.said import Setting
from sureshot.space.tables.column import show
from sureshot.viz.calibration import Bin, Calibration
from sureshot.viz.effects import Effects, Panel
from sureshot.viz.timeline import Choice, Timeline

if TYPE_CHECKING:
    from sureshot.campaign.answers.effects import Effect
    from sureshot.campaign.answers.recommend import Recommendation
    from sureshot.campaign.model.pool import Context
    from sureshot.campaign.view import View
    from sureshot.viz import Picture

__all__ = ["KINDS", "Kind", "picture"]

Kind = Literal["chance", "value", "effects", "recommendation", "calibration"]
KINDS: tuple[Kind, ...] = get_args(Kind)
#: Parameters whose effects are drawn, at most: the clearest.
PANELS = 12
NOTHING = "Nothing is known yet: no outcome was told."


def picture(
    view: View, kind: str = "chance", *, x: str | None = None, y: str | None = None, context: Context | None = None
) -> Picture:
    """What is to be seen of a campaign, as a record that :func:`sureshot.viz.draw` draws."""
    if kind not in KINDS:
        raise unknown_name("picture", kind, KINDS, field="kind")
    for name, given in (("x", x), ("y", y)):
        if given is not None and kind not in ("chance", "value"):
            raise InvalidInput(
                f"`{name}` is for a picture over two parameters, chance or value",
                got=Setting(name, given),
                fix="leave it out",
            )
    if kind == "effects":
        return _effects(view, context)
    if kind == "recommendation":
        return _recommendation(view, context)
    if kind == "calibration":
        if context is not None:
            raise InvalidInput(
                "`context` is not for calibration, which is about all cases", value=context, fix="leave it out"
            )
        return _calibration(view)
    return _field(view, "value" if kind == "value" else "chance", x, y, context)


def _field(view: View, measure: Measure, x: str | None, y: str | None, context: Context | None) -> Picture:
    best = view.best(context)
    ranked = sorted(view.effects(context), key=lambda one: -abs(one.gain))
    axes = axes_of(view.spec, [one.parameter for one in ranked], x, y)
    rows = drawn_rows(view.spec, best, axes)
    found = view.predictions(rows, context=context, top=DRAWN if rows is None else None)
    ledger = view._log.ledger
    if len(axes) == 1 and measure == "chance" and len(found) == len(np.unique(axes[0].codes)):
        return line_of(view.spec, ledger, best, found, axes[0])
    return field_of(view.spec, ledger, best, found, axes, measure)


def _effects(view: View, context: Context | None) -> Effects:
    found = view.effects(context)
    best = view.best(context) if context is not None or not view.spec.pool.contextual else None
    shown = list(found)[:PANELS]
    more = f" The clearest {PANELS} of {count(len(found), 'parameter')}." if len(found) > PANELS else ""
    return Effects(
        title=f"What each parameter does{in_case(found.context)}",
        note=(f"Average chance of {found.success} at each level. {AT_THE_EDGES}{more}" if shown else NOTHING),
        measure_words=f"chance of {found.success}",
        panels=tuple(_panel(one, best) for one in shown),
        legend=legend_of(view.spec),
    )


def _panel(one: Effect, best: Recommendation | None) -> Panel:
    numbers = one.kind == "number"
    return Panel(
        name=f"{one.parameter}, {one.unit}" if one.unit else one.parameter,
        levels=tuple(float(level) if numbers else show(level) for level in one.levels),
        chance=one.chance,
        low=one.low,
        high=one.high,
        tries=one.tries,
        successes=one.successes,
        best=None if best is None else _level(one, best.levels),
        words=str(one),
    )


def _level(one: Effect, levels: Mapping[str, Any]) -> int | None:
    """Which level of an effect is recommended; of levels that stand for others, the nearest."""
    wanted = levels.get(one.parameter)
    if wanted in one.levels:
        return one.levels.index(wanted)
    if one.kind != "number" or wanted is None:
        return None
    return int(np.argmin([abs(float(level) - float(wanted)) for level in one.levels]))


def _recommendation(view: View, context: Context | None) -> Timeline:
    case, moments = view.spec.pool.checked(context), view.timeline(context)
    changes = sum(one.changed for one in moments[1:])
    now = f"Now: {moments[-1].label}. " if moments else ""
    often = f"The choice changed {count(changes, 'time')}" if changes else "The choice never changed"
    shown = f", of which {len(moments)} moments are looked at" if moments and moments[-1].step > len(moments) else ""
    return Timeline(
        title=f"What would have been chosen after each outcome{in_case(case)}",
        note=f"{now}{often}{shown}. The band is the 95 % interval." if moments else NOTHING,
        measure_words=f"chance of {view.spec.words.success}",
        x_words="outcomes told",
        choices=tuple(map(_choice, moments)),
    )


def _choice(one: Moment) -> Choice:
    return Choice(
        outcomes=one.step,
        label=one.label,
        chance=one.probability,
        low=one.interval[0],
        high=one.interval[1],
        changed=one.changed,
    )


def _calibration(view: View) -> Calibration:
    found = view.calibration()
    bins: Sequence[Bin] = [
        Bin(
            expected=one.expected,
            came=one.came,
            low=one.interval[0],
            high=one.interval[1],
            successes=one.successes,
            tries=one.tries,
        )
        for one in found.groups
    ]
    return Calibration(
        title="What was expected when trials were asked, and what came",
        note=found.words,
        success=view.spec.words.success,
        bins=tuple(bins),
    )
