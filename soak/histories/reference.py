"""Fits against the exact posterior: by a dense grid where two scores decide, else by draws.

The bounds of approximations were measured with other seeds than those that are judged: docs/numbers.md says which. What
is exact has a bound of rounding alone: the belief about one alternative's score, after any outcomes of it, matches mean
and variance of the truth (expectation propagation and moment matching with one site), and so it is for any number of
alternatives that share nothing.
"""

from __future__ import annotations

import numpy as np

from soak.histories.made import Story
from soak.histories.seen import Seen
from soak.histories.truth import exactly
from sureshot import core
from sureshot.core.beliefs.mixture import members
from sureshot.core.learning.batch import counted
from sureshot.core.numerics.stable import Array
from sureshot.core.reference.posterior import drawn_exactly

__all__ = ["BOUNDS", "by_draws", "by_grid", "one_site"]

#: The largest error of a chance by method and covariance: twice the largest that was measured in development (seeds 1
#: to 4 and 10, docs/numbers.md), to be judged with others. A diagonal belief forgets how weights hang together.
BOUNDS = {
    ("ep", "full"): 0.08,
    ("adf", "full"): 0.1,
    ("laplace", "full"): 0.35,
    ("ep", "diagonal"): 0.26,
    ("adf", "diagonal"): 0.26,
    ("laplace", "diagonal"): 0.4,
}
#: Where the prior is wide, expectation propagation has a bound that follows: under a prior without end the outcomes cut
#: the score of an alternative off at 0, and what is left is log-concave. Its mean is at least its standard deviation
#: (they are equal for the exponential), so that a Gaussian with both puts Φ(-1) = 0.159 at most on the wrong side. What
#: is beyond that is for moments that are not matched exactly. The others have none: one pass takes in the first of two
#: outcomes that contradict a wide prior as if the second would not come, and Laplace's method puts a bell round a top
#: that lies at the end of a long flat slope; a chance may be anything.
WIDE = {("ep", "full"): 0.2}
#: A prior is wide where the score of an alternative that was tried has a larger standard deviation, or mean.
MODERATE = 3.0
#: Of EP's log evidence, for each alternative that was tried, where the prior is narrow and where it is wide: twice the
#: largest that was measured in development (seeds 1 to 4, 10 and 77).
EVIDENCE, EVIDENCE_WIDE = 0.01, 0.08
#: Matched moments are right to 3e-6 (sureshot.core.learning.matching: 1e-6 for logit), a grid to 1e-7.
MATCHED = 1e-5
#: Draws; standard errors beyond which a difference is none of chance; what a sampler must have found to be believed.
DRAWS, CLEAR, R_HAT, EFFECTIVE = 3_200, 5.0, 1.1, 150.0
#: Of how many histories with a grid there are draws too.
DRAWN_TOO = 0.2
#: Rows of a pool that are looked at.
LOOKED = 8


def by_grid(seen: Seen, told: Story, rng: np.random.Generator) -> bool:
    """Against a dense grid; gives back whether there was one. The reference itself is held against it too."""
    prior, pool = told.prior, _few(told, rng)
    assert isinstance(prior, core.Belief)
    rows, won, lost = counted(told.X, *_split(told))
    exact = exactly(prior, rows, won, lost, pool)
    if exact is None:
        return False
    fitted = core.fit(prior, told.X, told.won, of=told.of)
    _chances(seen, prior, fitted, pool, rows, exact.chance, np.zeros(len(pool)), "a grid")
    if prior.method == "ep" and fitted.converged and prior.factor is not None:
        wide = _wide(prior, rows)
        what = f"EP's log evidence for each site,{' wide prior,' if wide else ''}: a grid"
        off = abs(fitted.evidence - exact.evidence) / len(rows)
        seen.off(what.replace(",:", ":"), off, EVIDENCE_WIDE if wide else EVIDENCE)
    if rng.random() > DRAWN_TOO:
        return True
    drawn = drawn_exactly(prior, rows, won, lost, pool, rng, draws=DRAWS)
    found, one = drawn.chance(), drawn.members[0]
    if one.r_hat < R_HAT and min(one.effective, one.weighed) > EFFECTIVE:
        # errors come from 8 groups, so their own error is a quarter: 1e-3 is for those that are far too small
        off_p = np.abs(found.value - exact.chance) / (CLEAR * 2 * found.error + 1e-3)
        seen.off("the reference's draws, of what is allowed: a grid", float(off_p.max()), 1.0)
        off_log = abs(one.log_evidence - exact.evidence) / (CLEAR * 2 * one.log_evidence_error + 1e-3)
        seen.off("the reference's evidence, of what is allowed: a grid", off_log, 1.0)
    return True


def by_draws(seen: Seen, told: Story, rng: np.random.Generator) -> bool:
    """Against draws from the exact posterior; gives back whether these can be believed."""
    pool = _few(told, rng)
    drawn = drawn_exactly(told.prior, told.X, *_split(told), pool, rng, draws=DRAWS)
    heavy = [one for one in drawn.members if one.weight > 0.02]
    if any(one.r_hat > R_HAT or min(one.effective, one.weighed) < EFFECTIVE for one in heavy):
        return False
    fitted = core.fit(told.prior, told.X, told.won, of=told.of)
    found = drawn.chance()
    _chances(seen, told.prior, fitted, pool, told.X, found.value, CLEAR * found.error, "draws")
    return True


def one_site(seen: Seen, told: Story) -> bool:
    """Moments that must be exact: one alternative, or several that share nothing."""
    prior = told.prior
    assert isinstance(prior, core.Belief)
    rows, won, lost = counted(told.X, *_split(told))
    fitted = core.fit(prior, told.X, told.won, of=told.of)
    mu, s = fitted.belief.moments(rows)
    evidence, known = 0.0, True
    for i, x in enumerate(rows):
        exact = exactly(prior, x[None], won[i : i + 1], lost[i : i + 1], x[None])
        if exact is None:
            return False
        evidence += exact.evidence
        sd = np.sqrt(exact.variance[0])
        seen.off("one site: mean, in standard deviations", abs(float(mu[i] - exact.mean[0])) / sd, MATCHED)
        seen.off("one site: variance, as a share", abs(float(s[i] / exact.variance[0]) - 1.0), MATCHED)
    size = max(1.0, abs(evidence))
    seen.off("one site: log evidence, as a share", abs(fitted.evidence - evidence) / size, MATCHED)
    return known


def _chances(
    seen: Seen,
    prior: core.Belief | core.Mixture,
    fitted: core.Fit[core.Belief | core.Mixture],
    pool: Array,
    tried: Array,
    exact: Array,
    error: Array,
    what: str,
) -> None:
    one = members(prior)[0][1]
    mixed = " mixture," if isinstance(prior, core.Mixture) else ""
    off = np.abs(core.predictive(fitted.belief, pool) - exact)
    method = one.method if fitted.converged or one.method != "ep" else "adf"
    kind = method, one.covariance
    wide = _wide(prior, tried)
    bound = WIDE.get(kind, 1.0) if wide else BOUNDS[kind]
    name = f"{method} {one.covariance},{mixed}{' wide prior,' if wide else ''} chances: {what}"
    seen.off(name, float(np.max(np.maximum(off - error, 0.0))), bound)


def _wide(prior: core.Belief | core.Mixture, tried: Array) -> bool:
    scores = [each.moments(tried) for _, each in members(prior)]
    return any(max(np.abs(mu).max(), np.sqrt(s).max()) > MODERATE for mu, s in scores)


def _split(told: Story) -> tuple[Array, Array]:
    return told.won.astype(float), (told.of - told.won).astype(float)


def _few(told: Story, rng: np.random.Generator) -> Array:
    return told.pool[rng.permutation(len(told.pool))[:LOOKED]]
