"""``sureshot plot``, ``sureshot report`` and ``best --plot`` through the command."""

import pytest

from tests.cli.commands import call, fingerprint, sureshot
from tests.viz.reading import Read


def test_a_picture_is_written_beside_and_says_where(made, folder):
    before = fingerprint()
    done = sureshot("plot", cwd=folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "Picture: nanotubes-chance.html\n", "")
    read = Read((folder / "nanotubes-chance.html").read_text())
    assert read.fetched() == []
    assert fingerprint() == before


@pytest.mark.parametrize(
    ("kind", "ending", "head"), [("effects", "png", b"\x89PNG"), ("recommendation", "svg", b"<?xml")]
)
def test_other_pictures_and_files(made, folder, kind, ending, head):
    done = call(f"plot {kind} --to {kind}.{ending} --json")
    assert done.json() == {"file": f"{kind}.{ending}"}
    assert (folder / f"{kind}.{ending}").read_bytes().startswith(head)


def test_two_parameters_by_name(made, folder):
    assert call("plot value --x catalyst --y power --to value.html").code == 0
    assert "catalyst and power" in (folder / "value.html").read_text()
    refused = call("plot --x pover")
    assert refused.code == 1
    assert "Did you mean 'power'?" in refused.err
    assert "unknown picture 'chanse'" in call("plot chanse").err
    assert "--x is for a picture over two parameters" in call("plot effects --x power").err


def test_nothing_is_overwritten_without_force(made, folder):
    (folder / "mine.html").write_text("mine")
    for line in ("plot --to mine.html", "report mine.html", "best --plot mine.html"):
        done = call(line)
        assert done.code == 3
        assert done.err == "Error: 'mine.html' is there already: name another file, or overwrite it with --force.\n"
        assert (folder / "mine.html").read_text() == "mine"
    assert call("plot calibration --to mine.html --force").code == 0
    assert (folder / "mine.html").read_text() != "mine"


def test_best_draws_too(made, folder):
    done = call("best --plot best.png")
    assert done.out.splitlines()[-1] == "Picture: best.png"
    assert (folder / "best.png").read_bytes().startswith(b"\x89PNG")
    assert call("best --plot best.png --force --json").json()["picture"] == "best.png"
    assert "must end in .html" in call("best --plot best.gif").err


def test_a_report(made, folder):
    done = call("report")
    assert (done.code, done.out) == (0, "Report: nanotubes.html\n")
    read = Read((folder / "nanotubes.html").read_text())
    assert read.fetched() == []
    best = call("best").out
    assert " ".join(best.split()).split(":")[0] in read.text
    assert "misread" in read.text  # a note
    assert call("report other.html --json").json() == {"file": "other.html"}
