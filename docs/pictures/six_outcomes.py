"""The picture of the README: a belief after six outcomes, and what one more would be worth. ``make pictures`` draws it.

Everything on it is computed by sureshot: 441 alternatives with two features, a hidden truth, six trials chosen by the
exact knowledge gradient.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from sureshot import core, policies

SEED = 5
SIDE, EDGE = 21, 2.0
TRIALS = 6
INK, FAINT, GREEN, RED = "#1f2933", "#7b8794", "#0b7a53", "#c2412d"


def campaign() -> tuple[np.ndarray, core.Belief, list[tuple[int, int]], np.ndarray]:
    """The pool, the belief after the trials, the trials (alternative, outcome), and the true probabilities."""
    axis = np.linspace(-EDGE, EDGE, SIDE)
    X = np.array([(1.0, a, b) for b in axis for a in axis])
    world, policy = map(np.random.default_rng, np.random.SeedSequence(SEED).spawn(2))
    truth = core.PROBIT.probability(X @ world.standard_normal(3))
    belief, trials = core.prior(3, link="probit"), []
    for _ in range(TRIALS):
        i = policies.decide("kg-exact", policies.situation(belief, X), policy)[0].alternative
        y = int(world.random() < truth[i])
        belief, _ = core.observe(belief, X[i], y)
        trials.append((i, y))
    return X, belief, trials, truth


def draw(path: Path) -> None:
    """Two fields side by side: the chance of success, and the value of one more trial."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    plt.rcParams |= {"font.family": "DejaVu Sans", "font.size": 10, "text.color": INK, "axes.labelcolor": FAINT}
    soft = mpl.colors.LinearSegmentedColormap.from_list("soft", mpl.colormaps["PuOr_r"](np.linspace(0.14, 0.86, 64)))
    X, belief, trials, truth = campaign()
    chance = core.predictive(belief, X)
    value = 100 * policies.knowledge_gradient(belief, X)
    reach = 10 * np.ceil(10 * np.abs(chance - 0.5).max())
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 4.7), facecolor="white")
    figure.subplots_adjust(left=0.055, right=0.965, bottom=0.155, top=0.915, wspace=0.16)
    fields = (
        (left, 100 * chance, soft, (50 - reach, 50 + reach), "Chance of success after six outcomes, %"),
        (right, value, "YlGnBu", (0, value.max()), "Value of one more trial, points of probability"),
    )
    for axes, field, colours, limits, title in fields:
        image = axes.imshow(
            field.reshape(SIDE, SIDE),
            origin="lower",
            extent=(-EDGE * (1 + 1 / (SIDE - 1)), EDGE * (1 + 1 / (SIDE - 1))) * 2,
            cmap=colours,
            vmin=limits[0],
            vmax=limits[1],
            interpolation="nearest",
        )
        axes.set_title(title, loc="left", fontsize=11, fontweight="bold", pad=9)
        axes.set_xlabel("first feature")
        axes.set_xticks([-EDGE, 0, EDGE])
        axes.set_yticks([-EDGE, 0, EDGE])
        axes.tick_params(length=0, colors=FAINT)
        for spine in axes.spines.values():
            spine.set_visible(False)
        bar = figure.colorbar(image, ax=axes, shrink=0.9, pad=0.03)
        bar.outline.set_visible(False)
        bar.ax.tick_params(length=0, colors=FAINT)
    left.set_ylabel("second feature")
    for number, (i, y) in enumerate(trials, start=1):
        colour = GREEN if y else RED
        left.scatter(*X[i, 1:], s=190, color=colour, edgecolor="white", linewidth=1.5, zorder=3, clip_on=False)
        left.annotate(
            str(number), X[i, 1:], color="white", ha="center", va="center", fontsize=9, fontweight="bold", zorder=4
        )
    best, following = int(np.argmax(chance)), int(np.argmax(value))
    _mark(left, X[best, 1:], f"go with: {100 * chance[best]:.0f} % (in truth {100 * truth[best]:.0f} %)")
    _mark(right, X[following, 1:], f"try next: +{value[following]:.1f} points")
    for x, symbol, colour, words in ((0.055, "●", GREEN, "success"), (0.135, "●", RED, "failure, in the order tried")):
        figure.text(x, 0.03, symbol, color=colour, fontsize=12, va="center")
        figure.text(x + 0.02, 0.03, words, color=INK, fontsize=9.5, va="center")
    figure.savefig(path, dpi=150, metadata={"Software": None})


def _mark(axes: object, at: np.ndarray, words: str) -> None:
    """A ring round an alternative, with words turned to the middle."""
    axes.scatter(*at, s=330, facecolor="none", edgecolor=INK, linewidth=1.8, zorder=2.5, clip_on=False)  # type: ignore[attr-defined]
    axes.annotate(  # type: ignore[attr-defined]
        words,
        at,
        xytext=(0, -34 if at[1] > 0 else 34),
        textcoords="offset points",
        ha="right" if at[0] > 1 else "left" if at[0] < -1 else "center",
        va="center",
        fontsize=9.5,
        bbox={"boxstyle": "round,pad=0.35", "facecolor": "white", "edgecolor": "none", "alpha": 0.92},
        zorder=6,
    )


if __name__ == "__main__":
    draw(Path(__file__).with_suffix(".png"))
