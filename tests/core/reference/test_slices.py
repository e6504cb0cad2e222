"""Draws by slices have the moments that quadrature gives, for all links, whatever Gaussian they turn about."""

from __future__ import annotations

import numpy as np
import pytest

from sureshot import core
from sureshot.core.reference.gaussian import Gaussian, near, standard
from sureshot.core.reference.mixing import effective, split_r_hat
from sureshot.core.reference.slices import by_slices
from sureshot.core.reference.target import Target
from tests.core.reference.exactly import weighed

#: A mean is refused beyond so many of its standard errors: 64 means here, so wrongly once in 250 times.
CLEAR = 4.0

X = np.array([[1.0, -1.2], [1.0, 0.4], [1.0, 1.5], [0.3, -2.0]])
WON, LOST = np.array([0.0, 2.0, 7.0, 1.0]), np.array([3.0, 1.0, 0.0, 0.0])


def target(link: str, root: np.ndarray) -> Target:
    return Target(core.LINKS[link], np.zeros(len(X)), X @ root, WON, LOST)


@pytest.mark.parametrize("about", ["near", "prior", "bad"])
@pytest.mark.parametrize("link", core.LINKS)
def test_two_weights(link: str, about: str) -> None:
    root = np.array([[1.5, 0.0], [0.6, 1.1]])
    made = target(link, root)
    bad = Gaussian(np.array([1.0, -1.0]), 0.4 * np.eye(2), np.eye(2) / 0.4, 2 * np.log(0.4))
    centre = {"near": near(made), "prior": standard(2), "bad": bad}[about]
    rng = np.random.default_rng([5, list(core.LINKS).index(link)])
    u = by_slices(made, rng.standard_normal((64, 2)), rng, 140, about=centre)[20:]
    w, share, _ = weighed(link, root, X, WON, LOST)
    drawn = u @ root.T
    for of_draws, of_grid in ((drawn, w), (drawn**2, w**2)):
        for k in range(2):
            found, expected = of_draws[:, :, k], share @ of_grid[:, k]
            error = found.std() / np.sqrt(effective(found))
            assert abs(found.mean() - expected) < CLEAR * error
            assert split_r_hat(found) < 1.1


def test_a_chain_never_leaves_what_is_possible_and_moves_at_every_step() -> None:
    made = Target(
        core.LOGIT, np.zeros(1), np.array([[40.0]]), np.array([50.0]), np.array([0.0])
    )  # far out in the prior
    rng = np.random.default_rng(1)
    u = by_slices(made, np.full((8, 1), 2.0), rng, 100, about=near(made))
    assert np.isfinite(u).all()
    assert (np.diff(u[:, :, 0], axis=0) != 0.0).mean() > 0.99


def test_without_outcomes_the_prior_is_drawn() -> None:
    made = Target(core.PROBIT, np.zeros(0), np.zeros((0, 2)), np.zeros(0), np.zeros(0))
    rng = np.random.default_rng(2)
    u = by_slices(made, np.zeros((32, 2)), rng, 220, about=near(made))[20:]
    assert abs(u.mean()) < CLEAR / np.sqrt(effective(u[:, :, 0]))
    assert u.var() == pytest.approx(1.0, abs=0.06)
