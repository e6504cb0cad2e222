"""The paper's theory as functions: what its theorems state, what holds, and what a run shows of either.

>>> import numpy as np
>>> from sureshot import core, theory
>>> prior = core.prior(2, precision=1.0)
>>> theory.ball_probability(2, theory.ball_radius(prior)).__round__(5)  # how likely the paper's theorem says anything
0.00195
>>> X, y, true = np.array([[0.6, 0.8], [0.6, -0.8]] * 50), np.array([1, 0] * 50), [0.2, 0.9]
>>> estimate = core.fit(prior, X, y).belief.mean
>>> bool(np.linalg.norm(estimate - true) <= theory.error_bound(prior, X, y, true))
True
"""

from sureshot.theory.along import Conditions, Trace, conditions, trace
from sureshot.theory.asymptotics import MassAtBest, Wald, mass_at_best, wald
from sureshot.theory.ball import ball_probability, log_ball_probability
from sureshot.theory.finite_time import (
    StatedBound,
    ball_radius,
    bound_as_stated,
    c_min,
    error_bound,
    log_posterior,
    posterior_gap,
    satisfies_condition,
    sharper_bound,
)
from sureshot.theory.likelihood import (
    Estimate,
    Separation,
    fisher_information,
    log_likelihood,
    maximum_likelihood,
    separation,
)
from sureshot.theory.ridge import ridge_bias, ridge_variance

__all__ = [
    "Conditions",
    "Estimate",
    "MassAtBest",
    "Separation",
    "StatedBound",
    "Trace",
    "Wald",
    "ball_probability",
    "ball_radius",
    "bound_as_stated",
    "c_min",
    "conditions",
    "error_bound",
    "fisher_information",
    "log_ball_probability",
    "log_likelihood",
    "log_posterior",
    "mass_at_best",
    "maximum_likelihood",
    "posterior_gap",
    "ridge_bias",
    "ridge_variance",
    "satisfies_condition",
    "separation",
    "sharper_bound",
    "trace",
    "wald",
]
