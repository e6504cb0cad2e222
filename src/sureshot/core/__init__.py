"""The ground floor: links, beliefs, updates, predictions. Pure functions on frozen values.

>>> import numpy as np
>>> from sureshot import core
>>> X = np.array([[1.0, -2.0], [1.0, 0.0], [1.0, 2.0]])      # three alternatives: a constant and one feature
>>> belief = core.prior(2, precision=1.0)
>>> belief, info = core.observe(belief, X[2], 1)             # the third was tried and worked
>>> core.predictive(belief, X).round(3)
array([0.395, 0.549, 0.692])
"""

from sureshot.core.beliefs.auto import auto_prior
from sureshot.core.beliefs.belief import Belief, gaussian, prior
from sureshot.core.beliefs.mixture import Mixture, mixture, prior_mixture, sample_weights
from sureshot.core.beliefs.predictive import interval, predictive, sample_probabilities
from sureshot.core.context import context_width, in_context
from sureshot.core.learning.batch import Fit, fit
from sureshot.core.learning.update import Info, observe, observe_many
from sureshot.core.links import (
    CLOGLOG,
    LINKS,
    LOGIT,
    LOGLOG,
    PROBIT,
    Link,
    OutcomeTerms,
    get_link,
    register_link,
)

__all__ = [
    "CLOGLOG",
    "LINKS",
    "LOGIT",
    "LOGLOG",
    "PROBIT",
    "Belief",
    "Fit",
    "Info",
    "Link",
    "Mixture",
    "OutcomeTerms",
    "auto_prior",
    "context_width",
    "fit",
    "gaussian",
    "get_link",
    "in_context",
    "interval",
    "mixture",
    "observe",
    "observe_many",
    "predictive",
    "prior",
    "prior_mixture",
    "register_link",
    "sample_probabilities",
    "sample_weights",
]
