import pytest

from sureshot import core
from sureshot.lab import Study, contenders
from sureshot.lab.report.tables import Cell, Table
from sureshot.lab.worlds import get_world
from tests.campaign.pictures.seen import NASTY, desk, oven, powers
from tests.viz.reading import Read

STUDY = Study("little <b>", (get_world("synthetic", d=2, M=5),), contenders(["random", "kg"]), runs=4, budget=3)
TABLE = Table("costs <b>", "policy", ("kg",), {"w": {"kg": Cell(0.5, 0.4, 0.6, bold=True)}}, "Bold: the best.")


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda: oven(), [NASTY, "4 of 9 trials used, 1 running; black <i> in 4 of 7", "pending"]),
        (lambda: oven().trial(1), ["Trial 1 of 9", "chance of black <i> 50 %", "temperature", "<b>DMSO</b>"]),
        (lambda: oven().best(), ["Choose temperature", "best of all with chance"]),
        (lambda: desk().best({"age": 61}), ["in the case age 61"]),
        (
            lambda: core.prior(10),
            ["Belief about 10 weights", "logit, full covariance, learns by laplace", "and 2 more"],
        ),
        (lambda: powers().belief, ["Mixture of", "logit", "learns by"]),
        (lambda: STUDY, ["Study little <b>", "1 world x 2 contenders x 4 runs, a budget of 3", "kg/auto"]),
        (lambda: TABLE, ["costs <b>", "*0.50 [0.40, 0.60]", "*: the best."]),
    ],
    ids=["Campaign", "Trial", "Recommendation", "in a case", "Belief", "Mixture", "Study", "Table"],
)
def test_a_card_is_short_escaped_and_in_the_notebooks_own_colours(made, words):
    value = made()
    card = value._repr_html_()
    read = Read(card)
    for one in words:
        assert one in read.text
    assert {tag for tag, _ in read.tags} <= {"div", "table", "thead", "tbody", "tr", "th", "td", "b"}
    assert len(card) < 8_000
    assert all("color:" not in (given.get("style") or "").replace("background", "") for _, given in read.tags)
    assert repr(value)
    assert "<div" not in repr(value)
