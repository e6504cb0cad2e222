"""What stopping rules save and lose: against the rows by hand, and rules that can't be asked."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sureshot.errors import Conflict, InvalidInput, UnknownName
from sureshot.lab import PAPER, Study, contenders, load_rows, read_study, run_study
from sureshot.lab.report.stopping import rules_in, stopping_table, stops
from sureshot.lab.report.tables import markdown
from sureshot.lab.study.rows import COLUMNS
from sureshot.lab.study.study_file import parse_study
from tests.lab.little import Little
from tests.lab.made_rows import made_rows

RULES = ("worked times=1", "little-regret most=1", "sure chance=1")


def study(**more: object) -> Study:
    asked = {"runs": 6, "budget": 5, "stopping": RULES, **more}
    return Study("when", [Little(), Little(d=3)], contenders(["random"], [PAPER]), **asked)  # type: ignore[arg-type]


def test_rules_end_runs_where_they_say_so_and_change_nothing_else() -> None:
    plain, rows = run_study(study(stopping=())), run_study(study())
    assert "stopped" not in plain
    same = [name for name in COLUMNS if name != "seconds"]
    assert rows[same].equals(plain[same])
    for _, run in rows.groupby(["world", "run"]):
        said = [one.split("\n") if one else [] for one in run["stopped"]]
        assert sorted(rule for one in said for rule in one) == sorted(RULES)  # each ends each run once
        assert "little-regret most=1" in said[0]  # nothing can be that much better
        assert "sure chance=1" in said[4]  # and nothing is certain


def test_what_is_saved_and_lost_by_hand() -> None:
    rows = made_rows({"kg": 0.0}, runs=3, budget=4)
    cost = rows["oc"].to_numpy().reshape(3, 4)
    ends = [2, 4, 1]  # of rule a; rule b never stops
    rows["stopped"] = [
        "\n".join([*("a",) * (n == ends[r]), *("b",) * (n == 4)]) for r in range(3) for n in (1, 2, 3, 4)
    ]
    assert sorted(rules_in(rows)) == ["a", "b"]
    table = stops(rows, resamples=99).set_index("rule")
    at_stop = np.array([cost[r, n - 1] for r, n in enumerate(ends)])
    a = table.loc["a"]
    assert (a["ended"], a["trials"], a["saved"]) == pytest.approx((2 / 3, 7 / 3, 5 / 3))
    assert a["oc"] == pytest.approx(at_stop.mean())
    assert a["lost"] == pytest.approx((at_stop - cost[:, 3]).mean())
    assert a["price"] == pytest.approx(a["lost"] / a["saved"])
    assert a["lost_low"] <= a["lost"] <= a["lost_high"]
    b = table.loc["b"]
    assert (b["ended"], b["trials"], b["saved"], b["lost"]) == (0.0, 4.0, 0.0, 0.0)
    assert math.isnan(b["price"])


def test_worlds_are_averaged_and_the_table_says_how() -> None:
    rows = run_study(study())
    table = stops(rows, resamples=99)
    worlds = table[table["world"] != "average"].groupby("rule")["trials"].mean()
    average = table[table["world"] == "average"].set_index("rule")["trials"]
    assert average.sort_index().to_list() == pytest.approx(worlds.sort_index().to_list())
    shown = stopping_table(rows)
    assert set(shown.names) == set(RULES)
    assert shown.columns["share ended"]["sure chance=1"].number == 0.0
    assert "sure chance=1" not in shown.columns["lost per trial saved"]
    assert "Averages over 2 worlds. 6 runs of 5 trials." in markdown(shown)


def test_rules_are_part_of_what_made_a_row(tmp_path) -> None:
    run_study(study(), tmp_path)
    assert load_rows(tmp_path / "when")["stopped"].str.len().sum() > 0
    for other in ((), ("worked times=1",)):
        with pytest.raises(Conflict, match=r"stopping was .* now"):
            run_study(study(stopping=other), tmp_path)


FILE = """
[[world]]
name = "synthetic"
d = 2
[[policy]]
name = "random"
[[stopping]]
name = "sure"
chance = 0.8
[[stopping]]
name = "worked"
"""


def test_rules_in_a_file() -> None:
    assert [(one.name, getattr(one, "chance", None)) for one in parse_study(FILE).stopping] == [
        ("sure", 0.8),
        ("worked", None),
    ]


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        (('"sure"', '"shure"'), r"\[\[stopping\]\] 1: unknown stopping rule 'shure'.* Did you mean 'sure'"),
        (("chance = 0.8", "chance = 8"), r"\[\[stopping\]\] 1: .*must be a finite number between 0 and 1, got 8"),
        (("chance = 0.8", "least = 1"), "unknown parameter of stopping rule 'sure' 'least'"),
        (('name = "worked"', ""), r"\[\[stopping\]\] 2: a stopping rule must have a name"),
    ],
)
def test_bad_rules_in_a_file(change: tuple[str, str], wrong: str) -> None:
    with pytest.raises((InvalidInput, UnknownName), match=wrong):
        parse_study(FILE.replace(*change))


def test_what_has_no_end_or_is_said_twice_is_refused(tmp_path) -> None:
    with pytest.raises(InvalidInput, match="online every trial counts"):
        study(objective="online")
    with pytest.raises(InvalidInput, match="each stopping rule must occur once"):
        study(stopping=("sure", "sure chance=0.9"))
    with pytest.raises(InvalidInput, match="worlds that end in one choice"):
        run_study(Study("cases", [Little(cases=3)], contenders(["random"]), runs=1, stopping=("sure",)))
    with pytest.raises(InvalidInput, match="this study has no stopping rules"):
        stops(made_rows({"kg": 0.0}))
    (tmp_path / "it.toml").write_text(FILE)
    assert len(read_study(tmp_path / "it.toml").stopping) == 2
