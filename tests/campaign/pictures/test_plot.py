import numpy as np
import pytest

from sureshot import Campaign, Space
from sureshot.campaign.pictures.plot import KINDS, picture
from sureshot.errors import InvalidInput, UnknownName
from sureshot.viz.effects import Effects
from tests.campaign.pictures.seen import candidates, desk, oven, powers


def heat(figure):
    (found,) = [trace for trace in figure.data if trace.type == "heatmap"]
    return found


def marks(figure, name):
    return [
        (float(x), float(y))
        for trace in figure.data
        if trace.type == "scatter" and trace.name == name and trace.x[0] is not None
        for x, y in zip(trace.x, trace.y, strict=True)
    ]


def test_the_chances_are_those_of_predict_with_the_rest_as_recommended():
    campaign = oven()
    figure = campaign.plot(x="temperature", y="time")
    frame, best = campaign.predict(), campaign.best()
    rows = frame[frame.solvent == best.levels["solvent"]]
    wanted = rows.pivot(index="time", columns="temperature", values="chance").sort_index().sort_index(axis=1)
    np.testing.assert_array_equal(heat(figure).z, wanted.to_numpy())
    assert list(figure.layout.xaxis.ticktext) == ["100", "120", "140", "160"]
    assert figure.layout.xaxis.title.text == "temperature, C"
    title = figure.layout.title.text
    shown = best.levels["solvent"].replace("<", "&lt;").replace(">", "&gt;")
    assert f"Solvent {shown} stays as recommended." in title.replace("<br>", " ").replace("</span>", "").replace(
        '<span style="font-size: 12px">', ""
    )
    column = [100, 120, 140, 160].index(best.levels["temperature"])
    assert marks(figure, "to choose") == [(column, [5, 10].index(best.levels["time"]))]


def test_both_libraries_show_the_same_cells():
    moving, drawn = (oven().plot(x="solvent", y="temperature", backend=one) for one in ("plotly", "matplotlib"))
    (image,) = drawn.axes[0].images
    np.testing.assert_array_equal(np.ma.filled(image.get_array(), np.nan), heat(moving).z)


def test_what_was_tried_lies_where_it_was_tried():
    campaign = oven()
    field = picture(campaign, "chance", x="temperature", y="time")
    best = campaign.best()
    told = campaign._log.ledger.counted()
    tried = [one for one in field.marks if one.kind not in ("best", "next")]
    assert sum(int(one.words.rpartition(": ")[2].split(" of ")[1].split()[0]) for one in tried) == sum(
        e.of for e in told
    )
    between = [one for one in tried if one.x == 1.5]  # 130 lies between 120 and 140
    assert [(one.kind, one.faint) for one in between] == [("worked", True)]  # no row of the pool
    (next_one,) = [one for one in field.marks if one.kind == "next"]
    assert "trial 6, running" in next_one.words
    for one in tried:
        if not one.faint:
            assert best.levels["solvent"] in one.words


def test_the_two_parameters_with_the_largest_effects_are_drawn():
    campaign = oven()
    ranked = sorted(campaign.effects(), key=lambda one: -abs(one.gain))
    field = picture(campaign)
    assert [field.x.name, field.y.name] == [f"{one.parameter}, {one.unit}".rstrip(", ") for one in ranked[:2]]
    named = picture(campaign, y="time")
    first = next(one for one in ranked if one.parameter != "time")
    assert [named.x.name, named.y.name] == [f"{first.parameter}, {first.unit}".rstrip(", "), "time, min"]


def test_values_are_those_of_predict_by_colour_and_size():
    campaign = candidates()
    figure = campaign.plot("value", x="size", y="weight")
    (dots,) = [trace for trace in figure.data if trace.name == "what a trial is expected to teach"]
    frame = campaign.predict().sort_values("value", kind="stable")
    np.testing.assert_array_equal(dots.marker.color, frame["value"])
    np.testing.assert_array_equal(np.column_stack([dots.x, dots.y]), frame[["size", "weight"]])
    assert np.all(np.diff(dots.marker.size) >= 0)
    drawn = campaign.plot("value", x="size", y="weight", backend="matplotlib").axes[0].collections[0]
    np.testing.assert_array_equal(drawn.get_array(), frame["value"])
    np.testing.assert_array_equal(drawn.get_offsets(), frame[["size", "weight"]])


def test_candidates_of_a_table_are_dots_at_their_numbers():
    figure = candidates().plot(x="size", y="kind")
    (dots,) = [trace for trace in figure.data if trace.name == "chance of success"]
    frame = candidates().predict().sort_values("chance", kind="stable")
    np.testing.assert_array_equal(dots.x, frame["size"])
    np.testing.assert_array_equal(dots.marker.color, frame["chance"])
    assert list(figure.layout.yaxis.ticktext) == ["a", "b"]
    assert "Each dot is a candidate." in figure.layout.title.text


def test_one_parameter_is_a_curve_with_its_band():
    figure = powers().plot()
    curve = next(trace for trace in figure.data if trace.mode == "lines+markers")
    band = next(trace for trace in figure.data if trace.fill == "toself")
    frame = powers().predict().sort_values("power")
    np.testing.assert_array_equal(curve.x, [8, 10, 12, 14])
    np.testing.assert_array_equal(curve.y, frame["chance"])
    np.testing.assert_array_equal(band.y, [*frame["high"], *frame["low"][::-1]])
    assert marks(figure, "success") == [(10, 1), (14, 1)]
    assert marks(figure, "failure") == [(8, 0), (14, 0)]
    assert powers().plot("value").data[0].name == "what a trial is expected to teach"


def test_effects_are_those_of_effects():
    campaign = oven()
    found = campaign.effects()
    figure, drawn = campaign.plot("effects"), campaign.plot("effects", backend="matplotlib")
    curves = [trace for trace in figure.data if trace.name == "chance of black &lt;i&gt;"]
    assert len(curves) == len(found) == len(drawn.axes) == 3
    for curve, effect, axis in zip(curves, found, drawn.axes, strict=True):
        np.testing.assert_array_equal(curve.y, effect.chance)
        line = next(one for one in axis.lines if len(one.get_ydata()) == len(effect.levels))
        np.testing.assert_array_equal(line.get_ydata(), effect.chance)
        if effect.kind == "number":
            np.testing.assert_array_equal(curve.x, effect.levels)
        else:
            np.testing.assert_allclose(np.add(curve.y, curve.error_y.array), effect.high)
            np.testing.assert_allclose(np.subtract(curve.y, curve.error_y.arrayminus), effect.low)
    bands = [trace for trace in figure.data if trace.fill == "toself"]
    numbers = [one for one in found if one.kind == "number"]
    for band, effect in zip(bands, numbers, strict=True):
        np.testing.assert_array_equal(band.y, [*effect.high, *effect.low[::-1]])
    record = picture(campaign, "effects")
    for panel, effect in zip(record.panels, found, strict=True):
        assert (panel.tries, panel.successes, panel.words) == (effect.tries, effect.successes, str(effect))


def test_the_recommendation_over_time_is_the_timeline():
    campaign, moments = oven(), oven().timeline()
    figure = campaign.plot("recommendation")
    line = next(trace for trace in figure.data if trace.name == "the same choice")
    np.testing.assert_array_equal(line.x, [one.step for one in moments])
    np.testing.assert_array_equal(line.y, [one.probability for one in moments])
    stars = next(trace for trace in figure.data if trace.name == "another choice")
    np.testing.assert_array_equal(stars.x, [one.step for one in moments if one.changed])
    band = next(trace for trace in figure.data if trace.fill == "toself")
    highs, lows = [one.interval[1] for one in moments], [one.interval[0] for one in moments]
    np.testing.assert_array_equal(band.y, [*highs, *lows[::-1]])
    drawn = campaign.plot("recommendation", backend="matplotlib").axes[0]
    np.testing.assert_array_equal(drawn.lines[0].get_ydata(), line.y)


def test_calibration_is_that_of_the_campaign():
    campaign = Campaign.create("c", Space.grid(power=[8, 10, 12]), policy="random", seed=1, storage=":memory:")
    for trial in campaign.ask_batch(4):
        campaign.tell(trial, trial.number, of=5)
    found = campaign.calibration()
    figure = campaign.plot("calibration")
    dots = next(trace for trace in figure.data if trace.mode == "markers")
    np.testing.assert_array_equal(dots.x, [one.expected for one in found.groups])
    np.testing.assert_array_equal(dots.y, [one.came for one in found.groups])
    np.testing.assert_allclose(np.add(dots.y, dots.error_y.array), [one.interval[1] for one in found.groups])
    assert "20 tries that were asked for" in figure.layout.title.text


def test_case_by_case():
    figure = desk().plot(context={"age": 61})
    assert "in the case age 61" in figure.layout.title.text
    assert isinstance(picture(desk(), "effects"), Effects)
    with pytest.raises(InvalidInput, match="decides in a context"):
        desk().plot()


@pytest.mark.parametrize("backend", ["plotly", "matplotlib"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_picture_is_drawn_before_the_first_outcome_too(kind, backend):
    new = Campaign.create("new", Space.grid(power=[8, 10], gas=["Ar", "He"]), seed=1, storage=":memory:")
    figure = new.plot(kind, backend=backend)
    if backend == "matplotlib":
        figure.canvas.draw()
        assert figure._repr_png_().startswith(b"\x89PNG")
    elif kind in ("effects", "recommendation"):
        assert "Nothing is known yet" in figure.layout.title.text


def test_what_is_refused():
    with pytest.raises(UnknownName, match=r"unknown picture 'chanse': .* Did you mean 'chance'\?"):
        oven().plot("chanse")
    with pytest.raises(UnknownName, match="unknown parameter 'temp': choose one of 'solvent', 'temperature', 'time'"):
        oven().plot(x="temp")
    with pytest.raises(InvalidInput, match="`x` and `y` must be two parameters, got y='time'"):
        oven().plot(x="time", y="time")
    with pytest.raises(InvalidInput, match="`x` is for a picture over two parameters"):
        oven().plot("effects", x="time")
    with pytest.raises(InvalidInput, match="`context` is not for calibration"):
        desk().plot("calibration", context={"age": 61})
    with pytest.raises(UnknownName, match="unknown backend 'mpl'"):
        oven().plot(backend="mpl")
