"""The outcomes of trials that were handed out, from one table: a plate that comes back from the bench.

A row names its trial by number. Rows without an outcome are passed over, and so are outcomes that were told already:
the same file can be told again when more of it is filled in. All other rows are recorded, or none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sureshot.campaign.answers.flat import own_name
from sureshot.campaign.answers.wording import count
from sureshot.campaign.document import Document
from sureshot.campaign.importing import is_blank
from sureshot.campaign.log.ledger import Entry, Ledger
from sureshot.campaign.model.pool import Pool
from sureshot.campaign.model.spec import Spec
from sureshot.errors import Conflict, InvalidInput, SureshotError
from sureshot.files import guarded_cell
from sureshot.said import Call, Text
from sureshot.space.tables.names import meant
from sureshot.space.tables.read import cells_in
from sureshot.space.tables.table import Cells
from sureshot.storage import NewEvent, told

__all__ = ["Told", "told_back"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Told(Document):
    """What came of a table of trials."""

    trials: tuple[int, ...]  # whose outcomes were recorded
    blank: int  # rows without an outcome, passed over
    already: int  # rows whose outcome was told before, passed over

    @property
    def recorded(self) -> int:
        """How many outcomes were recorded."""
        return len(self.trials)

    @property
    def words(self) -> str:
        """What was recorded and what was not, in a sentence."""
        parts = [f"{count(self.recorded, 'outcome')} recorded"]
        if self.already:
            parts.append(f"{count(self.already, 'row')} told already")
        if self.blank:
            parts.append(f"{count(self.blank, 'row')} without an outcome passed over")
        return f"{'; '.join(parts)}."

    def __str__(self) -> str:
        return self.words


def told_back(
    spec: Spec, ledger: Ledger, data: Any, *, outcome: str | None, of: str | None, author: str | None
) -> tuple[Told, list[NewEvent]]:
    """What a person should know about a table of trials, and the events that record it."""
    pool = spec.pool
    given = cells_in(data)
    columns, said = _columns(pool, given, outcome, of)
    blank, already, where = 0, 0, dict[int, str]()
    events: list[NewEvent] = []
    for i in range(len(columns["outcome"])):
        cell, tries = columns["outcome"][i], columns["of"][i] if "of" in columns else None
        if is_blank(cell):
            blank += 1
            continue
        place = given.place(i)
        try:
            entry = ledger.entry(_number(columns["trial"][i]))
            if entry.trial in where:
                raise InvalidInput(
                    f"a trial must have one outcome, got trial {entry.trial} in {where[entry.trial]} too",
                    fix="keep one of the two",
                )
            where[entry.trial] = place
            _refuse_other(pool, entry, {name: cells[i] for name, cells in said.items() if not is_blank(cells[i])})
            won, total = spec.words.counts(cell, None if is_blank(tries) else tries)
            if (entry.successes, entry.of, entry.state) == (won, total, "told"):
                already += 1
                continue
            _refuse_told(spec, entry, won, total)
        except SureshotError as error:
            raise error.at(place) from error
        events.append(told(entry.trial, won, of=total, author=author))
    return Told(trials=tuple(event.trial or 0 for event in events), blank=blank, already=already), events


def _columns(
    pool: Pool, given: Cells, outcome: str | None, of: str | None
) -> tuple[dict[str, list[object]], dict[str, list[object]]]:
    """The cells of the columns that there are: ``trial``, ``outcome`` and ``of``; and all that say what was tried."""
    own = {"trial": own_name(pool, "trial"), "outcome": outcome or own_name(pool, "outcome")}
    own["of"] = of or own_name(pool, "of")
    tried = [*pool.tried_names, *pool.context_names]
    headers = [meant(name, [*own.values(), *tried]) for name in given.names]
    what = given.file or "the table"
    needed = {"trial", "outcome", *(["of"] if of else [])}
    for key, name in (*own.items(), *zip(tried, tried, strict=True)):
        if headers.count(name) > 1:
            raise InvalidInput(
                f"columns must have different names, got {name!r} twice in {what}", fix="rename or remove one"
            )
        if name not in headers and name == own.get(key) and key in needed:
            fix = "add it, or call yours so"
            if key == "trial":
                fix = Text("add it; experiments that were never asked are for ", Call("import_table"))
            raise InvalidInput(f"{what} must have a column {name!r}, got {', '.join(given.names)}", fix=fix)
    found = {name: given.column(headers.index(name)) for name in (*own.values(), *tried) if name in headers}
    return (
        {key: found[name] for key, name in own.items() if name in found},
        {name: found[name] for name in tried if name in found},
    )


def _number(cell: object) -> int:
    """The number of a trial as a table holds it."""
    try:
        number = float(str(cell).strip().removeprefix("#"))
        if number.is_integer():
            return int(number)
    except ValueError:
        pass
    if is_blank(cell):
        fix = Text("add it, or record an experiment that was never asked with ", Call("import_table"))
        raise InvalidInput("a row with an outcome must have the number of its trial, got none", fix=fix)
    raise InvalidInput("a trial must be the number that ", Call("ask"), " gave", field="trial", got=cell, fix="fix it")


def _refuse_other(pool: Pool, entry: Entry, said: Mapping[str, object]) -> None:
    """Refuse a row that says something else than its trial tried: rows were sorted apart, or something else was tried.
    A row need not say all of it, and may say it as in a file that was guarded against spreadsheets.
    """
    own = pool.levels(entry)
    recorded = {**own, **(entry.context or {})}
    said = {
        name: recorded[name] if name in recorded and cell == guarded_cell(recorded[name]) else cell
        for name, cell in said.items()
    }
    row, others = pool.located({**own, **{name: said[name] for name in pool.tried_names if name in said}})
    same = row == entry.alternative and (row is not None or others == own)
    case = {name: said[name] for name in pool.context_names if name in said}
    if not same or (case and pool.checked({**(entry.context or {}), **case}) != entry.context):
        got = ", ".join(f"{name} {cell}" for name, cell in said.items())
        raise InvalidInput(
            f"a row must say what its trial tried, got {got} for trial {entry.trial}, which is {pool.label(entry)}",
            fix=Text("fix the row; if something else was tried, record that with ", Call("tell_new")),
        )


def _refuse_told(spec: Spec, entry: Entry, won: int, total: int) -> None:
    """Refuse another outcome than the one told, and any for a trial that was withdrawn."""
    if entry.state == "withdrawn":
        fix = Text(
            "leave its outcome blank, or record it as an experiment that was never asked with ", Call("tell_new")
        )
        raise Conflict(f"trial {entry.trial} was withdrawn, so it can't be told", field="trial", fix=fix)
    if entry.state == "told" and entry.successes is not None and entry.of is not None:
        before, now = spec.words.name(entry.successes, entry.of), spec.words.name(won, total)
        by = ", ".join(one for one in (entry.told_by and f"by {entry.told_by}", f"event {entry.outcome}") if one)
        fix = Text("if that was wrong, correct it with ", Call("correct", entry.trial), "; if not, fix the row")
        raise Conflict(
            f"trial {entry.trial} already has the outcome {before} ({by}), and this row says {now}",
            field="trial",
            fix=fix,
        )
