"""A batch laid out at once: what it is worth by the belief, and how long it takes, with fewer and more scenarios.

Worth: how much the success probability of the final choice is expected to rise once all outcomes of the batch are
known, over outcomes that are drawn from the belief and then learned from.
"""

from __future__ import annotations

import time

import numpy as np

from benchmarks.report import markdown
from sureshot import Campaign, Space, core
from sureshot.campaign.model.situation import situation_of
from sureshot.core.beliefs.mixture import sample_scores
from sureshot.core.lookahead import pending
from sureshot.policies import Situation, decide

SIZE, STATES, DRAWS = 16, 12, 200
#: Trials whose outcomes are followed in every combination, and scenarios beyond; and a policy.
WAYS = {
    "KG(*), 64 scenarios": (6, 64, "kg-star"),
    "KG(*), 16 scenarios": (4, 16, "kg-star"),
    "KG(*), 4 scenarios": (2, 4, "kg-star"),
    "Thompson sampling": (4, 16, "thompson"),
    "random draws": (4, 16, "random"),
}


def state(seed: int) -> Situation:
    """A bench of 210 settings, best inside a range, after 0 to 40 outcomes."""
    rng = np.random.default_rng(seed)
    space = Space.grid(
        heat=[10, 20, 30, 40, 50, 60, 70], flow=[1, 2, 4, 8, 16], solvent=["A", "B", "C"], salt=["x", "y"]
    )
    heat, flow = (space.column(name).numbers() for name in ("heat", "flow"))
    middle, slope = rng.uniform(20, 60), rng.normal()
    truth = core.LOGIT.probability(rng.normal() - ((heat - middle) / 15) ** 2 + slope * np.log2(flow) / 2)
    campaign = Campaign.create("bench", space, seed=seed, budget=100, storage=":memory:")
    for row in rng.integers(len(space), size=int(rng.integers(0, 40))).tolist():
        campaign.tell_new(row, bool(rng.random() < truth[row]))
    spec, ledger = campaign.spec, campaign._log.ledger
    return situation_of(spec, ledger, campaign.belief, spec.pool.matrix(), None)


def worth(now: Situation, batch: list[int], seed: int) -> float:
    rng, X = np.random.default_rng(seed), now.X
    each = [
        rng.random(scores.shape) < link.probability(scores)
        for link, scores in sample_scores(now.belief, X[batch], rng, DRAWS)
    ]
    then = [core.observe_many(now.belief, X[batch], won.astype(int))[0] for won in np.concatenate(each)]
    return float(np.mean([core.predictive(one, X).max() for one in then]) - now.probability.max())


def main(seed: int) -> None:
    found: dict[str, list[tuple[float, float]]] = {way: [] for way in WAYS}
    kept = pending.EXACT, pending.SAMPLED
    decide("kg-star", state(seed), 1)  # compiled once
    for i in range(STATES):
        now = state(1000 * seed + i)
        for way, (pending.EXACT, pending.SAMPLED, policy) in WAYS.items():
            begun = time.perf_counter()
            batch = [one.alternative for one in decide(policy, now, 1, SIZE)]
            took = time.perf_counter() - begun
            found[way].append((100.0 * worth(now, batch, i), took))
    pending.EXACT, pending.SAMPLED = kept
    first, rows = np.array(found[next(iter(WAYS))])[:, 0], []
    for way, measured in found.items():
        value, seconds = np.array(measured).T
        beside = value - first
        error = 1.96 * beside.std(ddof=1) / np.sqrt(STATES)
        rows.append([way, f"{value.mean():.2f}", f"{beside.mean():+.2f} +- {error:.2f}", f"{np.median(seconds):.1f} s"])
    header = ["chosen by", "worth, points", "beside the first", "time"]
    print(markdown(f"A batch of {SIZE} among 210 alternatives, {STATES} random states", header, rows))
