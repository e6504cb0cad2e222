"""health-care, loans and admissions: three desks where the best action depends on who is in front of it.

A case arrives and an action is taken. The alternatives of a case are ``1 || context || action || context x action``
(:func:`sureshot.core.in_context`): with the products, because without them the best action is the same for everybody
(docs/paper.md, erratum 13). The names and the spread of the features are like those of real cases; the effects are
invented, and say nothing about medicine, credit or students.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sureshot.core import LINKS, get_link, in_context
from sureshot.core.numerics.stable import Array
from sureshot.lab.limits import MOST_TRIALS
from sureshot.lab.play.world import Truth, World, truth
from sureshot.lab.worlds.parameters import choice, number, whole

__all__ = ["Admissions", "Desk", "HealthCare", "Loans", "Story"]


@dataclass(frozen=True)
class Story:
    """Who comes, what can be done, and what is expected to come of it, in words and numbers (log-odds).

    ``effects`` holds what is not zero: of the usual case with the action 0, 0, ... (``"1"``), of a context feature, of
    an action feature, or of ``"feature:action feature"``.
    """

    context: tuple[str, ...]
    action: tuple[str, ...]
    actions: Mapping[str, tuple[float, ...]]  # name: its features
    effects: Mapping[str, float]

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the features, in the order of :func:`~sureshot.core.in_context`."""
        products = tuple(f"{one}:{other}" for one in self.context for other in self.action)
        return ("1", *self.context, *self.action, *products)


@dataclass(frozen=True)
class Desk(World):
    """A decision desk; a subclass has a story and draws contexts.

    In each run the weights are drawn around the story's, by ``noise``. A new case arrives at every trial; a choice is
    judged over ``judged`` other cases. ``interactions=0``: the case changes the chances, not the best action.
    """

    story: ClassVar[Story]
    judged: int = 40
    noise: float = 0.3
    interactions: float = 1.0
    link: str = "logit"

    def __post_init__(self) -> None:
        choice(self, "link", LINKS)
        whole(self, "judged", most=MOST_TRIALS)
        number(self, "noise", least=0.0)
        number(self, "interactions", least=0.0)

    @abstractmethod
    def cases(self, rng: np.random.Generator, n: int) -> Array:
        """``n`` contexts, each feature around 0 with a standard deviation near 1, (n, k)."""

    def weights(self, rng: np.random.Generator) -> Array:
        """What the story expects, and ``noise`` on each weight; the products times ``interactions``, (d,)."""
        story = self.story
        expected = np.array([story.effects.get(name, 0.0) for name in story.columns])
        found = expected + self.noise * rng.normal(size=len(expected))
        found[1 + len(story.context) + len(story.action) :] *= self.interactions
        return found

    def draw(self, rng: np.random.Generator, budget: int) -> Truth:
        """New weights, other cases to be judged by, and a case for each trial."""
        w = self.weights(rng)
        others = self.cases(rng, self.judged)
        contexts = np.concatenate([self.cases(rng, budget), others])
        actions = np.array(list(self.story.actions.values()))
        X = np.stack([in_context(one, actions, interactions=True) for one in contexts])
        return truth(
            X,
            get_link(self.link).probability(X @ w)[None],
            budget=budget,
            arrivals=np.arange(budget),
            judged=np.arange(budget, budget + self.judged),
            contextual=True,
            weights=w,
        )


@dataclass(frozen=True)
class HealthCare(Desk):
    """Patients with high blood pressure x treatments; a success: the pressure is under control after three months.

    Diuretics suit older patients, ACE inhibitors the diabetic ones with good kidneys, a change of diet the heavy ones.

    >>> HealthCare().label, len(HealthCare.story.actions), len(HealthCare.story.columns)
    ('health-care', 6, 24)
    """

    name: ClassVar[str] = "health-care"
    story: ClassVar[Story] = Story(
        context=("age", "pressure", "bmi", "diabetic", "kidney"),
        action=("diuretic", "inhibitor", "diet"),
        actions={
            "wait": (0.0, 0.0, 0.0),
            "diuretic": (1.0, 0.0, 0.0),
            "inhibitor": (0.0, 1.0, 0.0),
            "diet": (0.0, 0.0, 1.0),
            "diuretic and diet": (1.0, 0.0, 1.0),
            "inhibitor and diet": (0.0, 1.0, 1.0),
        },
        effects={
            "1": -1.0,
            "age": -0.2,
            "pressure": -0.7,
            "bmi": -0.2,
            "diabetic": -0.3,
            "kidney": 0.2,
            "diuretic": 0.5,
            "inhibitor": 0.5,
            "diet": 0.2,
            "age:diuretic": 0.8,
            "age:inhibitor": -0.6,
            "diabetic:diuretic": -0.6,
            "diabetic:inhibitor": 0.8,
            "kidney:inhibitor": 0.6,
            "bmi:diet": 0.7,
            "age:diet": -0.5,
        },
    )

    def cases(self, rng: np.random.Generator, n: int) -> Array:
        """Age 60 ± 12, systolic pressure 150 ± 12, BMI around 28, one in four diabetic, kidney function (eGFR)."""
        u = rng.normal(size=(n, 4))
        age = np.clip(60.0 + 12.0 * u[:, 0], 25.0, 95.0)
        pressure = 150.0 + 12.0 * u[:, 1]
        bmi = 28.0 * np.exp(0.16 * u[:, 2])
        diabetic = rng.random(n) < 0.25 + 0.1 * np.tanh(u[:, 2])
        kidney = 85.0 - 0.6 * (age - 60.0) + 12.0 * u[:, 3]
        return np.column_stack(
            [
                (age - 60.0) / 12.0,
                (pressure - 150.0) / 12.0,
                (bmi - 28.4) / 4.6,
                (diabetic - 0.25) / 0.43,
                (kidney - 85.0) / 14.0,
            ]
        )


@dataclass(frozen=True)
class Loans(Desk):
    """Borrowers x terms; a success: the offer is taken and the loan is paid back.

    Borrowers deep in debt need the long loan, those with a good score take the short one and are put off by collateral,
    and those with a high income refuse small sums.

    >>> Loans().label, len(Loans.story.actions), len(Loans.story.columns)
    ('loans', 8, 20)
    """

    name: ClassVar[str] = "loans"
    story: ClassVar[Story] = Story(
        context=("income", "debt", "score", "employed"),
        action=("months", "amount", "collateral"),
        actions={  # 24 or 60 months, half or all of the sum asked for, with or without collateral
            f"{months} months, {share} of the sum, {cover}": (sign, size, asked)
            for months, sign in ((24, -1.0), (60, 1.0))
            for share, size in (("half", -1.0), ("all", 1.0))
            for cover, asked in (("open", 0.0), ("secured", 1.0))
        },
        effects={
            "1": 0.4,
            "income": 0.4,
            "debt": -0.6,
            "score": 0.7,
            "employed": 0.3,
            "months": -0.1,
            "amount": -0.2,
            "collateral": 0.1,
            "debt:months": 0.7,
            "score:months": -0.4,
            "income:amount": 0.7,
            "debt:amount": -0.4,
            "score:collateral": -0.8,
            "employed:collateral": -0.3,
        },
    )

    def cases(self, rng: np.random.Generator, n: int) -> Array:
        """Income around 45,000 (log-normal), debt over income, credit score 690 ± 60, years in the job."""
        u = rng.normal(size=(n, 2))
        log_income = 0.45 * u[:, 0]
        debt = rng.beta(2.0, 4.0, n)
        score = np.clip(690.0 + 60.0 * (0.4 * u[:, 0] + 0.9 * u[:, 1]), 300.0, 850.0)
        years = rng.gamma(1.5, 4.0, n)
        return np.column_stack(
            [
                log_income / 0.45,
                (debt - 1.0 / 3.0) / 0.178,
                (score - 690.0) / 60.0,
                (np.log1p(years) - 1.7) / 0.75,
            ]
        )


@dataclass(frozen=True)
class Admissions(Desk):
    """Students x aid of equal cost; a success: the student comes and finishes the first year.

    A grant brings in those with little money, the honours programme those with good grades, housing those from far
    away; a mentor keeps the first of a family to study; work on campus costs the weak ones their grades.

    >>> Admissions().label, len(Admissions.story.actions), len(Admissions.story.columns)
    ('admissions', 6, 30)
    """

    name: ClassVar[str] = "admissions"
    story: ClassVar[Story] = Story(
        context=("grades", "test", "income", "distance", "first"),
        action=("grant", "work", "honours", "mentor"),
        actions={
            "loan": (0.0, 0.0, 0.0, 0.0),
            "grant": (1.0, 0.0, 0.0, 0.0),
            "work on campus": (0.0, 1.0, 0.0, 0.0),
            "honours and half a grant": (0.5, 0.0, 1.0, 0.0),
            "mentor and half a grant": (0.5, 0.0, 0.0, 1.0),
            "honours and mentor": (0.0, 0.0, 1.0, 1.0),
        },
        effects={
            "1": -0.8,
            "grades": 0.4,
            "test": -0.2,
            "income": 0.2,
            "distance": -0.5,
            "first": -0.4,
            "grant": 0.7,
            "work": 0.3,
            "honours": 0.2,
            "mentor": 0.2,
            "income:grant": -0.8,
            "grades:honours": 0.8,
            "test:honours": 0.5,
            "grades:work": 0.5,
            "first:mentor": 0.7,
            "grades:mentor": -0.5,
            "distance:grant": 0.3,
        },
    )

    def cases(self, rng: np.random.Generator, n: int) -> Array:
        """Grade average 3.3 ± 0.4, test score tied to it, family income, kilometres from home, first of the family."""
        u = rng.normal(size=(n, 4))
        grades = np.clip(3.3 + 0.4 * u[:, 0], 2.0, 4.0)
        test = 0.6 * u[:, 0] + 0.8 * u[:, 1]
        first = rng.random(n) < 0.3 - 0.12 * np.tanh(u[:, 2])
        return np.column_stack(
            [
                (grades - 3.3) / 0.38,
                test,
                u[:, 2],  # log income
                u[:, 3],  # log distance
                (first - 0.3) / 0.46,
            ]
        )
