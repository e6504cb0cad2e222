"""What a policy must do, as a class of tests that a policy of your own can run.

In a test file of yours:

    from sureshot.testing import PolicyConformance

    class TestMyPolicy(PolicyConformance):
        policy = MyPolicy(alpha=2.0)
        refused = ({"alpha": -1.0},)        # parameters that it must not accept

pytest collects the class and runs every ``test_`` method. None of them knows what the policy is after: each holds it to
what every caller relies on. A failure is an ``AssertionError`` that says which rule was broken, and where.
"""

from __future__ import annotations

import pickle
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import FrozenInstanceError, fields, is_dataclass, replace
from typing import Any, ClassVar, get_args

import numpy as np

from sureshot.core import Belief, Mixture, get_link, mixture, observe_many, prior
from sureshot.core.lookahead import finals
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput, SureshotError
from sureshot.policies import Abilities, Objective, Policy, Situation, choose, decide, scores, situation

__all__ = ["PolicyConformance"]

#: Six alternatives of a constant and two features; the last is a copy of the second.
POOL = np.array(
    [[1.0, -2.0, 0.5], [1.0, 0.3, -1.1], [1.0, 2.0, 0.4], [1.0, 0.0, 0.0], [1.0, -0.7, 2.2], [1.0, 0.3, -1.1]]
)
TRIED = np.array([0, 2, 0])
OUTCOMES = np.array([0, 1, 1])
LINKS = ("logit", "probit", "cloglog", "loglog")
#: Scores of the same thing, computed in another order, differ by rounding only.
ROUNDING = 1e-8
#: Choices of a randomised policy that are compared, and how many standard deviations their counts may differ by.
CHOICES, DEVIATIONS = 300, 5.0


class PolicyConformance:
    """Tests that every policy passes; set ``policy`` in a subclass, and in ``refused`` parameters that it refuses."""

    policy: Policy
    refused: ClassVar[Sequence[Mapping[str, Any]]] = ()

    def test_it_is_a_frozen_dataclass_with_a_name(self) -> None:
        """Its parameters are fields, they can't be changed, and its name can be typed on a command line."""
        kind = type(self.policy)
        assert isinstance(self.policy, Policy), f"a policy must derive from Policy, {kind.__name__} does not"
        name = getattr(kind, "name", None)
        assert isinstance(name, str), "a policy must have a name"
        assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name), f"a name must be like 'kg-exact', got {name!r}"
        assert is_dataclass(kind), f"{kind.__name__} must be a dataclass: @dataclass(frozen=True)"
        for name in ("name", *(one.name for one in fields(kind)), "something_new"):
            try:
                setattr(self.policy, name, None)
            except (FrozenInstanceError, AttributeError):
                continue
            raise AssertionError(f"a policy must be frozen, yet `{name}` could be set: use @dataclass(frozen=True)")
        assert self.policy == replace(self.policy), "two policies with the same parameters must be equal"
        assert hash(self.policy) == hash(replace(self.policy)), "equal policies must have equal hashes"

    def test_its_abilities_are_declared(self) -> None:
        """It has at least one objective, and a whole number of random starts."""
        able = self.policy.abilities
        assert isinstance(able, Abilities), f"`abilities` must be an Abilities, got {able!r}"
        assert able.offline or able.online, "a policy must serve at least one objective"
        assert isinstance(able.starts, int), f"`starts` must be a whole number, got {able.starts!r}"
        assert able.starts >= 0, f"`starts` must not be negative, got {able.starts!r}"
        assert isinstance(self.policy.randomised, bool), f"`randomised` must be a bool, got {self.policy.randomised!r}"

    def test_bad_parameters_are_refused_at_construction(self) -> None:
        """NaN and infinity for any number, and whatever ``refused`` holds, are an error that names the parameter."""
        bad: list[Mapping[str, Any]] = list(self.refused)
        for one in fields(self.policy):  # type: ignore[arg-type]
            value = getattr(self.policy, one.name)
            if isinstance(value, int | float) and not isinstance(value, bool):
                bad += [{one.name: wrong} for wrong in (float("nan"), float("inf"), "many")]
        for given in bad:
            try:
                replace(self.policy, **given)  # type: ignore[type-var]
            except SureshotError as error:
                said = str(error)
            else:
                raise AssertionError(f"parameters {dict(given)} must be refused by __post_init__, and were accepted")
            named = any(f"`{key}`" in said for key in given)
            assert named, f"the error for {given} must name the parameter in `backticks`, got: {said}"

    def test_scores_are_finite_one_for_each_alternative(self) -> None:
        """For every link, both forms of covariance, mixtures, and each objective that it serves."""
        for label, now in self._situations():
            self._scored(label, now)

    def test_nothing_is_tried_yet(self) -> None:
        """A policy may be asked for the very first trial: whatever random starts it would like, it gets none here."""
        for now in self._each(prior(3), rows=None, outcomes=None):
            self._scored("before any trial", now)

    def test_a_pool_of_one(self) -> None:
        """There is a score, and the only alternative is chosen."""
        for now in self._each(X=POOL[:1]):
            self._scored("a pool of one", now)
            assert decide(self.policy, now, _rng())[0].alternative == 0

    def test_copies_of_one_alternative(self) -> None:
        """A pool in which all are alike; and one where two are: a policy that does not draw scores them alike."""
        for now in self._each(X=np.repeat(POOL[:1], 4, axis=0)):
            self._scored("a pool of copies", now)
        for now in self._each():
            found = self._scored("two copies", now)
            gap = abs(found[1] - found[5])
            assert self.policy.randomised or gap <= ROUNDING, (
                f"two copies of one alternative must score alike, they differ by {gap:.3g}"
            )

    def test_everything_was_tried(self) -> None:
        """There is still a choice."""
        for now in self._each(rows=POOL, outcomes=np.ones(len(POOL))):
            self._scored("all tried", now)

    def test_extremes(self) -> None:
        """An alternative without features, beliefs that are all but sure, and features a thousand times as large."""
        empty = POOL.copy()
        empty[3] = 0.0
        sure = _learned(prior(3, precision=100.0, mean=[0.0, 30.0, 0.0]))
        full, diagonal = _learned(prior(3)), _learned(prior(3, covariance="diagonal"))
        for label, belief, X in (
            ("a row of zeros", full, empty),
            ("a row of zeros, diagonal", diagonal, empty),
            ("all but sure", sure, POOL),
            ("features of thousands", full, 1e3 * POOL),
            ("features of thousands, diagonal", diagonal, 1e3 * POOL),
        ):
            for now in self._each(belief, X=X):
                self._scored(label, now)

    def test_trials_of_several_tries(self) -> None:
        """So many successes of so many tries are one trial."""
        for now in self._each(outcomes=[0, 3, 2], of=[4, 3, 5]):
            self._scored("counts", now)

    def test_some_candidates_only(self) -> None:
        """Where some alternatives alone may be tried, one of these is chosen."""
        for now in self._each(candidates=[0, 3]):
            self._scored("candidates", now)
            assert decide(self.policy, now, _rng())[0].alternative in (0, 3)

    def test_a_link_without_probits(self) -> None:
        """A link of a user's own, or a refusal if it declares that it can't."""
        own = replace(get_link("logit"), name="a-link-of-ones-own", probits=None)
        for now in self._each(_learned(prior(3, link=own))):
            self._scored_or_refused("a link without probits", now, able=self.policy.abilities.any_link)

    def test_contexts(self) -> None:
        """With contexts and groups of finals, or a refusal if it declares that it can't."""
        groups = finals([POOL[:3], POOL[3:] + 0.1], [1.0, 2.0], d=3)
        for now in self._each(finals=groups, contextual=True):
            self._scored_or_refused("contexts", now, able=self.policy.abilities.contextual)

    def test_outstanding_trials(self) -> None:
        """With outcomes outstanding, or a refusal if it declares that it can't."""
        for now in self._each(pending=POOL[[1, 4]]):
            self._scored_or_refused("pending trials", now, able=self.policy.abilities.pending)

    def test_costs(self) -> None:
        """What costs a thousand times as much is worth less to try, or costs are refused."""
        if not self.policy.abilities.offline:
            return
        price = np.ones(len(POOL))
        found = self._scored_or_refused("costs", _now("offline", cost=price), able=self.policy.abilities.cost)
        if found is None:
            return
        top = int(found.argmax())
        price[top] = 1e3
        dear = self._scored("costs", _now("offline", cost=price))
        assert dear[top] < found[top] - ROUNDING, (
            f"abilities.cost is declared, yet the best alternative scores {dear[top]:g} at a thousand times the cost "
            f"that it scored {found[top]:g} at"
        )

    def test_an_objective_that_it_does_not_serve_is_refused(self) -> None:
        """By an error that names the policy."""
        for objective in get_args(Objective):
            if objective not in self._objectives():
                self._scored_or_refused(f"objective {objective!r}", _now(objective), able=False)

    def test_the_same_generator_gives_the_same_scores(self) -> None:
        """All chance comes from the generator that is handed in; asking twice changes nothing."""
        for label, now in self._situations():
            first, second = (scores(self.policy, now, _rng()) for _ in range(2))
            assert np.array_equal(first, second), f"{label}: the same generator must give the same scores"

    def test_asking_changes_nothing(self) -> None:
        """Neither the situation nor the policy."""
        before = pickle.dumps(self.policy)
        for label, now in self._situations():
            kept = {k: v.copy() for k, v in vars(now).items() if isinstance(v, np.ndarray)}
            found = self._scored(label, now)
            found += 1.0  # the scores are the caller's
            for name, array in kept.items():
                assert np.array_equal(array, getattr(now, name)), f"{label}: `{name}` of the situation was changed"
            others = [now.probability, *(getattr(now, name) for name in kept)]
            own = not any(np.shares_memory(found, array) for array in others)
            assert own, f"{label}: the scores must be an array of their own"
        assert pickle.dumps(self.policy) == before, "asking for scores must not change the policy"

    def test_it_can_be_sent_to_another_process(self) -> None:
        """A pickled copy is equal and gives the same scores: studies run on many processes."""
        try:
            again = pickle.loads(pickle.dumps(self.policy))
        except Exception as error:
            raise AssertionError(f"a policy must be picklable (define its class in a module): {error}") from error
        assert again == self.policy, "a pickled copy must be equal to the policy"
        _, now = next(self._situations())
        assert np.array_equal(scores(again, now, _rng()), scores(self.policy, now, _rng())), (
            "a pickled copy must give the same scores"
        )

    def test_the_order_of_the_pool_does_not_matter(self) -> None:
        """Scores move with their alternatives; of a randomised policy, the frequencies of its choices do."""
        order = np.array([4, 2, 5, 0, 3, 1])
        for now in self._each():
            turned = replace(now, X=now.X[order])
            if self.policy.randomised:
                self._same_frequencies(now, turned, order)
                continue
            straight, moved = (scores(self.policy, one, _rng()) for one in (now, turned))
            off = np.abs(straight[order] - moved).max()
            assert off <= ROUNDING * (1.0 + np.abs(straight).max()), (
                f"scores must move with their alternatives when the pool is reordered, they differ by {off:.3g}"
            )

    def _same_frequencies(self, now: Situation, turned: Situation, order: Array) -> None:
        copies = np.array([0, 1, 2, 3, 4, 1])  # the last alternative is the second
        one, two = np.random.default_rng(1), np.random.default_rng(2)
        picks = [choose(scores(self.policy, now, one), one) for _ in range(CHOICES)]
        others = [choose(scores(self.policy, turned, two), two) for _ in range(CHOICES)]
        straight = np.bincount(copies[picks], minlength=5)
        moved = np.bincount(copies[order[others]], minlength=5)
        off = np.abs(straight - moved) / np.sqrt(np.maximum(straight + moved, 1))
        assert off.max() <= DEVIATIONS, (
            f"choices must move with their alternatives when the pool is reordered: of {CHOICES} each alternative got "
            f"{straight.tolist()}, in another order {moved.tolist()}"
        )

    def _objectives(self) -> list[Objective]:
        return [name for name in get_args(Objective) if getattr(self.policy.abilities, name)]

    def _each(self, belief: Belief | Mixture | None = None, **given: Any) -> Iterator[Situation]:
        """The situation for each objective that it serves."""
        for objective in self._objectives():
            yield _now(objective, belief, **given)

    def _situations(self) -> Iterator[tuple[str, Situation]]:
        """One of each kind that every policy meets."""
        beliefs: list[tuple[str, Belief | Mixture]] = [
            (f"{link}, {covariance}", prior(3, link=link, covariance=covariance))
            for link in LINKS
            for covariance in ("full", "diagonal")
        ]
        beliefs.append(("probit, adf", prior(3, link="probit", method="adf")))
        beliefs.append(("a mixture", mixture([prior(3, precision=p) for p in (0.2, 1.0, 5.0)], [1, 2, 1])))
        beliefs.append(("a mixture of links", mixture([prior(3, link=link) for link in LINKS])))
        for label, belief in beliefs:
            for now in self._each(_learned(belief)):
                yield f"{label}, {now.objective}", now

    def _scored(self, label: str, now: Situation) -> Array:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                found = scores(self.policy, now, _rng())
            except Warning as warning:
                raise AssertionError(f"{label}: a policy must not warn, got: {warning}") from warning
            except InvalidInput as error:  # a wrong shape, a NaN
                raise AssertionError(f"{label}: {error}") from error
        return found

    def _scored_or_refused(self, label: str, now: Situation, *, able: bool) -> Array | None:
        if able:
            return self._scored(label, now)
        try:
            scores(self.policy, now, _rng())
        except InvalidInput as error:
            said = str(error)
        else:
            raise AssertionError(f"{label}: declared as not possible, and must be refused")
        assert repr(self.policy.name) in said, f"{label}: the refusal must name the policy, got: {said}"
        return None


def _learned(belief: Belief | Mixture) -> Belief | Mixture:
    return observe_many(belief, POOL[TRIED], OUTCOMES)[0]


def _now(objective: Objective, belief: Belief | Mixture | None = None, X: Array = POOL, **more: Any) -> Situation:
    """Three trials into a pool of six, with seven to go; ``more`` is what is special about it."""
    given: dict[str, Any] = {"rows": POOL[TRIED], "outcomes": OUTCOMES, "trials_left": 7, **more}
    return situation(_learned(prior(3)) if belief is None else belief, X, objective=objective, **given)


def _rng() -> np.random.Generator:
    return np.random.default_rng(7)
