"""The lab: policies against policies, on simulated truth, with honest intervals."""

from sureshot.lab.play.beliefs import AUTO, PAPER, BeliefRecipe
from sureshot.lab.play.world import Truth, World, truth
from sureshot.lab.study.parts import load_rows
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
