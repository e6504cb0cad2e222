"""The whole of it with few runs: files, and a page that says what was found."""

from __future__ import annotations

import re

import pytest

from sureshot.cli.screen.output import document
from sureshot.errors import InvalidInput, StorageError
from sureshot.lab.theory import calibration, estimate, long, making, settling, visits
from sureshot.lab.theory.making import STATEMENTS, show_theory
from sureshot.lab.worlds import get_world

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """All statements, the page in another folder than the pictures."""
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patched:
        for module in (long, visits, settling, estimate):
            patched.setattr(module, "TRIALS", 50)
        patched.setattr(calibration, "TRIALS", 3)
        patched.setattr(calibration, "calibration_world", lambda: get_world("synthetic", d=2, M=8))
        told: list[tuple[int, int]] = []
        given = {
            "runs": 4,
            "seed": 3,
            "page_to": folder / "docs" / "theory.md",
            "rows_in": folder / "rows",
            "command": "sureshot lab theory --runs 4 --seed 3",
            "progress": lambda *words: told.append(words),
        }
        done = show_theory(out=folder / "docs" / "pictures", **given)
        some = ["calibration", "visits", "ridge"]
        again = show_theory(some, out=folder / "again", **given | {"page_to": folder / "again" / "theory.md"})
    return folder, done, told, again


def test_every_picture_is_a_png_and_on_the_page(made):
    folder, done, _, _ = made
    page = (folder / "docs" / "theory.md").read_text(encoding="utf-8")
    linked = re.findall(r"\(([^()\s]+\.png)\)", page)
    assert len(linked) == 9
    for one in linked:
        content = (folder / "docs" / one).read_bytes()
        assert content.startswith(PNG)
        assert len(content) < 100_000
    assert {path.name for path in done.files} == {*(one.split("/")[-1] for one in linked), "theory.md"}


def test_every_statement_stands_on_the_page_with_its_verdict(made):
    folder, done, _, _ = made
    page = (folder / "docs" / "theory.md").read_text(encoding="utf-8")
    assert len(done.findings) > 60
    for one in done.findings:
        assert f"| {one.where} | {one.says} | {one.measured} | **{one.verdict}** |" in page


def test_the_page_says_what_made_it(made):
    folder, _, _, _ = made
    page = (folder / "docs" / "theory.md").read_text(encoding="utf-8")
    assert "$ sureshot lab theory --runs 4 --seed 3" in page
    assert re.search(r"^Seed 3; 4 runs of Lemma 1, 2 random states", page, flags=re.MULTILINE)
    assert str(folder) not in page
    assert not re.search(r"\bnan\b", page)
    assert max(map(len, (line for line in page.split("\n") if not line.startswith(("|", "!", "*"))))) <= 120


def test_again_is_the_same_to_the_last_byte(made):
    folder, done, _, again = made
    assert set(again.findings) < set(done.findings)
    assert len(again.findings) > 20
    for name in ("calibration", "visits", "ridge"):
        before = folder / "docs" / "pictures" / f"{name}.png"
        assert (folder / "again" / f"{name}.png").read_bytes() == before.read_bytes()


def test_progress_tells_of_the_work_and_goes_on_from_what_is_kept(made):
    _, _, told, _ = made
    assert told[0] == (0, 32)  # four beliefs, two policies, four runs
    assert all(0 <= done <= total for done, total in told)
    assert told.count((0, 32)) == 1  # the second time nothing was left to do
    assert told.count((32, 32)) == 2


def test_a_statement_alone(tmp_path):
    done = show_theory(["ridge"], runs=5, out=tmp_path / "out")
    assert {path.name for path in done.files} == {"ridge.png", "theory.md"}
    assert {one.where for one in done.findings} == {"after the MLE theorem"}


def test_a_finding_as_json_holds_it(made):
    _, done, _, _ = made
    one = document(done.findings[0])
    assert set(one) == {"where", "says", "measured", "verdict", "found"}
    assert one["found"]["low"] <= one["found"]["value"] <= one["found"]["high"]


@pytest.mark.parametrize(
    ("given", "match"),
    [
        ({"statements": ["ridges"]}, "(?s)statement.*'ridges'.*ridge"),
        ({"runs": 1}, "`runs` must be a whole number of 2 or more"),
        ({"runs": True}, "`runs` must be a whole number of 2 or more"),
        ({"runs": 2.5}, "`runs` must be a whole number of 2 or more"),
        ({"seed": -1}, "`seed` must be a whole number of at least 0"),
        ({"processes": 0}, "processes"),
    ],
)
def test_bad_input_is_refused_and_nothing_is_made(tmp_path, given, match):
    with pytest.raises((InvalidInput, LookupError), match=match):
        show_theory(**{"statements": ["ridge"], "runs": 2} | given, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_place_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="can't be written"):
        show_theory(["ridge"], runs=2, out=tmp_path / "file", rows_in=tmp_path / "rows")


def test_the_registry_is_in_the_help():
    from sureshot.cli.lab import theory as command

    (first, *_) = command.theory.__annotations__.values()
    assert all(name in str(first) for name in STATEMENTS)
    assert making.RUNS == 1500
