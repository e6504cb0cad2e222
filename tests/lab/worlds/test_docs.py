"""``docs/worlds.md`` names every world and every parameter, and its table is what the worlds draw."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from sureshot.lab.play.world import World
from sureshot.lab.worlds import WORLDS, bench_worlds, get_world, paper_worlds, real_benches
from tests.lab.worlds.data import here

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "worlds.md").read_text(encoding="utf-8")
OWN = (DOCS / "how-to" / "world.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", WORLDS)
def test_every_world_and_parameter_is_documented(name: str) -> None:
    page = OWN if name in ("table", "function") else PAGE
    assert re.search(rf"[`'\"]{name}[`'\"]", PAGE)
    for key in (one.name for one in fields(WORLDS[name])):  # type: ignore[arg-type]
        if key not in ("function", "pool", "redraw", "intercept", "scaling") or name not in ("table", "function"):
            assert re.search(rf"\b{key}\b", page), key


def listed() -> dict[str, list[float]]:
    lines = re.findall(r"^\| ([a-z][A-Za-z0-9.-]+)((?: \| [0-9. %]+){10}) \|$", PAGE, flags=re.MULTILINE)
    return {
        label: [float(cell.replace("%", "")) for cell in cells.split("|")[1:]] for label, cells in lines
    }  # M, d, five quantiles, best, near best (%), lost at random


def worlds() -> list[World]:
    made = [
        *(get_world("synthetic", d=d) for d in (2, 3, 10, 15)),
        *(get_world(name) for name in ("noisy", "misspecified-prior", "wrong-link", "correlated", "drifting")),
        *(get_world(name) for name in ("health-care", "loans", "admissions")),
        *(world for noise in (0.1, 1.0) for world in paper_worlds(noise=noise)[:7]),
        *bench_worlds(),
        *(world for world in real_benches() if world.label == world.name or world.name != "vapour-diffusion"),
    ]
    return [world for world in made if here(world.name)]


@pytest.mark.parametrize("world", worlds(), ids=lambda world: world.label)
def test_the_table_is_what_is_drawn(world: World) -> None:
    size, d, *quantiles, best, near, lost = listed()[world.label]
    facts = [world.draw(np.random.default_rng([99, run]), 30) for run in range(60)]
    drawn = np.mean([fact.X.shape[1:] for fact in facts], axis=0)
    assert drawn == pytest.approx([size, d], rel=0.3 if world.name == "bench" else 0.0)  # benches: a new grid each time
    chances = [fact.at(30)[fact.judged] for fact in facts]
    found = np.mean([np.quantile(p, [0.05, 0.25, 0.5, 0.75, 0.95]) for p in chances], axis=0)
    tops = [p.max(axis=1) for p in chances]
    spread = np.std([np.quantile(p, [0.05, 0.25, 0.5, 0.75, 0.95]) for p in chances], axis=0) / np.sqrt(60)
    assert (np.abs(found - quantiles) < 4 * spread + 0.01).all()
    assert np.mean([top.mean() for top in tops]) == pytest.approx(best, abs=0.04)
    share = np.mean([(p >= top[:, None] - 0.05).mean() for p, top in zip(chances, tops, strict=True)])
    assert share == pytest.approx(near / 100, abs=0.05)
    assert np.mean([(top[:, None] - p).mean() for p, top in zip(chances, tops, strict=True)]) == pytest.approx(
        lost, abs=0.05
    )


def test_the_table_has_every_kind() -> None:
    told = {label.split("-")[0] for label in listed()}
    assert {name.split("-")[0] for name in WORLDS if name not in ("delayed", "table", "function")} <= told
