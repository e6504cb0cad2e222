"""The demo: a campaign in a simulated nanotube lab, and what a hundred such labs give."""

from sureshot.demo.kept import LAB, answer, keep, world_of
from sureshot.demo.labs import COMMAND, compute, hundred, summary, typical
from sureshot.demo.run import TRIALS, Reveal, Step, begin, reveal, run
from sureshot.demo.world import FAILURE, SUCCESS, World, nanotubes

__all__ = [
    "COMMAND",
    "FAILURE",
    "LAB",
    "SUCCESS",
    "TRIALS",
    "Reveal",
    "Step",
    "World",
    "answer",
    "begin",
    "compute",
    "hundred",
    "keep",
    "nanotubes",
    "reveal",
    "run",
    "summary",
    "typical",
    "world_of",
]
