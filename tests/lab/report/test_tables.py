import re
from dataclasses import replace

import pytest
from markdown_it import MarkdownIt

from sureshot.lab.report.comparisons import differences, ratios
from sureshot.lab.report.reports import cost_table, difference_table, ratio_table, score_table
from sureshot.lab.report.statistics import found, means, scorecard
from sureshot.lab.report.tables import Cell, Table, decimals_of, latex, markdown, plain
from tests.lab.made_rows import made_rows
from tests.lab.report.test_statistics import one
from tests.viz.reading import Read

ROWS = made_rows({"kg": 0.0, "like_kg": 0.0, "random": 0.2}, worlds={"one": 0.3, "two": 0.6})


def parsed(text):
    """A Markdown table as {row: {column: cell}}."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    split = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    assert len({len(line) for line in split}) == 1
    assert set("".join(split[1])) == {"-", ":"}
    return {row[0]: dict(zip(split[0][1:], row[1:], strict=True)) for row in split[2:]}


def number(cell):
    return float(re.match(r"(?:\*\*)?([−\d.]+)", cell).group(1).replace("−", "-"))


def test_markdown_holds_the_means_and_emboldens_the_best():
    text = markdown(cost_table(ROWS, 3))
    cells = parsed(text)
    assert set(cells) == {"kg", "like\\_kg", "random"}
    assert list(cells)[-1] == "random"  # the best first
    table = means(ROWS, at=[3])
    for world in ("one", "two"):
        row = one(table, world=world, policy="random")
        shown = re.fullmatch(r"([\d.]+) \[([\d.]+), ([\d.]+)\]", cells["random"][world])
        assert [float(part) for part in shown.groups()] == pytest.approx([row["mean"], row.low, row.high], abs=0.006)
        assert cells["kg"][world].startswith("**")
        assert cells["like\\_kg"][world].startswith("**")
    assert cells["random"]["average"].count("*") == 0
    average = table[table.policy == "kg"]["mean"].mean()
    assert number(cells["kg"]["average"]) == pytest.approx(average, abs=0.006)
    assert "60 runs" in text


def test_how_often_the_best_was_found():
    cells = parsed(markdown(cost_table(ROWS, 4, "found_best")))
    row = found(ROWS, at=[4]).iloc[0]
    assert cells["kg"]["one"] == f"**{row['mean']:.2f}** [{row.low:.2f}, {row.high:.2f}]"


def test_differences_have_their_verdicts():
    cells = parsed(markdown(difference_table(ROWS, "kg", 3)))
    assert set(cells) == {"like\\_kg", "random"}
    for column in ("one", "two", "average"):
        assert cells["like\\_kg"][column].endswith("] can't be told")
        assert cells["random"][column].endswith("] worse")
        assert cells["random"][column].startswith("**")
    row = one(differences(ROWS, "kg", at=[3]), world="two", policy="random")
    assert number(cells["random"]["two"]) == pytest.approx(row.difference, abs=0.0006)


def test_ratios():
    cells = parsed(markdown(ratio_table(ROWS, "kg", [2, "area"])))
    row = one(ratios(ROWS, "kg", at=[2]), policy="random")
    assert number(cells["random"]["n = 2"]) == pytest.approx(row.ratio, abs=0.006)
    assert set(cells["random"]) == {"n = 2", "mean over n"}


def test_scores():
    cells = parsed(markdown(score_table(ROWS)))
    table = scorecard(ROWS)
    mine = table[table.policy == "random"]
    assert number(cells["random"]["mean over n"]) == pytest.approx(mine.area.mean(), abs=0.006)
    assert number(cells["random"]["n = 4"]) == pytest.approx(mine["last"].mean(), abs=0.006)
    assert number(cells["random"]["successes, n = 4"]) == 3.0
    assert cells["random"]["ms a trial"] == "2.5"


def test_one_world_has_no_average_and_a_missing_contender_stays_empty():
    alone = parsed(markdown(cost_table(ROWS[ROWS.world == "one"], 3)))
    assert list(alone["kg"]) == ["one"]
    some = ROWS[~((ROWS.world == "one") & (ROWS.policy == "random"))]
    cells = parsed(markdown(cost_table(some, 3)))
    assert (cells["random"]["one"], cells["random"]["average"]) == ("", "")
    assert cells["random"]["two"] != ""


def test_nobody_played_every_world():
    apart = ROWS[(ROWS.world == "one") == (ROWS.policy == "kg")]
    assert score_table(apart).names == ()
    assert list(parsed(markdown(cost_table(apart, 3)))["kg"]) == ["one", "two"]


def test_several_beliefs_are_named():
    paper = ROWS[ROWS.policy == "kg"].assign(belief="paper", oc=lambda rows: rows.oc + 0.1)
    both = ROWS.merge(paper, how="outer")
    table = difference_table(both, "kg/paper", 3)
    assert "kg/full" in table.names
    assert "minus that of kg/paper" in table.title


def test_latex_is_balanced_and_its_specials_are_escaped():
    source = latex(cost_table(ROWS, 3))
    assert source.count(r"\begin{") == source.count(r"\end{") == 2
    rows = source.split(r"\midrule")[1].split(r"\bottomrule")[0].strip().splitlines()
    assert len(rows) == 3
    assert all(row.endswith(r" \\") and len(re.findall(r"(?<!\\)&", row)) == 3 for row in rows)
    columns = re.search(r"\\begin\{tabular\}\{(\w+)\}", source).group(1)
    assert columns == "lrrr"
    assert r"like\_kg" in source
    assert r"95 \% BCa" in source
    assert re.search(r"\\textbf\{0\.\d+\} \{\\scriptsize \[0\.\d+, 0\.\d+\]\}", source)
    assert "−" not in latex(difference_table(ROWS, "random", 3))
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", source):
        depth += 1 if brace == "{" else -1
        assert depth >= 0
    assert depth == 0


def test_digits_follow_the_interval():
    assert decimals_of([Cell(0.5, 0.4, 0.6), Cell(0.5, 0.499, 0.501), Cell(0.5, 0.4, 0.6)]) == 2
    assert decimals_of([Cell(50, 30, 70)]) == 0
    assert decimals_of([Cell(0.0, 0.0, 0.0)]) == 3
    assert decimals_of([Cell(1.0)]) is None
    assert plain(Cell(-0.0001), 2) == ("0.00", "")
    assert plain(Cell(1.0, 0.5, float("inf")), 1) == ("1.0", " [0.5, ∞]")


def test_a_pipe_in_a_name_does_not_break_the_table():
    table = Table("t", "policy", ("a|b",), {"w": {"a|b": Cell(1.0)}})
    assert parsed(markdown(table)) == {"a\\|b": {"w": "1"}}
    assert markdown(replace(table, note="so")).endswith("\n\nso\n")


HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[a](javascript:alert(1))",
    "![a](https://example.org/a.png)",
    "`code` **bold** _it_ ~~gone~~ $x^2$",
    "&lt;b&gt; a&amp;b",
    "two\nlines\n\n# and a heading",
    "a|b \\| c",
    "\x1b[31mred\x07 \u202eback",
)


def hostile() -> Table:
    """Every text of it is what somebody typed."""
    cells = dict.fromkeys(HOSTILE, Cell(0.5, 0.4, float("inf"), "better", bold=True))
    return Table(HOSTILE[0], HOSTILE[2], HOSTILE, dict.fromkeys(HOSTILE, cells), HOSTILE[1])


def test_names_are_text_in_markdown_whoever_shows_it():
    source = markdown(hostile())
    assert len(parsed(source)) == len(HOSTILE)
    read = Read(MarkdownIt("commonmark", {"html": True}).enable("table").render(source))
    assert {tag for tag, _ in read.tags} <= {"p", "strong", "table", "thead", "tbody", "tr", "th", "td"}
    for name in HOSTILE:
        shown = " ".join("".join(c if c.isprintable() else " " for c in name).split())
        assert read.text.count(shown) >= 2, name  # a row and a column


def test_names_are_text_in_latex():
    source = latex(hostile())
    assert "\x1b" not in source
    assert r"\textbackslash{}" in source
    body = source.split(r"\midrule")[1].split(r"\bottomrule")[0].strip().splitlines()
    assert len(body) == len(HOSTILE)
    assert not any(row.startswith(("[", "*")) for row in body)  # either would be an order to the row before
    assert r"{[}a](javascript:alert(1))" in source
    assert "∞" not in source
    plain = re.sub(r"\\[\\&%$#_{}]", "", source)
    assert plain.count("{") == plain.count("}")
    assert "$<$script$>$" in source
