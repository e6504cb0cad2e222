"""The study behind figures 1 to 3: many runs of the knowledge gradient in the two small worlds, the first one drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sureshot.lab.paper.behaviour import Watched, watch
from sureshot.lab.paper.claims import Claim, scene_claims
from sureshot.lab.paper.error_map import ErrorMap, draw_error_maps
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

__all__ = ["SHOWN", "SceneResult", "behaviour_study", "draw_errors", "draw_scene", "scene_result"]

#: Trials of each run: what the longest of the figures needs.
WATCHED = max(max(one.trials, one.error_after) for one in SCENES)
#: The run that is drawn: the first, not a chosen one.
SHOWN = 1


def scene_world(scene: Scene) -> World:
    """The world of a scene: alternatives from U[-3, 3]^d, weights from the prior."""
    return get_world("synthetic", d=scene.d, M=scene.M)


def behaviour_study(scenes: Sequence[Scene], *, runs: int, seed: int) -> Study:
    """Algorithm 2 with the paper's belief in these worlds."""
    worlds = tuple(map(scene_world, scenes))
    return Study(f"behaviour-seed-{seed}", worlds, contenders([OWN], [PAPER]), seed=seed, runs=runs, budget=WATCHED)


@dataclass(frozen=True, eq=False)
class SceneResult:
    """All there is to say about one of the small worlds, and the run that is drawn."""

    scene: Scene
    seen: Watched
    claims: dict[str, Claim]
    staged: Staged
    picks: list[int]
    outcomes: list[int]


def scene_result(scene: Scene, rows: Any, *, seed: int) -> SceneResult:
    """What the rows of that study say about one of its worlds."""
    world = scene_world(scene)
    own = rows[rows["world"] == world.label]
    seen = watch(scene, world, own, seed=seed, budget=WATCHED)
    claims = scene_claims(scene, seen, seed=seed)
    staged = stage(world, seed=seed, run=SHOWN, budget=WATCHED)
    shown = own[own["run"] == SHOWN].sort_values("n")
    return SceneResult(scene, seen, claims, staged, shown["pick"].to_list(), shown["outcome"].to_list())


def draw_scene(result: SceneResult) -> Figure:
    """Figure 1 or 2."""
    scene, staged = result.scene, result.staged
    best = int(staged.truth.at(0)[0].argmax())
    frames = film(staged, result.picks[: scene.trials], result.outcomes[: scene.trials])
    title = f"Figure {scene.figure}: the knowledge gradient at trials 1 to {scene.trials} ({scene.title})"
    return draw_snapshots(coordinates(staged), best, frames, title=title)


def draw_errors(results: Sequence[SceneResult]) -> Figure:
    """Figure 3."""
    maps = []
    for one in results:
        n, staged = one.scene.error_after, one.staged
        error = errors(staged, beliefs(staged, one.picks[:n], one.outcomes[:n])[-1], n)
        best = int(staged.truth.at(n)[0].argmax())
        maps.append(ErrorMap(f"{one.scene.title}, after {n} trials", coordinates(staged), error, best))
    return draw_error_maps(maps, title="Figure 3: absolute error of the predicted success probability")
