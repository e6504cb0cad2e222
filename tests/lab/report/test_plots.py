import numpy as np
import pytest
from matplotlib.colors import to_rgb

from sureshot.errors import InvalidInput, UnknownName
from sureshot.lab.report.comparisons import differences
from sureshot.lab.report.plots import cost_figure, difference_figure
from sureshot.lab.report.statistics import found, means
from sureshot.viz import save
from sureshot.viz.palette import COLOURS
from tests.lab.made_rows import made_rows
from tests.lab.report.test_statistics import one

NAMES = ["kg", "random", "thompson"]
ROWS = made_rows(dict.fromkeys(NAMES, 0.0), worlds={"w1": 0.1, "w2": 0.2, "w3": 0.3, "w4": 0.4}, runs=20, budget=5)


def words_of(figure):
    return [text.get_text() for text in figure.legends[0].get_texts()]


def test_a_panel_for_each_world_and_a_line_for_each_contender():
    figure = cost_figure(ROWS)
    assert [axis.get_title(loc="left") for axis in figure.axes] == ["w1", "w2", "w3", "w4"]
    assert words_of(figure) == NAMES
    table = means(ROWS)
    for axis in figure.axes:
        assert [line.get_label() for line in axis.lines] == NAMES
        assert len(axis.collections) == 3  # the bands
        own = table[(table.world == axis.get_title(loc="left")) & (table.policy == "random")]
        np.testing.assert_allclose(axis.lines[1].get_xdata(), [1, 2, 3, 4, 5])
        np.testing.assert_allclose(axis.lines[1].get_ydata(), own["mean"])
        band = axis.collections[1].get_paths()[0].get_extents()
        assert band.ymin == pytest.approx(own.low.min(), abs=0.01)
        assert band.ymax == pytest.approx(own.high.max(), abs=0.01)
        assert axis.get_ylim()[0] == 0.0
    assert figure.get_supylabel() == "mean opportunity cost"
    assert "20 runs" in figure.get_supxlabel()


def test_nine_panels_stand_three_by_three():
    rows = made_rows({"kg": 0.0, "random": 0.1}, worlds=dict.fromkeys("abcdefghi", 0.3), runs=5, budget=3)
    figure = cost_figure(rows)
    assert {axis.get_gridspec().get_geometry() for axis in figure.axes} == {(3, 3)}


def test_log_scale_shows_plain_numbers():
    rows = ROWS.assign(oc=lambda rows: np.where(rows.n == 5, 0.0, rows.oc.abs()))  # a mean of 0 has no logarithm
    axis = cost_figure(rows, log=True).axes[0]
    assert axis.get_yscale() == "log"
    mean = means(rows, at=[1, 2, 3, 4])
    own = mean[mean.world == "w1"]
    assert axis.get_ylim()[0] == pytest.approx(0.7 * own["low"].min(), rel=0.05)
    assert axis.yaxis.get_major_formatter()(0.05, 0) == "0.05"


def rare(rows):
    """Costs that are mostly none in the last trials: the bands of their means reach 0, which has no logarithm."""
    return rows.assign(oc=np.where((rows.n > 2) & (rows.run > 2), 0.0, rows.oc.abs() + 0.01))


def test_a_band_that_reaches_zero_goes_down_to_the_edge_of_a_log_axis():
    rows = rare(ROWS)
    table = means(rows, resamples=1999)
    assert (table.low <= 0.0).any()
    for axis in cost_figure(rows, log=True).axes:
        bottom, top = axis.get_ylim()
        for name, band in zip(NAMES, axis.collections, strict=True):
            own = table[(table.world == axis.get_title(loc="left")) & (table.policy == name)]
            heights = band.get_paths()[0].vertices[:, 1]
            assert heights.min() == pytest.approx(max(bottom, own.low.min()))
            assert heights.max() == pytest.approx(own.high.max())
            assert heights.max() <= top
    figure = cost_figure(rows, log=True, backend="plotly")
    bottom = 10 ** figure.layout.yaxis.range[0]
    bands = [trace for trace in figure.data if trace.fill == "toself" and trace.yaxis in (None, "y")]
    lows = [table[(table.world == "w1") & (table.policy == name)].low.min() for name in NAMES]
    assert [min(trace.y) for trace in bands] == pytest.approx([max(bottom, low) for low in lows])


@pytest.mark.parametrize("log", [False, True])
def test_the_first_and_the_last_mark_are_whole(log):
    """A mark of 4.5 points must have room on both sides of its place."""
    figure = cost_figure(ROWS.assign(oc=ROWS.oc.abs()), log=log)
    figure.canvas.draw()
    for axis in figure.axes:
        (left, _), (right, _) = axis.transData.transform([(1, 0.1), (5, 0.1)])
        half = 4.5 / 2 / 72 * figure.dpi
        assert left - half >= axis.bbox.x0
        assert right + half <= axis.bbox.x1


@pytest.mark.parametrize("make", [cost_figure, lambda rows, **more: difference_figure(rows, "random", **more)])
def test_plotly_shows_the_same_numbers(make):
    drawn, moving = make(ROWS), make(ROWS, backend="plotly")
    lines = [trace for trace in moving.data if trace.mode == "lines+markers"]
    same = [line for axis in drawn.axes for line in axis.lines if not line.get_label().startswith("_")]
    assert [line.name for line in lines] == [line.get_label() for line in same]
    for line, other in zip(lines, same, strict=True):
        np.testing.assert_array_equal(line.x, other.get_xdata())
        np.testing.assert_array_equal(line.y, other.get_ydata())
    bands = [trace for trace in moving.data if trace.fill == "toself"]
    assert len(bands) == len(lines)
    for band, line in zip(bands, lines, strict=True):
        low, high = line.customdata.T
        np.testing.assert_array_equal(band.y, [*high, *low[::-1]])
    assert [name.text for name in moving.layout.annotations] == ["w1", "w2", "w3", "w4"]
    assert drawn.get_supylabel().lower() in moving.layout.title.text.lower()
    assert sum(line.showlegend for line in lines) == len(NAMES) - (make is not cost_figure)


def test_how_often_the_best_was_found():
    figure = cost_figure(ROWS, "found_best")
    assert figure.get_supylabel() == "probability of having found the best"
    band = figure.axes[0].collections[0].get_paths()[0].get_extents()
    row = found(ROWS, at=[5]).iloc[0]
    assert (band.ymin, band.ymax) == pytest.approx((row.low, row.high))


def test_differences_go_round_zero_and_leave_the_reference_out():
    figure = difference_figure(ROWS, "random")
    assert words_of(figure) == ["kg", "thompson"]
    axis = figure.axes[0]
    np.testing.assert_allclose(axis.lines[0].get_ydata(), 0.0)
    row = one(differences(ROWS, "random", at=[4], resamples=99), world="w1", policy="thompson")
    assert axis.lines[2].get_ydata()[3] == pytest.approx(row.difference)
    assert figure.get_supylabel() == "opportunity cost, minus that of random"
    assert "below 0: better than random" in figure.get_supxlabel()


def test_a_contender_looks_the_same_in_both_figures_and_unlike_any_other():
    costs, gaps = cost_figure(ROWS).axes[0], difference_figure(ROWS, "kg").axes[0]
    look = {line.get_label(): (line.get_color(), line.get_marker()) for line in costs.lines}
    again = {line.get_label(): (line.get_color(), line.get_marker()) for line in gaps.lines[1:]}
    assert again == {name: look[name] for name in NAMES[1:]}
    many = made_rows({f"p{i:02}": 0.0 for i in range(24)}, runs=3, budget=2)
    lines = cost_figure(many).axes[0].lines
    assert len({(line.get_color(), line.get_linestyle(), line.get_marker()) for line in lines}) == 24


def simulated(colour, matrix):
    linear = np.array([c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)])
    return np.clip(np.array(matrix) @ linear, 0, 1) ** (1 / 2.2)


@pytest.mark.parametrize(
    "matrix",  # Machado, Oliveira & Fernandes 2009, severity 1: no red cones, no green cones
    [
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    ],
)
def test_colours_are_told_apart_by_colour_blind_eyes(matrix):
    seen = [simulated(colour, matrix) for colour in COLOURS]
    apart = [np.linalg.norm(a - b) for i, a in enumerate(seen) for b in seen[:i]]
    assert min(apart) > 0.18  # matplotlib's own first seven come within 0.05 and 0.11


@pytest.mark.parametrize(("ending", "head"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")])
def test_saved_and_the_same_again(tmp_path, ending, head):
    for name in ("a", "b"):
        save(cost_figure(ROWS[ROWS.world == "w1"]), tmp_path / f"{name}{ending}")
    first = (tmp_path / f"a{ending}").read_bytes()
    assert first.startswith(head)
    if ending == ".png":
        assert first == (tmp_path / f"b{ending}").read_bytes()


def test_what_is_refused(tmp_path):
    figure = cost_figure(ROWS[ROWS.world == "w1"])
    with pytest.raises(InvalidInput, match=r"must end in .html, .pdf, .png, .svg, got 'a.gif'"):
        save(figure, tmp_path / "a.gif")
    with pytest.raises(InvalidInput, match="make it first"):
        save(figure, tmp_path / "nowhere" / "a.png")
    with pytest.raises(UnknownName, match="unknown contender 'greedy'"):
        difference_figure(ROWS, "greedy")
