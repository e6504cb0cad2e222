"""Contextual worlds: a case arrives, an action is taken, and which action is best depends on the case.

The alternatives of a case are ``1 || context || action || context x action`` (:func:`sureshot.core.in_context`): with
the products, because without them the best action is the same for everybody (docs/paper.md, erratum 13).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sureshot.core import LINKS, get_link, in_context
from sureshot.core.numerics.stable import Array
from sureshot.lab.play.world import Truth, World, truth
from sureshot.lab.worlds.parameters import choice, labelled, number, settle, whole

__all__ = ["Desk", "Story", "story_weights"]


@dataclass(frozen=True)
class Story:
    """Who comes, what can be done, and what is expected to come of it, in words and numbers (log-odds).

    ``effects`` holds what is not zero: of a context feature, of an action feature, or of ``"feature:action feature"``.
    """

    context: tuple[str, ...]
    action: tuple[str, ...]
    actions: Mapping[str, tuple[float, ...]]  # name: its features
    base: float  # log-odds of success of the usual case with the action 0, 0, ...
    effects: Mapping[str, float]

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the features, in the order of :func:`~sureshot.core.in_context`."""
        products = tuple(f"{one}:{other}" for one in self.context for other in self.action)
        return ("1", *self.context, *self.action, *products)


def story_weights(story: Story, rng: np.random.Generator, *, noise: float, interactions: float) -> Array:
    """What the story expects, and ``noise`` on each weight; the products times ``interactions``, (d,)."""
    expected = np.array([story.base, *(story.effects.get(name, 0.0) for name in story.columns[1:])])
    found = expected + noise * rng.normal(size=len(expected))
    found[1 + len(story.context) + len(story.action) :] *= interactions
    return found


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
        settle(
            self,
            judged=whole(self, "judged"),
            noise=number(self, "noise", least=0.0),
            interactions=number(self, "interactions", least=0.0),
        )

    @property
    def label(self) -> str:
        """The name, and what is not as usual."""
        return labelled(self, self.name)

    @abstractmethod
    def cases(self, rng: np.random.Generator, n: int) -> Array:
        """``n`` contexts, each feature around 0 with a standard deviation near 1, (n, k)."""

    def draw(self, rng: np.random.Generator, budget: int) -> Truth:
        """New weights, other cases to be judged by, and a case for each trial."""
        w = story_weights(self.story, rng, noise=self.noise, interactions=self.interactions)
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
