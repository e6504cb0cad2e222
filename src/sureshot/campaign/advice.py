"""Whether to go on: what more trials are expected to bring, against what they cost (MATHS, section 7)."""

from __future__ import annotations

import numpy as np

from sureshot.campaign.recommend import Draws
from sureshot.campaign.results import Advice
from sureshot.campaign.spec import Spec
from sureshot.campaign.suggest import repeated
from sureshot.campaign.wording import points
from sureshot.core import Belief, Mixture
from sureshot.core.stable import Array

__all__ = ["AHEAD", "WORTH", "advised"]

#: How many trials ahead a person is told about.
AHEAD = 10
#: Without a cost, that many trials are worth it if they are expected to add one point to the final choice.
WORTH = 0.01


def advised(
    spec: Spec,
    belief: Belief | Mixture,
    X: Array,
    draws: Draws,
    *,
    left: int | None,
    pending: int,
    cost: float | None,
    rng: np.random.Generator,
) -> Advice:
    """The advice; ``draws`` are those of the alternative that would be gone with now. ``left`` trials of the budget may
    still be asked, the outcomes of ``pending`` ones are to come.
    """
    trials = AHEAD if left is None else min(AHEAD, left)
    if trials < 1:
        come = "1 outcome is" if pending == 1 else f"{pending} outcomes are"
        words = f"wait: {come} still to come, and may change this. Then the budget is used up."
        words = words if pending else "stop: the budget is used up. Go with it, or ask on with beyond_budget=True."
        return _said(False, words, 0.0, 0, draws, cost, left)
    rows, star = repeated(spec, belief, X, rng, trials)
    rate = star.score if spec.costs is None or cost is None else star.score / spec.costs[rows]
    top = float(rate.max())
    each = float(star.score.max())
    several = float(star.values.max())
    most = max(min(each * trials, draws.evpi), several)
    plural = f"{trials} more trials are" if trials > 1 else "One more trial is"
    between = _bare(most) if most - several < 0.0005 else f"{_bare(several).removesuffix(' points')} to {_bare(most)}"
    told = f"{plural} expected to add {between}"
    if cost is None:
        go_on = most >= WORTH
        words = f"{told}: worth going on." if go_on else f"stop: {told[0].lower() + told[1:]}, at best."
    elif draws.evpi + 2.0 * draws.evpi_error < cost:
        go_on = False
        words = f"stop: even perfect knowledge would add only {_bare(draws.evpi)}, and one trial costs {_bare(cost)}."
    elif top < cost:
        go_on = False
        words = f"stop: the best next trial is worth {_bare(top)}, and costs {_bare(cost)}. {told}."
    else:
        go_on = True
        words = f"{told}; the best next trial is worth {_bare(top)} and costs {_bare(cost)}: worth going on."
    return _said(go_on, words, each, trials, draws, cost, left, several, most)


def _bare(gain: float) -> str:
    return points(gain).removeprefix("+")


def _said(
    go_on: bool,
    words: str,
    each: float,
    trials: int,
    draws: Draws,
    cost: float | None,
    left: int | None,
    several: float = 0.0,
    most: float = 0.0,
) -> Advice:
    return Advice(go_on, words, each, trials, several, most, draws.evpi, draws.evpi_error, cost, left)
