"""What the lab measures is what a user gets: lab, campaign and sheet choose the same, from the same generator."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sureshot.campaign import Campaign
from sureshot.campaign.model.prior import belief_to_dict
from sureshot.campaign.model.situation import situation_of
from sureshot.cli.sheet.sheet import fill
from sureshot.core import LOGIT
from sureshot.core.lookahead import finals
from sureshot.lab import AUTO, truth
from sureshot.lab.play.run import Staged, play
from sureshot.policies import POLICIES, decide, default_policy, get_policy, situation
from sureshot.policies.decision import tied
from sureshot.space import Actions, Space
from sureshot.storage import asked, open_storage

FOR_A_TABLE = default_policy(grid=False)
NAMES = ["draw-then-kg", "kg", "kg-exact", "kg-star", "thompson", "ucb", "expected-improvement", "top-two-thompson"]
BUDGET = 8


def table(rng: np.random.Generator) -> pd.DataFrame:
    """Alternatives: two numbers and a name, perhaps with outliers, perhaps with copies but for a name."""
    size = int(rng.integers(4, 30))
    found = pd.DataFrame(rng.normal(size=(size, 2)).round(int(rng.integers(0, 4))), columns=["a", "b"])
    found.loc[: size // 8, "a"] *= float(rng.choice([1.0, 8.0]))
    found["name"] = rng.choice(["x", "y", "z"], size=size)
    return found.drop_duplicates().reset_index(drop=True)


def given_one_generator(campaign: Campaign, seed: int) -> Campaign:
    """The campaign with all draws for asking from one generator, as the lab has it."""
    rng = np.random.default_rng(seed)
    campaign._log.rng = lambda *_, **__: rng  # type: ignore[method-assign]
    return campaign


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ["at once", "delayed", "contexts", "delayed contexts", "online", "online contexts"])
def test_a_run_of_the_lab_is_a_campaign(name: str, kind: str) -> None:
    seed = sum(map(ord, name + kind))
    rng = np.random.default_rng(seed)
    objective: Any = "online" if "online" in kind else "offline"
    options: dict[str, Any] = {"policy": name, "objective": objective, "budget": BUDGET, "storage": ":memory:"}
    cases: list[Any] = [None] * BUDGET
    if "contexts" in kind:
        options["context"] = {"age": (18, 90), "ward": ["A", "B"]}
        known = [{"age": float(rng.integers(18, 90)), "ward": str(rng.choice(["A", "B"]))} for _ in range(4)]
        cases = [known[i] for i in rng.integers(4, size=BUDGET)]
        campaign = Campaign.create("x", Actions(["wait", "pill", "knife"]), formula="action", **options)
    else:
        campaign = Campaign.create("x", Space.from_frame(table(rng)), **options)
    given_one_generator(campaign, seed)
    pool = campaign.spec.pool
    X = np.stack([pool.matrix(case) for case in (cases if "contexts" in kind else cases[:1])])
    chance = LOGIT.probability(X @ rng.normal(size=X.shape[2]))
    late = rng.integers(5, size=BUDGET) if "delayed" in kind else np.zeros(BUDGET, dtype=int)
    fact = truth(
        X,
        chance,
        budget=BUDGET,
        arrivals=np.array([cases.index(case) for case in cases]),
        delays=late,
        contextual="contexts" in kind,
        space=None if "contexts" in kind else pool.space,
    )
    staged = Staged(fact, rng.random((X.shape[1], BUDGET)))
    rows = play(staged, get_policy(name), AUTO, rng=np.random.default_rng(seed), budget=BUDGET, objective=objective)
    assert belief_to_dict(AUTO.begin(fact)[1]) == belief_to_dict(campaign.belief)
    picks, due = [], []
    for n, case in enumerate(cases):
        trial = campaign.ask(case)
        picks.append(trial.alternative)
        won = staged.uniforms[trial.alternative, n] < fact.at(n)[fact.arrivals[n], trial.alternative]
        due.append((trial, bool(won), n + 1 + late[n]))
        for one, outcome, when in due:
            if when <= n + 1:
                campaign.tell(one, outcome)
        due = [one for one in due if one[2] > n + 1]
    assert picks == rows.pick.tolist()


@pytest.mark.parametrize("seed", range(24))
def test_a_campaign_asks_what_the_policy_would(seed: int) -> None:
    """Counts, pending trials, costs, contexts, batches: the situation written by hand from plain arrays."""
    rng = np.random.default_rng(seed)
    online, contextual, costly = bool(seed % 3 == 0), bool(seed % 4 == 1), bool(seed % 3 == 1)
    able = [n for n, p in POLICIES.items() if getattr(p.abilities, "online" if online else "offline")]
    able = [n for n in able if POLICIES[n].abilities.cost or not costly]
    name, budget = able[seed % len(able)], [None, 40][seed % 2]
    space = Space.from_frame(table(rng))
    costs = rng.uniform(1.0, 5.0, len(space)) if costly else None
    campaign = Campaign.create(
        "x",
        space,
        policy=name,
        context={"age": (18, 90)} if contextual else None,
        objective="online" if online else "offline",
        budget=budget,
        cost=costs,
        storage=":memory:",
    )
    pool, told, waiting, ages = campaign.spec.pool, [], [], []
    for row in rng.integers(len(space), size=int(rng.integers(0, 12))).tolist():
        age = {"age": float(rng.integers(18, 22))} if contextual else None
        of = int(rng.integers(1, 4))
        told.append((pool.matrix(age)[row], int(rng.integers(0, of + 1)), of))
        campaign.tell_new(row, told[-1][1], of=of, context=age)
        ages.append(age)
    for row in rng.integers(len(space), size=int(rng.integers(0, 3))).tolist():
        age = {"age": float(rng.integers(18, 22))} if contextual else None
        campaign._log.append([asked(row, context=age, payload={})])
        waiting.append(pool.matrix(age)[row])
        ages.append(age)
    case = {"age": 20.0} if contextual else None
    X = pool.matrix(case)
    seen = finals([pool.matrix(age) for age in [*ages, case]], d=X.shape[1]) if contextual else None
    now = situation(
        campaign.belief,
        X,
        rows=[row for row, _, _ in told] or None,
        outcomes=[won for _, won, _ in told] or None,
        of=[of for _, _, of in told] or None,
        objective="online" if online else "offline",
        trials_left=None if budget is None else budget - len(waiting),
        discount=0.99 if online and budget is None else None,
        finals=seen,
        pending=waiting or None,
        cost=costs,
        contextual=contextual,
    )
    q = int(rng.integers(1, 4))
    expected = decide({"name": name}, now, np.random.default_rng(seed), q)
    trials = given_one_generator(campaign, seed).ask_batch(q, context=case)
    assert [one.alternative for one in trials] == [one.alternative for one in expected]
    assert [one.value for one in trials] == pytest.approx([one.value for one in expected], abs=2e-6)
    assert [one.on_success.alternative for one in trials] == [one.on_success.alternative for one in expected]


@pytest.mark.parametrize("seed", range(12))
def test_a_sheet_is_ranked_as_a_campaign_would_ask(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    frame = table(rng)
    outcomes = rng.choice(["", "success", "failure", "PENDING"], size=len(frame), p=[0.6, 0.15, 0.15, 0.1])
    outcomes[0] = ""
    path = tmp_path / "candidates.csv"
    frame.assign(outcome=outcomes).to_csv(path, index=False)
    told = fill(path)
    campaign = Campaign.create(
        "x", Space.read(path, without=["outcome", "priority", "chance", "next"]), storage=":memory:"
    )
    for row, outcome in enumerate(outcomes):
        if outcome in ("success", "failure"):
            campaign.tell_new(row, str(outcome))
    for row in np.flatnonzero(outcomes == "PENDING").tolist():
        campaign._log.append([asked(row, payload={})])
    blank = np.flatnonzero(outcomes == "")
    now = situation_of(campaign.spec, campaign._log.ledger, campaign.belief, campaign.spec.pool.matrix(), None)
    (expected,) = decide(FOR_A_TABLE, replace(now, candidates=blank), told.outcomes)
    with path.open(newline="") as stream:
        priority = {row["priority"]: i for i, row in enumerate(csv.DictReader(stream))}
    assert priority["1"] == expected.alternative
    assert told.next is not None
    assert told.next.value == expected.value
    order = [priority[str(n)] for n in range(1, len(blank) + 1)]
    assert (np.diff(expected.scores[order]) <= 0.0).all()
    trial = given_one_generator(campaign, told.outcomes).ask()
    (free,) = decide(FOR_A_TABLE, now, told.outcomes)
    assert trial.alternative == free.alternative
    if set(tied(free.scores)) <= set(blank):  # nothing that has its outcome would be tried again
        assert trial.alternative == expected.alternative


def test_old_and_new_stores_are_asked_alike() -> None:
    """A campaign that was opened again chooses what it would have chosen."""
    store = open_storage(":memory:")
    made = Campaign.create(
        "x", Space.from_frame(table(np.random.default_rng(1))), policy="thompson", seed=3, storage=store
    )
    made.tell_new(0, 1)
    opened = Campaign.open("x", store)
    now = situation_of(opened.spec, opened._log.ledger, opened.belief, opened.spec.pool.matrix(), None)
    (expected,) = decide("thompson", now, opened._log.rng(2, stream=0))
    assert opened.ask().alternative == expected.alternative
