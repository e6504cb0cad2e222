"""The lab: policies against policies, on simulated truth, with honest intervals.

Names are loaded when first used: what one needs of the lab, one pays for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sureshot.lab.play.beliefs import AUTO, PAPER, BeliefRecipe
    from sureshot.lab.play.world import Truth, World, truth
    from sureshot.lab.study.rows import load_rows
    from sureshot.lab.study.runner import run_study
    from sureshot.lab.study.study import Contender, Study, contenders
    from sureshot.lab.study.study_file import read_study

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
    "AUTO": "play.beliefs",
    "PAPER": "play.beliefs",
    "BeliefRecipe": "play.beliefs",
    "Contender": "study.study",
    "Study": "study.study",
    "Truth": "play.world",
    "World": "play.world",
    "contenders": "study.study",
    "load_rows": "study.rows",
    "read_study": "study.study_file",
    "run_study": "study.runner",
    "truth": "play.world",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"sureshot.lab.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'sureshot.lab' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
