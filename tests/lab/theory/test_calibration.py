from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from sureshot.lab.play.beliefs import BeliefRecipe
from sureshot.lab.theory import calibration as page
from sureshot.lab.theory.calibration import calibration, gap
from sureshot.lab.theory.computing import Computing
from sureshot.lab.worlds import get_world


def test_the_gap_is_predicted_minus_true():
    rng = np.random.default_rng(1)
    rows = pd.DataFrame(
        {
            "policy": ["random"] * 40 + ["kg-exact"] * 40,
            "belief": "ep",
            "n": [1, 2] * 40,
            "predicted": rng.random(80),
            "true": rng.random(80),
        }
    )
    own = rows[(rows["policy"] == "random") & (rows["n"] == 2)]
    found = gap(rows, "random", "ep", 2, seed=1)
    assert found.value == pytest.approx((own["predicted"] - own["true"]).mean(), abs=1e-15)
    assert found.low < found.value < found.high


@pytest.fixture
def little(monkeypatch):
    """A small world, few trials and a margin of 6 points, so that 120 runs tell."""
    monkeypatch.setattr(page, "calibration_world", lambda: get_world("synthetic", d=2, M=10))
    monkeypatch.setattr(page, "POLICIES", {"random": "at random"})
    monkeypatch.setattr(page, "TRIALS", 6)
    monkeypatch.setattr(page, "WITHIN", 0.06)


def test_a_belief_with_the_right_prior_holds_and_a_wrong_one_does_not(tmp_path, monkeypatch, little):
    beliefs = {
        "right": BeliefRecipe("right", prior=1.0),
        "far too wide": BeliefRecipe("wide", prior=0.003),  # sure of everything after one outcome
        "far too narrow": BeliefRecipe("narrow", prior=100.0),
    }
    monkeypatch.setattr(page, "BELIEFS", beliefs)
    section = calibration(Computing(runs=120, seed=1, folder=tmp_path))
    assert [one.verdict for one in section.findings] == ["holds", "does not hold", "does not hold"]
    wide, narrow = section.findings[1].found, section.findings[2].found
    assert wide.low > 0 > narrow.high  # promises too much, and too little


def test_again_is_the_same(tmp_path, monkeypatch, little):
    monkeypatch.setattr(page, "BELIEFS", {"right": BeliefRecipe("right", prior=1.0)})
    one = calibration(Computing(runs=10, seed=4, folder=tmp_path / "a"))
    two = calibration(Computing(runs=10, seed=4, folder=tmp_path / "b"))
    assert one.findings == two.findings
    other = calibration(Computing(runs=10, seed=5, folder=tmp_path / "c"))
    assert other.findings[0].found != one.findings[0].found
