"""How close each method comes to the exact posterior, and how often its intervals hold the truth.

    python -m benchmarks.posterior error --link logit --problems 40
    python -m benchmarks.posterior cover --method ep --kind own --runs 400

docs/maths.md has the numbers of such runs (other seeds, the same design); `tests/core/test_truth.py` holds the code to
a smaller one.
"""

from __future__ import annotations

import argparse

import numpy as np
from scipy import special
from tests.core.truth import by_importance, problem

from sureshot import core

SHAPES = [(5, 15, 1.0), (5, 15, 3.0), (11, 30, 1.0), (11, 30, 3.0), (11, 30, 0.3)]
SIZES = (3, 10, 30, 50, 100)
STRENGTHS = (0.5, 1.0, 2.0)


def error(link: str, problems: int) -> None:
    """Mean absolute error of predicted probabilities over a pool of 100, and of the prediction at the believed best."""
    ways = [("laplace", "diagonal"), ("laplace", "full"), ("adf", "diagonal"), ("adf", "full"), ("ep", "full")]
    for d, n, sd in SHAPES:
        off: dict[str, list[tuple[float, float]]] = {}
        least = np.inf
        for seed in range(problems):
            pool, _, X, y = problem(link, seed, d, n, sd)
            plain = core.prior(d, precision=sd**-2, link=link)
            truth, _, draws = by_importance(plain, X, y, pool, np.random.default_rng(seed), draws=100_000)
            least = min(least, draws)
            said = {"batch laplace": core.fit(plain, X, y).belief}
            for method, form in [*ways, ("ep", "diagonal")]:
                prior = core.prior(d, precision=sd**-2, link=link, method=method, covariance=form)
                if method != "ep":
                    said[f"{method} {form}, in turn"] = core.observe_many(prior, X, y)[0]
                if method != "laplace":
                    said[f"{method} {form}"] = core.fit(prior, X, y).belief
            for name, belief in said.items():
                p = core.predictive(belief, pool)
                off.setdefault(name, []).append((np.abs(p - truth).mean(), p.max() - truth[p.argmax()]))
        print(f"{link} d={d} n={n} sd={sd:g} (at least {least:.0f} effective draws)")
        for name, pairs in off.items():
            print("  {:25} error {:.4f}  at its best {:+.3f}".format(name, *np.mean(pairs, axis=0)))


def cover(link: str, method: str, kind: str, form: str, runs: int) -> None:
    """How often 95 % intervals hold the truth, over a pool of 100 and at the recommended alternative."""
    held: dict[int, list[tuple[float, float, float]]] = {n: [] for n in SIZES}
    own, d = 0.5 if kind == "own" else 0.0, 6
    for run in range(runs):
        rng = np.random.default_rng([run, 7])
        sd = STRENGTHS[run % 3]
        made = {"link": link, "method": method, "covariance": form}
        prior = core.prior(d, precision=sd**-2, own=own, **made)
        if kind == "mixture":
            prior = core.mixture([core.prior(d, precision=other**-2, **made) for other in STRENGTHS])
        pool = rng.standard_normal((100, d))
        pool[:, 0] = 1.0
        f = pool @ (sd * rng.standard_normal(d)) + np.sqrt(own) * rng.standard_normal(100)
        p = core.LINKS[link].probability(f)
        belief, tried, y = prior, [], []
        while len(tried) < max(SIZES):
            near = np.argsort(-core.predictive(belief, pool))[:5]
            i = int(rng.choice(near)) if len(tried) % 2 else int(rng.integers(100))
            tried.append(i)
            y.append(int(rng.random() < p[i]))
            belief, _ = core.observe(belief, pool[i], y[-1])
            if len(tried) in held:
                belief = core.fit(prior, pool[tried], y).belief if method == "ep" else belief
                if kind == "mixture":
                    low, high = core.interval(belief, pool)
                    inside = (low <= p) & (p <= high)
                else:  # the interval of the score: that of p is the same, but p may round to 1
                    mu, s = belief.moments(pool)
                    inside = np.abs(f - mu) <= special.ndtri(0.975) * np.sqrt(s)
                said = core.predictive(belief, pool)
                best = said.argmax()
                held[len(tried)].append((inside.mean(), float(inside[best]), said[best] - p[best]))
    print(f"{method} {link} {kind} {form}, {runs} runs: n, pool, recommended, shown minus true there")
    for n, found in held.items():
        print("  {:3d}  {:.3f}  {:.3f}  {:+.3f}".format(n, *np.mean(found, axis=0)))


def main() -> None:
    """Read the command line and run one of the two."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["error", "cover"])
    parser.add_argument("--link", default="logit", choices=list(core.LINKS))
    parser.add_argument("--method", default="ep", choices=["laplace", "adf", "ep"])
    parser.add_argument("--kind", default="plain", choices=["plain", "mixture", "own"])
    parser.add_argument("--form", default="full", choices=["full", "diagonal"])
    parser.add_argument("--problems", type=int, default=40)
    parser.add_argument("--runs", type=int, default=400)
    asked = parser.parse_args()
    if asked.what == "error":
        error(asked.link, asked.problems)
    else:
        cover(asked.link, asked.method, asked.kind, asked.form, asked.runs)


if __name__ == "__main__":
    main()
