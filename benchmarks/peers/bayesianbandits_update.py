"""One logit Laplace update by bayesianbandits (``BayesianGLM.partial_fit`` with one row), after n rows one by one.

Its default approximator takes five IRLS steps; a single step (its advice for fast online updates) is timed too.
Run in the environment of ``peers.txt``; prints one line of JSON.
"""

import copy
import time
import warnings

from bayesianbandits import BayesianGLM, LaplaceApproximator
from problem import arguments, history, pool, report

warnings.filterwarnings("ignore")  # it warns when five steps were not enough
MODELS = 20  # an update changes its model, so each is of a fresh copy, made before the clock starts


def least_seconds(learned, x, y, repeats):
    least = float("inf")
    for _ in range(repeats):
        models = [copy.deepcopy(learned) for _ in range(MODELS)]
        start = time.process_time()
        for model in models:
            model.partial_fit(x, y)
        least = min(least, (time.process_time() - start) / MODELS)
    return least


def main():
    wanted = arguments(__doc__)
    rows, y = history(pool(wanted.M, wanted.d, wanted.seed), wanted.n + 1, wanted.seed)
    seconds = {}
    for steps in (5, 1):
        learned = BayesianGLM(alpha=1.0, link="logit", approximator=LaplaceApproximator(n_iter=steps))
        for i in range(wanted.n):
            learned.partial_fit(rows[i : i + 1], y[i : i + 1])
        seconds[steps] = least_seconds(learned, rows[-1:], y[-1:], wanted.repeats)
    report("bayesianbandits", wanted, seconds[5], seconds_one_step=seconds[1])


main()
