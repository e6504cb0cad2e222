"""The choice alone, for tests that ask for nothing else."""

from __future__ import annotations

import numpy as np

from sureshot.policies import Policy, Situation, decide


def pick(policy: Policy, now: Situation, rng: np.random.Generator) -> int:
    return decide(policy, now, rng)[0].alternative
