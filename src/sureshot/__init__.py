"""sureshot: find what works, in the fewest tries.

Experiments that end in success or failure, where every try is expensive. The floors are loaded when first
used (``sureshot.core``, ``sureshot.campaign``), so that a bare import costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sureshot._version import __version__

if TYPE_CHECKING:
    from sureshot import campaign, client, core, errors, lab, policies, space, storage, testing, theory, viz
    from sureshot.campaign import Campaign
    from sureshot.client import Client
    from sureshot.space import Actions, Contexts, Space

__all__ = [
    "Actions",
    "Campaign",
    "Client",
    "Contexts",
    "Space",
    "__version__",
    "campaign",
    "client",
    "core",
    "errors",
    "lab",
    "policies",
    "space",
    "storage",
    "testing",
    "theory",
    "viz",
]

#: Where the names that a newcomer meets first are kept.
_HOMES = {"Campaign": "campaign", "Client": "client", "Space": "space", "Actions": "space", "Contexts": "space"}
_FLOORS = frozenset(__all__) - {"__version__", *_HOMES}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"sureshot.{_HOMES[name]}"), name)
    if name in _FLOORS:
        return import_module(f"sureshot.{name}")
    raise AttributeError(f"module 'sureshot' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
