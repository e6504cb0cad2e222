"""``sureshot compare``: one table, one sentence."""

from tests.cli.commands import call


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
