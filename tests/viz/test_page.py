from plotly import graph_objects as graph

from sureshot.viz.page import POLICY, Interval, Page, Part, Table, page_html
from tests.viz.reading import Read

NASTY = '<script>alert("x")</script><img src=http://example.org/a>'


def test_every_text_is_shown_as_it_is():
    bar = Interval(chance=0.5, low=0.2, high=0.9, words=NASTY)
    table = Table(columns=(NASTY,), rows=((NASTY, bar),), numbers=(0,))
    part = Part(heading=NASTY, text=(NASTY,), quiet=(NASTY,), facts=((NASTY, NASTY),), table=table)
    read = Read(page_html(Page(title=NASTY, heading=NASTY, cautions=(NASTY,), lead=NASTY, parts=(part,))))
    assert read.count("script") == read.count("img") == 0
    assert read.fetched() == []
    assert read.text.count('<script>alert("x")</script>') == 11
    bars = [given["style"] for tag, given in read.tags if tag == "i"]
    assert bars == ["left:20.0%;width:70.0%"]


def test_the_browser_is_told_to_load_nothing():
    read = Read(page_html(Page(title="a", parts=())))
    policies = [one["content"] for tag, one in read.tags if one.get("http-equiv") == "Content-Security-Policy"]
    assert policies == [POLICY]
    assert POLICY.startswith("default-src 'none'")
    assert "http" not in POLICY


def test_plotlys_script_is_there_once_if_there_is_a_picture():
    figures = tuple(graph.Figure(graph.Scatter(x=[1], y=[i])) for i in (1, 2, 3))
    read = Read(page_html(Page(title="a", parts=(Part(figures=figures[:2]), Part(figures=figures[2:])))))
    long = [one for one in read.scripts if len(one) > 1_000_000]
    assert len(long) == 1
    places = [given["id"] for _, given in read.tags if given.get("class") == "plotly-graph-div"]
    assert places == ["picture-1", "picture-2", "picture-3"]
    assert read.fetched() == []
