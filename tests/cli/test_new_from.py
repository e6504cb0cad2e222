"""``sureshot new NAME --from OLD``: another model of the same experiments."""

import pytest

from sureshot.campaign import Campaign
from tests.cli.commands import call, fingerprint


def test_the_same_experiments_under_another_model(made):
    before = fingerprint()
    done = call("new bent --from nanotubes --shape curved")
    assert done.code == 0, done.err
    lines = " ".join(done.out.split())
    assert "From campaign nanotubes, event 7: 3 outcomes. Trial 2 is pending there and not copied." in lines
    assert lines.endswith("Then: sureshot ask -c bent Or: sureshot compare nanotubes bent")
    assert fingerprint()[:1] == before
    new = Campaign.open("bent", "sureshot.db")
    assert [(row.successes, row.of, row.corrections) for row in new.history()] == [(1, 1, 0), (0, 1, 1), (7, 10, 0)]
    assert (new.spec.words.success, new.spec.budget) == ("single-walled", 30)


def test_into_another_store(made):
    done = call("new nanotubes --from nanotubes --from-storage sureshot.db --storage other.db --prior 1.0 --json")
    assert done.code == 0, done.err
    assert (done.json()["name"], done.json()["told"], done.json()["storage"]) == ("nanotubes", 3, "other.db")
    assert Campaign.open("nanotubes", "other.db").spec.prior_given == "1.0"
    (said,) = done.json()["about"]
    assert said.startswith("with a precision the model is the formula ")
    assert f"Note: {said}." in " ".join(call("status --storage other.db").out.split())


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("new bent --from nanotube", 1, "unknown campaign 'nanotube': choose one of 'nanotubes'. Did you mean"),
        ("new nanotubes --from nanotubes", 3, "there already is a campaign 'nanotubes'"),
        ("new bent --from nanotubes --shape wavy", 1, "unknown shape 'wavy'"),
        ("new bent --from nanotubes --shape curved --formula power", 1, "a shape and a formula both say"),
        ("new bent --from nanotubes --no-interactions", 1, "with contexts, got --no-interactions: leave it out"),
        ("new bent --from nanotubes --param power=1,2", 1, "come from campaign 'nanotubes' with --from, got --param"),
        ("new bent --from nanotubes --success yes", 1, "got --success: leave it out"),
        ("new --from nanotubes", 1, "the new campaign must have a name, got none: write sureshot new NAME"),
        ("new bent.toml --from nanotubes", 1, "must have a name, got 'bent.toml'"),
        ("new bent --from-storage other.db --param p=1,2", 1, "got no --from: name it"),
        ("new bent --from nanotubes --from-storage none.db", 1, "none.db"),
    ],
)
def test_refused_and_nothing_stored(made, folder, line, code, said):
    before = fingerprint()
    done = call(line)
    assert (done.code, said in done.err) == (code, True), done.err
    assert fingerprint() == before
    assert [one.name for one in folder.iterdir() if one.suffix == ".db"] == ["sureshot.db"]
