from __future__ import annotations

import json
from functools import partial

import numpy as np
import pytest

from sureshot.errors import Conflict, InvalidInput, StorageError
from sureshot.lab.play.run import stream
from sureshot.lab.study.alone import alone_in
from sureshot.lab.theory.kept import PORTION, computed

CASES = PORTION + 7


def drawn(seen, scale, first, last):
    """A number for each case, of its own stream; leaves a line in the file ``seen``."""
    with open(seen, "a", encoding="utf-8") as file:
        file.write(f"{first}-{last}\n")
    values = np.array([scale * stream(1, "case", one).random() for one in range(first, last + 1)])
    return {"value": values, "both": np.column_stack([values, np.full_like(values, np.inf)])}


def test_what_is_kept_is_not_computed_again(tmp_path):
    told = []
    first = computed(
        "drawn",
        partial(drawn, str(tmp_path / "seen"), 2.0),
        CASES,
        folder=tmp_path,
        processes=1,
        progress=lambda *a: told.append(a),
    )
    assert (tmp_path / "seen").read_text() == f"1-{PORTION}\n{PORTION + 1}-{CASES}\n"
    assert told == [(0, CASES), (PORTION, CASES), (CASES, CASES)]
    again = computed("drawn", partial(drawn, str(tmp_path / "seen"), 2.0), CASES, folder=tmp_path, processes=1)
    assert len((tmp_path / "seen").read_text().splitlines()) == 2
    for key, values in first.items():
        np.testing.assert_array_equal(values, again[key])
    assert first["both"].shape == (CASES, 2)
    np.testing.assert_array_equal(first["value"], [2.0 * stream(1, "case", i + 1).random() for i in range(CASES)])


def test_what_was_stopped_goes_on(tmp_path):
    whole = computed("drawn", partial(drawn, str(tmp_path / "seen"), 1.0), CASES, folder=tmp_path, processes=1)
    kept_in(tmp_path)[0].unlink()
    (tmp_path / "seen").unlink()
    again = computed("drawn", partial(drawn, str(tmp_path / "seen"), 1.0), CASES, folder=tmp_path, processes=1)
    assert (tmp_path / "seen").read_text() == f"1-{PORTION}\n"
    np.testing.assert_array_equal(again["value"], whole["value"])


def test_what_another_work_made_is_computed_again(tmp_path):
    one = computed("drawn", partial(drawn, str(tmp_path / "seen"), 1.0), 3, folder=tmp_path, processes=1)
    other = computed("drawn", partial(drawn, str(tmp_path / "seen"), 3.0), 3, folder=tmp_path, processes=1)
    np.testing.assert_allclose(other["value"], 3.0 * one["value"], rtol=1e-15)


def kept_in(folder):
    return sorted((folder / "drawn").glob("cases-*.json"))


@pytest.mark.parametrize("content", ["", "{", "[]", json.dumps({"made_by": "me", "columns": {}})])
@pytest.mark.parametrize("before", [True, False])
def test_a_broken_file_is_computed_again(tmp_path, content, before):
    one = computed("drawn", partial(drawn, str(tmp_path / "seen"), 1.0), 3, folder=tmp_path, processes=1)
    (path,) = kept_in(tmp_path)
    if before:
        path = path.rename(path.with_name("cases-00001-00003.json"))  # as versions before called it
    path.write_text(content)
    again = computed("drawn", partial(drawn, str(tmp_path / "seen"), 1.0), 3, folder=tmp_path, processes=1)
    np.testing.assert_array_equal(again["value"], one["value"])
    assert len(kept_in(tmp_path)) == 1


def test_a_number_that_was_changed_is_computed_again(tmp_path):
    one = computed("drawn", partial(drawn, str(tmp_path / "seen"), 1.0), 3, folder=tmp_path, processes=1)
    (path,) = kept_in(tmp_path)
    text = path.read_text()
    at = text.index("0.") + 2
    path.write_text(text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1 :])
    again = computed("drawn", partial(drawn, str(tmp_path / "seen"), 1.0), 3, folder=tmp_path, processes=1)
    np.testing.assert_array_equal(again["value"], one["value"])
    assert kept_in(tmp_path) == [path]
    assert path.read_text() == text


def test_what_versions_before_kept_is_not_computed_again(tmp_path):
    one = computed("drawn", partial(drawn, str(tmp_path / "seen"), 1.0), 3, folder=tmp_path, processes=1)
    (path,) = kept_in(tmp_path)
    path.rename(path.with_name("cases-00001-00003.json"))
    again = computed("drawn", partial(drawn, str(tmp_path / "seen"), 1.0), 3, folder=tmp_path, processes=1)
    np.testing.assert_array_equal(again["value"], one["value"])
    assert (tmp_path / "seen").read_text() == "1-3\n"


def test_one_process_at_a_time_and_what_a_kill_left_is_cleared_away(tmp_path):
    (tmp_path / "drawn").mkdir()
    (tmp_path / "drawn" / ".sureshot-x1").write_text("")
    work = partial(drawn, str(tmp_path / "seen"), 1.0)
    with alone_in(tmp_path / "drawn"), pytest.raises(Conflict, match=r"one process at a time may compute .*drawn, and"):
        computed("drawn", work, 3, folder=tmp_path, processes=1)
    computed("drawn", work, 3, folder=tmp_path, processes=1)
    assert sorted(path.name[:5] for path in (tmp_path / "drawn").iterdir()) == [".lock", "cases"]


def test_two_processes_find_the_same(tmp_path):
    one = computed("drawn", partial(drawn, str(tmp_path / "seen"), 1.0), CASES, folder=tmp_path / "one", processes=1)
    two = computed("drawn", partial(drawn, str(tmp_path / "seen"), 1.0), CASES, folder=tmp_path / "two", processes=2)
    np.testing.assert_array_equal(one["value"], two["value"])


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="can't be made"):
        computed("drawn", partial(drawn, str(tmp_path / "seen"), 1.0), 3, folder=tmp_path / "file", processes=1)


def test_processes_are_checked(tmp_path):
    with pytest.raises(InvalidInput, match="processes"):
        computed("drawn", partial(drawn, str(tmp_path / "seen"), 1.0), 3, folder=tmp_path, processes=0)
