"""The paper, again: its figures made anew, and its claims beside what was measured (paper, section 6)."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sureshot.lab.paper.making import FIGURES, Reproduction, reproduce

__all__ = ["FIGURES", "Reproduction", "reproduce"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module("sureshot.lab.paper.making"), name)
    raise AttributeError(f"module 'sureshot.lab.paper' has no attribute {name!r}")
