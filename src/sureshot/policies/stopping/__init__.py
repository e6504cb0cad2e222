"""When to stop: rules, each of which sees what more trials are expected to bring, and says whether that is enough."""

from sureshot.policies.stopping.ahead import AHEAD, Ahead, Gains
from sureshot.policies.stopping.registry import STOPPING_RULES, register_stopping, stopping_of, written_stopping
from sureshot.policies.stopping.rule import StoppingRule, stops
from sureshot.policies.stopping.rules import GoodEnough, LittleGain, LittleRegret, NotWorthIt, Sure, Worked

__all__ = [
    "AHEAD",
    "STOPPING_RULES",
    "Ahead",
    "Gains",
    "GoodEnough",
    "LittleGain",
    "LittleRegret",
    "NotWorthIt",
    "StoppingRule",
    "Sure",
    "Worked",
    "register_stopping",
    "stopping_of",
    "stops",
    "written_stopping",
]
