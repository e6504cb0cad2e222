"""One door: a record of what is to be seen, drawn with either library."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeAlias

from sureshot.viz import calibration, effects, field, study, timeline
from sureshot.viz.libraries import Backend, checked_backend

__all__ = ["Figure", "Picture", "bare", "draw"]

#: What is to be seen.
Picture: TypeAlias = field.Field | effects.Effects | timeline.Timeline | calibration.Calibration | study.Curves
#: ``plotly.graph_objects.Figure`` or ``matplotlib.figure.Figure``.
Figure: TypeAlias = Any

_DRAWN: dict[type, Any] = {
    field.Field: field,
    effects.Effects: effects,
    timeline.Timeline: timeline,
    calibration.Calibration: calibration,
    study.Curves: study,
}


def draw(picture: Picture, backend: Backend = "plotly") -> Figure:
    """The figure, as the library of that name makes it: change or save it by all that the library offers."""
    return getattr(_DRAWN[type(picture)], checked_backend(backend))(picture)


def bare(picture: Picture) -> Picture:
    """The same without title and note, for a page on which they stand beside it."""
    return picture if isinstance(picture, study.Curves) else replace(picture, title="", note="")
