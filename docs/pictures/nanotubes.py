"""The picture of the README: what a campaign believes after twenty trials, and the truth. ``make pictures`` draws it.

Everything on it is computed by sureshot: a grid of laser power and ethylene, a hidden truth that is best inside both
ranges, and twenty trials asked and told through a campaign with the default belief and policy.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.lines import Line2D

import sureshot as ss
from sureshot import core
from sureshot.viz import with_matplotlib as look
from sureshot.viz.palette import FAINT, INK

SEED = 9  # of the seeds 1 to 9, something worked within 20 trials for five; of these the median recommendation: 79 %
TRIALS = 20
POWER = np.arange(8.0, 16.1, 0.5)  # W
ETHYLENE = np.arange(10.0, 40.1, 2.5)  # sccm


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
    # a whole cell of room round the grid: a mark on its edge touches no axis
    room = POWER[1] - POWER[0], ETHYLENE[1] - ETHYLENE[0]
    for axes, field, title in (
        (left, told.believed, f"Chance of success, believed after {TRIALS} trials"),
        (right, told.truth, "The truth, which no campaign sees"),
    ):
        image = axes.pcolormesh(POWER, ETHYLENE, 100 * field, cmap=look.COLOURS, vmin=0, vmax=100, shading="nearest")
        levels = [level for level in (25, 50, 75) if level < 100 * field.max() - 5]
        axes.contour(POWER, ETHYLENE, 100 * field, levels=levels, colors="white", linewidths=0.7, alpha=0.7)
        axes.set_title(title, loc="left", fontsize=11.5, fontweight="bold", pad=9)
        axes.set_xlabel("laser power, W")
        axes.set_xlim(POWER[0] - room[0], POWER[-1] + room[0])
        axes.set_ylim(ETHYLENE[0] - room[1], ETHYLENE[-1] + room[1])
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
    _mark(left, at, f"choose this: {100 * told.best.probability:.0f} %", 52)
    _mark(
        right, at, f"it works {100 * told.truth[row, column]:.0f} %; the best of all {100 * told.truth.max():.0f} %", 52
    )
    for x, kind, words in (
        (0.07, "worked", "worked, or mostly did"),
        (0.26, "failed", "failed"),
        (0.36, "best", "to choose"),
    ):
        figure.add_artist(Line2D([x], [0.045], **look.mark(kind, 10)))
        figure.text(x + 0.016, 0.045, words, color=INK, fontsize=9.5, va="center")
    figure.text(0.49, 0.045, "Numbers: trials of the same setting.", color=INK, fontsize=9.5, va="center")
    figure.savefig(path, dpi=150, metadata={"Software": None})


def _trials(axes: Any, trials: list[tuple[float, float, bool]]) -> None:
    """A circle for each setting that was tried: filled if most of its trials worked, with their number if several."""
    found: dict[tuple[float, float], list[bool]] = {}
    for power, ethylene, worked in trials:
        found.setdefault((power, ethylene), []).append(worked)
    for at, outcomes in found.items():
        worked = np.mean(outcomes) >= 0.5
        look.scatter(axes, *at, "worked" if worked else "failed", 14)
        if len(outcomes) > 1:
            axes.annotate(
                str(len(outcomes)),
                at,
                color="white" if worked else INK,
                ha="center",
                va="center",
                fontsize=8,
                fontweight="bold",
                zorder=7,
            )


def _mark(axes: Any, at: tuple[float, float], words: str, above: float) -> None:
    """A star beside a setting (its trials stand on it), with words so many points above it (below, if negative)."""
    axes.plot(
        *at, marker="*", markersize=30, markerfacecolor="white", markeredgecolor=INK, markeredgewidth=1.3, zorder=3
    )
    axes.annotate(
        words,
        at,
        xytext=(0, above),
        textcoords="offset points",
        ha="center",
        va="center",
        fontsize=9.5,
        bbox={"boxstyle": "round,pad=0.35", "facecolor": "white", "edgecolor": "none", "alpha": 0.93},
        arrowprops={"arrowstyle": "-", "color": INK, "linewidth": 1.0, "shrinkB": 13},
        zorder=6,
    )


if __name__ == "__main__":
    draw(Path(__file__).with_suffix(".png"))
