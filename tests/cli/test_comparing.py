"""``sureshot compare`` and ``check``: one table, one sentence."""

import pytest

from sureshot.cli.comparing import _drawn
from sureshot.core.reference import posterior
from tests.cli.commands import NEW, call


def test_a_table_and_a_sentence(made):
    assert call("new bent --from nanotubes --shape curved").code == 0
    done = call("compare nanotubes bent")
    assert done.code == 0, done.err
    titles = [line.split("  ")[0] for line in done.out.splitlines()]
    for title in (
        "model",
        "prior",
        "outcomes",
        "evidence",
        "log score",
        "Brier score",
        "expected, came",
        "would choose",
    ):
        assert title in titles
    assert "link" not in titles  # the same in both
    assert "The outcomes" in done.out
    assert "The share of successes so far" in done.out


def test_json(made):
    call("new bent --from nanotubes --shape curved")
    found = call("compare nanotubes bent --json").json()
    assert [one["name"] for one in found["campaigns"]] == ["nanotubes", "bent"]
    assert found["comparable"]
    assert found["words"].startswith("The outcomes")
    assert set(found["campaigns"][0]["forecast"]) == {"log_score", "brier", "predicted", "observed"}


def test_other_outcomes(made):
    call("new bent --from nanotubes --shape curved --link probit")
    call("tell -c bent --at power=8,ethylene=10,catalyst=Fe failure")
    done = call("compare nanotubes bent")
    assert "Evidence can't be compared: bent has 1 more outcome than nanotubes." in " ".join(done.out.split())
    assert "probit" in done.out
    assert "\nevidence" not in done.out


def test_refused(made):
    assert "at least two campaigns must be compared, got only 'nanotubes'" in call("compare nanotubes").err
    assert call("compare").code == 2
    done = call("compare nanotubes bent")
    assert (done.code, "unknown campaign 'bent'" in done.err) == (1, True)


def test_check(made, monkeypatch):
    monkeypatch.setattr(posterior, "LEAST_STEPS", 40)
    done = call("check --draws 1000")
    assert done.code == 0, done.err
    titles = [line.split("  ")[0] for line in done.out.splitlines()]
    assert "recommended" in titles
    assert "off by most" in titles
    text = " ".join(done.out.split())
    assert "The chances shown are within " in text
    assert "on average over 32 alternatives" in text
    assert "draws by Polya-Gamma and slices" in text
    found = call("check --draws 1000 --json").json()
    assert found["outcomes"] == 3
    assert found["recommended"]["exact"] == pytest.approx(found["recommended"]["chance"], abs=0.05)
    assert found["words"].split()[:4] == ["The", "chances", "shown", "are"]


def test_check_refuses_too_few_draws_and_needs_an_outcome(folder):
    call(NEW)
    assert "No outcome was told yet" in call("check").out
    done = call("check --draws 10")
    assert done.code == 1
    assert "--draws must be a whole number, at least 1000, got --draws 10" in " ".join(done.err.split())


def test_how_far_a_check_is(capsys):
    for done in (1, 2):
        _drawn(done, 2)
    assert capsys.readouterr().err == "\rshape or strength 1 of 2\rshape or strength 2 of 2\n"
    _drawn(1, 1)
    assert capsys.readouterr().err == ""
