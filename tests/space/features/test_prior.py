"""The belief of a shape: what a score varies by, and what it learns, against a Gaussian process written by hand."""

from __future__ import annotations

import numpy as np
import pytest

from sureshot import core
from sureshot.space import Design, ShapedDesign, Space, begin, shape_prior
from sureshot.space.features.prior import OWN, SIZES

SPACE = Space.grid(temperature=range(100, 201, 20), hours=[1, 2, 4, 8], solvent=["DMF", "DMSO", "GBL"])


@pytest.mark.parametrize("shape", ["auto", "straight", "curved", "pairs"])
def test_scores_vary_as_much_as_the_size_says(shape):
    design = ShapedDesign.fit(SPACE, shape)
    X = design.matrix(SPACE)
    belief = shape_prior(design)
    sizes = {tuple(np.round([one.moments(X)[1].mean() - 1 / 0.3], 6)) for one in belief.beliefs}
    assert sizes == {(size,) for size in SIZES}
    own = {round(one.reading.own / one.moments(X)[1].mean(), 2) for one in belief.beliefs}
    assert len(own) >= len(OWN)
    assert belief.weights.sum() == pytest.approx(1.0)


def test_straight_curved_and_together_are_equally_likely():
    belief = shape_prior(ShapedDesign.fit(SPACE))
    makes = np.split(belief.weights, 4)
    np.testing.assert_allclose([makes[0].sum(), makes[1].sum(), makes[2].sum() + makes[3].sum()], 1 / 3)


def test_a_fitted_belief_is_a_gaussian_process_by_hand():
    """Covariances of all scores from the features and own effects, then one step of Gaussian conditioning by EP's own
    sites: the posterior over the pool must be that of the process, for every member."""
    design = ShapedDesign.fit(SPACE)
    X = design.matrix(SPACE)
    prior = shape_prior(design)
    rows, y = [3, 40, 3, 66], [1, 0, 1, 1]
    fitted = core.fit(prior, X[rows], y)
    assert fitted.sites is not None
    for before, after, sites in zip(prior.beliefs, fitted.belief.beliefs, fitted.sites, strict=True):
        look = before.reading
        read = X[:, look.columns]
        K = (read * before.spread[: len(look.columns)]) @ read.T + look.own * np.eye(len(X))
        at = [int(np.flatnonzero((row == X).all(axis=1))[0]) for row in sites.rows]
        noisy = K[np.ix_(at, at)] + np.diag(1.0 / sites.tau)
        gain = K[:, at] @ np.linalg.inv(noisy)
        mean, variance = gain @ (sites.nu / sites.tau), np.diag(K - gain @ K[at])
        mu, s = after.moments(X)
        np.testing.assert_allclose(mu, mean, atol=1e-8)
        np.testing.assert_allclose(s, variance, atol=1e-8)


def test_evidence_finds_what_bends():
    X_of = SPACE.column("temperature").numbers()
    rng = np.random.default_rng(3)
    rows = rng.integers(len(SPACE), size=60)
    design, X, prior = begin(SPACE)
    makes = np.repeat(["slope", "curve", "near", "far"], len(SIZES) * len(OWN))
    inside = (np.abs(X_of - 150.0) < 25.0).astype(int)
    weights = core.fit(prior, X[rows], inside[rows]).belief.weights
    assert weights[makes == "slope"].sum() < 0.01
    rising = (X_of > 150.0).astype(int)
    weights = core.fit(prior, X[rows], rising[rows]).belief.weights
    assert weights[makes == "slope"].sum() > 0.2
    assert isinstance(design, ShapedDesign)


def test_with_contexts_there_are_no_own_effects():
    belief = shape_prior(ShapedDesign.fit(SPACE, contexts=["hours"]))
    assert {one.reading.own for one in belief.beliefs[: len(SIZES)]} == {0.0}


def test_a_formula_means_what_it_says():
    design, X, belief = begin(SPACE, formula="temperature + solvent")
    assert isinstance(design, Design)
    assert X.shape == (len(SPACE), 4)
    assert {one.method for one in belief.beliefs} == {"ep"}
