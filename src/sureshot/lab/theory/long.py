"""The long runs that several statements are about: the exact knowledge gradient, the paper's algorithms, and chance.

The theorems speak of trials without end. A run of 500 trials among 20 alternatives shows how far they have come by
then.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from sureshot.lab.play.beliefs import PAPER, BeliefRecipe
from sureshot.lab.play.world import World
from sureshot.lab.study.study import Study, contenders
from sureshot.lab.theory.computing import Computing, Played, share
from sureshot.lab.worlds import get_world

__all__ = ["EXACT", "LONG", "PAPERS", "RANDOM", "TRIALS", "D", "Long", "M", "Way", "long_runs"]

#: Features beside the constant, alternatives, trials.
D, M, TRIALS = 2, 20, 500
_EP = BeliefRecipe("ep", prior=1.0)


@dataclass(frozen=True)
class Way:
    """How the trials of a long run are chosen."""

    policy: str
    belief: BeliefRecipe


EXACT, PAPERS, RANDOM = "KG, exact", "KG, Algorithm 2", "at random"
#: All ways, by what the page calls them. Each meets truths of its own link.
LONG = {
    EXACT: Way("kg-exact", _EP),
    PAPERS: Way("kg", PAPER),
    "KG, Algorithm 3": Way(
        "kg", BeliefRecipe("algorithm-3", link="probit", covariance="diagonal", method="laplace", prior=1.0)
    ),
    "KG, Algorithm 4": Way(
        "kg", BeliefRecipe("algorithm-4", link="probit", covariance="diagonal", method="adf", prior=1.0)
    ),
    RANDOM: Way("random", _EP),
}


@dataclass(frozen=True, eq=False)
class Long:
    """The runs of one way."""

    way: Way
    played: Played
    rows: Any  # of the study


def long_runs(how: Computing, names: tuple[str, ...] = tuple(LONG)) -> dict[str, Long]:
    """The long runs of these ways; computed once, whatever statement asks first."""
    found = {}
    for link in dict.fromkeys(LONG[name].belief.link for name in names):
        ways = {name: way for name, way in LONG.items() if way.belief.link == link}
        world = long_world(link)
        field = tuple(one for way in ways.values() for one in contenders([way.policy], [way.belief]))
        study = Study(
            f"long-{link}-seed-{how.seed}", (world,), field, seed=how.seed, runs=share(how.runs, "long"), budget=TRIALS
        )
        rows = how.study(study)
        for name, way in ways.items():
            own = rows[(rows["policy"] == way.policy) & (rows["belief"] == way.belief.label)]
            found[name] = Long(way, Played.of(own, world, way.policy, seed=how.seed), own)
    return {name: found[name] for name in names}


@cache
def long_world(link: str) -> World:
    """Features from [-3, 3] and a constant; weights from the unit prior."""
    return get_world("synthetic", d=D, M=M, link=link)
