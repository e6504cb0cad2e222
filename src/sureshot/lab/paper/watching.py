"""The study behind figures 1 to 3: many runs of the knowledge gradient in the two small worlds, the first one drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sureshot.lab.paper.behaviour import watch
from sureshot.lab.paper.claims import scene_claims
from sureshot.lab.paper.error_map import ErrorMap, draw_error_maps
from sureshot.lab.paper.page import SceneResult
from sureshot.lab.paper.replay import beliefs, coordinates, errors, film
from sureshot.lab.paper.setting import OWN, SCENES, Scene
from sureshot.lab.paper.snapshots import draw_snapshots
from sureshot.lab.play.beliefs import PAPER
from sureshot.lab.play.run import Staged, stage
from sureshot.lab.play.world import World
from sureshot.lab.study.study import Study, contenders
from sureshot.lab.worlds import get_world

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["WATCHED", "Watching", "behaviour_study", "scene_world"]

#: Trials of each run: what the longest of the figures needs.
WATCHED = max(max(one.trials, one.error_after) for one in SCENES)


def scene_world(scene: Scene) -> World:
    """The world of a scene: alternatives from U[-3, 3]^d, weights from the prior."""
    return get_world("synthetic", d=scene.d, M=scene.M)


def behaviour_study(scenes: Sequence[Scene], *, runs: int, seed: int) -> Study:
    """Algorithm 2 with the paper's belief in these worlds."""
    worlds = tuple(map(scene_world, scenes))
    return Study(f"behaviour-seed-{seed}", worlds, contenders([OWN], [PAPER]), seed=seed, runs=runs, budget=WATCHED)


class Watching:
    """What the rows of that study say, and its first run as pictures."""

    def __init__(self, scenes: Sequence[Scene], rows: Any, *, seed: int) -> None:
        self.seed = seed
        self.scenes = tuple(scenes)
        self._worlds = {one: scene_world(one) for one in scenes}
        self._rows = {one: rows[rows["world"] == self._worlds[one].label] for one in scenes}
        self.results = {one.figure: self._result(one) for one in scenes}

    def _result(self, scene: Scene) -> SceneResult:
        own = self._rows[scene]
        seen = watch(scene, self._worlds[scene], own, seed=self.seed, budget=WATCHED)
        return SceneResult(scene, seen, scene_claims(scene, seen, seed=self.seed), int(own["run"].min()))

    def _shown(self, scene: Scene, trials: int) -> tuple[Staged, list[int], list[int]]:
        """The first run: its truth, and what was tried up to a number of trials and came of it."""
        run = self.results[scene.figure].shown
        staged = stage(self._worlds[scene], seed=self.seed, run=run, budget=WATCHED)
        own = self._rows[scene]
        part = own[(own["run"] == run) & (own["n"] <= trials)].sort_values("n")
        return staged, part["pick"].to_list(), part["outcome"].to_list()

    def snapshots(self, scene: Scene) -> Figure:
        """Figure 1 or 2."""
        staged, picks, outcomes = self._shown(scene, scene.trials)
        best = int(staged.truth.at(0)[0].argmax())
        title = f"Figure {scene.figure}: the knowledge gradient at trials 1 to {scene.trials} ({scene.title})"
        return draw_snapshots(coordinates(staged), best, film(staged, picks, outcomes), title=title)

    def error_maps(self) -> Figure:
        """Figure 3."""
        maps = []
        for scene in self.scenes:
            n = scene.error_after
            staged, picks, outcomes = self._shown(scene, n)
            error = errors(staged, beliefs(staged, picks, outcomes)[-1], n)
            best = int(staged.truth.at(n)[0].argmax())
            maps.append(ErrorMap(f"{scene.title}, after {n} trials", coordinates(staged), error, best))
        return draw_error_maps(maps, title="Figure 3: absolute error of the predicted success probability")
