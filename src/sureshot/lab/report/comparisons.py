"""Who is better than whom, run by run: differences and ratios to a reference, on the same truths and labels.

A difference is a contender's value minus the reference's in the same run, so that what makes a run easy or hard for
both drops out. Intervals are BCa bootstrap intervals over runs, drawn within each world; p-values come from flipped
signs, corrected after Holm over all comparisons of the table. The verdict goes by the corrected p-value; an interval
stands for itself, and one that just misses 0 may go with "can't be told".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput
from sureshot.lab.play.run import stream
from sureshot.lab.report.intervals import RESAMPLES, bca, flip_p, flipped_means, holm, resampled_means
from sureshot.lab.report.panels import MEASURES, At, ContenderName, Panel, find_contender, panels
from sureshot.lab.report.statistics import LEVEL, bootstrap_stream, everywhere, flat, stratified, together

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


def differences(
    rows: Any,
    reference: str | ContenderName,
    value: str = "oc",
    *,
    at: Sequence[At],
    level: float = LEVEL,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Any:
    """Paired differences to the reference in each world: difference, low, high, p, p_holm, verdict, runs.

    All rows of the table are one family for Holm's correction.
    """
    every = panels(rows, value)
    base = _reference(every, reference)
    table = difference_intervals(rows, base, value, at=at, level=level, seed=seed, resamples=resamples)
    flips = _flips(resamples, len(table), 1 - level)
    p = []
    for panel in every:
        _, gaps = _gaps(panel, base, at)
        flipped = flipped_means(gaps, rng=_flip_stream(seed, panel.world), resamples=flips)
        p.append(flip_p(gaps.mean(axis=0), flipped))
    return _judged(table.assign(p=np.concatenate(p)), value, 1 - level)


def difference_intervals(
    rows: Any,
    reference: str | ContenderName,
    value: str = "oc",
    *,
    at: Sequence[At],
    level: float = LEVEL,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Any:
    """:func:`differences` without p-values and verdicts: enough for a picture."""
    every = panels(rows, value)
    base = _reference(every, reference)
    parts = []
    for panel in every:
        rivals, gaps = _gaps(panel, base, at)
        mean = gaps.mean(axis=0)
        draws = resampled_means(gaps, rng=bootstrap_stream(seed, panel.world), resamples=resamples)
        low, high = bca(mean, draws, (gaps - mean) / len(gaps), level=level)
        parts.append(flat(panel.world, rivals, at, len(gaps), difference=mean, low=low, high=high))
    return together(parts)


def average_differences(
    rows: Any,
    reference: str | ContenderName,
    value: str = "oc",
    *,
    at: Sequence[At],
    level: float = LEVEL,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Any:
    """The mean over worlds of the paired differences, every world counting the same; who played them all is in it."""
    every = panels(rows, value)
    base = _reference(every, reference)
    rivals = [one for one in everywhere(every) if one != base]
    flips = _flips(resamples, len(rivals) * len(at), 1 - level)
    width = len(rivals) * len(at)
    mean, draws, flipped = np.zeros(width), np.zeros((resamples, width)), np.zeros((flips, width))
    influence = []
    for panel in every:
        _, gaps = _gaps(panel, base, at, rivals)
        own = gaps.mean(axis=0)
        mean += own / len(every)
        draws += resampled_means(gaps, rng=bootstrap_stream(seed, panel.world), resamples=resamples) / len(every)
        flipped += flipped_means(gaps, rng=_flip_stream(seed, panel.world), resamples=flips) / len(every)
        influence.append((gaps - own) / len(gaps) / len(every))
    low, high = bca(mean, draws, np.concatenate(influence), level=level)
    runs = min(len(one.runs) for one in every)
    p = flip_p(mean, flipped)
    return _judged(flat("average", rivals, at, runs, difference=mean, low=low, high=high, p=p), value, 1 - level)


def ratios(
    rows: Any,
    reference: str | ContenderName,
    value: str = "oc",
    *,
    at: Sequence[At],
    how: Literal["of averages", "average"] = "of averages",
    level: float = LEVEL,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Any:
    """Cost over the reference's cost, all worlds together: ratio, low, high.

    ``how="of averages"``: the average cost over worlds by the reference's average (worlds with large costs weigh more);
    ``"average"``: the average over worlds of each world's ratio (a world in which the reference costs almost nothing
    can outweigh all others). Runs are drawn within worlds, the same for both sides of the ratio.
    """
    every = panels(rows, value)
    base = _reference(every, reference)
    rivals = [one for one in everywhere(every) if one != base]
    groups = [every] if how == "of averages" else [[panel] for panel in every]
    found = [_ratio(group, rivals, base, at, seed=seed, resamples=resamples) for group in groups]
    ratio, draws = np.mean([one[0] for one in found], axis=0), np.mean([one[1] for one in found], axis=0)
    low, high = bca(ratio, draws, np.concatenate([one[2] / len(found) for one in found]), level=level)
    return flat("average", rivals, at, min(len(one.runs) for one in every), ratio=ratio, low=low, high=high)


def leaders(
    group: Sequence[Panel],
    everyone: Sequence[ContenderName],
    when: At,
    *,
    more_is_better: bool,
    level: float = LEVEL,
    seed: int = 0,
) -> NDArray[np.bool_]:
    """Who is best on average over these worlds, or can't be told apart from the one with the best mean, (K,).

    Each is compared with the best by flipped signs, Holm-corrected over the others. The best was chosen by the same
    runs, which is kind to it: a contender set apart by a little may be as good.
    """
    if len(everyone) < 2:
        return np.ones(len(everyone), dtype=bool)
    sign = -1.0 if more_is_better else 1.0
    costs = [sign * panel.at([when])[:, [panel.position(one) for one in everyone], 0] for panel in group]
    best = int(np.mean([one.mean(axis=0) for one in costs], axis=0).argmin())
    flips = _flips(RESAMPLES, len(everyone) - 1, 1 - level)
    mean, flipped = np.zeros(len(everyone) - 1), np.zeros((flips, len(everyone) - 1))
    for panel, cost in zip(group, costs, strict=True):
        gaps = np.delete(cost - cost[:, [best]], best, axis=1)
        mean += gaps.mean(axis=0)
        flipped += flipped_means(gaps, rng=_flip_stream(seed, panel.world), resamples=flips)
    return np.insert(holm(flip_p(mean, flipped)) >= 1 - level, best, True)


def _ratio(
    group: Sequence[Panel],
    rivals: Sequence[ContenderName],
    base: ContenderName,
    at: Sequence[At],
    *,
    seed: int,
    resamples: int,
) -> tuple[Array, Array, Array]:
    """Ratio, resamples and influence values of the rivals' average cost by the reference's, (KA,) and so on."""
    mean, draws, influence = stratified(group, [base, *rivals], at, seed=seed, resamples=resamples)
    width = len(at)
    below, above = np.tile(mean[:width], len(rivals)), mean[width:]
    if (below <= 0).any():
        where = ", ".join(repr(one.world) for one in group)
        raise FreeReference(
            f"a ratio to {str(base)!r} needs a cost above 0, and in {where} it has none: "
            "choose another reference, a smaller n, or differences."
        )
    below_draws = np.tile(draws[:, :width], len(rivals))
    with np.errstate(divide="ignore", invalid="ignore"):
        redrawn = np.where(below_draws > 0, draws[:, width:] / below_draws, np.inf)
    moved = influence[:, width:] / below - np.tile(influence[:, :width], len(rivals)) * above / below**2
    return above / below, redrawn, moved


def _gaps(
    panel: Panel, base: ContenderName, at: Sequence[At], rivals: Sequence[ContenderName] | None = None
) -> tuple[Sequence[ContenderName], Array]:
    """The rivals and their differences to the reference, (R, KA)."""
    if rivals is None:
        rivals = [one for one in panel.contenders if one != base]
    picked = panel.at(at)
    gaps = picked[:, [panel.position(one) for one in rivals]] - picked[:, [panel.position(base)]]
    return rivals, gaps.reshape(len(picked), -1)


def _judged(table: Any, value: str, alpha: float) -> Any:
    table["p_holm"] = holm(table["p"].to_numpy())
    apart = table["p_holm"] < alpha
    good = (table["difference"] > 0) == MEASURES[value].more_is_better
    table["verdict"] = np.where(~apart, UNTOLD, np.where(good, BETTER, WORSE))
    return table


def _reference(every: Sequence[Panel], name: str | ContenderName) -> ContenderName:
    known = dict.fromkeys(one for panel in every for one in panel.contenders)
    base = find_contender(name, known)
    if len(known) < 2:
        raise InvalidInput(f"{str(base)!r} is the only contender of the study: a comparison needs another.")
    return base


def _flips(resamples: int, family: int, alpha: float) -> int:
    """Enough that the smallest p-value that can come out, times the size of the family, is below alpha."""
    return max(resamples, round(2 * family / alpha))


def _flip_stream(seed: int, world: str) -> np.random.Generator:
    return stream(seed, "flips", world)
