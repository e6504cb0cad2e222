"""The page docs/default.md from the rows of its studies.

``python docs/studies/which_default.py keep FOLDER ...`` takes what the page needs from the folders that ``sureshot lab
run`` wrote to into which-default.parquet, beside this file; runs that are there already are replaced.
``python docs/studies/which_default.py`` prints the page. Studies need not have ended: a contender counts with the runs
that all worlds have.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd

from sureshot.lab import load_rows
from sureshot.lab.comparisons import average_differences, difference_intervals, differences, ratios
from sureshot.lab.statistics import average_means, means
from sureshot.lab.worlds import paper_worlds

HERE = Path(__file__).parent
KEPT = HERE / "which-default.parquet"
KEYS = ["study", "world", "policy", "belief", "run", "n"]
AT = (10, 20, 30)
ENOUGH = 100  # runs: from fewer, an interval of costs that are mostly 0 says little
FIRST_NINE = [world.label for world in paper_worlds()]
CHOSEN, FIRST = ("kg-careful", "pool"), ("kg", "paper")  # what campaigns use; Algorithm 2
RIVALS = (("random", "pool"), ("thompson", "pool"))


def keep(folders: list[str]) -> None:
    """Costs after 10, 20 and 30 trials, in single precision."""
    rows = pd.concat([load_rows(Path(folder)) for folder in folders])
    rows = rows.loc[rows.n.isin(AT), [*KEYS, "oc"]].astype({"oc": "float32", "run": "int16", "n": "int8"})
    old = [pd.read_parquet(KEPT)] if KEPT.exists() else []
    rows = pd.concat([*old, rows]).drop_duplicates(KEYS, keep="last").sort_values(KEYS, ignore_index=True)
    rows.to_parquet(KEPT, index=False, compression="zstd")
    print(rows.groupby(["study", "policy", "belief"]).run.count())


def page() -> None:
    """Print the page."""
    kept = pd.read_parquet(KEPT)
    rows, again = (kept[kept.study == name] for name in ("which-default", "which-default-again"))
    names = pd.MultiIndex.from_frame(rows[["policy", "belief"]])
    decided = rows[names.isin([CHOSEN, FIRST, *RIVALS])]
    print((HERE / "which-default-top.txt").read_text(encoding="utf-8"))
    print("## What decided\n")
    shown(decided)
    behind(decided, again)
    print("\n## The other contenders\n")
    beside(decided, rows[~names.isin([CHOSEN, FIRST, *RIVALS])])


def shown(rows: pd.DataFrame) -> None:
    """Two tables: over the nine worlds, and world by world."""
    nine = rows[rows.world.isin(FIRST_NINE)]
    runs = {world: int(part.run.nunique()) for world, part in rows.groupby("world")}
    print(f"Runs in each world: {min(runs.values())}; ±: half a 95 % interval (BCa bootstrap).\n")
    print("Opportunity cost over the nine worlds of Figure 4:\n")
    mean = average_means(nine, at=AT).set_index(["policy", "belief", "n"])
    ratio = ratios(nine, FIRST, at=AT).set_index(["policy", "belief", "n"])
    print("| policy | belief | " + " | ".join(f"n = {n} | / Algorithm 2" for n in AT) + " |")
    print("|---|---|" + "--:|--:|" * len(AT))
    pairs = sorted({key[:2] for key in mean.index}, key=lambda key: mean.loc[(*key, 20), "mean"])
    for policy, belief in pairs:
        cells = []
        for n in AT:
            one = mean.loc[(policy, belief, n)]
            cells.append(f"{one['mean']:.4f} ± {(one['high'] - one['low']) / 2:.4f}")
            part = None if (policy, belief) == FIRST else ratio.loc[(policy, belief, n)]
            cells.append("1" if part is None else _interval(part, "ratio", 2))
        print(f"| {policy} | {belief} | " + " | ".join(cells) + " |")
    print("\nWorld by world, after 10, 20 and 30 trials:\n")
    each = means(rows, at=AT).set_index(["world", "policy", "belief", "n"])
    print("| world | " + " | ".join(f"{p} · {b}" for p, b in pairs) + " |")
    print("|---|" + "--:|" * len(pairs))
    for world in dict.fromkeys(rows.world):
        costs = (" ".join(f"{each.loc[(world, *pair, n), 'mean']:.3f}" for n in AT) for pair in pairs)
        print(f"| {world} | " + " | ".join(costs) + " |")


def behind(rows: pd.DataFrame, again: pd.DataFrame) -> None:
    """One table: where the chosen one is behind random or Thompson sampling, here and on new labels."""
    total = rows.world.nunique() * len(AT) * len(RIVALS)
    print(f"\nWhere kg-careful is behind random or Thompson sampling with the same belief, in {total} comparisons, by")
    print("more than the paired 95 % interval of the difference; p by flipped signs, for this comparison alone. Again:")
    print("the same comparison on new labels (`which-default-again.toml`, another seed).\n")
    print("| behind | world | n | difference | p | again | runs | p |\n|---|---|--:|--:|--:|--:|--:|--:|")
    for rival in RIVALS:
        for _, one in _compared(rows, rival).query("low > 0").iterrows():
            cells = [rival[0], one.world, str(one.n), _interval(one, "difference", 4), f"{one.p:.2f}"]
            new = again[again.world == one.world]
            if len(new):
                other = _compared(new, rival).set_index("n").loc[one.n]
                cells += [_interval(other, "difference", 4), f"{other.runs:,}", f"{other.p:.2f}"]
            print("| " + " | ".join(cells + ["-"] * (8 - len(cells))) + " |")


def _compared(rows: pd.DataFrame, rival: tuple[str, str]) -> pd.DataFrame:
    found = differences(rows, rival, at=AT)
    return found[(found.policy == CHOSEN[0]) & (found.belief == CHOSEN[1])]


def _interval(one: pd.Series, name: str, digits: int) -> str:
    return f"{one[name]:.{digits}f} ({one['low']:.{digits}f} to {one['high']:.{digits}f})"


def beside(decided: pd.DataFrame, others: pd.DataFrame) -> None:
    """One table: each of the other contenders on the runs that it has in every world."""
    worlds = list(dict.fromkeys(decided.world))
    print(
        "Over the nine worlds of Figure 4, on the same labels as above. More: the mean cost above that of kg-careful,"
    )
    print("with its paired 95 % interval (BCa bootstrap) over the runs that the contender has. Behind: in how many of")
    print("the 114 comparisons with random and Thompson sampling (19 worlds, three n) such an interval lies above 0;")
    print(f"for at least {ENOUGH} runs.\n")
    print("| policy | belief | runs | " + " | ".join(f"n = {n}: / Algorithm 2 | more" for n in AT) + " | behind |")
    print("|---|---|--:|" + "--:|--:|" * len(AT) + "--:|")
    for pair, rows in others.groupby(["policy", "belief"], sort=True):
        runs = set.intersection(*(set(rows[rows.world == world].run) for world in worlds))
        if not runs:
            continue
        both = pd.concat([decided, rows])
        both = both[both.run.isin(runs)]
        nine = both[both.world.isin(FIRST_NINE)]
        ratio = ratios(nine, FIRST, at=AT).set_index(["policy", "belief", "n"])
        gap = average_differences(nine, CHOSEN, at=AT).set_index(["policy", "belief", "n"])
        cells = []
        for n in AT:
            cells.append(_interval(ratio.loc[(*pair, n)], "ratio", 2))
            cells.append(_interval(gap.loc[(*pair, n)], "difference", 4))
        found = pd.concat([difference_intervals(both, rival, at=AT) for rival in RIVALS])
        count = int(((found.policy == pair[0]) & (found.belief == pair[1]) & (found.low > 0)).sum())
        told = count if len(runs) >= ENOUGH else "-"
        print(f"| {pair[0]} | {pair[1]} | {len(runs)} | " + " | ".join(cells) + f" | {told} |")


if __name__ == "__main__":
    if sys.argv[1:2] == ["keep"]:
        keep(sys.argv[2:])
    else:
        page()
