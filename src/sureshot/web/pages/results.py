"""Results: cautions first, then what we would choose and when to stop, then the alternatives, then pictures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from fastapi import APIRouter, Request
from starlette.responses import Response

from sureshot.campaign import Campaign, Prediction
from sureshot.campaign.answers.inputs import case_inputs, wrong_in_case
from sureshot.campaign.answers.predictions import answer_names
from sureshot.campaign.answers.wording import INTERVAL, POINT, percent, percents
from sureshot.campaign.pictures.field import axes_of
from sureshot.demo import reveal as revealed
from sureshot.demo.kept import world_of
from sureshot.errors import SureshotError
from sureshot.space.tables.column import show as shown
from sureshot.viz.page import Interval
from sureshot.web.opened import Held
from sureshot.web.pages.look import CASE, Look, address, look_of
from sureshot.web.pages.page import render
from sureshot.web.pages.pictures import PLOTLY
from sureshot.web.refusals import status_of
from sureshot.web.security.access import Reader
from sureshot.web.words import on_the_page

__all__ = ["ROWS", "router"]

router = APIRouter()

#: Alternatives on one page of the table.
ROWS = 25
#: In their order on the page.
PICTURES = ("effects", "field", "recommendation", "calibration")


@dataclass(frozen=True, slots=True)
class Head:
    """A column of the table."""

    words: str
    link: str  # sorts by it, or turns the order round
    sort: Literal["ascending", "descending", "none"]
    number: bool = True


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the table."""

    one: Prediction
    levels: tuple[str, ...]
    bar: Interval
    truth: float | None


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address asks for, beside what is looked at."""

    by: str | None
    order: Literal["rising", "falling"] | None
    page: int
    x: str | None
    y: str | None
    measure: Literal["chance", "value"]
    reveal: bool

    def query(self, look: Look, **changed: object) -> dict[str, object]:
        """All of it for an address, with changes."""
        own: dict[str, object] = {
            "by": self.by,
            "order": self.order,
            "page": self.page if self.page > 1 else None,
            "x": self.x,
            "y": self.y,
            "measure": None if self.measure == "chance" else self.measure,
            "reveal": self.reveal,
        }
        return {**look.query, **own, **changed}


@router.get("/c/{number}/results")
def results(
    request: Request,
    person: Reader,
    number: int,
    to: int | None = None,
    by: str | None = None,
    order: Literal["rising", "falling"] | None = None,
    page: int = 1,
    x: str | None = None,
    y: str | None = None,
    measure: Literal["chance", "value"] = "chance",
    reveal: bool = False,
) -> Response:
    """The page; where it takes long to work out, that it does."""
    opened = request.app.state.opened
    look, asked = look_of(request, to), Asked(by, order, max(page, 1), x or None, y or None, measure, reveal)
    line = opened.summary(number)
    found = opened.soon(line, ("results", look, asked), lambda held: _worked_out(held, look, asked))
    if found is None:
        return render(request, "results_later.html", line=line, tab="results", again=request.url)
    wrong, data = found
    status = 200 if wrong is None else status_of(wrong)
    return render(
        request, "results.html", status_code=status, line=line, tab="results", look=look, plotly=PLOTLY, **data
    )


def _worked_out(held: Held, look: Look, asked: Asked) -> tuple[SureshotError | None, dict[str, Any]]:
    """All that the page says, and what is wrong with the case."""
    view, number = look.view(held), held.number
    pool, path = view.spec.pool, f"/c/{number}/results"
    wrong: SureshotError | None = None
    if look.case:
        try:
            pool.checked(look.context)
        except SureshotError as error:
            wrong = error
    wrong_at = {} if wrong is None else wrong_in_case(pool, dict(look.case))
    told = look.answer(held, "status", view.status)
    data: dict[str, Any] = {
        "effects": None,
        "calibration": None,
        "pictures": dict.fromkeys(PICTURES),
        "stands": told,
        "explained": f"{INTERVAL} {POINT}",
        "wrong": None if wrong is None or wrong_at else wrong.said(on_the_page),
        "cases": case_inputs(pool) if pool.contextual else (),
        "typed": {f"{CASE}{name}": value for name, value in look.case},
        "wrong_at": {name: one.said(on_the_page) for name, one in wrong_at.items()},
        "now": address(path, **asked.query(Look(None, look.case))),
        "best": None,
        "files": {name: address(f"/c/{number}/{name}", **look.query) for name in ("alternatives.csv", "report.html")},
    }
    known = wrong is None and (bool(look.case) or not pool.contextual)
    if known:
        data |= _known(held, look, view, asked, path)
    if told.told and wrong is None:
        data["effects"] = look.answer(held, "effects", lambda: view.effects(look.context))
        data["calibration"] = look.answer(held, "calibration", view.calibration)
        clearest = [one.parameter for one in sorted(data["effects"], key=lambda one: -abs(one.gain))]
        data["pictures"] |= _pictures(view, look, asked, f"/c/{number}/pictures", clearest if known else None)
    return wrong, data


def _known(held: Held, look: Look, view: Campaign, asked: Asked, path: str) -> dict[str, Any]:
    """What is answered in a case, or without cases."""
    context = look.context
    best = look.answer(held, "best", lambda: view.best(context))
    found: dict[str, Any] = {"best": best, "advice": look.answer(held, "advice", lambda: view.advice(context))}
    world = world_of(view)
    found["simulated"] = world is not None
    found["revealing"] = address(path, **asked.query(look, reveal=not asked.reveal))
    found["truth"] = None
    if world is not None and asked.reveal and best.known != "nothing":
        found["truth"] = look.answer(held, "truth", lambda: revealed(world, view))
    if best.known == "nothing":
        return found
    rising = None if asked.order is None else asked.order == "rising"
    pages = -(-len(view.spec.pool.space) // ROWS)
    at = min(asked.page, pages)
    ranked = look.answer(
        held,
        ("alternatives", asked.by, rising, at),
        lambda: view.predictions(context=context, top=ROWS, offset=(at - 1) * ROWS, by=asked.by, rising=rising),
    )
    rows = [ranked[i] for i in range(len(ranked))]
    lines = [
        Line(
            one,
            tuple("" if level is None else shown(level) for level in one.levels.values()),
            Interval(
                chance=one.chance,
                low=one.low,
                high=one.high,
                words=f"{percent(one.chance)} ({percents(one.low, one.high)})",
            ),
            None if world is None or not found["truth"] or one.alternative is None else world.chance(one.alternative),
        )
        for one in rows
    ]
    found |= {
        "ranked": ranked,
        "lines": lines,
        "heads": _heads(view, look, asked, path),
        "page": at,
        "pages": pages,
        "turn": {
            name: address(path, **asked.query(look, page=to if to > 1 else None)) + "#alternatives"
            for name, to in (("first", 1), ("before", at - 1), ("after", at + 1), ("last", pages))
        },
    }
    return found


def _heads(view: Campaign, look: Look, asked: Asked, path: str) -> dict[str, Head]:
    """The columns: parameters by their names, answers by what they answer. Each links to the page sorted by it."""
    space = view.spec.pool.space
    called = answer_names(space)
    now = asked.by or called["chance"]

    def head(by: str, words: str, *, rises: bool, number: bool = True) -> Head:
        here = by == now
        rising = rises if asked.order is None or not here else asked.order == "rising"
        turned = rising if not here else not rising
        link = address(path, **asked.query(look, by=by, order="rising" if turned else "falling", page=None))
        return Head(
            words, f"{link}#alternatives", ("ascending" if rising else "descending") if here else "none", number
        )

    found = {"chance": head(called["chance"], "chance", rises=False)}
    found |= {
        f"level.{one.name}": head(
            one.name, f"{one.name}, {one.unit}" if one.unit else one.name, rises=True, number=one.kind == "number"
        )
        for one in space.columns
    }
    found["value"] = head(called["value"], "value, points", rises=False)
    found["tries"] = head(called["tries"], "tried", rises=False)
    return found


def _pictures(view: Campaign, look: Look, asked: Asked, path: str, clearest: list[str] | None) -> dict[str, Any]:
    """Where each picture is; ``clearest`` are the parameters with the largest effects first, None without a case."""
    kinds = ("effects", "calibration") if clearest is None else ("effects", "recommendation", "calibration")
    found: dict[str, Any] = {
        kind: {end: address(f"{path}/{kind}.{end}", **look.query) for end in ("json", "png")} for kind in kinds
    }
    if clearest is not None:
        names = [one.name for one in axes_of(view.spec, clearest, asked.x, asked.y)]
        over = dict(zip(("x", "y"), names, strict=False))
        found["field"] = {
            **{end: address(f"{path}/{asked.measure}.{end}", **look.query, **over) for end in ("json", "png")},
            "over": names,
            "names": list(view.spec.pool.space.names),
            "measure": asked.measure,
            "hidden": [
                (name, value)
                for name, value in asked.query(look, x=None, y=None, measure=None).items()
                if value not in (None, "", False)
            ],
        }
    return found
