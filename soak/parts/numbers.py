"""Numbers: thousands of random histories against fits of the whole and the exact posterior.

A case is one history. Its row says what was checked and what is hostile about it; where one is broken, it says how to
see it again: ``soak.parts.numbers.one(seed, number)`` is that case alone.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np

from soak.histories.campaigns import campaign, long_campaign
from soak.histories.drift import drift
from soak.histories.made import FEATURES, METHODS, Story, story
from soak.histories.reference import by_draws, by_grid, one_site
from soak.histories.same import again, folded, models
from soak.histories.seen import Seen
from soak.histories.sound import sound, sound_values
from soak.running import Case
from sureshot import core
from sureshot.core.beliefs.mixture import members
from sureshot.errors import SureshotError

__all__ = ["CHECKS", "deviations", "one", "run"]

#: What a fit by Laplace's method may say of a history: nothing else is refused here.
REFUSAL = "use a larger prior precision"
#: The largest deviations of all cases so far.
deviations = Seen()


def run(seed: int) -> Iterator[Case]:
    """One history after the other."""
    for number in count(1):
        yield one(seed, number)


def one(seed: int, number: int) -> Case:
    """One of them."""
    rng = np.random.default_rng([seed, number])
    names = list(CHECKS)
    name = str(rng.choice(names, p=[CHECKS[each][1] for each in names]))
    deviations.begin(f"one({seed}, {number})")
    what = name
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)  # NumPy's word for a NaN on the way
            what = f"{name}; {CHECKS[name][0](deviations, rng)}"
    except SureshotError as error:
        if REFUSAL in str(error) and not deviations.wrong:
            return Case(what, "refused", str(error))
        deviations.wrong.append(str(error))
    except Exception as error:  # whatever it is, this case is broken, and the next is looked at
        deviations.wrong.append(f"{type(error).__name__}: {error}")
    if deviations.wrong:
        return Case(what, "BROKEN", f"soak.parts.numbers.{deviations.at}: " + "; ".join(deviations.wrong[:5]))
    return Case(what, "held")


def beliefs(seen: Seen, rng: np.random.Generator) -> str:
    """Sound numbers, and the same in every way, for a history of any kind."""
    told = story(rng)
    found = core.fit(told.prior, told.X, told.won, of=told.of)
    sound(seen, told, found.belief, "fit", evidence=found.evidence)
    again(seen, told, found, rng)
    models(seen, told, found, rng)
    after, _ = folded(seen, told, rng)
    sound(seen, told, after, "one at a time")
    sound_values(seen, told, found.belief)
    return told.regime


def grid(seen: Seen, rng: np.random.Generator) -> str:
    """Fits against a dense grid: two alternatives that were tried, or two weights."""
    told = plain(story(rng, most=60), rng)
    told = replace(told, which=rng.integers(0, len(told.pool), 2)[told.which % 2])
    found = by_grid(seen, told, rng)
    return told.regime if found else "no grid was fine enough"


def draws(seen: Seen, rng: np.random.Generator) -> str:
    """Fits against draws from the exact posterior."""
    told = story(rng, most=60)
    return told.regime if by_draws(seen, told, rng) else "draws did not mix"


def sites(seen: Seen, rng: np.random.Generator) -> str:
    """Matched moments, where they are exact: one alternative alone, or several that share nothing."""
    told = plain(story(rng, most=60, method=str(rng.choice(["adf", "ep"]))), rng)
    link = told.prior.link
    if rng.random() < 0.5:
        told = replace(told, which=np.zeros_like(told.which), prior=full(told.prior))
    else:
        d = int(rng.integers(2, 12))
        variance = 10.0 ** rng.uniform(-3, 3, d)
        prior = core.gaussian(rng.standard_normal(d), np.diag(variance), link=link, method=told.prior.method)
        told = replace(told, pool=np.eye(d), which=told.which % d, prior=prior)
    return told.regime if one_site(seen, told) else "no grid was fine enough"


def drifts(seen: Seen, rng: np.random.Generator) -> str:
    """Thousands of outcomes one at a time."""
    told = story(rng, regime=str(rng.choice(FEATURES)), most=60)
    d, n = told.pool.shape[1], int(rng.integers(1000, 4001))
    link, method = str(rng.choice(list(core.LINKS))), str(rng.choice(METHODS))
    covariance: Any = rng.choice(["full", "full", "diagonal"])
    prior = core.prior(d, precision=10.0 ** rng.uniform(-2, 2), covariance=covariance, link=link, method=method)
    truth = rng.standard_normal(d) / np.maximum(np.abs(told.pool).max(axis=0), 1e-300)
    which = rng.integers(0, len(told.pool), n)
    p = prior.link.probability(told.pool @ truth)[which] if rng.random() < 0.7 else np.full(n, rng.choice([0.0, 1.0]))
    won = (rng.random(n) < p).astype(np.int64)
    drift(seen, Story(told.regime, prior, told.pool, which, won, np.ones(n, np.int64)))
    return told.regime


def plain(told: Story, rng: np.random.Generator) -> Story:
    """The same with one belief in place of a mixture."""
    every = members(told.prior)
    return replace(told, prior=every[int(rng.integers(len(every)))][1])


def full(prior: core.Belief | core.Mixture) -> core.Belief:
    """With all correlations."""
    assert isinstance(prior, core.Belief)
    return prior if prior.factor is not None else replace(prior, factor=np.eye(len(prior.mean)))


#: What is done to a history, and of how many histories.
CHECKS: dict[str, tuple[Callable[[Seen, np.random.Generator], str], float]] = {
    "beliefs": (beliefs, 0.70),
    "against a grid": (grid, 0.10),
    "exact moments": (sites, 0.08),
    "against draws": (draws, 0.02),
    "drift": (drifts, 0.05),
    "campaign": (campaign, 0.04),
    "long campaign": (long_campaign, 0.01),
}
