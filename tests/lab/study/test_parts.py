"""What keeps the rows of a study: parts that are checked, from today and from before; what damage.py does not tell."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sureshot.errors import StorageError
from sureshot.lab import PAPER, Study, contenders, load_rows, run_study
from sureshot.lab.study import parts
from sureshot.lab.study.parts import files_of, parts_of, read_parts
from sureshot.lab.study.sealed import sealed_name, write_sealed
from sureshot.space.tables.limits import TableLimits
from tests.lab.little import COMPARED, Little
from tests.lab.study.damage import as_before

BEFORE = Path(__file__).with_name("assets") / "before"
STUDY = Study("small", [Little()], contenders(["random", "thompson"], [PAPER]), seed=4, runs=4, budget=3)


def same(left: pd.DataFrame, right: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(left[COMPARED], right[COMPARED], check_exact=True)


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    run_study(STUDY, tmp_path)
    return tmp_path / "small"


def written_anew(path: Path, change: Callable[[pa.Table], pa.Table]) -> Path:
    """A part with other rows, sealed as if it had been written so."""
    content = pa.BufferOutputStream()
    pq.write_table(change(pq.read_table(path)), content)
    sealed = content.getvalue().to_pybytes()
    made = path.with_name(sealed_name(path.stem[:16], ".parquet", sealed))
    made.write_bytes(sealed)
    return made


def test_a_folder_from_before_opens() -> None:
    rows = load_rows(BEFORE)
    assert rows.groupby("policy")["outcome"].sum().to_dict() == {"kg": 4, "random": 1}
    assert rows["found_best"].sum() == 6.0
    assert [part.path.name for part in parts_of(BEFORE)] == ["runs-00001-00002.parquet"] * 2


def test_a_study_from_before_goes_on_beside_new_parts(tmp_path: Path) -> None:
    run_study(STUDY, tmp_path)
    as_before(tmp_path / "small" / "..")
    more = replace(STUDY, runs=7)
    same(run_study(more, tmp_path), run_study(more))
    assert len(files_of(tmp_path / "small")) == 4
    same(load_rows(tmp_path / "small"), run_study(more))


def test_pages_carry_checksums_for_other_tools(kept: Path) -> None:
    """Without a digest in its name, a part that is read as any other Parquet file still shows a changed number."""
    path = files_of(kept)[0]
    content = bytearray(path.read_bytes())
    column = pq.read_metadata(path).row_group(0).column(8)
    content[column.data_page_offset + column.total_compressed_size - 1] ^= 1
    path.write_bytes(content)
    with pytest.raises(OSError, match="could not verify page integrity"):
        pq.read_table(path, page_checksum_verification=True)


def overlapping(kept: Path, change: Callable[[pa.Table], pa.Table]) -> tuple[Path, Path]:
    """Parts of runs 1 to 4 and of runs 3 and 4, as two processes could leave them."""
    one = files_of(kept)[0]

    def later(table: pa.Table) -> pa.Table:
        made = table.schema.metadata[b"sureshot"].replace(b'"first": 1', b'"first": 3')
        return change(table.slice(6)).replace_schema_metadata({b"sureshot": made})

    made = written_anew(one, later)
    return one, made.rename(made.with_name(made.name.replace("00001", "00003")))


def test_runs_that_were_played_twice_count_once(kept: Path) -> None:
    rows = load_rows(kept)
    slower = overlapping(
        kept, lambda table: table.set_column(16, "seconds", pa.array([9.0] * table.num_rows, pa.float64()))
    )
    assert len(files_of(kept)) == 3
    pd.testing.assert_frame_equal(load_rows(kept), rows)
    same(run_study(STUDY, kept.parent), rows)
    slower[0].unlink()
    assert run_study(STUDY, kept.parent)["seconds"].eq(9.0).sum() == 6


def test_runs_that_were_played_twice_must_agree(kept: Path) -> None:
    one, other = overlapping(
        kept, lambda table: table.set_column(8, "oc", pa.array([0.5] * table.num_rows, pa.float64()))
    )
    with pytest.raises(StorageError) as caught:
        load_rows(kept)
    assert str(caught.value) == (
        f"{other} and {one} hold different rows of the same runs: "
        "delete both and run the study again, which plays those runs again."
    )


def test_a_part_whose_rows_are_not_those_that_it_speaks_of(kept: Path) -> None:
    one = files_of(kept)[0]
    written_anew(one, lambda table: table.slice(3))
    one.unlink()
    with pytest.raises(StorageError, match="does not hold the rows of runs 1 to 4, as it says: delete that file"):
        load_rows(kept)


def test_a_part_that_speaks_of_more_runs_than_any_memory_holds(kept: Path) -> None:
    path = files_of(kept)[0]
    table = pq.read_table(path)
    said = json.loads(table.schema.metadata[b"sureshot"]) | {"last": 10**12}
    content = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata({b"sureshot": json.dumps(said).encode()}), content)
    path.unlink()
    write_sealed(path.parent, f"runs-00001-{10**12}", ".parquet", content.getvalue().to_pybytes())
    with pytest.raises(StorageError, match="does not hold the rows of runs 1 to 1000000000000, as it says: delete"):
        load_rows(kept)


def test_a_part_that_unpacks_to_very_much_is_refused_before_it_is_read(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "LIMITS", TableLimits(unpacked_bytes=100))
    with pytest.raises(StorageError, match=r"more than a part of a study holds .*100 bytes, got .*: delete that file"):
        load_rows(kept)


def test_a_part_of_another_study_is_named(kept: Path, tmp_path: Path) -> None:
    run_study(replace(STUDY, seed=5), tmp_path / "other")
    strange = files_of(tmp_path / "other" / "small")[1]
    moved = Path(shutil.copy(strange, files_of(kept)[1].parent))
    for read in (lambda: load_rows(kept), lambda: run_study(STUDY, kept.parent)):
        with pytest.raises(
            StorageError, match=r"is of another study than .* \(seed was 4, now 5\): put it back"
        ) as caught:
            read()
        assert caught.value.value == str(moved)


def test_a_part_that_is_deleted_while_parts_are_listed_is_not_there(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = kept / "a" / "b" / "c" / "runs-00001-00025.parquet"
    monkeypatch.setattr("sureshot.lab.study.parts.files_of", lambda folder: [gone, *files_of(folder)])
    assert len(parts_of(kept)) == 2


def test_what_can_not_be_read_is_told(kept: Path) -> None:
    path = files_of(kept)[0]
    part = parts_of(kept)[0]
    path.unlink()
    with pytest.raises(StorageError, match=r"can't be read \(No such file or directory\)"):
        read_parts([part])
    path.mkdir()
    with pytest.raises(StorageError, match=r"can't be read \(Is a directory\): delete that file"):
        load_rows(kept)
