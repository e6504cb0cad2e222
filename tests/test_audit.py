"""What is pinned is what is installed and needed; and ``make audit`` says no more of weak spots than it knows."""

from __future__ import annotations

import pytest
from packaging.requirements import Requirement

from tests.audit import PINNED, UNKNOWN, WELL, WRONG, Need, known_weak_spots, needs, pins, told, wrong


def test_everything_that_is_installed_and_needed_is_pinned_at_its_version_and_nothing_else_is() -> None:
    pinned, needed = pins(PINNED.read_text(encoding="utf-8")), list(needs())
    assert wrong(pinned, needed) == []
    assert {"numpy", "starlette", "h11"} <= {one.what.name for one in needed}
    assert len(pinned) > 100


def test_what_does_not_agree_is_said() -> None:
    needed = [Need("sureshot", Requirement("numpy>=99"), True), Need("sureshot", Requirement("scipy"), True)]
    said = wrong({"numpy": "1.0", "left-pad": "1.0"}, needed)
    assert any(one.startswith("numpy ") and one.endswith("is installed, and 1.0 is pinned") for one in said)
    assert any(one.startswith("scipy ") and one.endswith("is not pinned") for one in said)
    assert "sureshot needs numpy>=99, and 1.0 is pinned" in said
    assert "left-pad is pinned, and nobody needs it" in said


def test_of_what_is_not_installed_nobody_knows_what_it_needs() -> None:
    assert wrong({"left-pad": "1.0"}, [Need("sureshot", Requirement("not-installed-anywhere"), True)]) == []


@pytest.mark.parametrize(
    "line", ["numpy", "numpy>=2", "numpy==2.4.6 --hash=sha256:0", "numpy @ file:///numpy", "-e .", "a==1\na==2"]
)
def test_nothing_but_a_name_and_a_version_is_pinned(line: str) -> None:
    with pytest.raises(ValueError, match="NAME==VERSION"):
        pins(line)


SPOT = {"id": "PYSEC-1", "fix_versions": ["3.2"], "description": "", "aliases": []}
PINS = {"jinja2": "3.1", "numpy": "2.4"}


def test_what_could_not_be_asked_about_is_not_said_to_be_well() -> None:
    skipped = {"dependencies": [{"name": "numpy", "skip_reason": "not found"}]}
    for report in ({}, skipped):
        spots, unknown = known_weak_spots(report, PINS)
        assert (spots, unknown) == ([], ["jinja2", "numpy"])
        lines, code = told([], spots, unknown, 2)
        assert code == UNKNOWN
        assert "nothing is known of weak spots" in lines[-1]
    some = {"dependencies": [{"name": "Jinja2", "version": "3.1", "vulns": []}, *skipped["dependencies"]]}
    assert told([], *known_weak_spots(some, PINS), 2) == (
        ["constraints.txt agrees with what is installed (2).", "Nothing is known of 1 of 2: numpy."],
        UNKNOWN,
    )


def test_a_weak_spot_is_named_with_the_version_that_has_it_no_more() -> None:
    every = [{"name": "Jinja2", "version": "3.1", "vulns": [SPOT]}, {"name": "numpy", "version": "2.4", "vulns": []}]
    lines, code = told([], *known_weak_spots({"dependencies": every}, PINS), 2)
    assert lines[1:] == ["Known weak spot: Jinja2 3.1 has PYSEC-1: fixed in 3.2."]
    assert code == WRONG
    every[0]["vulns"] = []
    lines, code = told([], *known_weak_spots({"dependencies": every}, PINS), 2)
    assert (lines[1:], code) == (["No weak spot is known of any of the 2."], WELL)
    assert told(["x is pinned, and nobody needs it"], [], [], 2)[1] == WRONG
