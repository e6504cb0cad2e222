"""One run: a policy against a truth, with labels drawn beforehand.

Streams are derived from the study's seed and from names, never from positions: truth and labels belong to (world, run)
and are shared by all policies (common random numbers); each contender has a stream of its own. Adding a policy to a
study, or running it on more processes, changes no other row.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from sureshot.core import Belief, Mixture, observe, predictive
from sureshot.core.lookahead import Finals
from sureshot.core.lookahead import finals as make_finals
from sureshot.core.stable import Array
from sureshot.lab.beliefs import BeliefRecipe
from sureshot.lab.world import Truth, World
from sureshot.policies import Policy, scores, situation
from sureshot.policies.situation import Objective
from sureshot.policies.ties import choose

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
    max_kg: Array  # the largest score, for policies whose score is a knowledge gradient; else NaN
    found_best: NDArray[np.bool_]  # whether the recommendation is the true best
    seconds: Array  # spent on choosing


@dataclass(frozen=True, eq=False)
class Staged:
    """A run before any policy plays it: the truth and every label that could be needed."""

    truth: Truth
    uniforms: Array  # (M, budget): alternative a succeeds at trial n if uniforms[a, n] < its probability
    starts: NDArray[np.intp]  # (budget,) random alternatives, for policies that need some before their own choice


def stream(seed: int, *names: object) -> np.random.Generator:
    """A generator that depends on the seed and on these names alone."""
    key = blake2b("\x1f".join(map(str, names)).encode(), digest_size=16).digest()
    return np.random.default_rng(np.random.SeedSequence([seed, *np.frombuffer(key, dtype=np.uint32).tolist()]))


def stage(world: World, *, seed: int, run: int, budget: int) -> Staged:
    """The truth and the labels of one run, the same for every policy."""
    found = world.draw(stream(seed, "world", world.label, run), budget)
    rng = stream(seed, "labels", world.label, run)
    size = found.X.shape[1]
    return Staged(found, rng.random((size, budget)), rng.integers(size, size=budget))


def play(
    staged: Staged,
    policy: Policy,
    recipe: BeliefRecipe,
    *,
    rng: np.random.Generator,
    budget: int,
    objective: Objective = "offline",
) -> Rows:
    """Let a policy choose ``budget`` trials, and judge its recommendation after each."""
    fact = staged.truth
    _, size, d = fact.X.shape
    belief = recipe.make(d, intercept=fact.intercept)
    kept: dict[str, list[float]] = {name: [] for name in Rows.__dataclass_fields__}
    tried = np.zeros(size, dtype=bool)
    rows, outcomes = np.empty((budget, d)), np.empty(budget, dtype=np.int8)
    due: list[tuple[int, int]] = []  # (trial, when its outcome is known)
    known: list[int] = []
    successes, regret = 0, 0.0
    for n in range(budget):
        case = int(fact.arrivals[n])
        X, chance = fact.X[case], fact.at(n)[case]
        now = situation(
            belief,
            X,
            tried=tried,
            rows=rows[known],
            outcomes=outcomes[known],
            objective=objective,
            trials_left=budget - n,
            pending=rows[[t for t, _ in due]] if due else None,
            contextual=fact.contextual,
            finals=_seen(fact, n, d) if fact.contextual else None,
        )
        begun = time.perf_counter()
        top = np.nan
        if n < policy.abilities.starts:
            pick = int(staged.starts[n])
        else:
            found = scores(policy, now, rng)
            top = float(found.max()) if policy.name.startswith("kg") else np.nan
            pick = choose(found, rng)
        spent = time.perf_counter() - begun
        rows[n] = X[pick]
        outcomes[n] = staged.uniforms[pick, n] < chance[pick]
        tried[pick] = True
        due.append((n, n + 1 + int(fact.delays[n])))
        successes += int(outcomes[n])
        regret += float(chance.max() - chance[pick])
        for t, when in due:
            if when <= n + 1:
                belief, _ = observe(belief, rows[t], int(outcomes[t]))
                known.append(t)
        due = [(t, when) for t, when in due if when > n + 1]
        verdict = _judge(belief, fact, n + 1)
        for name, value in zip(
            kept,
            (pick, outcomes[n], *verdict[:2], successes, regret, *verdict[2:4], top, verdict[4], spent),
            strict=True,
        ):
            kept[name].append(float(value))
    return Rows(**{name: np.array(values) for name, values in kept.items()})


def _judge(belief: Belief | Mixture, fact: Truth, n: int) -> tuple[float, float, float, float, float]:
    """OC by predicted probability and by mean weights, predicted and true probability, whether it is the true best."""
    chance = fact.at(n)[fact.judged]  # (E, M)
    flat = fact.X[fact.judged].reshape(-1, fact.X.shape[2])
    p = predictive(belief, flat).reshape(chance.shape)
    mean = (
        belief.mean
        if isinstance(belief, Belief)
        else np.sum([w * b.mean for w, b in zip(belief.weights, belief.beliefs, strict=True)], axis=0)
    )
    plug = (flat @ mean).reshape(chance.shape)
    each = np.arange(len(chance))
    best = chance.max(axis=1)
    going, plugged = p.argmax(axis=1), plug.argmax(axis=1)
    true = chance[each, going]
    return (
        float((best - true).mean()),
        float((best - chance[each, plugged]).mean()),
        float(p[each, going].mean()),
        float(true.mean()),
        float((true == best).mean()),
    )


def _seen(fact: Truth, n: int, d: int) -> Finals:
    """The cases seen so far, this one among them: what the final choice will be about."""
    return make_finals([fact.X[case] for case in fact.arrivals[: n + 1]], d=d)
