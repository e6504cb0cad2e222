"""Decisions case by case on the command line: notes, hints and contexts in every answer."""

import pytest

from tests.cli.commands import call

NEW = "new desk --param treatment=wait,treat --context age=18:90 --context diabetic=bool --objective online --seed 2"
OUTSIDE = "Note: age 12 lies outside 18 to 90, the range that the campaign was made for.\n"


@pytest.fixture
def desk(folder):
    done = call(NEW)
    assert done.code == 0, done.err
    return done


def test_the_hint_says_what_a_case_needs(desk, folder):
    assert desk.out.endswith("Then: sureshot ask --context age=...,diabetic=...\n")
    second = call(f"{NEW.replace('desk', 'other')} --storage sureshot.db")
    assert second.out.endswith("Then: sureshot ask --context age=...,diabetic=... -c other --storage sureshot.db\n")


def test_a_case_outside_its_range_is_decided_with_a_note(desk):
    assert OUTSIDE in call("ask --context age=12,diabetic=true").out
    assert OUTSIDE in call("best --context age=12,diabetic=true").out
    assert OUTSIDE in call("tell --at treatment=wait --context age=12,diabetic=true success").out
    assert OUTSIDE not in call("ask --context age=61,diabetic=true").out
    assert call("ask --context age=12,diabetic=true --json").json()[0]["cautions"] == [OUTSIDE[6:-2]]


def test_the_case_stands_in_every_answer(desk):
    assert "in the case age 61, diabetic True\n" in call("ask --context age=61,diabetic=true").out
    call("tell --at treatment=wait --context age=61,diabetic=true success")
    for line in ("status", "why", "best --context age=61,diabetic=true"):
        assert "in the case age 61, diabetic True" in " ".join(call(line).out.split()), line
    assert "age 61, diabetic True" in call("history").out
    told = call("tell 1 success").out
    assert "in the case age 61, diabetic True: success." in " ".join(told.split())


def test_an_action_by_its_name(desk):
    told = call("tell --at treat --context age=30,diabetic=false success").out
    assert told.startswith("Trial 1, treatment treat in the case age 30, diabetic False: success.")
    done = call("tell --at treet --context age=30,diabetic=false success")
    assert "treatment has no level 'treet': choose one of wait, treat. The nearest is treat." in done.err
    done = call(["tell", "--at", "treat", "--context", "age=30 years,diabetic=false", "success"])
    assert "the case: age must be a number, got '30 years': fix it." in done.err


def test_without_interactions_a_note_says_so(folder):
    done = call(f"{NEW} --no-interactions")
    assert done.err == ""  # no Python warning beside the note
    said = " ".join(done.out.split())
    assert "Note: without interactions every context gets the same best action: use --interactions for" in said
    assert "without interactions" in " ".join(call("status").out.split())


def test_a_value_over_the_cases_seen(folder):
    assert call(f"{NEW} --value seen-contexts").code == 0
    call("tell --at treat --context age=30,diabetic=false success")
    assert "points over the cases seen" in call("ask --context age=61,diabetic=true").out
    assert "points over the cases seen" in " ".join(call("why").out.split())
    (folder / "d.toml").write_text(
        'name = "d"\nvalue = "seen contexts"\n[parameters]\na = ["x", "y"]\n[context]\nage = "1:9"\n'
    )
    assert call("new d.toml").code == 0
    for line, said in (
        (
            "new e --param a=x,y --value seen-contexts",
            "--value 'seen contexts' is for campaigns with contexts: give --context",
        ),
        ("new e --param a=x,y --context age=1:9 --value seen", "choose one of 'same context', 'seen contexts'"),
    ):
        done = call(line)
        assert done.code == 1
        assert said in done.err
