"""A notebook as one would write it, executed by a real kernel: cards, pictures and bars are there."""

import json
import os
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

CELLS = [
    """
import sureshot as ss
space = ss.Space.grid(power=[8, 10, 12], gas=["Ar", "<b>He</b>"])
campaign = ss.Campaign.create("note <i>", space, budget=9, seed=1, storage=":memory:")
trial = campaign.ask()
trial
""",
    "campaign.tell(trial, 'success'); campaign.tell_new(0, 'failure'); campaign",
    "campaign.best()",
    "campaign.belief",
    "campaign.plot()",
    "campaign.plot('effects', backend='matplotlib')",
    """
from sureshot.lab import PAPER, Study, contenders, run_study
from sureshot.lab.worlds import get_world
study = Study("little", (get_world("synthetic", d=2, M=8),), contenders(["random"], [PAPER]), runs=3, budget=2)
study
""",
    "rows = run_study(study)",
    "other = ss.Campaign.create_from('other', campaign, shape='straight'); print(campaign.compare(other))",
]


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("notebook")
    kernel = folder / "kernels" / "here"
    kernel.mkdir(parents=True)
    spec = {"argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"], "display_name": "here"}
    (kernel / "kernel.json").write_text(json.dumps({**spec, "language": "python"}))
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(one.strip()) for one in CELLS])
    source = str(Path(__file__).parents[1] / "src")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_PATH", str(folder))
        patch.setenv("IPYTHONDIR", str(folder / "ipython"))
        patch.setenv("JUPYTER_RUNTIME_DIR", str(folder / "runtime"))
        patch.setenv("JUPYTER_PLATFORM_DIRS", "1")
        patch.setenv("PYTHONPATH", source, prepend=os.pathsep)
        patch.delenv("PLOTLY_RENDERER", raising=False)
        NotebookClient(
            notebook, timeout=240, kernel_name="here", resources={"metadata": {"path": str(folder)}}
        ).execute()
    return [cell.outputs for cell in notebook.cells]


def data(outputs, kind):
    return [one["data"][kind] for one in outputs if kind in one.get("data", {})]


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        (0, ["Trial 1 of 9", "chance of success 50 %"]),
        (1, ["note &lt;i&gt;", "1 of 9 trials used, 0 running; success in 1 of 2"]),
        (2, ["Choose power"]),
        (3, ["Mixture of", "learns by"]),
        (6, ["Study little", "synthetic"]),
    ],
)
def test_values_show_themselves_as_cards(outputs, cell, words):
    (html,) = data(outputs[cell], "text/html")
    for one in words:
        assert one in html
    assert "<b>He</b>" not in html
    assert "<i>" not in html
    (plain,) = data(outputs[cell], "text/plain")
    assert "<div" not in plain


def test_figures_are_shown_by_both_libraries(outputs):
    shown = outputs[4][0]["data"]
    figure = shown.get("application/vnd.plotly.v1+json") or {}
    assert "heatmap" in [trace["type"] for trace in figure.get("data", [])] or "heatmap" in str(shown.get("text/html"))
    assert data(outputs[5], "image/png")


def test_a_study_and_a_comparison_show_how_far_they_are(outputs):
    (bar,) = data(outputs[7], "text/html")
    assert "3 of 3 runs" in bar
    bars = data(outputs[8], "text/html")
    assert ["2 of 2 outcomes of note &lt;i&gt;" in bars[0], "2 of 2 outcomes of other" in bars[1]] == [True, True]
