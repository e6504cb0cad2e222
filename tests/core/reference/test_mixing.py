"""R-hat and the effective number of draws, for chains that remember a known share of where they were."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sureshot.core.reference.mixing import effective, split_r_hat


def remembering(share: float, steps: int, chains: int) -> np.ndarray:
    rng = np.random.default_rng(1)
    x = np.empty((steps, chains))
    x[0] = rng.standard_normal(chains)
    for i in range(1, steps):
        x[i] = share * x[i - 1] + math.sqrt(1.0 - share**2) * rng.standard_normal(chains)
    return x


@pytest.mark.parametrize("share", [0.0, 0.5, 0.8])
def test_the_effective_number(share: float) -> None:
    """An autoregression's is (1 - a)/(1 + a) of its draws. Batches of 64 steps miss little of what is remembered."""
    x = remembering(share, 4096, 16)
    assert effective(x) == pytest.approx(x.size * (1 - share) / (1 + share), rel=0.12)


def test_r_hat() -> None:
    x = remembering(0.5, 2000, 8)
    assert split_r_hat(x) == pytest.approx(1.0, abs=0.01)
    assert split_r_hat(x + np.linspace(0.0, 2.0, 2000)[:, None]) > 1.1  # it drifts
    apart = x + 3.0 * (np.arange(8) % 2)
    assert split_r_hat(apart) == pytest.approx(math.sqrt(1.0 + 9.0 / 4.0 * 16 / 15), abs=0.05)


def test_chains_that_never_move() -> None:
    assert split_r_hat(np.ones((10, 4))) == 1.0
    assert split_r_hat(np.tile(np.arange(4.0), (10, 1))) == math.inf
    assert effective(np.ones((10, 4))) == 40.0
