"""How a page is computed: so many runs, from one seed, on so many processes, kept in one folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sureshot.core.numerics.stable import Array
from sureshot.lab.play.run import Staged, stage
from sureshot.lab.play.world import World
from sureshot.lab.study.runner import run_study
from sureshot.lab.study.study import Study
from sureshot.lab.theory.kept import computed

__all__ = ["Computing", "Played", "grid", "share"]

#: One case of a kind belongs to so many runs; there are never fewer than :data:`FEWEST`.
SHARES = {"runs": 1, "states": 5, "long": 10}
FEWEST = 2


def share(runs: int, kind: str) -> int:
    """How many cases of a kind belong to so many runs.

    >>> [share(1500, kind) for kind in SHARES], share(2, "long")
    ([1500, 300, 150], 2)
    """
    return max(runs // SHARES[kind], FEWEST)


def grid(budget: int) -> list[int]:
    """The numbers of trials at which a long run is looked at: 5, 10, 20, 50, ... up to all.

    >>> grid(500), grid(60)
    ([5, 10, 20, 50, 100, 200, 500], [5, 10, 20, 50, 60])
    """
    every = [lead * 10**k for k in range(7) for lead in (1, 2, 5) if lead * 10**k >= 5]
    return [*(n for n in every if n < budget), budget]


@dataclass(frozen=True)
class Computing:
    """What computes, and where it is kept."""

    runs: int
    seed: int
    folder: Path
    processes: int | None = 1
    progress: Callable[[int, int], None] | None = None

    def study(self, study: Study) -> Any:
        """The rows of a study."""
        return run_study(study, self.folder, processes=self.processes, progress=self.progress)

    def columns(self, name: str, work: partial[dict[str, Array]], cases: int) -> dict[str, Array]:
        """What is measured of cases that are no rows of a study."""
        return computed(name, work, cases, folder=self.folder, processes=self.processes, progress=self.progress)


@dataclass(frozen=True, eq=False)
class Played:
    """The runs of one contender in one world: what was tried and what came of it; runs count from 1."""

    world: World
    seed: int
    picks: NDArray[np.int64]  # (R, N)
    outcomes: NDArray[np.int64]  # (R, N)

    @classmethod
    def of(cls, rows: Any, world: World, policy: str, *, seed: int) -> Played:
        """Those of a policy in the rows of a study."""
        own = rows[(rows["world"] == world.label) & (rows["policy"] == policy)]
        tables = (own.pivot_table(index="run", columns="n", values=key) for key in ("pick", "outcome"))
        return cls(world, seed, *(table.to_numpy(dtype=np.int64) for table in tables))

    @property
    def budget(self) -> int:
        """Trials of each run."""
        return int(self.picks.shape[1])

    def staged(self, run: int) -> Staged:
        """The truth of a run."""
        return stage(self.world, seed=self.seed, run=run, budget=self.budget)

    def visits(self, run: int, n: int, M: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """How often each alternative was tried in the first ``n`` trials, and how often it succeeded, (M,) each."""
        tried, won = self.picks[run - 1, :n], self.outcomes[run - 1, :n]
        return np.bincount(tried, minlength=M), np.bincount(tried, won, minlength=M).astype(np.int64)
