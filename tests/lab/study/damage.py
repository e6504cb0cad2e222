"""What may happen to the parts of a study on a disk, by the hundreds: nothing of it is ever read as rows.

python -m tests.lab.study.damage 1500 --seed 1
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from sureshot.errors import SureshotError
from sureshot.lab import PAPER, Contender, Study, load_rows, run_study
from sureshot.lab.study.parts import files_of
from tests.lab.little import COMPARED, Fixed, Little

STUDY = Study(
    "soaked",
    [Little(), Little(d=1)],
    [Contender(Fixed(row), PAPER, label=f"always {row}") for row in range(2)],
    seed=4,
    runs=30,
    budget=8,
)
#: How many of the damages are also put right, by what the error says: one in so many.
RIGHTED = 10

Generator = np.random.Generator


@dataclass
class Found:
    """What came of the damages, by their kinds."""

    refused: Counter[str] = field(default_factory=Counter)  # a clear error that names the file and what to do
    harmless: Counter[str] = field(default_factory=Counter)  # the same rows as before
    wrong: list[str] = field(default_factory=list)  # other rows, and not a word
    broken: list[str] = field(default_factory=list)  # a traceback, or an error that does not say what to do
    righted: int = 0  # the same rows again, once the file was deleted and the study run

    def __str__(self) -> str:
        rows = [f"{kind:24} {self.refused[kind]:5} refused {self.harmless[kind]:5} harmless" for kind in DAMAGES]
        total = sum(self.refused.values()) + sum(self.harmless.values()) + len(self.wrong) + len(self.broken)
        ends = f"{total} damages: {len(self.wrong)} read as other rows, {len(self.broken)} tracebacks"
        return "\n".join([*rows, *self.wrong[:5], *self.broken[:5], ends, f"{self.righted} put right by what was said"])


def soak(count: int, seed: int, folder: Path, make_older: Callable[[Path], None] = lambda _: None) -> Found:
    """Damage the parts of a study in a folder ``count`` times, each time from whole ones, and read them."""
    rng = np.random.default_rng(seed)
    good, other = folder / "good", folder / "other"
    whole = run_study(STUDY, good)[COMPARED]
    run_study(replace(STUDY, seed=5), other)
    for one in (good, other):
        make_older(one)
    found = Found()
    for number in range(count):
        kind = list(DAMAGES)[number % len(DAMAGES)]
        now = folder / "now"
        shutil.copytree(good, now)
        spoilt = DAMAGES[kind](files_of(now / STUDY.name), files_of(other / STUDY.name), rng)
        try:
            rows = load_rows(now / STUDY.name)[COMPARED]
        except SureshotError as error:
            named = [path for path in files_of(now / STUDY.name) if str(path) == error.value]
            if not named or "delete" not in str(error.fix):
                found.broken.append(f"{kind}: {error}")
            else:
                found.refused[kind] += 1
                found.righted += number % RIGHTED == 0 and _righted(now, named[0], whole)
        except Exception as error:
            found.broken.append(f"{kind} of {spoilt}: {error!r}")
        else:
            if rows.equals(whole):
                found.harmless[kind] += 1
            else:
                found.wrong.append(f"{kind} of {spoilt}")
        shutil.rmtree(now)
    return found


def _righted(now: Path, named: Path, whole: pd.DataFrame) -> bool:
    """Do what the errors say until there are none: the rows are those of an undisturbed study."""
    for _ in range(len(files_of(now / STUDY.name))):
        named.unlink()
        try:
            rows = run_study(STUDY, now)[COMPARED]
        except SureshotError as error:
            named = Path(str(error.value))
            continue
        pd.testing.assert_frame_equal(rows, whole, check_exact=True)
        return True
    return False


def as_before(folder: Path) -> None:
    """Write the parts again as versions before did: no digest in the name, no checksums of pages."""
    for path in files_of(folder / STUDY.name):
        table = pq.read_table(path)
        made = table.schema.metadata[b"sureshot"].replace(b', "sealed": true', b"")
        first, last = path.stem.split("-")[1:3]
        pq.write_table(
            table.replace_schema_metadata({b"sureshot": made}),
            path.with_name(f"runs-{first}-{last}.parquet"),
            use_dictionary=["study", "world", "policy", "belief"],
        )
        path.unlink()


def _one(paths: list[Path], rng: Generator) -> Path:
    return paths[rng.integers(len(paths))]


def _two(paths: list[Path], rng: Generator) -> tuple[Path, Path]:
    first, second = rng.choice(len(paths), 2, replace=False)
    return paths[first], paths[second]


def _changed(change: Callable[[bytearray, Generator], object]) -> Callable[..., Path]:
    """A damage within one file."""

    def damage(paths: list[Path], _: list[Path], rng: Generator) -> Path:
        path = _one(paths, rng)
        content = bytearray(path.read_bytes())
        change(content, rng)
        path.write_bytes(content)
        return path

    return damage


def _flip(content: bytearray, rng: Generator, first: int = 0, last: int | None = None) -> None:
    for _ in range(rng.integers(1, 5)):
        content[rng.integers(first, len(content) if last is None else last)] ^= 1 << int(rng.integers(8))


def _cut(content: bytearray, rng: Generator) -> None:
    del content[rng.integers(len(content)) :]


def _end(content: bytearray, rng: Generator) -> None:
    _flip(content, rng, len(content) - 8)


def _footer(content: bytearray, rng: Generator) -> None:
    size = int.from_bytes(content[-8:-4], "little")
    _flip(content, rng, len(content) - 8 - size, len(content) - 8)


def _blocks(content: bytearray, rng: Generator) -> None:
    size = int(rng.choice([16, 64, 512]))
    a, b = (size * int(one) for one in rng.choice(len(content) // size, 2, replace=False))
    content[a : a + size], content[b : b + size] = content[b : b + size], content[a : a + size]


def _zeros(content: bytearray, rng: Generator) -> None:
    at = int(rng.integers(len(content)))
    content[at : at + 512] = bytes(len(content[at : at + 512]))


def _pages(content: bytearray, rng: Generator) -> None:
    """Two columns change places: each page is as it was written."""
    group = pq.read_metadata(pa.BufferReader(bytes(content))).row_group(0)
    at = [i for i in range(group.num_columns) if group.column(i).physical_type == "DOUBLE"]
    a, b = (group.column(int(i)) for i in rng.choice(at, 2, replace=False))
    a, b = sorted((a, b), key=lambda one: one.data_page_offset)
    (x, m), (y, n) = ((one.dictionary_page_offset or one.data_page_offset, one.total_compressed_size) for one in (a, b))
    content[x : y + n] = content[y : y + n] + content[x + m : y] + content[x : x + m]


def _swapped(paths: list[Path], _: list[Path], rng: Generator) -> Path:
    """Two parts change places, each under the other's name."""
    one, two = _two(paths, rng)
    aside = one.with_name("aside")
    one.rename(aside)
    two.rename(one)
    aside.rename(two)
    return one


def _moved(paths: list[Path], _: list[Path], rng: Generator) -> Path:
    """A part, with its name, into the folder of another policy or world."""
    one, two = _two(paths, rng)
    shutil.move(one, two.parent / one.name)
    return one


def _strange(paths: list[Path], others: list[Path], rng: Generator) -> Path:
    """The part of another study under the name of the one that stood there."""
    one = _one(paths, rng)
    shutil.copy(next(other for other in others if other.parts[-4:-1] == one.parts[-4:-1]), one)
    return one


def _stranger(paths: list[Path], others: list[Path], rng: Generator) -> Path:
    """The part of another study with its name, instead of one that stood there or beside it."""
    one = _one(paths, rng)
    runs = one.name[:16]
    other = next(path for path in others if path.parts[-4:-1] == one.parts[-4:-1] and path.name.startswith(runs))
    if other.name == one.name or rng.random() < 0.5:
        one.unlink()
    shutil.copy(other, one.parent)
    return one


def _renamed(paths: list[Path], _: list[Path], rng: Generator) -> Path:
    """A part under a name that speaks of other runs, or of no digest."""
    one = _one(paths, rng)
    first, last, *rest = one.stem.removeprefix("runs-").split("-")
    stem = f"runs-{first}-{last}" if rest and rng.random() < 0.5 else "-".join(["runs-00026-00050", *rest])
    one.rename(one.with_name(f"{stem}.parquet"))
    return one


def _copied(paths: list[Path], _: list[Path], rng: Generator) -> Path:
    one = _one(paths, rng)
    shutil.copy(one, one.with_name(f"{one.stem} (copy).parquet"))
    return one


def _foreign(paths: list[Path], _: list[Path], rng: Generator) -> Path:
    """Something else that is Parquet."""
    one = _one(paths, rng)
    pq.write_table(pa.table({"run": rng.integers(9, size=5)}), one)
    return one


DAMAGES: dict[str, Callable[[list[Path], list[Path], Generator], Path]] = {
    "bytes flipped": _changed(_flip),
    "cut off": _changed(_cut),
    "empty": _changed(lambda content, _: content.clear()),
    "longer": _changed(lambda content, rng: content.extend(rng.bytes(64))),
    "first bytes": _changed(lambda content, rng: _flip(content, rng, 0, 8)),
    "last bytes": _changed(_end),
    "footer": _changed(_footer),
    "a block of zeros": _changed(_zeros),
    "blocks swapped": _changed(_blocks),
    "pages swapped": _changed(_pages),
    "parts swapped": _swapped,
    "part in another place": _moved,
    "another study's bytes": _strange,
    "another study's part": _stranger,
    "renamed": _renamed,
    "copied by hand": _copied,
    "not of a study": _foreign,
}


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("count", type=int)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--as-before", action="store_true", help="parts as versions before wrote them")
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as made:
        print(soak(given.count, given.seed, Path(made), *([as_before] if given.as_before else [])))  # noqa: T201
