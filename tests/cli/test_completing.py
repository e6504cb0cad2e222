"""What the shell offers on Tab, by its own protocol; and that asking for it changes nothing."""

import pytest

from tests.cli.commands import call, fingerprint, sureshot


def offered(line, folder, **more):
    """What bash is offered for the last word of the line."""
    words = line.split(" ")
    place = str(len(words))
    typed = f"sureshot {line}"
    done = sureshot(cwd=folder, _SURESHOT_COMPLETE="complete_bash", COMP_WORDS=typed, COMP_CWORD=place, **more)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split("\n")[:-1] if done.stdout.strip() else []


def test_campaigns_trials_and_words_are_offered(made):
    call("new second --param p=1,2")
    before = fingerprint()
    here = made.parent
    assert offered("ask -c ", here) == ["nanotubes", "second"]
    assert offered("ask --campaign se", here) == ["second"]
    assert offered("compare nanotubes s", here) == ["second"]
    assert offered("tell -c nanotubes ", here) == ["2", "4", "3", "1"]  # the one that is pending first
    assert offered("why ", here, SURESHOT_CAMPAIGN="nanotubes")[0] == "2"
    assert offered("withdraw -c nanotubes ", here)[0] == "2"
    assert offered("correct -c nanotubes ", here) == ["4", "3", "1", "2"]  # the pending one has none to correct
    assert offered("tell -c nanotubes 2 ", here) == ["single-walled", "double-walled"]
    assert offered("tell -c nanotubes --at power=8 s", here) == ["single-walled"]
    assert offered("correct -c nanotubes 1 d", here) == ["double-walled"]
    assert offered("new third --from na", here) == ["nanotubes"]
    assert fingerprint() == before


def test_words_with_spaces_are_offered_as_bash_must_have_them(folder):
    call(["new", "first try", "--param", "p=1,2", "--success", "black phase", "--failure", "yellow"])
    call("ask")
    assert offered("ask -c f", folder) == [r"first\ try"]
    assert offered("tell 1 b", folder) == [r"black\ phase"]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("new x --policy thom", ["thompson"]),
        ("new x --shape c", ["curved"]),
        ("new x --objective ", ["offline", "online"]),
        ("new x --link p", ["probit"]),
    ],
)
def test_choices_are_offered(folder, line, found):
    assert offered(line, folder) == found


def test_where_there_is_no_store_nothing_is_offered_and_none_is_made(folder):
    for line in ("ask -c ", "tell ", "tell 1 ", "correct "):
        assert offered(line, folder) == []
    assert list(folder.iterdir()) == []
    (folder / "sureshot.db").write_text("not a database")
    assert offered("ask -c ", folder) == []
