"""Files to take along: tables as CSV, the campaign as JSON, and a report that opens offline.

In a CSV file, a text that a spreadsheet would run as a formula has an apostrophe before it: notes and names come from
whoever may write here. The JSON file has every text as it is.
"""

from __future__ import annotations

import json

from fastapi import APIRouter, Request
from starlette.responses import Response

from sureshot.campaign.answers.flat import trial_columns
from sureshot.campaign.pictures.report import file_name, report_page
from sureshot.files import csv_text
from sureshot.viz.page import page_html
from sureshot.web.attached import attached
from sureshot.web.pages.look import look_of
from sureshot.web.security.access import Reader
from sureshot.web.words import of_a_made_one

__all__ = ["router"]

router = APIRouter()


@router.get("/c/{number}/alternatives.csv")
def alternatives(request: Request, person: Reader, number: int, to: int | None = None) -> Response:
    """Every alternative with its chance, interval, value, tries."""
    look = look_of(request, to)
    with request.app.state.opened.looking(number) as held:
        found = look.view(held).predictions(context=look.context)
        name = file_name(held.campaign.name, "csv", "alternatives")
    return attached(csv_text({"alternative": found.numbers(), **found.columns()}), name, "text/csv")


@router.get("/c/{number}/trials.csv")
def trials(request: Request, person: Reader, number: int, to: int | None = None) -> Response:
    """Every trial, a row each."""
    with request.app.state.opened.looking(number) as held:
        view = look_of(request, to).view(held)
        columns = trial_columns(view.spec.pool, view.history())
        name = file_name(held.campaign.name, "csv", "trials")
    return attached(csv_text(columns), name, "text/csv")


@router.get("/c/{number}/campaign.json")
def campaign(request: Request, person: Reader, number: int) -> Response:
    """The whole campaign, which another sureshot takes in."""
    with request.app.state.opened.looking(number) as held:
        whole = held.campaign.export()
    text = json.dumps(whole, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    return attached(text, file_name(held.campaign.name, "json"), "application/json")


@router.get("/c/{number}/report.html")
def report(request: Request, person: Reader, number: int, to: int | None = None) -> Response:
    """All there is to see, on one page that needs nothing else."""
    look = look_of(request, to)
    with request.app.state.opened.looking(number) as held:
        made = page_html(report_page(look.view(held), look.context, of_a_made_one))
    return attached(made, file_name(held.campaign.name, "html"), "text/html")
