"""What a stopping rule is: a yes or no, from what lies ahead."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from sureshot.errors import InvalidInput, SureshotError
from sureshot.policies.stopping.ahead import Ahead

__all__ = ["StoppingRule", "stops"]


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


def stops(rule: StoppingRule, ahead: Ahead) -> bool:
    """What a rule says, if it says true or false: one of somebody's own may fail."""
    try:
        found = rule.stops(ahead)
        came = repr(found)
    except SureshotError:
        raise
    except Exception as error:
        found, came = None, f"{type(error).__name__}: {error}"
    if not isinstance(found, bool | np.bool_):
        raise InvalidInput(
            f"stopping rule {rule.name!r} must say true or false, got {came}",
            field="stopping",
            value=rule.name,
            fix="fix the rule, or choose another",
        )
    return bool(found)
