"""The problem that every benchmark meets, in NumPy alone so that peers can build it in environments of their own."""

import argparse
import json
import os
import sys
import time

# One thread, set before any array library is loaded: what is compared is CPU time.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np  # noqa: E402


def pool(M, d, seed):
    """M alternatives with d features, the first a constant."""
    rng = np.random.default_rng([seed, M, d])
    return np.column_stack([np.ones(M), rng.uniform(-3.0, 3.0, (M, d - 1))])


def history(X, n, seed):
    """n random trials of the pool with outcomes 0/1 under weights drawn from N(0, I)."""
    rng = np.random.default_rng([seed, *X.shape, n])
    weights = rng.standard_normal(X.shape[1])
    rows = X[rng.integers(len(X), size=n)]
    return rows, (rng.random(n) < 1.0 / (1.0 + np.exp(-rows @ weights))).astype(int)


def laplace(rows, y, d):
    """The recursive logit Laplace belief from N(0, I), and the pseudo-outcome and precision of each row that give
    the same belief to a Gaussian model.
    """
    mean, cov = np.zeros(d), np.eye(d)
    targets, precisions = [], []
    for x, outcome in zip(rows, y):  # noqa: B905
        mu, s = mean @ x, x @ cov @ x
        low, high = sorted((mu, mu + s * (outcome - 1.0 / (1.0 + np.exp(-mu)))))
        for _ in range(60):
            z = 0.5 * (low + high)
            r = outcome - 1.0 / (1.0 + np.exp(-z))
            low, high = (z, high) if z - mu - s * r < 0 else (low, z)
        t = 1.0 / (2.0 + np.exp(z) + np.exp(-z))
        targets.append(z + r / t)
        precisions.append(t)
        cov_x = cov @ x
        mean, cov = mean + r * cov_x, cov - t / (1.0 + t * s) * np.outer(cov_x, cov_x)
    return mean, cov, np.array(targets), np.array(precisions)


def arguments(description):
    """M, d, n and seed from the command line."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--M", type=int, default=100, help="alternatives in the pool")
    parser.add_argument("--d", type=int, default=10, help="features, the constant among them")
    parser.add_argument("--n", type=int, default=20, help="outcomes seen so far")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=3)
    return parser.parse_args()


def best_cpu_time(call, repeats):
    """The least CPU seconds of one call, after a first one to warm up, and what it gave back."""
    result, least = call(), float("inf")
    for _ in range(repeats):
        start = time.process_time()
        result = call()
        least = min(least, time.process_time() - start)
    return least, result


def report(peer, wanted, seconds, **more):
    """One line of JSON, for the benchmark that called."""
    line = {"peer": peer, "M": wanted.M, "d": wanted.d, "n": wanted.n, "seed": wanted.seed, "seconds": seconds, **more}
    sys.stdout.write(json.dumps(line) + "\n")


def answer(play):
    """Read problems from the first file named on the command line, ``play(problem, seed)`` each, and write what comes
    out into the second.
    """
    asked, told = sys.argv[1:]
    with open(asked) as stream:
        problems = json.load(stream)
    with open(told, "w") as stream:
        json.dump([play(problem, seed) for seed, problem in enumerate(problems)], stream)
