"""How large a study and its worlds may be: a file of ten lines can ask for more than a machine holds, or for ever."""

from __future__ import annotations

__all__ = ["MOST_FEATURES", "MOST_NUMBERS", "MOST_RUNS", "MOST_TRIALS"]

#: Runs of a study.
MOST_RUNS = 1_000_000
#: Trials of a run.
MOST_TRIALS = 100_000
#: Features of a world that is drawn, as many as a formula may have.
MOST_FEATURES = 1_000
#: Numbers that a run holds at once (8 bytes each): features of the alternatives, or labels of alternatives x trials.
MOST_NUMBERS = 50_000_000
