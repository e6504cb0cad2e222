"""Compute the statements that are asked for, draw their pictures, and write the page."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sureshot.errors import InvalidInput, unknown_name
from sureshot.files import write_whole
from sureshot.lab.report.escaped import in_link
from sureshot.lab.report.markdown import writing
from sureshot.lab.study.processes import how_many
from sureshot.lab.theory.bound import bound
from sureshot.lab.theory.calibration import calibration
from sureshot.lab.theory.computing import Computing
from sureshot.lab.theory.drawing import kept
from sureshot.lab.theory.estimate import estimate
from sureshot.lab.theory.lookahead import lookahead
from sureshot.lab.theory.page import page
from sureshot.lab.theory.repeats import repeats
from sureshot.lab.theory.ridge import ridge
from sureshot.lab.theory.settling import settling
from sureshot.lab.theory.statement import Finding, Section
from sureshot.lab.theory.visits import visits
from sureshot.said import Setting

__all__ = ["PAGE", "RUNS", "STATEMENTS", "Shown", "show_theory"]

#: The groups of statements, in the order of the page.
STATEMENTS: dict[str, Callable[[Computing], Section]] = {
    "calibration": calibration,
    "lookahead": lookahead,
    "repeats": repeats,
    "visits": visits,
    "settling": settling,
    "estimate": estimate,
    "ridge": ridge,
    "bound": bound,
}
RUNS = 1500
#: The name of the page beside the pictures, if it is put nowhere else.
PAGE = "theory.md"


@dataclass(frozen=True)
class Shown:
    """What was made: files, and the statements with their verdicts."""

    files: tuple[Path, ...]
    findings: tuple[Finding, ...]


def show_theory(
    statements: Sequence[str] = tuple(STATEMENTS),
    *,
    runs: int = RUNS,
    seed: int = 1,
    out: Path = Path("theory"),
    page_to: Path | None = None,
    rows_in: Path | None = None,
    processes: int | None = 1,
    command: str = "sureshot lab theory",
    progress: Callable[[int, int], None] | None = None,
) -> Shown:
    """Measure what the paper states, draw it into ``out`` (PNG) and write the page of statements.

    :param statements: some of :data:`STATEMENTS`.
    :param runs: runs behind Lemma 1; random states are a fifth of them, long runs a tenth.
    :param page_to: the file of the page; ``theory.md`` in ``out`` if not given.
    :param rows_in: the folder that keeps what is finished, so that what was stopped goes on; ``rows`` in ``out`` if not
        given.
    :param command: what the page says made it.
    :param progress: called with the finished and the total number of cases, of one study or measurement after the
    other.
    """
    for one in statements:
        if one not in STATEMENTS:
            raise unknown_name("statement", one, tuple(STATEMENTS))
    if isinstance(runs, bool) or not isinstance(runs, int) or runs < 2:
        raise InvalidInput(
            "`runs` must be a whole number of 2 or more, since intervals need runs", got=Setting("runs", runs)
        )
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise InvalidInput("`seed` must be a whole number of at least 0", got=Setting("seed", seed))
    written = page_to or out / PAGE
    how = Computing(runs, seed, rows_in or out / "rows", how_many(processes), progress)
    sections = [make(how) for name, make in STATEMENTS.items() if name in statements]
    files: list[Path] = []
    pictures: dict[str, str] = {}
    for section in sections:
        for name, (_, figure) in section.pictures.items():
            path = out / f"{name}.png"
            with writing(path):
                write_whole(path, kept(figure))
                files.append(path)
            pictures[name] = in_link(Path(os.path.relpath(path, written.parent)).as_posix())
    with writing(written):
        text = page(sections, pictures=pictures, command=command, seed=seed, runs=runs)
        write_whole(written, text.encode())
    return Shown((*files, written), tuple(one for section in sections for one in section.findings))
