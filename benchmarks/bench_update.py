"""One update beside refitting scikit-learn on the same rows and beside bayesianbandits; and a whole history at once."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable

from sklearn.linear_model import LogisticRegression

from benchmarks import peer
from benchmarks.peers.problem import history, pool
from benchmarks.report import markdown, milliseconds
from sureshot import core

ROWS = 30  # what the belief has seen, and what scikit-learn is fitted to
DIMENSIONS = (10, 50, 200)
HISTORY, HISTORY_D = 100_000, 20
ROUNDS, REPEATS, CALLS = 3, 30, 20  # the peer's script makes 20 calls a repeat too


def least(call: Callable[[], object], calls: int, repeats: int) -> float:
    """CPU seconds of one call: the least over repeats of the mean over calls, after one to warm up."""
    call()
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        for _ in range(calls):
            call()
        best = min(best, (time.process_time() - start) / calls)
    return best


def one_update(d: int, seed: int) -> list[str]:
    """Ours and the peers in alternating rounds under one rule, so that a busy moment of the machine meets both."""
    rows, y = history(pool(100, d, seed), ROWS + 1, seed)
    x, outcome = rows[-1], int(y[-1])
    forms = [core.prior(d, covariance=form) for form in ("diagonal", "full")]
    diagonal, full = (core.observe_many(prior, rows[:-1], y[:-1])[0] for prior in forms)
    model = LogisticRegression(C=1.0, fit_intercept=False)  # the prior N(0, I); the constant is a feature
    rounds: list[list[float]] = []
    for _ in range(ROUNDS):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            times = [
                least(lambda: core.observe(diagonal, x, outcome), CALLS, REPEATS),
                least(lambda: core.observe(full, x, outcome), CALLS, REPEATS),
                least(lambda: model.fit(rows[:-1], y[:-1]), 1, REPEATS),
            ]
        other = peer.measure(".venv-peers", "bayesianbandits_update.py", M=100, d=d, n=ROWS, seed=seed, repeats=REPEATS)
        rounds.append(times + ([other["seconds"], other["seconds_one_step"]] if other else []))
    best = [min(column) for column in zip(*rounds, strict=True)]
    shown = [milliseconds(seconds) for seconds in best] + ["-"] * (5 - len(best))
    ratios = [f"{seconds / best[1]:.1f}x" for seconds in best[2:]] + ["-"] * (5 - len(best))
    return [str(d), *shown, *ratios]


def whole_history(covariance: str, link: str, seed: int) -> list[str]:
    rows, y = history(pool(1000, HISTORY_D, seed), HISTORY, seed)
    prior = core.prior(HISTORY_D, covariance=covariance, link=link)
    seconds = least(lambda: core.observe_many(prior, rows, y), calls=1, repeats=2)
    return [f"{link}, {covariance}", f"{seconds:.2f} s", f"{1e6 * seconds / HISTORY:.1f} µs"]


def main(seed: int) -> None:
    if line := peer.missing(".venv-peers"):
        print(line + "\n")
    header = ["d", "diagonal", "full", "sklearn refit", "bayesianbandits", "its single step", "refit / full"]
    header += ["bb / full", "bb single / full"]
    print(markdown(f"One update after {ROWS} outcomes", header, [one_update(d, seed) for d in DIMENSIONS]), "\n")
    forms = [("full", "logit"), ("diagonal", "logit"), ("full", "probit"), ("full", "cloglog")]
    print(
        markdown(
            f"observe_many: {HISTORY:,} outcomes, d = {HISTORY_D}",
            ["belief", "all", "each"],
            [whole_history(covariance, link, seed) for covariance, link in forms],
        ),
        "\n",
    )
