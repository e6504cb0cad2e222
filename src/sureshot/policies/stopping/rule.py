"""What a stopping rule is: a yes or no, from what lies ahead."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from sureshot.policies.stopping.ahead import Ahead

__all__ = ["StoppingRule"]


class StoppingRule(ABC):
    """Says whether to stop; subclasses are frozen dataclasses of their parameters. ``because`` tells a person why, in a
    few words that follow "stop:".

    A rule believes the belief. Where that does not fit the outcomes a campaign goes on, whatever the rule says.
    """

    called: ClassVar[str] = "stopping rule"
    name: ClassVar[str]
    because: ClassVar[str]

    @abstractmethod
    def stops(self, ahead: Ahead) -> bool:
        """Whether what is known is enough."""
