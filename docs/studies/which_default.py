"""The page docs/default.md from the rows of its studies: ``python docs/studies/which_default.py FOLDER OTHERS``.

It is printed. FOLDER is what ``sureshot lab run docs/studies/which-default.toml --out FOLDER`` wrote to, OTHERS the
same for ``which-default-others.toml``, which need not have ended: a contender counts with the runs that
all worlds have.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd

from sureshot.lab import load_rows
from sureshot.lab.comparisons import average_differences, difference_intervals, differences, ratios
from sureshot.lab.statistics import average_means, means
from sureshot.lab.worlds import paper_worlds

AT = (10, 20, 30)
ENOUGH = 100  # runs: from fewer, an interval of costs that are mostly 0 says little
FIRST_NINE = [world.label for world in paper_worlds()]


def main(folder: str, others: str) -> None:
    """Print the page."""
    print((Path(__file__).parent / "which-default-top.txt").read_text(encoding="utf-8"))
    decided = load_rows(Path(folder))
    print("## What decided\n")
    shown(decided)
    print("\n## The other contenders\n")
    beside(decided, load_rows(Path(others)))


def beside(decided: pd.DataFrame, others: pd.DataFrame) -> None:
    """One table: each of the other contenders on the runs that it has in every world."""
    chosen, first, rivals = ("kg-careful", "pool"), ("kg", "paper"), (("random", "pool"), ("thompson", "pool"))
    worlds = list(dict.fromkeys(decided.world))
    print(
        "Over the nine worlds of Figure 4, on the same labels as above. More: the mean cost above that of kg-careful,"
    )
    print(
        "with its paired 95 % interval (BCa bootstrap) over the runs that the contender has. Behind: in how many of the"
    )
    print(
        "114 comparisons with random and Thompson sampling (19 worlds, three n) such an interval lies above 0; for at"
    )
    print(f"least {ENOUGH} runs.\n")
    print("| policy | belief | runs | " + " | ".join(f"n = {n}: / Algorithm 2 | more" for n in AT) + " | behind |")
    print("|---|---|--:|" + "--:|--:|" * len(AT) + "--:|")
    for pair, rows in others.groupby(["policy", "belief"], sort=True):
        runs = set.intersection(*(set(rows[rows.world == world].run) for world in worlds))
        if not runs:
            continue
        both = pd.concat([decided, rows])
        both = both[both.run.isin(runs)]
        nine = both[both.world.isin(FIRST_NINE)]
        ratio = ratios(nine, first, at=AT).set_index(["policy", "belief", "n"])
        gap = average_differences(nine, chosen, at=AT).set_index(["policy", "belief", "n"])
        cells = []
        for n in AT:
            part, off = ratio.loc[(*pair, n)], gap.loc[(*pair, n)]
            cells.append(f"{part['ratio']:.2f} ({part['low']:.2f} to {part['high']:.2f})")
            cells.append(f"{off['difference']:.4f} ({off['low']:.4f} to {off['high']:.4f})")
        found = pd.concat([difference_intervals(both, rival, at=AT) for rival in rivals])
        behind = int(((found.policy == pair[0]) & (found.belief == pair[1]) & (found.low > 0)).sum())
        told = behind if len(runs) >= ENOUGH else "-"
        print(f"| {pair[0]} | {pair[1]} | {len(runs)} | " + " | ".join(cells) + f" | {told} |")


def shown(rows: pd.DataFrame) -> None:
    """Three tables: over the nine worlds, world by world, and where a policy is behind."""
    nine = rows[rows.world.isin(FIRST_NINE)]
    runs = {world: int(part.run.nunique()) for world, part in rows.groupby("world")}
    print(f"Runs in each world: {min(runs.values())}; ±: half a 95 % interval (BCa bootstrap).\n")
    print("Opportunity cost over the nine worlds of Figure 4:\n")
    mean = average_means(nine, at=AT).set_index(["policy", "belief", "n"])
    ratio = ratios(nine, ("kg", "paper"), at=AT).set_index(["policy", "belief", "n"])
    print("| policy | belief | " + " | ".join(f"n = {n} | / Algorithm 2" for n in AT) + " |")
    print("|---|---|" + "--:|--:|" * len(AT))
    pairs = sorted({key[:2] for key in mean.index}, key=lambda key: mean.loc[(*key, 20), "mean"])
    for policy, belief in pairs:
        cells = []
        for n in AT:
            one = mean.loc[(policy, belief, n)]
            cells.append(f"{one['mean']:.4f} ± {(one['high'] - one['low']) / 2:.4f}")
            if (policy, belief, n) in ratio.index:
                part = ratio.loc[(policy, belief, n)]
                cells.append(f"{part['ratio']:.2f} ({part['low']:.2f} to {part['high']:.2f})")
            else:
                cells.append("1")
        print(f"| {policy} | {belief} | " + " | ".join(cells) + " |")
    print("\nWorld by world, after 10, 20 and 30 trials:\n")
    each = means(rows, at=AT).set_index(["world", "policy", "belief", "n"])
    print("| world | " + " | ".join(f"{p} · {b}" for p, b in pairs) + " |")
    print("|---|" + "--:|" * len(pairs))
    for world in dict.fromkeys(rows.world):
        costs = (" ".join(f"{each.loc[(world, *pair, n), 'mean']:.3f}" for n in AT) for pair in pairs)
        print(f"| {world} | " + " | ".join(costs) + " |")
    print("\nWhere a knowledge gradient is behind random or Thompson sampling with the same belief, by more than the")
    print("paired 95 % interval of the difference:\n")
    print("| policy | belief | behind | world | n | difference |\n|---|---|---|---|--:|--:|")
    for policy, belief in pairs:
        for rival in ("random", "thompson"):
            if not policy.startswith("kg") or (rival, belief) not in pairs:
                continue
            found = differences(rows, (rival, belief), at=AT)
            own = found[(found.policy == policy) & (found.belief == belief) & (found.low > 0)]
            for _, one in own.iterrows():
                difference = f"{one.difference:.4f} ({one.low:.4f} to {one.high:.4f})"
                print(f"| {policy} | {belief} | {rival} | {one.world} | {one.n} | {difference} |")


if __name__ == "__main__":
    main(*sys.argv[1:])
