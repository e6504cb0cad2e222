"""The lab: policies against policies, on simulated truth, with honest intervals.

Names are loaded when first used: what one needs of the lab, one pays for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sureshot.lab.beliefs import AUTO, PAPER, BeliefRecipe
    from sureshot.lab.rows import load_rows
    from sureshot.lab.runner import run_study
    from sureshot.lab.study import Contender, Study, contenders
    from sureshot.lab.study_file import read_study
    from sureshot.lab.world import Truth, World, truth

__all__ = [
    "AUTO",
    "PAPER",
    "BeliefRecipe",
    "Contender",
    "Study",
    "Truth",
    "World",
    "contenders",
    "load_rows",
    "read_study",
    "run_study",
    "truth",
]

#: Where each name is kept.
_HOMES = {
    "AUTO": "beliefs",
    "PAPER": "beliefs",
    "BeliefRecipe": "beliefs",
    "Contender": "study",
    "Study": "study",
    "Truth": "world",
    "World": "world",
    "contenders": "study",
    "load_rows": "rows",
    "read_study": "study_file",
    "run_study": "runner",
    "truth": "world",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"sureshot.lab.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'sureshot.lab' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
