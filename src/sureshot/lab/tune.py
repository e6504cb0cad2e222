"""Finding a policy's parameter: chosen on training seeds, judged on others.

The best of a grid on some runs looks better there than it is: it was chosen for that. So what it gains over the default
is measured on runs that had no say in the choice. It holds for these worlds; others may want another value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

from sureshot.errors import InvalidInput, unknown_name
from sureshot.lab.play.beliefs import AUTO, BeliefRecipe
from sureshot.lab.play.world import World
from sureshot.lab.report.comparisons import UNTOLD, average_differences
from sureshot.lab.report.panels import MEASURES, At
from sureshot.lab.report.reports import when
from sureshot.lab.report.statistics import average_means
from sureshot.lab.report.tables import Cell, Table
from sureshot.lab.study.runner import run_study
from sureshot.lab.study.study import Contender, Study
from sureshot.plugins import looked_up
from sureshot.policies import POLICIES, Objective, get_policy
from sureshot.policies.named import parameters

__all__ = ["GRIDS", "Gain", "Tried", "Tuned", "tune", "tune_table"]

#: What is tried if nothing else is said, by policy and parameter; the default is always among it.
GRIDS: Mapping[tuple[str, str], tuple[Any, ...]] = {
    ("ucb", "alpha"): (0.0, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0),
    ("glm-ucb", "alpha"): (0.0, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0),
    ("disc", "alpha"): (0.01, 0.1, 0.3, 1.0, 3.0, 10.0),
    ("epsilon-greedy", "epsilon"): (0.0, 0.02, 0.05, 0.1, 0.2, 0.4),
    ("thompson", "scale"): (0.1, 0.2, 0.5, 1.0, 2.0),
    ("top-two-thompson", "beta"): (0.1, 0.3, 0.5, 0.7, 0.9),
}


@dataclass(frozen=True)
class Tried:
    """A value of the parameter and what it came to: the mean over worlds, with its interval."""

    value: Any
    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Gain:
    """What the chosen value gains over the default on the held-out runs; above 0 is better, whatever the measure."""

    mean: float
    low: float
    high: float
    p: float
    verdict: str  # "better", "worse" or "can't be told"


@dataclass(frozen=True)
class Tuned:
    """What was tried, what was chosen, and what that gains on runs that had no say in it."""

    policy: str
    parameter: str
    belief: str
    worlds: tuple[str, ...]
    budget: int
    measure: str
    at: At
    default: Any
    chosen: Any
    training_seed: int
    training_runs: int
    training: tuple[Tried, ...]
    held_out_seed: int
    held_out_runs: int
    held_out: tuple[Tried, ...]  # the default and the chosen
    gain: Gain

    @property
    def words(self) -> str:
        """The result in a sentence."""
        if self.chosen == self.default:
            return f"{self.policy}: the default {self.parameter} = {self.default} is the best of the grid."
        gain = self.gain
        judged = {UNTOLD: "can't be told from"}.get(gain.verdict, f"is {gain.verdict} than")
        ends = (self.training[0].value, self.training[-1].value)
        edge = " It is at the end of the grid: try values beyond." if self.chosen in ends else ""
        return (
            f"{self.policy}: {self.parameter} = {self.chosen} {judged} the default {self.default} on held-out runs: "
            f"gain {gain.mean:.4f} [{gain.low:.4f}, {gain.high:.4f}], p = {gain.p:.2g}.{edge}"
        )


def tune(
    policy: str,
    worlds: Sequence[World],
    *,
    parameter: str | None = None,
    grid: Sequence[Any] | None = None,
    belief: BeliefRecipe = AUTO,
    runs: int = 100,
    held_out: int | None = None,
    seed: int = 1,
    budget: int = 30,
    objective: Objective = "offline",
    measure: str = "oc",
    at: At = "area",
    processes: int | None = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Tuned:
    """Try each value of the grid on ``runs`` runs, choose the best on average over worlds, judge it on others.

    The ``held_out`` runs (as many as ``runs`` if not said) are drawn from the next seed.
    """
    name = _parameter(policy, parameter)
    default = parameters(POLICIES[policy])[name]
    tried = _grid(policy, name, grid, default)
    if not getattr(POLICIES[policy].abilities, objective, True):  # a study refuses what is no objective
        raise InvalidInput(f"policy {policy!r} can't deal with objective {objective!r}: tune it for the other.")
    if measure not in MEASURES:
        raise unknown_name("measure", measure, MEASURES)
    if at != "area" and not 1 <= at <= budget:
        raise InvalidInput(f"`at` must be 'area' or a number of trials from 1 to the budget {budget}", got=at)

    def play(values: Sequence[Any], own_seed: int, own_runs: int) -> Any:
        everyone = [Contender(get_policy(policy, **{name: value}), belief, _label(name, value)) for value in values]
        study = Study(
            "tune", tuple(worlds), tuple(everyone), seed=own_seed, runs=own_runs, budget=budget, objective=objective
        )
        return run_study(study, processes=processes, progress=progress)

    training = _tried(play(tried, seed, runs), name, tried, measure, at)
    sign = 1.0 if MEASURES[measure].more_is_better else -1.0
    chosen = max(training, key=lambda one: (sign * one.mean, one.value == default)).value
    last = runs if held_out is None else held_out
    two = list(dict.fromkeys([default, chosen]))
    rows = play(two, seed + 1, last)
    gain = Gain(mean=0.0, low=0.0, high=0.0, p=1.0, verdict=UNTOLD)
    if chosen != default:
        row = average_differences(rows, _label(name, default), measure, at=[at]).iloc[0]
        low, high = sorted((sign * float(row["low"]), sign * float(row["high"])))
        gain = Gain(
            mean=sign * float(row["difference"]), low=low, high=high, p=float(row["p"]), verdict=str(row["verdict"])
        )
    return Tuned(
        policy=policy,
        parameter=name,
        belief=belief.label,
        worlds=tuple(world.label for world in worlds),
        budget=budget,
        measure=measure,
        at=at,
        default=default,
        chosen=chosen,
        training_seed=seed,
        training_runs=runs,
        training=training,
        held_out_seed=seed + 1,
        held_out_runs=last,
        held_out=_tried(rows, name, two, measure, at),
        gain=gain,
    )


def tune_table(found: Tuned) -> Table:
    """The grid with its training means, and the held-out means of the default and the chosen."""
    marks = {found.default: "(default)"} | {found.chosen: "(chosen)" if found.chosen != found.default else "(default)"}
    names = {one.value: f"{one.value} {marks.get(one.value, '')}".strip() for one in found.training}
    columns = {
        f"training, {found.training_runs} runs": found.training,
        f"held out, {found.held_out_runs} runs": found.held_out,
    }
    body = {
        head: {names[one.value]: Cell(one.mean, one.low, one.high, bold=one.value == found.chosen) for one in column}
        for head, column in columns.items()
    }
    measured = f"{MEASURES[found.measure].words.capitalize()}, {when(found.at)}"
    title = f"{found.policy}: {measured}, over {', '.join(found.worlds)}"
    note = f"In brackets: 95 % BCa bootstrap intervals. Bold: the best in training. {found.words}"
    return Table(title, found.parameter, tuple(names.values()), body, note)


def _parameter(policy: str, given: str | None) -> str:
    """The parameter to tune: the one that is named, or the only one that has a grid or is a number."""
    known = parameters(looked_up("policy", policy, POLICIES))
    if not known:
        raise InvalidInput(f"policy {policy!r} has no parameters: there is nothing to tune.")
    if given is not None:
        if given not in known:
            raise unknown_name(f"parameter of policy {policy!r}", given, known)
        return given
    likely = [name for name in known if (policy, name) in GRIDS]
    likely = likely or [name for name, value in known.items() if isinstance(value, float)] or list(known)
    if len(likely) > 1:
        raise InvalidInput(f"policy {policy!r} has several parameters: name one of {', '.join(map(repr, likely))}.")
    return likely[0]


def _grid(policy: str, name: str, given: Sequence[Any] | None, default: Any) -> list[Any]:
    if given is None and (policy, name) not in GRIDS:
        raise InvalidInput(f"there is no grid for {name!r} of policy {policy!r}: give one, such as 0.1, 0.3, 1.")
    values = dict.fromkeys(GRIDS[policy, name] if given is None else given)
    numbers = all(isinstance(one, Real) for one in (*values, default))
    tried = list(dict.fromkeys([*values, default]))
    return sorted(tried) if numbers else tried


def _tried(rows: Any, name: str, values: Sequence[Any], measure: str, at: At) -> tuple[Tried, ...]:
    table = average_means(rows, measure, at=[at]).set_index("policy")
    return tuple(
        Tried(value, *(float(table.loc[_label(name, value), column]) for column in ("mean", "low", "high")))
        for value in values
    )


def _label(name: str, value: Any) -> str:
    """What a contender is called: 1 and 1.0 are the same value."""
    return f"{name}={float(value) if isinstance(value, Real) else value!r}"
