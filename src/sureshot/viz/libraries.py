"""The libraries that draw, loaded when a picture is wanted; one that is missing is an error that says what to do."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Literal, get_args

from sureshot.errors import SureshotError, unknown_name

__all__ = ["Backend", "checked_backend", "needs"]

#: What a figure is made with: Plotly's moves and explains itself under the pointer, matplotlib's is for paper.
Backend = Literal["plotly", "matplotlib"]


def needs(module: str) -> Any:
    """A library of the ``[plots]`` extra, or an error that says how to get it."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        name = module.partition(".")[0]
        raise SureshotError(f"this picture needs {name}: pip install 'sureshot[plots]'.") from error


def checked_backend(backend: str) -> Backend:
    """One of the two, or an error that names them."""
    if backend not in get_args(Backend):
        raise unknown_name("backend", backend, get_args(Backend), field="backend")
    return backend  # type: ignore[return-value]
