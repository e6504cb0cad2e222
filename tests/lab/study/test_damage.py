from __future__ import annotations

from pathlib import Path

from tests.lab.study.damage import DAMAGES, as_before, soak


def test_no_damage_to_a_part_is_read_as_rows(tmp_path: Path) -> None:
    found = soak(3 * len(DAMAGES), 11, tmp_path)
    assert (found.wrong, found.broken) == ([], []), found
    assert sum(found.refused.values()) + sum(found.harmless.values()) == 3 * len(DAMAGES)
    assert sum(found.harmless.values()) <= 3  # a part that was put where it stood
    assert found.righted >= 5


def test_no_damage_to_a_part_from_before_ends_in_a_traceback(tmp_path: Path) -> None:
    """Numbers that changed are not to be known there: nothing was kept to know them by."""
    found = soak(2 * len(DAMAGES), 12, tmp_path, as_before)
    assert found.broken == [], found
    assert len(found.wrong) <= 1
