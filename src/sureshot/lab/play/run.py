"""One run: a policy against a truth, with labels drawn beforehand.

Streams are derived from the study's seed and from names, never from positions: truth and labels belong to (world, run)
and are shared by all policies (common random numbers); each contender has a stream of its own. Adding a policy to a
study, or running it on more processes, changes no other row.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from sureshot.core import check
from sureshot.core.lookahead import Finals
from sureshot.core.lookahead import finals as make_finals
from sureshot.core.lookahead.gradient import lookahead_of
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput
from sureshot.lab.limits import MOST_NUMBERS
from sureshot.lab.play.beliefs import BeliefRecipe
from sureshot.lab.play.judge import judge
from sureshot.lab.play.world import Truth, World
from sureshot.policies import Decision, Objective, Policy, Situation, decide, knowledge_gradient, seen_contexts
from sureshot.policies.stopping import Ahead, StoppingRule, stops
from sureshot.said import Setting

__all__ = ["Rows", "Staged", "play", "stage", "stream"]


@dataclass(frozen=True, eq=False)
class Rows:
    """What is recorded of a run: one entry after each of the trials 1 to N."""

    pick: NDArray[np.int64]  # the alternative tried
    outcome: NDArray[np.int8]
    oc: Array  # opportunity cost of the choice by predicted probability
    oc_plugin: Array  # ... of the choice by the mean weights (the paper's)
    successes: NDArray[np.int64]  # so far
    regret: Array  # so far: best chance at each trial minus the chance of what was tried
    predicted: Array  # predicted probability of the recommended alternative
    true: Array  # its true probability
    max_kg: Array  # the largest knowledge gradient when the trial was chosen; NaN: nobody computed it
    found_best: Array  # whether the recommendation is the true best (with contexts: in how many of the cases)
    seconds: Array  # spent on choosing
    stopped: NDArray[np.object_]  # the stopping rules by which the run would end here, one on each line


#: Those of these that are numbers, in order.
NUMBERS = tuple(one.name for one in fields(Rows) if one.name != "stopped")


@dataclass(frozen=True, eq=False)
class Staged:
    """A run before any policy plays it: the truth and every label that could be needed."""

    truth: Truth
    uniforms: Array  # (M, budget): alternative a succeeds at trial n if uniforms[a, n] < its probability


def stream(seed: int, *names: object) -> np.random.Generator:
    """A generator that depends on the seed and on these names alone."""
    if seed < 0:
        raise InvalidInput("`seed` must be a whole number of at least 0", got=Setting("seed", seed))
    key = blake2b("\x1f".join(map(str, names)).encode(), digest_size=16).digest()
    return np.random.default_rng(np.random.SeedSequence([seed, *np.frombuffer(key, dtype="<u4").tolist()]))


def stage(world: World, *, seed: int, run: int, budget: int) -> Staged:
    """The truth and the labels of one run, the same for every policy."""
    found = world.draw(stream(seed, "world", world.label, run), budget)
    check.pool(found.X.reshape(-1, found.X.shape[2]), "X", found.X.shape[2])
    size = found.X.shape[1]
    if size * budget > MOST_NUMBERS:
        rule = f"alternatives x trials of a run must be at most {MOST_NUMBERS:,}, got {size:,} x {budget:,}"
        raise InvalidInput(rule, fix="lower `budget`, or take a smaller world", field="budget", value=budget)
    rng = stream(seed, "labels", world.label, run)
    return Staged(found, rng.random((size, budget)))


def play(
    staged: Staged,
    policy: Policy,
    recipe: BeliefRecipe,
    *,
    rng: np.random.Generator,
    budget: int,
    objective: Objective = "offline",
    max_kg: bool = False,
    stopping: Mapping[str, StoppingRule] | None = None,
) -> Rows:
    """Let a policy choose ``budget`` trials, and judge its recommendation after each.

    ``max_kg`` computes the exact knowledge gradient before each trial, whatever the policy; else it is recorded where
    the policy's own scores are knowledge gradients (offline, policies of the kg family). Of the rules in ``stopping``,
    by their labels, it is recorded when each would have ended the run, which goes on.
    """
    fact = staged.truth
    cases, start = recipe.begin(fact)
    belief, d = start, cases.shape[2]
    pools = [check.frozen(one) for one in cases]
    # rows of cases can be written to: a belief keeps the scores of frozen ones, where a policy could see later cases
    judged = cases[fact.judged].reshape(-1, d) if fact.contextual else pools[0]
    kept, stopped = np.empty((budget, len(NUMBERS))), np.full(budget, "", dtype=object)
    waiting = dict(stopping or {})
    rows, outcomes = np.empty((budget, d)), np.empty(budget, dtype=np.int64)
    due: list[tuple[int, int]] = []  # (trial, after how many trials its outcome is known)
    known: list[int] = []
    successes, regret = 0, 0.0
    for n in range(budget):
        case = int(fact.arrivals[n])
        X, chance = pools[case], fact.at(n)[case]
        now = Situation(
            belief=belief,
            X=X,
            rows=rows[known],
            outcomes=outcomes[known],
            of=np.ones(len(known), dtype=np.int64),
            objective=objective,
            trials_left=budget - n,
            pending=rows[[t for t, _ in due]] if due else None,
            contextual=fact.contextual,
            finals=_seen(fact, cases, n) if fact.contextual else None,
        )
        begun = time.perf_counter()
        (decision,) = decide(policy, now, rng)
        spent = time.perf_counter() - begun
        pick = decision.alternative
        top = _exact_kg(now) if max_kg else _own_kg(decision)
        rows[n] = X[pick]
        outcomes[n] = staged.uniforms[pick, n] < chance[pick]
        due.append((n, n + 1 + int(fact.delays[n])))
        successes += int(outcomes[n])
        regret += float(chance.max() - chance[pick])
        new = [t for t, when in due if when <= n + 1]
        known += new
        belief = recipe.learn(start, belief, rows[known], outcomes[known], len(new))
        due = [(t, when) for t, when in due if when > n + 1]
        end = judge(belief, fact, n + 1, judged)
        kept[n] = (
            *(pick, outcomes[n], end.oc, end.oc_plugin, successes, regret),
            *(end.predicted, end.true, top, end.found_best, spent),
        )
        if waiting and n + 1 == budget:
            stopped[n] = "\n".join(waiting)
        elif waiting and known:
            after = replace(now, belief=belief, rows=rows[known], outcomes=outcomes[known], trials_left=budget - n - 1)
            stopped[n] = "\n".join(_said_stop(waiting, after, np.random.default_rng(n)))
    kinds = {"pick": np.int64, "outcome": np.int8, "successes": np.int64}
    numbers = {name: kept[:, i].astype(kinds.get(name, float)) for i, name in enumerate(NUMBERS)}
    return Rows(**numbers, stopped=stopped)


def _said_stop(waiting: dict[str, StoppingRule], now: Situation, rng: np.random.Generator) -> list[str]:
    """The rules that say stop here, which are asked no more. Their draws are their own: they change no trial."""
    now = replace(now, of=np.ones(len(now.outcomes), dtype=np.int64), pending=None)
    ahead = Ahead(now, int(now.probability.argmax()), rng)
    found = [label for label, rule in waiting.items() if stops(rule, ahead)]
    for label in found:
        del waiting[label]
    return found


def _own_kg(decision: Decision) -> float:
    """The largest of a policy's scores, where they are knowledge gradients; online they are ``p + tau·KG``: no."""
    own = decision.policy.abilities.kg and decision.situation.objective == "offline" and not decision.start
    return float(decision.scores.max()) if own else np.nan


def _exact_kg(now: Situation) -> float:
    """The largest exact knowledge gradient, whatever policy is playing; its draws are its own."""
    return float(
        knowledge_gradient(
            now.belief,
            now.X,
            lookahead=lookahead_of(now.belief),
            finals=now.finals,
            pending=now.pending,
            rng=np.random.default_rng(0),
        ).max()
    )


def _seen(fact: Truth, cases: Array, n: int) -> Finals:
    """The cases seen so far, this one among them: what the final choice will be about."""
    seen = seen_contexts(fact.arrivals[: n + 1].tolist(), fact.X.shape[1])
    return make_finals([cases[case] for case in seen], list(seen.values()), d=cases.shape[2])
