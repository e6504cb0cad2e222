"""What the paper's experiments are (section 6): its worlds, its policies, its numbers of trials."""

from __future__ import annotations

from dataclasses import dataclass

from sureshot.lab.report.panels import At

__all__ = [
    "BEAT_UCB",
    "BOUNDARY",
    "OWN",
    "PANELS",
    "POLICIES",
    "RIVALS",
    "RULES",
    "SCENES",
    "TRIALS",
    "WHEN",
    "Scene",
]


@dataclass(frozen=True)
class Scene:
    """One of the two small worlds in which the paper watches its policy (figures 1, 2 and 3)."""

    figure: int
    d: int
    M: int
    trials: int  # how many panels the figure has
    found_after: int  # "finds the true best alternative after only ... measurements"
    error_after: int  # trials before the error map of figure 3

    @property
    def title(self) -> str:
        """In words: ``d = 2, 200 alternatives``."""
        return f"d = {self.d}, {self.M} alternatives"


#: Figures 1 and 2, and the two maps of figure 3.
SCENES = (
    Scene(figure=1, d=2, M=200, trials=4, found_after=3, error_after=6),
    Scene(figure=2, d=3, M=300, trials=10, found_after=10, error_after=10),
)

#: The panels of figure 4: what the paper calls the worlds of :func:`sureshot.lab.worlds.paper_worlds`.
PANELS = (
    "sonar",
    "glass identification",
    "blood transfusion",
    "survival",
    "breast cancer (wpbc)",
    "planning relax",
    "climate",
    "synthetic data, d = 10",
    "synthetic data, d = 15",
)

#: The policies of figure 4; the last is the paper's own, the others are its rivals.
POLICIES = ("random", "most-uncertain", "disc", "expected-improvement", "thompson", "ucb", "kg")
OWN, RIVALS = POLICIES[-1], POLICIES[:-1]

#: The policies that the paper says beat UCB.
BEAT_UCB = ("kg", "expected-improvement", "thompson")

#: Trials of each run of figure 4.
TRIALS = 30

#: Where figure 4 is read: after so many trials, and on average over all of them.
WHEN: tuple[At, ...] = (5, 10, 30, "area")

#: An alternative with a coordinate beyond this lies near the boundary of the region, [-3, 3] in every coordinate.
BOUNDARY = 2.5

#: Rules of recommendation, by the column of the rows: the paper's first, then the better one.
RULES = {"oc_plugin": "by the mean weights, the paper's rule", "oc": "by predicted probability"}
