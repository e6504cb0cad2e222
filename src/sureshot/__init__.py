"""sureshot: find what works, in the fewest tries.

Experiments that end in success or failure, where every try is expensive. The floors are loaded when first
used (``sureshot.core``, ``sureshot.policies``), so that a bare import costs next to nothing.
"""

from importlib import import_module
from types import ModuleType

from sureshot._version import __version__

__all__ = ["__version__", "core", "errors", "policies", "testing"]

_FLOORS = frozenset(__all__) - {"__version__"}


def __getattr__(name: str) -> ModuleType:
    if name in _FLOORS:
        return import_module(f"sureshot.{name}")
    raise AttributeError(f"module 'sureshot' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
