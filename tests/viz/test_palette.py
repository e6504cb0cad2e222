from itertools import pairwise

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from sureshot.viz import with_matplotlib, with_plotly
from sureshot.viz.palette import FAILURE, GREY, SCALE, SUCCESS


def luminance(colour):
    """Relative, as the Web Content Accessibility Guidelines define it."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return float(np.dot([0.2126, 0.7152, 0.0722], linear))


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("page", ["#ffffff", "#111111"])
def test_text_and_marks_are_seen_on_light_and_dark(page):
    assert contrast(GREY, page) >= 4.1
    assert min(contrast(SUCCESS, page), contrast(FAILURE, page)) >= 3.0


def test_the_scale_darkens_evenly():
    light = [luminance(one) ** (1 / 2.2) for one in SCALE]
    assert all(a - b > 0.05 for a, b in pairwise(light))


def test_no_two_marks_have_one_shape():
    plotly = [with_plotly.mark(kind, 9) for kind in ("best", "next", "worked", "failed", "both")]
    assert len({(one["symbol"], one["color"] == "#ffffff") for one in plotly}) == 5
    drawn = [with_matplotlib.mark(kind, 9) for kind in ("best", "next", "worked", "failed", "both")]
    assert len({(one["marker"], one["markerfacecolor"] == "#ffffff", one.get("fillstyle")) for one in drawn}) == 5
