import IPython
import pytest

from sureshot.viz import progress


class Shell:
    kernel = object()


class Screen:
    """Takes what is displayed."""

    def __init__(self):
        self.shown = []

    def display(self, html, *, display_id):
        assert display_id
        self.shown.append(html)
        return self

    def HTML(self, text):
        return text

    def update(self, html):
        self.shown.append(html)


def test_elsewhere_there_is_no_bar():
    assert not progress.in_notebook()
    assert progress.notebook_bar("runs") is None


def test_a_bar_moves_in_its_place_and_says_the_time_left(monkeypatch):
    monkeypatch.setattr(IPython, "get_ipython", Shell)
    screen, now = Screen(), [0.0]
    monkeypatch.setattr(progress, "import_module", lambda _: screen)
    bar = progress.notebook_bar("runs of <b>", clock=lambda: now[0])
    bar(20, 100)  # done before
    now[0] = 0.1
    bar(30, 100)  # too soon to be shown
    now[0] = 10.0
    bar(60, 100)  # 40 in 10 s: 40 more take 10 s
    bar(100, 100)
    words = [one.partition("<span>")[2].partition("</span>")[0] for one in screen.shown]
    assert words == [
        "20 of 100 runs of &lt;b&gt;",
        "60 of 100 runs of &lt;b&gt;, 10 s left",
        "100 of 100 runs of &lt;b&gt;",
    ]
    assert 'value="60" max="100"' in screen.shown[1]


@pytest.mark.parametrize("shell", [None, type("Terminal", (), {})()])
def test_a_terminal_is_no_notebook(monkeypatch, shell):
    monkeypatch.setattr(IPython, "get_ipython", lambda: shell)
    assert not progress.in_notebook()
