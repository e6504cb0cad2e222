"""How well a campaign's model predicted its own outcomes: each from those before it, in the order they were told.

A model that is judged by outcomes it has already learned from always looks good. Here each outcome is predicted by the
belief that the campaign had, or would have had, just before it (Dawid 1984, prequential analysis).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from sureshot.campaign.document import Document
from sureshot.campaign.log.believed import TOGETHER, fits
from sureshot.campaign.log.ledger import Entry, counts
from sureshot.campaign.model.spec import Spec
from sureshot.core import Belief, Mixture, fit, observe, predictive
from sureshot.core.learning.batch import Sites
from sureshot.core.numerics import special
from sureshot.core.numerics.stable import Array

__all__ = ["Forecast", "forecast", "share_so_far"]

#: Up to so many outcomes the belief is fitted anew before each; later when their number has grown by this share, with
#: one step of moment matching for each outcome between.
EVERY, GROWTH = 50, 0.1

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast(Document):
    """How well outcomes were predicted, on average over all tries."""

    log_score: float  # mean log probability given to what came; 0 is best, log(1/2) = -0.69 is a coin
    brier: float  # mean squared distance of chance and outcome; 0 is best, 0.25 is a coin
    predicted: float  # mean chance of success
    observed: float  # share of successes


def forecast(spec: Spec, counted: Sequence[Entry], progress: Progress | None = None) -> tuple[Forecast, float] | None:
    """The predictions of a campaign's model, and its evidence: the log probability of all outcomes together.

    None before the first outcome.
    """
    if not counted:
        return None
    X, won, of = spec.pool.features(counted), *counts(counted)
    together = fits(spec.prior)
    belief: Belief | Mixture = spec.prior
    sites: tuple[Sites, ...] | None = None
    fitted, whole, later = 0, 0.0, 0.0
    p, logs = np.empty(len(won)), np.empty(len(won))
    for i in range(len(won)):
        if together and fitted < i <= TOGETHER and (i <= EVERY or i >= (1.0 + GROWTH) * fitted or i == TOGETHER):
            found = fit(spec.prior, X[:i], won[:i], of=of[:i], start=sites)
            belief, sites, fitted, whole, later = found.belief, found.sites, i, found.evidence, 0.0
        p[i] = predictive(belief, X[i : i + 1])[0]
        belief, info = observe(belief, X[i], won[i], of=of[i])
        logs[i] = float(info.evidence)
        later += logs[i]
        if progress is not None:
            progress(i + 1, len(won))
    if together and len(won) <= TOGETHER:
        whole, later = fit(spec.prior, X, won, of=of, start=sites).evidence, 0.0
    return _scored(p, logs, won, of), whole + later


def share_so_far(counted: Sequence[Entry]) -> Forecast | None:
    """The predictions of one who looks at nothing but the share of successes so far: (successes + 1)/(tries + 2)."""
    if not counted:
        return None
    won, of = counts(counted)
    before, tries = np.cumsum(won) - won, np.cumsum(of) - of
    a, b = before + 1.0, tries - before + 1.0
    logs = special.betaln(a + won, b + of - won) - special.betaln(a, b)
    return _scored(a / (a + b), logs, won, of)


def _scored(p: Array, logs: Array, won: Array, of: Array) -> Forecast:
    tries = float(of.sum())
    missed = won * (1.0 - p) ** 2 + (of - won) * p**2
    return Forecast(
        log_score=float(logs.sum()) / tries,
        brier=float(missed.sum()) / tries,
        predicted=float((p * of).sum()) / tries,
        observed=float(won.sum()) / tries,
    )
