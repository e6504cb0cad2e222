"""The picture of the README: what a campaign believes after twenty trials, and the truth. ``make pictures`` draws it.

Everything on it is computed by sureshot: a grid of laser power and ethylene, a hidden truth that is best inside both
ranges, and twenty trials asked and told through a campaign with the default belief and policy.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import sureshot as ss
from sureshot import core

SEED = 6  # of the seeds 1 to 9, the first whose recommendation truly works as often as the median: 89 %
TRIALS = 20
POWER = np.arange(8.0, 16.1, 0.5)  # W
ETHYLENE = np.arange(10.0, 40.1, 2.5)  # sccm
INK, FAINT, GREEN, RED = "#1f2933", "#616e7c", "#0b7a53", "#c2412d"


@dataclass(frozen=True)
class Story:
    """What is drawn: all over the grid, a row for each ethylene flow and a column for each laser power."""

    believed: np.ndarray
    truth: np.ndarray
    trials: list[tuple[float, float, bool]]  # power, ethylene, whether it worked
    best: ss.Recommendation


def story() -> Story:
    """One campaign over the grid."""
    space = ss.Space.grid(ethylene=ETHYLENE, power=POWER)
    power, ethylene = (space.column(name).numbers() for name in ("power", "ethylene"))
    u, v = (power - 12.9) / 4.0, (ethylene - 22.0) / 15.0
    truth = core.LOGIT.probability(2.6 - 9.0 * u**2 - 6.0 * v**2 - 5.0 * u * v)
    campaign = ss.Campaign.create("nanotubes", space, budget=TRIALS, seed=SEED, storage=":memory:")
    world, trials = np.random.default_rng(SEED), []
    for _ in range(TRIALS):
        trial = campaign.ask()
        worked = bool(world.random() < truth[trial.alternative])
        campaign.tell(trial, worked)
        trials.append((power[trial.alternative], ethylene[trial.alternative], worked))
    believed = core.predictive(campaign.belief, campaign.spec.pool.matrix())
    shape = (len(ETHYLENE), len(POWER))
    return Story(believed.reshape(shape), truth.reshape(shape), trials, campaign.best())


def draw(path: Path) -> None:
    """Two fields side by side: the chance of success as it is believed, and as it is."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    plt.rcParams |= {"font.family": "DejaVu Sans", "font.size": 10, "text.color": INK, "axes.labelcolor": INK}
    told = story()
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 4.5), facecolor="white", sharey=True)
    figure.subplots_adjust(left=0.065, right=0.9, bottom=0.2, top=0.9, wspace=0.07)
    half = (POWER[1] - POWER[0]) / 2, (ETHYLENE[1] - ETHYLENE[0]) / 2
    extent = (POWER[0] - half[0], POWER[-1] + half[0], ETHYLENE[0] - half[1], ETHYLENE[-1] + half[1])
    for axes, field, title in (
        (left, told.believed, f"Chance of success, believed after {TRIALS} trials"),
        (right, told.truth, "The truth, which no campaign sees"),
    ):
        image = axes.imshow(100 * field, origin="lower", extent=extent, aspect="auto", cmap="YlGnBu", vmin=0, vmax=100)
        levels = [level for level in (25, 50, 75) if level < 100 * field.max() - 5]
        axes.contour(POWER, ETHYLENE, 100 * field, levels=levels, colors="white", linewidths=0.7, alpha=0.7)
        axes.set_title(title, loc="left", fontsize=11.5, fontweight="bold", pad=9)
        axes.set_xlabel("laser power, W")
        axes.set_xticks([8, 10, 12, 14, 16])
        axes.set_yticks([10, 20, 30, 40])
        axes.tick_params(length=0, colors=FAINT)
        for spine in axes.spines.values():
            spine.set_visible(False)
    left.set_ylabel("ethylene, sccm")
    bar = figure.colorbar(image, cax=figure.add_axes((0.925, 0.2, 0.016, 0.7)))
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=0, colors=FAINT)
    bar.ax.set_title("%", fontsize=10, color=FAINT)
    _trials(left, told.trials)
    row, column = np.unravel_index(told.best.alternative, told.truth.shape)
    at = float(POWER[column]), float(ETHYLENE[row])
    _mark(left, at, f"choose this: {100 * told.best.probability:.0f} %", -46)
    _mark(
        right, at, f"it works {100 * told.truth[row, column]:.0f} %; the best of all {100 * told.truth.max():.0f} %", 46
    )
    for x, colour, words in ((0.065, GREEN, "worked, or mostly did"), (0.25, RED, "failed")):
        figure.text(x, 0.045, "●", color=colour, fontsize=13, va="center")
        figure.text(x + 0.021, 0.045, words, color=INK, fontsize=9.5, va="center")
    figure.text(0.345, 0.045, "Numbers: trials of the same setting.", color=INK, fontsize=9.5, va="center")
    figure.savefig(path, dpi=150, metadata={"Software": None})


def _trials(axes: Any, trials: list[tuple[float, float, bool]]) -> None:
    """A disc for each setting that was tried: green if most of its trials worked, with their number if several."""
    found: dict[tuple[float, float], list[bool]] = {}
    for power, ethylene, worked in trials:
        found.setdefault((power, ethylene), []).append(worked)
    for at, outcomes in found.items():
        colour = GREEN if np.mean(outcomes) >= 0.5 else RED
        axes.scatter(*at, s=170, color=colour, edgecolor="white", linewidth=1.2, zorder=3)
        if len(outcomes) > 1:
            axes.annotate(
                str(len(outcomes)), at, color="white", ha="center", va="center", fontsize=8, fontweight="bold", zorder=4
            )


def _mark(axes: Any, at: tuple[float, float], words: str, above: float) -> None:
    """A ring round a setting, with words so many points above it (below, if negative)."""
    axes.scatter(*at, s=330, facecolor="none", edgecolor=INK, linewidth=1.8, zorder=5)
    axes.annotate(
        words,
        at,
        xytext=(0, above),
        textcoords="offset points",
        ha="center",
        va="center",
        fontsize=9.5,
        bbox={"boxstyle": "round,pad=0.35", "facecolor": "white", "edgecolor": "none", "alpha": 0.93},
        arrowprops={"arrowstyle": "-", "color": INK, "linewidth": 1.0, "shrinkB": 9},
        zorder=6,
    )


if __name__ == "__main__":
    draw(Path(__file__).with_suffix(".png"))
