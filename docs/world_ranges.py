"""The table of docs/worlds.md: how likely success is in each world. ``python docs/world_ranges.py`` prints it again."""

import sys

import numpy as np

from sureshot.lab.play.run import stream
from sureshot.lab.play.world import World
from sureshot.lab.worlds import bench_worlds, get_world, paper_worlds, real_benches

RUNS, BUDGET, SEED = 500, 30, 0
HEAD = "| world | M | d | 5 % | 25 % | 50 % | 75 % | 95 % | best | near best | at random |"


def worlds() -> list[World]:
    """The rows of the table."""
    return [
        *(get_world("synthetic", d=d) for d in (2, 3, 10, 15)),
        get_world("noisy"),
        get_world("misspecified-prior"),
        get_world("misspecified-prior", shift=0, stretch=1, tails=2),
        get_world("misspecified-prior", shift=0, stretch=1, base=-4),
        get_world("wrong-link"),
        get_world("wrong-link", link="t"),
        get_world("correlated"),
        get_world("drifting"),
        *bench_worlds(),
        *paper_worlds()[:7],
        *paper_worlds(noise=1.0)[:7],
        *(world for world in real_benches() if world.label == world.name or world.name != "vapour-diffusion"),
        *(get_world(name) for name in ("health-care", "loans", "admissions")),
    ]


def row(world: World, runs: int = RUNS) -> list[float]:
    """Means over runs: M, d, the quantiles, the best, how many come near it, what one at random loses."""
    found = []
    for run in range(runs):
        fact = world.draw(stream(SEED, "world", world.label, run), BUDGET)
        p = fact.at(BUDGET)[fact.judged]  # (cases, M)
        best = p.max(axis=1, keepdims=True)
        near, lost = (p >= best - 0.05).mean(), (best - p).mean()
        found.append([*fact.X.shape[1:], *np.quantile(p, [0.05, 0.25, 0.5, 0.75, 0.95]), best.mean(), near, lost])
    return list(np.mean(found, axis=0))


if __name__ == "__main__":
    lines = [HEAD, "|---|" + "--:|" * 10]
    for one in worlds():
        size, d, *rest, near, lost = row(one)
        cells = [one.label, f"{size:.0f}", f"{d:.0f}", *(f"{x:.2f}" for x in rest), f"{near:.0%}", f"{lost:.2f}"]
        lines.append("| " + " | ".join(cells) + " |")
    sys.stdout.write("\n".join(lines) + "\n")
