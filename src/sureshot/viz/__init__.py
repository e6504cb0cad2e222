"""Pictures: pure functions from plain records to figures, with Plotly and with matplotlib side by side."""

from sureshot.viz.drawing import Figure, Picture, bare, draw
from sureshot.viz.libraries import Backend
from sureshot.viz.saving import backend_for, picture_path, save

__all__ = ["Backend", "Figure", "Picture", "backend_for", "bare", "draw", "picture_path", "save"]
