from __future__ import annotations

import json
import math
import re

import numpy as np
import pytest
from scipy.stats import binom

from sureshot.campaign import Campaign
from sureshot.campaign.answers.fit import checks
from sureshot.campaign.answers.fit.checks import CHECKED, FALSE_ALARMS, _bets, _evidence, _rate, _tilted
from sureshot.campaign.log.ledger import Entry, Ledger
from sureshot.campaign.model.aim import new_spec
from sureshot.campaign.model.options import Options
from sureshot.core import fit
from sureshot.errors import InvalidInput
from sureshot.space import Actions, Space
from sureshot.storage import Storage
from tests.campaign.bench import SPACE, STRAIGHT, best_inside, ever_raised, from_the_prior

CURVED = (
    "a model that may take any shape predicts your outcomes 5,200 times better, mostly because a number may be best "
    "inside its range (curved). Try `Campaign.create_from('oven-2', 'oven', shape='auto')`, which keeps all outcomes, "
    "or see `compare()`"
)


def oven(memory: Storage, **given: object) -> Campaign:
    """All alternatives tried once: what is at 140 and 160 C worked."""
    made = Campaign.create("oven", SPACE, seed=1, storage=memory, **given)  # type: ignore[arg-type]
    for row, chance in enumerate(best_inside().tolist()):
        made.tell_new(row, chance > 0.5)
    return made


# -- false alarms and power


@pytest.mark.parametrize("given", [{}, {"formula": STRAIGHT}, {"prior": 0.3}])
def test_a_right_belief_is_rarely_cautioned(given):
    """At most 5 % of campaigns: with more than so many of 20 alarmed, that would have had a chance of 1 in 1,000."""
    spec, runs = new_spec(SPACE, Options(**given)), 20
    rngs = [np.random.default_rng([seed, 3]) for seed in range(runs)]
    alarmed = sum(bool(ever_raised(spec, from_the_prior(spec, rng), rng, n=20, every=4)) for rng in rngs)
    assert alarmed <= binom.ppf(0.999, runs, FALSE_ALARMS)


@pytest.mark.parametrize(("given", "least"), [({"formula": STRAIGHT}, 4), ({"prior": 0.1}, 7)])
def test_a_straight_model_of_a_bent_world_is_cautioned(given, least):
    spec = new_spec(SPACE, Options(**given))
    rngs = [np.random.default_rng([seed, 4]) for seed in range(8)]
    raised = [ever_raised(spec, best_inside(), rng, n=40, every=10) for rng in rngs]
    shapes = [found["shape"] for found in raised if "shape" in found]
    assert len(shapes) >= least
    assert {"curved", "pairs"} >= {one.said.split("(")[1].split(")")[0] for one in shapes}


def test_a_bent_world_is_no_surprise_to_the_default():
    rngs = [np.random.default_rng([seed, 5]) for seed in range(6)]
    assert not any(ever_raised(new_spec(SPACE, Options()), best_inside(), rng, n=30, every=10) for rng in rngs)


def test_noise_is_predicted_no_better_than_by_its_average():
    spec, chances = new_spec(SPACE, Options(prior=0.1)), np.full(len(SPACE), 0.4)
    rngs = [np.random.default_rng([seed, 6]) for seed in range(8)]
    raised = [ever_raised(spec, chances, rng, n=40, every=10) for rng in rngs]
    rates = [found["base rate"] for found in raised if "base rate" in found]
    assert len(rates) >= 5
    assert rates[0].said == "this model predicts your outcomes no better than their average"
    assert rates[0].instead.startswith("Try `Campaign.create_from('bench-2', 'bench', shape='auto')`")


def test_a_model_with_all_shapes_has_no_other_to_try(memory):
    made = Campaign.create("coin", Space.grid(power=[1, 2, 3], gas=["a", "b"]), seed=1, storage=memory)
    for row in range(6):
        made.tell_new(row, 40, of=80)
    (said,) = made.status().cautions
    assert said.startswith("this model predicts your outcomes no better than their average. Perhaps something else ")


# -- the numbers


def test_the_average_by_hand():
    assert _rate(np.array([1.0]), np.array([1.0])) == pytest.approx(math.log(0.5))
    assert _rate(np.array([1.0, 1.0]), np.array([1.0, 2.0])) == pytest.approx(math.log(0.5 * 0.75 * 0.5 / 3))
    both = [_rate(np.array([float(k)]), np.array([1.0])) for k in (0, 1)]
    assert np.logaddexp(*both) == pytest.approx(0.0)


@pytest.mark.parametrize("p", [0.02, 0.4, 0.9])
def test_bets_are_fair(p):
    """Over all outcomes of four trials, weighted by their chances, the e-value is 1 on average."""
    total = 0.0
    for won in np.ndindex(2, 2, 2, 2):
        chance = np.prod([p if one else 1.0 - p for one in won])
        total += chance * math.exp(_tilted([(p, float(one), 1) for one in won]))
    assert total == pytest.approx(1.0)
    assert sum(binom.pmf(k, 3, p) * math.exp(_tilted([(p, k / 3, 3)])) for k in range(4)) == pytest.approx(1.0)


def test_one_member_tells_the_evidence_of_all():
    spec = new_spec(SPACE, Options())
    X, won, of = spec.pool.matrix()[:9], np.arange(9.0) % 2, np.ones(9)
    whole = fit(spec.prior, X, won, of=of)
    assert _evidence(spec.prior, X, won, of, whole.belief) == pytest.approx(whole.evidence, abs=1e-9)
    assert _evidence(spec.prior, X, won, of) == whole.evidence


def ledger_of(*trials: tuple[int, int, int, float], rewritten: int = 0, **changed: object) -> Ledger:
    """Trials as (event of asking, event of telling, successes, chance), all of what was recommended then."""
    kept = {}
    for number, (opened, told, won, p) in enumerate(trials, 1):
        payload = json.dumps({"probability": p, "now": {"alternative": 0}})
        kept[number] = Entry(number, "told", True, 0, None, payload, opened, "", None, told, successes=won, of=1)
    kept[1] = kept[1]._replace(**changed)  # type: ignore[arg-type]
    return Ledger(99, "", kept, tuple(kept), (), rewritten, 99)


def test_bets_are_on_trials_that_were_asked_when_those_before_were_known():
    assert _bets(ledger_of((1, 2, 1, 0.8), (3, 4, 0, 0.7))) == [(0.8, 1.0, 1), (0.7, 0.0, 1)]
    assert _bets(ledger_of((1, 3, 1, 0.8), (2, 4, 0, 0.7), (5, 6, 1, 0.6))) == [(0.8, 1.0, 1), (0.6, 1.0, 1)]


def test_bets_pass_over_what_was_predicted_from_a_mistake():
    trials = (1, 2, 0, 0.8), (3, 4, 0, 0.7), (6, 7, 1, 0.6)
    assert _bets(ledger_of(*trials, rewritten=5, corrections=1)) == [(0.8, 0.0, 1), (0.6, 1.0, 1)]
    assert _bets(ledger_of(*trials, rewritten=5, state="withdrawn")) == [(0.6, 1.0, 1)]
    assert _bets(ledger_of(*trials, state="withdrawn", told=0)) == [(0.7, 0.0, 1), (0.6, 1.0, 1)]
    assert _bets(ledger_of(*trials, asked=False)) == [(0.7, 0.0, 1), (0.6, 1.0, 1)]


# -- what a person is told


def test_a_better_shape_is_said_everywhere(memory):
    made = oven(memory, formula=STRAIGHT)
    assert made.best().cautions == made.status().cautions == made.advice().cautions == (CURVED,)
    assert f" Note: {CURVED}." in str(made.best())
    assert made.rewind(3).status().cautions == ()


def test_the_default_has_nothing_to_say_against_itself_and_says_what_bends(memory):
    found = oven(memory).best()
    assert (found.cautions, found.shape) == ((), "temperature bends: best between 140 and 160 C")
    assert str(found).endswith(" Temperature bends: best between 140 and 160 C.")


def test_nothing_bends_while_nothing_is_known(memory, space):
    made = Campaign.create("new", space, seed=1, storage=memory)
    assert made.best().shape is None
    made.tell_new(0, 1)
    assert (made.best().shape, made.best().cautions, made.status().cautions) == (None, (), ())


def test_stop_is_never_said_while_a_caution_is_raised(memory):
    fine, wrong = oven(memory, budget=1), Campaign.create("x", SPACE, formula=STRAIGHT, budget=1, storage=memory)
    for row, chance in enumerate(best_inside().tolist()):
        wrong.tell_new(row, chance > 0.5)
    assert fine.advice(cost=0.9).words.startswith("stop: ")
    said = wrong.advice(cost=0.9)
    assert said.go_on
    assert said.words.startswith("don't leave it at this yet: this model does not fit your outcomes, so what it ")
    assert said.words.endswith("Try `Campaign.create_from('x-2', 'x', shape='auto')`, which keeps all outcomes, or see "
                               "`compare()`.")  # fmt: skip
    for made in (fine, wrong):
        trial = made.ask()
        assert made.advice().words.startswith("wait: 1 outcome is still to come")
        made.tell(trial, 0)
    assert fine.advice().words.startswith("stop: the budget is used up.")
    said = wrong.advice()
    assert not said.go_on
    assert said.words.startswith("the budget is used up, and this model does not fit your outcomes")
    assert said.words.endswith("; to go on here, ask with beyond_budget=True.")
    assert "stop" not in said.words


def test_a_level_that_never_worked(memory):
    """A precision that expects much of every slope: an end of the range is recommended, however often it failed."""
    rngs = [np.random.default_rng([seed, 15]) for seed in range(6)]
    raised = [ever_raised(new_spec(SPACE, Options(prior=0.1)), best_inside(), rng, n=30, every=6) for rng in rngs]
    levels = [found["level"] for found in raised if "level" in found]
    assert len(levels) >= 3
    for one in levels:
        said = (
            r"temperature (100|200) C is recommended, and failed in all \d+ tries, while \d+ of \d+ without it worked: "
        )
        assert re.match(said + r"1 in [\d,]+ by this model$", one.said)
        assert one.instead == "Choose a setting that worked, with another temperature, until you know why"


def test_what_was_recommended_does_not_work(memory):
    made = Campaign.create("luck", Actions(["a", "b"]), prior=0.05, policy="greedy", seed=1, storage=memory)
    made.tell_new("a", 30, of=30)
    for _ in range(14):
        made.tell(made.ask(), 0)
    said = [one for one in made.best().cautions if one.startswith("what was recommended")]
    assert said[0].endswith("The chances shown are too high: repeat the recommended setting before you rely on it")
    assert made.status().cautions[:-1] == made.best().cautions  # the last is about how it was made


def test_why_one_that_only_failed_is_recommended(memory):
    found = oven(memory, formula=STRAIGHT).best()
    assert (found.successes, found.of) == (0, 1)
    assert found.not_most_successful == (
        "It failed in its only try, but from all trials together its chance is 34 %; of those that worked, the best is "
        "temperature 160 C, solvent DMF, additive False (1 of 1), whose chance is hardly less (34 %)."
    )


def test_cases_are_checked_too(memory):
    rng = np.random.default_rng(0)
    context = {"age": (18, 90), "diabetic": bool, "ward": ["A", "B"]}
    desk = Campaign.create("desk", Actions(["wait", "treat"]), context=context, formula="action", storage=memory)
    assert desk.status().cautions == ()
    for _ in range(60):
        case = {"age": int(rng.integers(18, 91)), "diabetic": bool(rng.integers(2)), "ward": "AB"[rng.integers(2)]}
        desk.tell_new(int(rng.integers(2)), 40 < case["age"] < 65, context=case)
    (said,) = desk.status().cautions
    assert "(pairs). Try `Campaign.create_from('desk-2', 'desk', shape='" in said
    assert desk.best({"age": 12, "diabetic": True, "ward": "A"}).cautions[0] == said
    assert len(desk.best({"age": 12, "diabetic": True, "ward": "A"}).cautions) == 2


def test_a_formula_may_leave_out_what_no_shape_can_have(memory):
    """Names of the rows: then there are no other shapes to compare with."""
    table = {"sample": [f"s{i}" for i in range(40)], "power": [i // 2 for i in range(40)]}
    made = Campaign.create("table", Space.from_frame(table), formula="power", seed=1, storage=memory)
    for row in range(6):
        made.tell_new(row, row % 2)
    assert made.status().cautions == made.best().cautions == made.advice().cautions == ()
    with pytest.raises(InvalidInput, match="sample must have few enough levels"):
        Campaign.create_from("shaped", made, shape="auto")


def test_many_outcomes_are_checked_on_the_first_of_them(memory):
    made = oven(memory, formula=STRAIGHT)
    for _ in range(CHECKED // len(SPACE) + 1):
        for row, chance in enumerate(best_inside().tolist()):
            made.tell_new(row, chance > 0.5)
    assert "predicts your outcomes more than a million times better, mostly because" in made.status().cautions[0]


def test_what_is_kept_of_the_first_outcomes_knows_their_corrections(memory, monkeypatch):
    """Of a long campaign they are looked at once; another outcome among them makes them others."""
    monkeypatch.setattr(checks, "CHECKED", 4)
    made = oven(memory, formula=STRAIGHT)
    counted = made._log.ledger.counted()
    assert len(counted) > 5
    seen = [checks._outcomes(made._log.spec, counted[:n], made.belief) for n in (5, len(counted))]
    assert seen[0] is seen[1]
    fresh = checks._seen(made._log.spec, tuple(counted[:4]))
    assert (seen[0].evidence, seen[0].won.tolist()) == (fresh.evidence, fresh.won.tolist())
    made.correct(counted[0].trial, 1 - counted[0].successes)
    again = checks._outcomes(made._log.spec, made._log.ledger.counted(), made.belief)
    assert again.won[0] == 1 - seen[0].won[0]
    assert again.evidence != seen[0].evidence
