"""Who is better than whom, run by run: differences and ratios to a reference, on the same truths and labels.

A difference is a contender's value minus the reference's in the same run, so that what makes a run easy or hard for
both drops out. Intervals are BCa bootstrap intervals over runs, drawn within each world; p-values come from flipped
signs, corrected after Holm over all comparisons of the table. The verdict goes by the corrected p-value; an interval
stands for itself, and one that just misses 0 may go with "can't be told".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput
from sureshot.lab.play.run import stream
from sureshot.lab.report.intervals import RESAMPLES, bca, flip_p, flipped_means, holm
from sureshot.lab.report.panels import MEASURES, At, ContenderName, Panel, find_contender, panels
from sureshot.lab.report.statistics import AVERAGE, everywhere, flat, intervals, resampled, together

__all__ = [
    "BETTER",
    "UNTOLD",
    "WORSE",
    "FreeReference",
    "average_differences",
    "difference_intervals",
    "differences",
    "leaders",
    "ratios",
]


class FreeReference(InvalidInput):
    """A reference that costs nothing, which nothing can be divided by."""


BETTER, WORSE, UNTOLD = "better", "worse", "can't be told"
#: A corrected p-value below this is taken for a difference.
ALPHA = 0.05


def differences(
    rows: Any,
    reference: str | ContenderName,
    value: str = "oc",
    *,
    at: Sequence[At],
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Any:
    """Paired differences to the reference in each world: difference, low, high, p, p_holm, verdict, runs.

    All rows of the table are one family for Holm's correction.
    """
    every = panels(rows, value)
    base = _reference(every, reference)
    return _judged({one.world: [one] for one in every}, base, value, at, seed, resamples)


def average_differences(
    rows: Any, reference: str | ContenderName, value: str = "oc", *, at: Sequence[At], seed: int = 0
) -> Any:
    """The mean over worlds of the paired differences, every world counting the same; who played them all is in it."""
    every = panels(rows, value)
    return _judged({AVERAGE: every}, _reference(every, reference), value, at, seed, RESAMPLES)


def difference_intervals(
    rows: Any, reference: str | ContenderName, value: str = "oc", *, seed: int = 0, resamples: int = RESAMPLES
) -> Any:
    """:func:`differences` after every trial, without p-values and verdicts: enough for a picture."""
    every = panels(rows, value)
    base = _reference(every, reference)
    how: dict[str, Any] = {"number": "difference", "seed": seed, "resamples": resamples}
    return together([intervals(one.world, one.steps, *_gaps([one], base, one.steps), **how) for one in every])


def ratios(
    rows: Any,
    reference: str | ContenderName,
    value: str = "oc",
    *,
    at: Sequence[At],
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Any:
    """The average cost over worlds by that of the reference: ratio, low, high. Worlds with large costs weigh more.

    Runs are drawn within worlds, the same for both sides of the ratio.
    """
    every = panels(rows, value)
    base = _reference(every, reference)
    rivals = [one for one in everywhere(every) if one != base]
    samples = {panel.world: panel.at(at, [base, *rivals]) for panel in every}
    mean, draws, influence = resampled(samples, seed=seed, resamples=resamples)
    width = len(at)
    below, above = np.tile(mean[:width], len(rivals)), mean[width:]
    if (below <= 0).any():
        where = ", ".join(map(repr, samples))
        raise FreeReference(
            f"a ratio to {str(base)!r} needs a cost above 0, and in {where} it has none: "
            "choose another reference, a smaller n, or differences."
        )
    below_draws = np.tile(draws[:, :width], len(rivals))
    with np.errstate(divide="ignore", invalid="ignore"):
        redrawn = np.where(below_draws > 0, draws[:, width:] / below_draws, np.inf)
    moved = influence[:, width:] / below - np.tile(influence[:, :width], len(rivals)) * above / below**2
    ratio = above / below
    low, high = bca(ratio, redrawn, moved)
    return flat(AVERAGE, rivals, at, min(len(one.runs) for one in every), ratio=ratio, low=low, high=high)


def leaders(
    group: Sequence[Panel], everyone: Sequence[ContenderName], when: At, *, more_is_better: bool, seed: int = 0
) -> NDArray[np.bool_]:
    """Who is best on average over these worlds, or can't be told apart from the one with the best mean, (K,).

    Each is compared with the best by flipped signs, Holm-corrected over the others. The best was chosen by the same
    runs, which is kind to it: a contender set apart by a little may be as good.
    """
    if len(everyone) < 2:
        return np.ones(len(everyone), dtype=bool)
    sign = -1.0 if more_is_better else 1.0
    costs = {panel.world: sign * panel.at([when], everyone)[:, :, 0] for panel in group}
    best = int(np.mean([one.mean(axis=0) for one in costs.values()], axis=0).argmin())
    gaps = {world: np.delete(cost - cost[:, [best]], best, axis=1) for world, cost in costs.items()}
    p = _p_values(gaps, seed, _flips(RESAMPLES, len(everyone) - 1))
    return np.insert(holm(p) >= ALPHA, best, True)


def _judged(
    groups: Mapping[str, Sequence[Panel]],
    base: ContenderName,
    value: str,
    at: Sequence[At],
    seed: int,
    resamples: int,
) -> Any:
    """A difference for each group of worlds, with p-values and verdicts: all of them are one family."""
    found = {name: _gaps(group, base, at) for name, group in groups.items()}
    how: dict[str, Any] = {"number": "difference", "seed": seed, "resamples": resamples}
    table = together([intervals(name, at, *two, **how) for name, two in found.items()])
    flips = _flips(resamples, len(table))
    table["p"] = np.concatenate([_p_values(gaps, seed, flips) for _, gaps in found.values()])
    table["p_holm"] = holm(table["p"].to_numpy())
    good = (table["difference"] > 0) == MEASURES[value].more_is_better
    table["verdict"] = np.where(table["p_holm"] >= ALPHA, UNTOLD, np.where(good, BETTER, WORSE))
    return table


def _gaps(
    group: Sequence[Panel], base: ContenderName, at: Sequence[At]
) -> tuple[list[ContenderName], dict[str, Array]]:
    """Those who played all these worlds, and their differences to the reference in each, (R, KA)."""
    rivals = [one for one in everywhere(group) if one != base]
    gaps = {}
    for panel in group:
        gaps[panel.world] = (panel.at(at, rivals) - panel.at(at, [base])).reshape(len(panel.runs), -1)
    return rivals, gaps


def _p_values(gaps: Mapping[str, Array], seed: int, flips: int) -> Array:
    """How often differences whose signs fall at random add up to as much over worlds, (KA,)."""
    flipped = sum(flipped_means(own, rng=stream(seed, "flips", world), resamples=flips) for world, own in gaps.items())
    return flip_p(np.asarray(sum(own.mean(axis=0) for own in gaps.values())), np.asarray(flipped))


def _flips(resamples: int, family: int) -> int:
    """Enough that the smallest p-value that can come out, times the size of the family, is below 5 %."""
    return max(resamples, round(2 * family / ALPHA))


def _reference(every: Sequence[Panel], name: str | ContenderName) -> ContenderName:
    known = dict.fromkeys(one for panel in every for one in panel.contenders)
    base = find_contender(name, known)
    if len(known) < 2:
        raise InvalidInput(f"{str(base)!r} is the only contender of the study: a comparison needs another.")
    return base
