"""The tree and the page that shows it, in step."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src" / "sureshot"
FOLDERS = sorted(path.parent for path in SOURCES.rglob("__init__.py") if path.parent != SOURCES)
#: Folders that a page about the whole need not explain: compiled twins are named once for all.
INNER = ("compiled", "migrations", "versions", "real")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda p: p.relative_to(SOURCES).as_posix())
def test_the_page_names_every_folder(folder: Path) -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    name = folder.relative_to(SOURCES).as_posix()
    assert folder.name in INNER or f"`{name}`" in page


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda p: p.relative_to(SOURCES).as_posix())
def test_no_folder_holds_more_than_a_person_can_look_over(folder: Path) -> None:
    files = [path for path in folder.glob("*.py") if path.name != "__init__.py"]
    assert len(files) <= 20


def test_a_test_that_has_the_name_of_a_module_stands_where_the_module_does() -> None:
    astray = []
    for test in (ROOT / "tests").rglob("test_*.py"):
        place = test.parent.relative_to(ROOT / "tests")
        modules = (SOURCES / place.parts[0]).rglob(f"{test.stem.removeprefix('test_')}.py") if place.parts else ()
        homes = {Path(*(part for part in m.parent.relative_to(SOURCES).parts if part != "compiled")) for m in modules}
        if homes and place not in homes:
            astray.append(test.relative_to(ROOT).as_posix())
    assert astray == []
