"""Does what is recommended work? sureshot beside Optuna, BayBE and a notebook, on the same benches and labels.

Simulated benches, and the robot's pools where ``SURESHOT_DATA`` has them. Optuna answers with ``study.best_trial``,
BayBE with the largest posterior mean, a notebook with what worked best. A peer whose environment is missing is left
out; ``SURESHOT_CHOICES`` says how many runs there are of each bench (1).
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.peer import ROOT, missing
from benchmarks.report import markdown
from sureshot.lab import AUTO, BeliefRecipe, World
from sureshot.lab.play.run import Staged, play, stage, stream
from sureshot.lab.worlds import bench_worlds
from sureshot.lab.worlds.real.benches import AMINES, Perovskites
from sureshot.policies import get_policy

BUDGET, AT = 30, (10, 20, 30)
PEERS = {"Optuna": "optuna_choose.py", "BayBE": "baybe_choose.py"}
OWN = {
    "sureshot, `kg-star`": ("kg-star", AUTO),
    "sureshot, `draw-then-kg`": ("draw-then-kg", AUTO),
    "random trials, what worked best": ("random", BeliefRecipe("notebook", prior="notebook")),
}
ENVIRONMENT = ".venv-peers-choices"


def problem(staged: Staged) -> dict[str, Any]:
    """A run as a peer needs it: the rows by name, and the outcome of each at each trial. No chances."""
    space, chance = staged.truth.space, staged.truth.at(0)[0]
    assert space is not None
    columns = [
        {"name": column.name, "kind": column.kind, "levels": [cell(level) for level in column.levels]}
        for column in space.columns
    ]
    rows = [[cell(value) for value in space.row(i).values()] for i in range(len(space))]
    return {
        "columns": columns,
        "rows": rows,
        "labels": (staged.uniforms < chance[:, None]).astype(int).tolist(),
        "at": AT,
    }


def cell(value: object) -> object:
    """A value that JSON gives back as it was."""
    return value if isinstance(value, str) else float(value)  # type: ignore[arg-type]


def ours(staged: Staged, world: World, name: str, run: int, seed: int) -> list[float]:
    """The true chance of what is recommended after 10, 20 and 30 trials."""
    policy, recipe = OWN[name]
    rng = stream(seed, "policy", world.label, policy, recipe.label, run)
    rows = play(staged, get_policy(policy), recipe, rng=rng, budget=BUDGET)
    return [float(rows.true[n - 1]) for n in AT]


def theirs(problems: Sequence[dict[str, Any]], script: str) -> list[dict[str, Any]]:
    """What a peer tried and answered, in its own environment."""
    with TemporaryDirectory() as folder:
        asked, told = Path(folder) / "problems.json", Path(folder) / "answers.json"
        asked.write_text(json.dumps(problems))
        command = [ROOT / ENVIRONMENT / "bin/python", ROOT / "benchmarks/peers" / script, asked, told]
        subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        found: list[dict[str, Any]] = json.loads(told.read_text())
    return found


def table(title: str, worlds: Sequence[World], runs: int, seed: int) -> str:
    """What is recommended works so often, and how much less than sureshot's, paired."""
    staged = [(world, run, stage(world, seed=seed, run=run, budget=BUDGET)) for world in worlds for run in range(runs)]
    found = {name: np.array([ours(one, world, name, run, seed) for world, run, one in staged]) for name in OWN}
    if missing(ENVIRONMENT) is None:
        problems = [problem(one) for _, _, one in staged]
        for name, script in PEERS.items():
            chances = [one.truth.at(0)[0] for _, _, one in staged]
            answers = theirs(problems, script)
            found[name] = np.array([chance[told["answers"]] for chance, told in zip(chances, answers, strict=True)])
    first = found[next(iter(found))]
    rows = []
    for name, works in found.items():
        less, sem = (works - first).mean(axis=0), (works - first).std(axis=0, ddof=1) / np.sqrt(len(works))
        beside = [f"{a:+.2f} ± {1.96 * b:.2f}" if works is not first else "" for a, b in zip(less, sem, strict=True)]
        rows.append([name, *(f"{w:.2f}" for w in works.mean(axis=0)), *beside])
    header = ["", *(f"n = {n}" for n in AT), *(f"difference, n = {n}" for n in AT)]
    return markdown(f"{title}: chance of what is recommended, {len(staged)} runs", header, rows)


def main(seed: int) -> None:
    runs = int(os.environ.get("SURESHOT_CHOICES", "1"))
    if (why := missing(ENVIRONMENT)) is not None:
        print(why)
    print(table("Simulated benches", bench_worlds(), runs, seed), "\n")
    if os.environ.get("SURESHOT_DATA"):
        print(table("Pools that a robot ran", [Perovskites(amine) for amine in AMINES], runs, seed), "\n")
