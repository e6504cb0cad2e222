"""Links: how a linear score becomes a success probability.

A link is a record of pure functions of the score ``f = w·x``, one for each outcome, because a failure is
``log(1 - σ(f))`` and not ``log σ(-f)`` unless the link is symmetric (docs/paper.md, erratum 5). With ``l_y(f)``
the log-likelihood of outcome ``y`` (1 success, 0 failure), ``score`` is ``dl_y/df`` and ``curvature`` is
``-d²l_y/df² >= 0``. Paper, section 4: logit, probit, complementary log-log and log-log, all log-concave.

A link of your own is one more record: :func:`register_link` adds it, and
:class:`sureshot.testing.LinkConformance` says whether it is sound.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from sureshot.core.numerics import special, stable
from sureshot.core.numerics.probits import (
    CLOGLOG_PROBITS,
    LOGIT_PROBITS,
    LOGLOG_PROBITS,
    PROBIT_PROBITS,
    ProbitMixture,
)
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput
from sureshot.plugins import looked_up

__all__ = ["CLOGLOG", "LINKS", "LOGIT", "LOGLOG", "PROBIT", "Link", "get_link", "register_link"]

Function = Callable[[Array], Array]


@dataclass(frozen=True, slots=True)
class OutcomeTerms:
    """The log-likelihood of one outcome and its first two derivatives, each a function of the score ``f``."""

    log_likelihood: Function
    score: Function  # dl/df
    curvature: Function  # -d²l/df², never negative


@dataclass(frozen=True, slots=True, eq=False)
class Link:
    """One link. ``probability`` increases from 0 to 1; both outcomes' log-likelihoods are concave.

    >>> import numpy as np
    >>> LOGIT.probability(np.array([0.0, 2.0])).round(3)
    array([0.5  , 0.881])
    >>> PROBIT.log_likelihood(-40.0, 1).round(2)  # a success 40 deviations out: no underflow
    np.float64(-804.61)
    """

    name: str
    probability: Function
    inverse: Function  # the score that has a given probability
    success: OutcomeTerms
    failure: OutcomeTerms
    symmetric: bool = False  # σ(-f) = 1 - σ(f)
    probits: ProbitMixture | None = None  # σ as a mixture of probits: then the exact look-ahead has a closed form

    def log_likelihood(self, f: ArrayLike, y: ArrayLike, of: ArrayLike = 1) -> Array:
        """Log-likelihood of ``y`` successes ``of`` so many (without the binomial coefficient)."""
        return _weighted(self.success.log_likelihood, self.failure.log_likelihood, f, y, of)

    def score(self, f: ArrayLike, y: ArrayLike, of: ArrayLike = 1) -> Array:
        """Its first derivative in ``f``."""
        return _weighted(self.success.score, self.failure.score, f, y, of)

    def curvature(self, f: ArrayLike, y: ArrayLike, of: ArrayLike = 1) -> Array:
        """Minus its second derivative in ``f``; never negative."""
        return _weighted(self.success.curvature, self.failure.curvature, f, y, of)

    def __repr__(self) -> str:
        return f"Link({self.name!r})"

    def __reduce__(self) -> tuple[Callable[[str], Link], tuple[str]]:
        return get_link, (self.name,)  # by name: lab workers find it in their own table


def _weighted(success: Function, failure: Function, f: ArrayLike, y: ArrayLike, of: ArrayLike) -> Array:
    """y·success(f) + (of - y)·failure(f), where 0 times infinity is 0: an outcome not seen has no say."""
    f, won, total = np.asarray(f, float), np.asarray(y, float), np.asarray(of, float)
    lost = total - won
    with np.errstate(invalid="ignore", over="ignore"):
        gained = np.where(won > 0, won * success(f), 0.0)
        return np.asarray(gained + np.where(lost > 0, lost * failure(f), 0.0))[()]


def _negated(function: Function) -> Function:
    return lambda f: function(-f)


def _minus(function: Function) -> Function:
    return lambda f: -function(f)


def _mirrored(terms: OutcomeTerms) -> OutcomeTerms:
    """The same terms read from the other end: l(-f)."""
    score = terms.score
    return OutcomeTerms(_negated(terms.log_likelihood), lambda f: -score(-f), _negated(terms.curvature))


_LOGIT_SUCCESS = OutcomeTerms(stable.log_expit, lambda f: special.expit(-f), stable.expit_slope)
_PROBIT_SUCCESS = OutcomeTerms(lambda f: special.log_ndtr(f), stable.inverse_mills, stable.inverse_mills_slope)
_CLOGLOG_SUCCESS = OutcomeTerms(stable.log_one_minus_exp_minus_exp, stable.cloglog_score, stable.cloglog_curvature)
_CLOGLOG_FAILURE = OutcomeTerms(_minus(stable.exp_or_inf), _minus(stable.exp_or_inf), stable.exp_or_inf)


def _cloglog_probability(f: Array) -> Array:
    return np.asarray(-np.expm1(-stable.exp_or_inf(f)))


def _loglog_probability(f: Array) -> Array:
    with np.errstate(under="ignore"):
        return np.asarray(np.exp(-stable.exp_or_inf(-f)))


def _cloglog_inverse(p: Array) -> Array:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(-np.log1p(-p)))


def _loglog_inverse(p: Array) -> Array:
    with np.errstate(divide="ignore"):
        return np.asarray(-np.log(-np.log(p)))


#: σ(f) = 1/(1 + exp(-f))
LOGIT = Link(
    "logit",
    lambda f: special.expit(f),
    lambda f: special.logit(f),
    _LOGIT_SUCCESS,
    _mirrored(_LOGIT_SUCCESS),
    symmetric=True,
    probits=LOGIT_PROBITS,
)
#: σ(f) = Φ(f)
PROBIT = Link(
    "probit",
    lambda f: special.ndtr(f),
    lambda f: special.ndtri(f),
    _PROBIT_SUCCESS,
    _mirrored(_PROBIT_SUCCESS),
    symmetric=True,
    probits=PROBIT_PROBITS,
)
#: σ(f) = 1 - exp(-exp(f))
CLOGLOG = Link(
    "cloglog",
    _cloglog_probability,
    _cloglog_inverse,
    _CLOGLOG_SUCCESS,
    _CLOGLOG_FAILURE,
    probits=CLOGLOG_PROBITS,
)
#: σ(f) = exp(-exp(-f)): cloglog with success and failure, and the sign of f, exchanged
LOGLOG = Link(
    "loglog",
    _loglog_probability,
    _loglog_inverse,
    _mirrored(_CLOGLOG_FAILURE),
    _mirrored(_CLOGLOG_SUCCESS),
    probits=LOGLOG_PROBITS,
)

#: Every link by name. Tests run over this table; :func:`register_link` adds to it.
LINKS: dict[str, Link] = {link.name: link for link in (LOGIT, PROBIT, CLOGLOG, LOGLOG)}


def register_link(link: Link) -> Link:
    """Add a link of your own to the table, so that it can be named; a name already taken is an error."""
    if link.name in LINKS:
        raise InvalidInput(f"a link's name must be new, got {link.name!r}, which is taken: choose another.")
    LINKS[link.name] = link
    return link


def get_link(link: str | Link) -> Link:
    """The link of that name, one of your own too (:mod:`sureshot.plugins`); a :class:`Link` is handed back as it is."""
    if isinstance(link, Link):
        return link
    return looked_up("link", link, LINKS, field="link")
