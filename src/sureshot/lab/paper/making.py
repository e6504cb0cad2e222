"""Make the paper's figures again, and the page that puts its claims beside what was measured."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sureshot.errors import InvalidInput
from sureshot.files import write_whole
from sureshot.lab.paper.claims import Claim
from sureshot.lab.paper.drawing import draw_errors, draw_scene, keep
from sureshot.lab.paper.page import (
    Section,
    comparison_section,
    error_section,
    in_the_papers_order,
    page,
    scene_section,
)
from sureshot.lab.paper.scenes import scene_result, scenes_study
from sureshot.lab.paper.setting import PANELS, POLICIES, SCENES, TRIALS
from sureshot.lab.play.beliefs import PAPER
from sureshot.lab.play.run import stage
from sureshot.lab.play.world import World
from sureshot.lab.report.escaped import in_link
from sureshot.lab.report.markdown import writing
from sureshot.lab.report.plots import cost_figure
from sureshot.lab.study.runner import run_study
from sureshot.lab.study.study import Study, contenders
from sureshot.lab.worlds import paper_worlds
from sureshot.said import Setting

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["FIGURES", "PAGE", "Reproduction", "reproduce"]

FIGURES = (1, 2, 3, 4)
#: The name of the page beside the figures, if it is put nowhere else.
PAGE = "reproduction.md"

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Reproduction:
    """What was made: files, and the claims with their verdicts."""

    files: tuple[Path, ...]
    claims: tuple[Claim, ...]


def reproduce(
    figures: Sequence[int] = FIGURES,
    *,
    runs: int = 500,
    seed: int = 1,
    out: Path = Path("reproduction"),
    page_to: Path | None = None,
    rows_in: Path | None = None,
    processes: int | None = 1,
    command: str = "sureshot lab reproduce",
    progress: Progress | None = None,
) -> Reproduction:
    """Run what the figures need, draw them into ``out`` (PNG and SVG) and write the page of claims.

    Figure 4 needs the seven UCI tables, in the folder named by ``SURESHOT_DATA``.

    :param page_to: the file of the page; ``reproduction.md`` in ``out`` if not given.
    :param rows_in: the folder that keeps the rows, so that what was stopped goes on; ``rows`` in ``out`` if not given.
    :param command: what the page says made it.
    :param progress: called with the finished and the total number of runs, of figures 1 to 3 and then of figure 4.
    """
    if odd := [one for one in figures if one not in FIGURES]:
        raise InvalidInput(f"`figure` must be one of {', '.join(map(str, FIGURES))}", got=odd[0])
    if runs < 2:
        raise InvalidInput(
            "`runs` must be a whole number of 2 or more, since intervals need runs", got=Setting("runs", runs)
        )
    wanted = set(figures)
    written = page_to or out / PAGE
    pictures = Path(os.path.relpath(out, written.parent))
    panels = panel_worlds() if 4 in wanted else {}  # a missing table is told before anything is computed
    sections: list[Section] = []
    files: list[Path] = []

    def rows_of(study: Study) -> Any:
        return run_study(study, rows_in or out / "rows", processes=processes, progress=progress)

    def drawn(figure: Figure, number: int) -> str:
        with writing(out / f"figure{number}"):
            files.extend(keep(figure, out, f"figure{number}"))
        return in_link((pictures / f"figure{number}").as_posix())

    scenes = [one for one in SCENES if one.figure in wanted or 3 in wanted]
    if scenes:
        rows = rows_of(scenes_study(scenes, runs=runs, seed=seed))
        results = [scene_result(one, rows, seed=seed) for one in scenes]
        shown = [one for one in results if one.scene.figure in wanted]
        sections += [scene_section(one, drawn(draw_scene(one), one.scene.figure), seed=seed) for one in shown]
        if 3 in wanted:
            sections.append(error_section(results, drawn(draw_errors(results), 3), seed=seed))
    if panels:
        field, worlds = contenders(POLICIES, [PAPER]), tuple(panels.values())
        rows = rows_of(Study(f"comparison-seed-{seed}", worlds, field, seed=seed, runs=runs, budget=TRIALS))
        titles = {world.label: title for title, world in panels.items()}
        curves = cost_figure(in_the_papers_order(rows, titles), "oc_plugin", seed=seed)
        sections.append(comparison_section(rows, titles, drawn(curves, 4), seed=seed))
    with writing(written):
        write_whole(written, page(sections, command=command, seed=seed, runs=runs).encode())
    return Reproduction((*files, written), tuple(claim for section in sections for claim in section.claims))


def panel_worlds() -> dict[str, World]:
    """The nine worlds by the titles of their panels; a UCI table that is missing or wrong is told at once."""
    worlds = dict(zip(PANELS, paper_worlds(), strict=True))
    for world in worlds.values():
        stage(world, seed=0, run=1, budget=1)
    return worlds
