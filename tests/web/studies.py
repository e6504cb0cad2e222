"""Results of a small study in a folder, as a lab leaves them."""

from __future__ import annotations

from pathlib import Path

from sureshot.lab.study.parts import write_part

__all__ = ["part"]


def part(folder: Path, policy: str, cost: float) -> None:
    """Three runs of two trials of one policy."""
    runs, trials = 3, 2
    n = runs * trials
    run = [1 + i // trials for i in range(n)]
    columns = {
        "study": ["first"] * n,
        "world": ["flat <world>"] * n,
        "policy": [policy] * n,
        "belief": ["paper"] * n,
        "run": run,
        "n": [1 + i % trials for i in range(n)],
        "pick": [0] * n,
        "outcome": [1] * n,
        "oc": [cost + 0.01 * one for one in run],
        "oc_plugin": [cost] * n,
        "successes": [1] * n,
        "regret": [0.1] * n,
        "predicted": [0.5] * n,
        "true": [0.5] * n,
        "max_kg": [0.1] * n,
        "found_best": [0.0] * n,
        "seconds": [0.001] * n,
    }
    made_by = {key: {"label": columns[key][0]} for key in ("world", "policy", "belief")}
    write_part(folder, made_by, 1, runs, columns)
