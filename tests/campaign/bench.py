"""Simulated campaigns for the checks: half the trials at random, half what is recommended; or whole campaigns, whose
trials are what they ask for.

``python -m tests.campaign.bench 300 right`` (or ``best``, ``noise``, or nothing for all) says how often each check is
raised at any time, where the belief is right and where it is not; ``... right asked`` for whole campaigns.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator

import numpy as np

from sureshot.campaign import Campaign
from sureshot.campaign.answers.fit.checks import Caution, cautions
from sureshot.campaign.log.ledger import Entry, Ledger
from sureshot.campaign.model.aim import new_spec
from sureshot.campaign.model.options import Options
from sureshot.campaign.model.spec import Spec
from sureshot.core import Belief, Mixture, fit, predictive
from sureshot.core.beliefs.mixture import sample_scores
from sureshot.core.numerics.stable import Array
from sureshot.space import Space

SPACE = Space.grid(temperature="100:200:20 C", solvent=["DMF", "DMSO", "GBL"], additive=[False, True])
STRAIGHT = "temperature + solvent + additive"


def from_the_prior(spec: Spec, rng: np.random.Generator) -> Array:
    """The chance of each alternative, drawn from what the campaign believes at the beginning."""
    ((link, scores),) = sample_scores(spec.prior, spec.pool.matrix(), rng, 1)
    return np.asarray(link.probability(scores[0]))


def best_inside() -> Array:
    """Chances that are high at 140 and 160 C and hardly anything beyond."""
    away = (SPACE.column("temperature").numbers() - 150.0) / 22.0
    return np.asarray(1.0 / (1.0 + np.exp(1.6 * away**2 - 2.5)))


def simulated(
    spec: Spec, chances: Array, rng: np.random.Generator, n: int
) -> Iterator[tuple[Ledger, int, Belief | Mixture]]:
    """The ledger after each outcome, what is recommended then, and the belief."""
    X, belief, trials = spec.pool.matrix(), spec.prior, dict[int, Entry]()
    rows, y = list[int](), list[int]()
    p = predictive(belief, X)
    for number in range(1, n + 1):
        best = int(np.argmax(p))
        row = best if rng.random() < 0.5 else int(rng.integers(len(X)))
        rows.append(row)
        y.append(int(rng.random() < chances[row]))
        payload = json.dumps({"probability": float(p[row]), "now": {"alternative": best}})
        asked = (number, "told", True, row, None, payload, 2 * number - 1, "", None)
        trials[number] = Entry(*asked, told=2 * number, successes=y[-1], of=1)
        belief = fit(spec.prior, X[rows], np.array(y)).belief
        p = predictive(belief, X)
        ledger = Ledger(2 * number, "", dict(trials), tuple(trials), (), 0, 2 * number)
        yield ledger, int(np.argmax(p)), belief


def ever_raised(
    spec: Spec, chances: Array, rng: np.random.Generator, n: int = 30, every: int = 3
) -> dict[str, Caution]:
    """The checks that are raised at any time, looked at after every so many outcomes."""
    found: dict[str, Caution] = {}
    for k, (ledger, at, belief) in enumerate(simulated(spec, chances, rng, n), 1):
        if k % every == 0:
            for one in cautions("bench", spec, ledger, belief, at):
                found.setdefault(one.check, one)
    return found


def ever_raised_asking(
    spec: Spec, given: dict[str, object], chances: Array, rng: np.random.Generator, n: int = 30, every: int = 3
) -> dict[str, Caution]:
    """The same of a campaign as a person runs it, by the policy that it begins with."""
    found: dict[str, Caution] = {}
    campaign = Campaign.create("bench", SPACE, storage=":memory:", seed=int(rng.integers(2**31)), **given)  # type: ignore[arg-type]
    for k in range(1, n + 1):
        trial = campaign.ask()
        campaign.tell(trial, bool(rng.random() < chances[trial.alternative]))
        if k % every == 0:
            belief = campaign.belief
            at = int(np.argmax(predictive(belief, spec.pool.matrix())))
            for one in cautions("bench", spec, campaign._log.ledger, belief, at):
                found.setdefault(one.check, one)
    return found


def main(runs: int, only: str = "", asked: str = "") -> None:
    """A table on the screen."""
    kinds: dict[str, dict[str, object]] = {
        "auto": {},
        "formula": {"formula": STRAIGHT},
        "straight": {"shape": "straight"},
        "curved": {"shape": "curved"},
        "pairs": {"shape": "pairs"},
        "prior=0.1": {"prior": 0.1},
    }
    for world in ("right", "best inside", "noise"):
        for kind, given in kinds.items() if world.startswith(only) else ():
            spec = new_spec(SPACE, Options(**given))  # type: ignore[arg-type]
            tally: Counter[str] = Counter()
            for seed in range(runs):
                rng = np.random.default_rng([seed, 15])
                right = from_the_prior(spec, rng)
                chances = {"right": right, "best inside": best_inside(), "noise": np.full(len(SPACE), 0.4)}
                if asked:
                    found = ever_raised_asking(spec, given, chances[world], rng)
                else:
                    found = ever_raised(spec, chances[world], rng)
                tally.update([*found, *(["any"] if found else [])])
            sys.stdout.write(f"{world:12} {kind:10} any {tally.pop('any', 0)} of {runs}: {dict(tally)}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
