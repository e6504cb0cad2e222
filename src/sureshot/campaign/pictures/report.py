"""The report of a campaign: one page with the sentence that counts first, then tables, pictures and how it was made.

Its words are those of the campaign's answers; here they are only put in order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sureshot._version import __version__
from sureshot.campaign.answers.status import AIMS
from sureshot.campaign.answers.wording import count, in_case, percent, percents, points, when
from sureshot.campaign.pictures.plot import NOTHING, picture
from sureshot.said import Dialect, said
from sureshot.viz import bare, draw
from sureshot.viz.effects import Effects
from sureshot.viz.page import Interval, Page, Part, Table

if TYPE_CHECKING:
    from sureshot.campaign.answers.predictions import Predictions
    from sureshot.campaign.answers.status import Status
    from sureshot.campaign.answers.trial import TrialRow
    from sureshot.campaign.model.pool import Context
    from sureshot.campaign.view import View

__all__ = ["TOP", "file_name", "report_page"]

#: Alternatives in the ranked table.
TOP = 15


def file_name(campaign: str, ending: str, kind: str = "") -> str:
    """A name for a file about a campaign, whatever the campaign is called.

    >>> file_name("nanotubes", "html", "chance"), file_name("a/b: <c>", "html")
    ('nanotubes-chance.html', 'a-b-c.html')
    """
    plain = re.sub(r"[^\w.-]+", "-", campaign).strip("-.") or "campaign"
    return f"{plain}-{kind}.{ending}" if kind else f"{plain}.{ending}"


def report_page(view: View, context: Context | None = None, dialect: Dialect = str) -> Page:
    """The page of a campaign, in a context where it decides in one."""
    stands = view.status()
    parts = [_whole(view, context, dialect)] if context is not None or not view.spec.pool.contextual else []
    case_known = bool(parts)
    best = view.best(context) if case_known else None
    told = stands.told > 0
    if case_known and told:
        parts.append(_ranked(view, context))
    if told:
        parts.append(_pictured(picture(view, "effects", context=context), view.effects(context).sentences))
    if case_known and told:
        parts += [_pictured(picture(view, kind, context=context)) for kind in ("chance", "recommendation")]
    if told:
        parts.append(_pictured(picture(view, "calibration")))
    parts += [_history(view.history()), _made(stands, view)]
    cautions = best.cautions if best is not None else stands.cautions
    lead = NOTHING if not told else f"{best.choice}: {best.sureness}" if best is not None else ""
    view_of = "" if stands.viewed_at is None else f", as it stood after event {stands.viewed_at}"
    return Page(
        title=f"{view.name} - sureshot",
        heading=f"{view.name}{view_of}",
        cautions=tuple(said(one, dialect) for one in cautions),
        lead=lead,
        parts=parts,
    )


def _pictured(seen: Any, text: tuple[str, ...] = ()) -> Part:
    """A picture with its words beside it, where they are read without it too; what ``text`` says is not said again."""
    shown = bare(seen.wordless() if text and isinstance(seen, Effects) else seen)
    return Part(heading=seen.title, text=text, quiet=(seen.note,), figures=(draw(shown, "plotly"),))


def _whole(view: View, context: Context | None, dialect: Dialect) -> Part:
    """What stands below the one sentence: why, whether to go on, how far it is."""
    best = view.best(context)
    words = said(view.advice(context).words, dialect)
    text = [best.not_most_successful, best.seen, words[:1].upper() + words[1:]]
    return Part(text=tuple(one for one in text if one), quiet=(str(view.status()).partition(". Note:")[0] + ".",))


def _ranked(view: View, context: Context | None) -> Part:
    found = view.predictions(context=context, top=TOP)
    names = tuple(f"{name}, {unit}" if unit else name for name, unit in found.units.items())
    every = [found[i] for i in range(len(found))]
    rows: list[tuple[str | Interval, ...]] = []
    for i, one in enumerate(every, start=1):
        sure = f"{percent(one.chance)} ({percents(one.low, one.high)})"
        bar = Interval(chance=one.chance, low=one.low, high=one.high, words=sure)
        value = "" if one.value is None else points(one.value).removesuffix(" points")
        tried = f"{one.successes} of {one.tries}" if one.tries else ""
        rows.append((str(i), *_cells(found, i - 1), sure, bar, value, tried))
    more = found.total - len(every)
    return Part(
        heading="The likeliest to succeed",
        quiet=(f"{count(more, 'other alternative')} not shown.",) if more > 0 else (),
        table=Table(
            columns=("", *names, f"chance of {found.success}", "", "value, points", found.success),
            rows=tuple(rows),
            numbers=(0, len(names) + 1, len(names) + 3, len(names) + 4),
        ),
    )


def _cells(found: Predictions, i: int) -> list[str]:
    from sureshot.space.tables.column import show

    return ["" if one is None else show(one) for one in found[i].levels.values()]


def _history(rows: Sequence[TrialRow]) -> Part:
    listed = []
    for row in rows:
        tried = f"{row.label}{in_case(row.context)}"
        notes = "; ".join((*row.notes, *([f"corrected {count(row.corrections, 'time')}"] if row.corrections else [])))
        listed.append(
            (
                str(row.trial),
                tried,
                "" if row.probability is None else percent(row.probability),
                row.outcome if row.state == "told" and row.outcome else row.state,
                when(row.told_at or row.opened_at),
                row.told_by or row.opened_by or "",
                notes,
            )
        )
    return Part(
        heading="Every trial",
        quiet=() if listed else ("No trials yet.",),
        table=Table(
            columns=("trial", "tried", "expected", "outcome", "when", "who", "notes"),
            rows=tuple(listed),
            numbers=(0, 2),
        )
        if listed
        else None,
    )


def _made(stands: Status, view: View) -> Part:
    parameters = ", ".join(f"{key} {value}" for key, value in stands.policy.items() if key != "name")
    facts = [
        ("alternatives", f"{stands.alternatives:,}"),
        ("parameters", ", ".join(view.spec.pool.space.names)),
        ("model", stands.model),
        ("link", view.spec.link),
        ("prior", view.spec.prior_given),
        ("what counts", AIMS[stands.objective].removeprefix("for ")),
        ("trials chosen by", f"{stands.policy['name']}{f' ({parameters})' if parameters else ''}"),
        ("budget", "open" if stands.budget is None else count(stands.budget, "trial")),
        ("seed", str(stands.seed)),
        ("events", f"{stands.events:,}"),
        ("made", when(stands.created_at)),
        ("sureshot", __version__),
    ]
    if view.spec.pool.contextual:
        facts.insert(2, ("decides in cases of", ", ".join(view.spec.pool.context_names)))
    return Part(heading="How it was made", facts=tuple(facts), quiet=tuple(f"Noted: {one}" for one in stands.notes))
