"""A campaign on a server, to look at: all that it answers without recording anything."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from sureshot.campaign import (
    Advice,
    Approximation,
    Campaign,
    Comparison,
    Effects,
    Predictions,
    Recommendation,
    Spec,
    Status,
    Trial,
    TrialRow,
    Why,
)
from sureshot.campaign.answers import flat
from sureshot.campaign.answers.cases import Choices
from sureshot.campaign.answers.events import EventRow
from sureshot.campaign.answers.fit.calibration import Calibration
from sureshot.campaign.answers.handed_out import number_of
from sureshot.campaign.answers.in_brief import InBrief
from sureshot.campaign.answers.order import Order
from sureshot.campaign.answers.recorded import Recorded
from sureshot.campaign.answers.timeline import Moment
from sureshot.campaign.model.pool import Context
from sureshot.campaign.model.prior import belief_from_dict
from sureshot.client.connection import Answer, Connection
from sureshot.client.records import read_choices, read_predictions, read_record, sent_cell, sent_rows, sent_table
from sureshot.errors import InvalidInput, whole_number
from sureshot.files import free_path, write_whole
from sureshot.space.tables.frames import is_other_frame

if TYPE_CHECKING:
    import pandas as pd

    from sureshot.campaign.answers.fit.compare import Progress
    from sureshot.campaign.pictures.plot import Kind
    from sureshot.campaign.view import View
    from sureshot.core import Belief, Mixture
    from sureshot.core.reference.posterior import Progress as Drawn
    from sureshot.viz import Backend, Figure

__all__ = ["RemoteView", "sent_case"]

T = TypeVar("T")


class RemoteView:
    """What a :class:`~sureshot.client.RemoteCampaign` answers, as :class:`~sureshot.campaign.Campaign` does."""

    def __init__(self, connection: Connection, number: int, name: str) -> None:
        self._connection, self.number = connection, number
        self._names = {name}  # that it has had since it was opened
        self._name = name
        self._copy: tuple[int, Campaign] | None = None  # and the last event that it knows

    @property
    def name(self) -> str:
        """Its name on the server."""
        return self._name

    @cached_property
    def spec(self) -> Spec:
        """What it is: alternatives, features, words, objective, prior. It never changes."""
        return Spec.from_dict(self._get("/spec").found)

    @property
    def storage(self) -> NoReturn:
        """Where it is kept is known to the server alone."""
        raise InvalidInput(
            "a campaign on a server has no storage here",
            fix="copy it with local_copy(), or use the server's own methods",
        )

    @property
    def belief(self) -> Belief | Mixture:
        """What is believed about the weights after all outcomes so far."""
        return belief_from_dict(self.posterior()["belief"])

    @property
    def archived(self) -> bool:
        """Whether it is archived now."""
        return self.status().archived_at is not None

    def __repr__(self) -> str:
        return f"RemoteCampaign({self.name!r}, {self._connection.url})"

    def last_event(self) -> int:
        """The number of the last event, of whoever recorded it; 0 if there is none yet."""
        return self.status().events

    def local_copy(self) -> Campaign:
        """The campaign as it stands, in this process's memory: to look at and to try things with. What is recorded in
        it is not recorded on the server.
        """
        last = self.last_event()
        if self._copy is None or self._copy[0] != last or self._copy[1].name != self.name:
            self._copy = last, Campaign.import_export(self.export(), storage=":memory:")
        return self._copy[1]

    def best(self, context: Context | None = None) -> Recommendation:
        """What to choose now (in this context)."""
        return read_record(Recommendation, self._get("/best", context=_case(context)).found)

    def advice(self, context: Context | None = None, *, cost: float | None = None, trials: int | None = None) -> Advice:
        """Whether to go on."""
        return read_record(Advice, self._get("/advice", context=_case(context), cost=cost, trials=trials).found)

    def effects(self, context: Context | None = None) -> Effects:
        """What each parameter does."""
        return read_record(Effects, self._get("/effects", context=_case(context)).found)

    def choices(self, cases: Any) -> Choices:
        """What to choose in each of many cases, as a record."""
        table = sent_table(cases)
        return read_choices(self.spec, self._call("POST", "/choices", {"cases": table}).found, table)

    def best_for(self, cases: Any) -> Any:
        """What to choose in each of many cases, as a frame."""
        return self.choices(cases).to_frame(cases)

    def predictions(
        self,
        rows: Any = None,
        *,
        context: Context | None = None,
        top: int | None = None,
        offset: int = 0,
        by: str | None = None,
        rising: bool | None = None,
        values: bool = True,
    ) -> Predictions:
        """What is believed of alternatives, as a record."""
        Order(offset=offset, top=top)  # what is no part of a list is refused here
        if rows is not None:
            body = {"rows": sent_rows(rows), "context": sent_case(context), "values": bool(values)}
            found = self._call("POST", "/predictions", body).found
            return read_predictions(self.spec, found)
        query = {
            "context": _case(context),
            "by": by,
            "rising": None if rising is None else str(rising).lower(),
            "values": str(values).lower(),
        }
        found = self._whole("/predictions", "predictions", at="offset", start=offset, most=top, **query)
        return read_predictions(self.spec, found, offset=offset)

    def predict(self, rows: Any = None, *, context: Context | None = None) -> Any:
        """What is believed of every alternative (in this context), as a frame."""
        return self.predictions(rows, context=context).to_frame(rows if is_other_frame(rows) else None)

    def why(self, trial: Trial | int | None = None) -> Why:
        """What a trial is for, as it was seen when it was asked; without a number, the last one asked."""
        path = "/why" if trial is None else f"/trials/{self._number(trial)}/why"
        return read_record(Why, self._get(path).found)

    def status(self, *, checked: bool = True) -> Status:
        """How the campaign stands; unless it is ``checked`` whether the model fits, nothing is computed."""
        found = read_record(Status, self._get("", checked=None if checked else "false").found)
        self._called(found.name)
        return found

    def in_brief(self) -> InBrief:
        """How it stands and what we would choose now, in a few lines."""
        return read_record(InBrief, self._get("/brief").found)

    def preview(self, context: Context | None = None) -> Trial:
        """The trial that ``ask`` would hand out now (in this context), with nothing recorded."""
        return read_record(Trial, self._get("/preview", context=_case(context)).found)

    def recorded(self, event: int) -> Recorded:
        """What the event of that number recorded, in a sentence, and the trial that it is about."""
        return read_record(Recorded, self._get(f"/events/{whole_number('event', event)}").found)

    @property
    def simulated(self) -> dict[str, Any] | None:
        """The world that answers, where no lab does."""
        return self.local_copy().simulated

    def trial(self, number: int) -> Trial:
        """A trial that was asked, as ``ask`` gave it."""
        return read_record(Trial, self._get(f"/trials/{self._number(number)}/asked").found)

    def row(self, number: Trial | int) -> TrialRow:
        """A trial as it stands."""
        return read_record(TrialRow, self._get(f"/trials/{self._number(number)}").found)

    def history(self) -> tuple[TrialRow, ...]:
        """All trials in order, one flat row each."""
        return tuple(read_record(TrialRow, one) for one in self._whole("/trials", "trials")["trials"])

    def timeline(self, context: Context | None = None) -> tuple[Moment, ...]:
        """What would have been chosen after each outcome (in this context)."""
        found = self._get("/timeline", context=_case(context)).found
        return tuple(read_record(Moment, one) for one in found["moments"])

    def calibration(self) -> Calibration:
        """What was expected when trials were asked, against what came of them."""
        return read_record(Calibration, self._get("/calibration").found)

    def trials_frame(self) -> pd.DataFrame:
        """All trials, a row each, as a pandas DataFrame."""
        return flat.frame_of(self.spec.pool, flat.trial_columns(self.spec.pool, self.history()))

    def to_frame(self) -> pd.DataFrame:
        """The outcomes that count, a row each, as a pandas DataFrame."""
        return flat.frame_of(self.spec.pool, flat.outcome_columns(self.spec.pool, self.history()))

    def compare(
        self, *others: RemoteView | View, context: Context | None = None, progress: Progress | None = None
    ) -> Comparison:
        """Side by side with others, on this server, another, or here: computed here, on copies."""
        here = [one.local_copy() if isinstance(one, RemoteView) else one for one in others]
        return self.local_copy().compare(*here, context=context, progress=progress)

    def check(
        self, context: Context | None = None, *, draws: int | None = None, progress: Drawn | None = None
    ) -> Approximation:
        """How good the approximation is: computed here, on a copy."""
        return self.local_copy().check(context, draws=draws, progress=progress)

    def rewind(self, to: int) -> Campaign:
        """The campaign as it stood after event ``to``: a copy here, to look at."""
        return self.local_copy().rewind(to)

    def plot(
        self,
        kind: Kind = "chance",
        *,
        x: str | None = None,
        y: str | None = None,
        context: Context | None = None,
        backend: Backend = "plotly",
    ) -> Figure:
        """A picture, drawn here."""
        return self.local_copy().plot(kind, x=x, y=y, context=context, backend=backend)

    def report(
        self, path: str | os.PathLike[str] | None = None, *, context: Context | None = None, force: bool = False
    ) -> Path:
        """All there is to see, on one HTML page that needs nothing else."""
        from sureshot.campaign.pictures.report import file_name

        to = free_path(file_name(self.name, "html") if path is None else path, force=force)
        write_whole(to, self._get("/report", context=_case(context)).text.encode())
        return to

    def posterior(self) -> dict[str, Any]:
        """What is believed now, as JSON: the ``prior`` of another campaign with the same features."""
        return self._get("/posterior").found  # type: ignore[no-any-return]

    def export(self) -> dict[str, Any]:
        """The whole campaign as JSON: its specification and every event, in order."""
        return self._get("/export").found  # type: ignore[no-any-return]

    def events(self, *, before: int | None = None, most: int | None = None) -> tuple[EventRow, ...]:
        """What happened, the newest first: all events, or ``most`` of those with numbers below ``before``."""
        found = self._whole("/happened", "events", at="before", start=before, most=most)
        return tuple(read_record(EventRow, one) for one in found["events"])

    def proved(self) -> str:
        """Have the server read all events again and prove each: a sentence that says so, or an error."""
        return str(self._get("/verify").found["words"])

    def verify(self) -> None:
        """Have the server prove every digest and fold all events again; raises if anything differs."""
        self._get("/verify")

    # -- inside

    def _get(self, path: str, **query: object) -> Answer:
        return self._connection.get(f"/campaigns/{self.number}{path}", **query)

    def _whole(self, path: str, key: str, **query: Any) -> dict[str, Any]:
        return self._connection.whole(f"/campaigns/{self.number}{path}", key, **query)

    def _call(
        self, method: str, path: str, body: object = None, *, if_match: str | None = None, key: str | None = None
    ) -> Answer:
        headers = {"If-Match": if_match, "Idempotency-Key": key}
        return self._connection.call(method, f"/campaigns/{self.number}{path}", body, headers=headers)

    def _called(self, name: str) -> None:
        self._name = name
        self._names.add(name)

    def _number(self, trial: Trial | int) -> int:
        return number_of(trial, self.name, self._names)


def sent_case(context: Context | None) -> Any:
    """A case as it is sent."""
    if not isinstance(context, Mapping):
        return context
    return {str(name): sent_cell(one) for name, one in context.items()}


def _case(context: Context | None) -> str | None:
    return None if context is None else json.dumps(sent_case(context))
