"""Conformance suites that a link, a policy or a storage of your own can run. (That of storages needs pytest.)"""

from typing import TYPE_CHECKING, Any

from sureshot.testing.links import LinkConformance
from sureshot.testing.policies import PolicyConformance

if TYPE_CHECKING:
    from sureshot.testing.storage import StorageConformance

__all__ = ["LinkConformance", "PolicyConformance", "StorageConformance"]


def __getattr__(name: str) -> Any:
    if name == "StorageConformance":  # pytest is loaded only by those who run it
        from sureshot.testing.storage import StorageConformance

        return StorageConformance
    raise AttributeError(f"module 'sureshot.testing' has no attribute {name!r}")
