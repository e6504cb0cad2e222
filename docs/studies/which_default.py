"""The page docs/default.md from the rows of its study: ``python docs/studies/which_default.py FOLDER``, redirected.

FOLDER is what ``sureshot lab run docs/studies/which-default.toml --out FOLDER`` wrote to.
"""

from __future__ import annotations

import sys
from pathlib import Path

from sureshot.lab import load_rows
from sureshot.lab.comparisons import differences, ratios
from sureshot.lab.statistics import average_means, means
from sureshot.lab.worlds import paper_worlds

AT = (10, 20, 30)
FIRST_NINE = [world.label for world in paper_worlds()]


def main(folder: str) -> None:
    """Print the page."""
    rows = load_rows(Path(folder))
    nine = rows[rows.world.isin(FIRST_NINE)]
    runs = {world: int(part.run.nunique()) for world, part in rows.groupby("world")}
    print((Path(__file__).parent / "which-default-top.txt").read_text(encoding="utf-8"))
    print(
        f"Runs in each world: {min(runs.values())} to {max(runs.values())}; ±: half a 95 % interval (BCa bootstrap).\n"
    )
    print("## Opportunity cost over the nine worlds of Figure 4\n")
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
    print("\n## World by world, after 20 trials\n")
    each = means(rows, at=[20]).set_index(["world", "policy", "belief"])
    print("| world | " + " | ".join(f"{p} · {b}" for p, b in pairs) + " |")
    print("|---|" + "--:|" * len(pairs))
    for world in dict.fromkeys(rows.world):
        print(f"| {world} | " + " | ".join(f"{each.loc[(world, *pair), 'mean']:.3f}" for pair in pairs) + " |")
    print("\n## Where a policy is behind random or Thompson sampling with the same belief\n")
    print("A row for each world and n where the paired 95 % interval of the difference lies above zero.\n")
    print("| policy | belief | behind | world | n | difference |\n|---|---|---|---|--:|--:|")
    for policy, belief in pairs:
        for rival in ("random", "thompson"):
            if not policy.startswith("kg") or (rival, belief) not in pairs:
                continue
            found = differences(rows, (rival, belief), at=AT)
            own = found[(found.policy == policy) & (found.belief == belief) & (found.low > 0)]
            for _, one in own.iterrows():
                shown = f"{one.difference:.4f} ({one.low:.4f} to {one.high:.4f})"
                print(f"| {policy} | {belief} | {rival} | {one.world} | {one.n} | {shown} |")


if __name__ == "__main__":
    main(sys.argv[1])
