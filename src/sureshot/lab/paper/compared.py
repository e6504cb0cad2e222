"""The study behind figure 4: seven policies in nine worlds."""

from __future__ import annotations

from collections.abc import Sequence

from sureshot.lab.paper.setting import PANELS, POLICIES, TRIALS
from sureshot.lab.play.beliefs import PAPER
from sureshot.lab.play.run import stage
from sureshot.lab.play.world import World
from sureshot.lab.study.study import Study, contenders
from sureshot.lab.worlds import get_world

__all__ = ["comparison_study", "panel_worlds"]


def comparison_study(worlds: Sequence[World], *, runs: int, seed: int) -> Study:
    """Every policy of the paper with the paper's belief."""
    return Study(
        f"comparison-seed-{seed}", tuple(worlds), contenders(POLICIES, [PAPER]), seed=seed, runs=runs, budget=TRIALS
    )


def panel_worlds() -> dict[str, World]:
    """The nine worlds by the titles of their panels; a UCI table that is missing or wrong is told at once."""
    worlds = {one.title: get_world(one.world, **dict(one.parameters)) for one in PANELS}
    for world in worlds.values():
        stage(world, seed=0, run=1, budget=1)
    return worlds
