"""``sureshot compare`` and ``check``: a model beside others, and what it shows beside what is exact."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from sureshot.campaign.answers.wording import noted, percent, percents, times
from sureshot.cli import completing
from sureshot.cli.options import Answer, Context, Json, Store, on_campaign
from sureshot.cli.screen.output import console, progress, say
from sureshot.cli.words import pairs

if TYPE_CHECKING:
    from sureshot.campaign import Against, Approximation, Campaign, Compared, Comparison, Forecast

__all__ = ["check", "compare"]

#: Up to this many outcomes are predicted in a moment; with more, the screen shows how far it is.
_MANY = 50


def compare(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="CAMPAIGN CAMPAIGN...", help="Two campaigns or more.", autocompletion=completing.campaigns
        ),
    ],
    context: Context = None,
    storage: Store = None,
    as_json: Json = False,
) -> None:
    """Which model the outcomes speak for, how well each predicted them, and what each would choose."""
    from sureshot.campaign import Campaign
    from sureshot.storage import open_storage

    with closing(open_storage(storage, create=False)) as store:
        first, *others = [Campaign.open(name, store) for name in names]
        case = pairs(context, "--context") if context else None
        found = first.compare(*others, context=case, progress=_progress if sys.stderr.isatty() else None)
    say(found, lambda: _show(found), as_json=as_json)


def _progress(name: str, done: int, of: int) -> None:
    if of > _MANY:
        progress(f"{name}: outcome {done:,} of {of:,}", done == of)


def _show(found: Comparison) -> None:
    """A column for each campaign, then the sentence."""
    from rich.table import Table

    screen = console()
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("", style="dim", no_wrap=True)
    for one in found.campaigns:
        table.add_column(one.name, overflow="fold")
    for title, cells in _lines(found):
        table.add_row(title, *cells)
    screen.print(table)
    screen.print(found.words, style="bold" if found.comparable else "yellow")
    if found.share is not None:
        score, brier = _scores(found.share)
        of = f" of {found.campaigns[0].name}" if not found.comparable else ""
        screen.print(f"The share of successes so far{of}, and nothing else, predicts with {score}, Brier {brier}.")


def _lines(found: Comparison) -> list[tuple[str, list[str]]]:
    every = found.campaigns
    lines = [
        ("model", [one.model for one in every]),
        ("prior", [one.prior for one in every]),
        ("link", [one.link for one in every]),
        ("policy", [one.policy for one in every]),
        ("outcomes", [f"{one.outcomes:,}" for one in every]),
    ]
    lines = [line for line in lines if line[0] not in ("link", "policy") or len(set(line[1])) > 1]
    if any(one.log_evidence is not None for one in every):
        lines.append(("evidence", [_evidence(one, every) for one in every]))
    scored = [one.forecast for one in every]
    if any(scored):
        lines += [
            ("log score", [_scores(one)[0] for one in scored]),
            ("Brier score", [_scores(one)[1] for one in scored]),
            ("expected, came", [_calibration(one) for one in scored]),
        ]
    lines.append(("would choose", [one.chosen for one in every]))
    return lines


def _evidence(one: Compared, every: tuple[Compared, ...]) -> str:
    if one.log_evidence is None or one.likelier is None:
        return ""
    last = min(every, key=lambda row: row.log_evidence or 0.0)
    beside = "" if one is last else f", {times(one.likelier)} likelier than {last.name}"
    return f"{one.log_evidence:.2f}{beside}"


def _scores(found: Forecast | None) -> tuple[str, str]:
    return ("", "") if found is None else (f"{found.log_score:.3f}", f"{found.brier:.3f}")


def _calibration(found: Forecast | None) -> str:
    return "" if found is None else f"{percent(found.predicted)}, {percent(found.observed)}"


@on_campaign
def check(
    found: Campaign,
    context: Context = None,
    draws: Annotated[
        int | None,
        typer.Option("--draws", metavar="N", help="How many draws of the exact posterior; 32,000 if not said."),
    ] = None,
) -> Answer:
    """How good the approximation is: the chances and intervals shown beside exact ones, which are drawn for this."""
    from sureshot.cli.quick import load_numba

    load_numba()
    case = pairs(context, "--context") if context else None
    answer = found.check(case, draws=draws, progress=_drawn if sys.stderr.isatty() else None)
    return answer, lambda: _show_check(answer)


def _drawn(done: int, of: int) -> None:
    if of > 1:
        progress(f"shape or strength {done} of {of}", done == of)


def _show_check(found: Approximation) -> None:
    """What is shown and what is exact in two lines for each alternative, then the sentences."""
    from rich.table import Table

    screen = console()
    named = [("recommended", found.recommended), ("exactly the best", found.better), ("off by most", found.worst)]
    rows = [(title, one) for title, one in named if one is not None]
    if rows:
        table = Table(box=None, pad_edge=False, header_style="bold")
        table.add_column("", style="dim", no_wrap=True)
        for title in ("shown", "exact"):
            table.add_column(title, no_wrap=True)
        table.add_column("alternative", overflow="fold")
        for title, one in rows:
            table.add_row(title, *_cells(one))
        screen.print(table)
    screen.print(found.words, style="bold" if found.verdict in ("good", "nothing to check") else "yellow")
    if found.draws:
        by = " and ".join(found.samplers)
        screen.print(f"{found.draws:,} draws by {by}; R-hat {found.r_hat:.2f}.{noted(found.notes)}", style="dim")


def _cells(one: Against) -> tuple[str, str, str]:
    shown = f"{percent(one.chance)} ({percents(*one.interval)})"
    exact = f"{percent(one.exact)} ({percents(*one.exact_interval)})"
    return shown, exact, one.label
