"""A campaign on a server, with the methods of a local one: each is one request, and records once though it is repeated.

If a connection breaks, nobody knows whether the request was carried out. What can be repeated without harm is, once:
asking (under a key, which the log keeps), telling, correcting and withdrawing. What can't is not, and says so.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Any, NoReturn, cast

from sureshot.campaign import Imported, Outcome, Told, Trial, TrialRow
from sureshot.campaign.importing import Blank, Repeated
from sureshot.campaign.log.requests import checked_key
from sureshot.campaign.model.pool import Context
from sureshot.campaign.recording import Recording, refuse_another_outcome
from sureshot.campaign.running import Cases, Ran, run
from sureshot.client.answering import RemoteView, sent_case
from sureshot.client.connection import Answer, Broken
from sureshot.client.records import read_record, sent_cell, sent_table
from sureshot.errors import InvalidInput, OutOfDate, whole_number
from sureshot.storage.fields import name_text
from sureshot.storage.rules import refuse_out_of_date

__all__ = ["RemoteCampaign"]

#: How often a correction is decided again when others change the trial meanwhile.
ATTEMPTS = 20


class RemoteCampaign(RemoteView):
    """A campaign on a server. :class:`~sureshot.client.Client` makes and opens them.

    ``author`` is who records something; where the server has tokens, that is always the name of the token.
    """

    # -- ask

    def ask(
        self,
        context: Context | None = None,
        *,
        author: str | None = None,
        beyond_budget: bool = False,
        key: str | None = None,
    ) -> Trial:
        """The next trial, recorded as handed out."""
        return self.ask_batch(1, context=context, author=author, beyond_budget=beyond_budget, key=key)[0]

    def ask_batch(
        self,
        q: int,
        *,
        context: Context | None = None,
        author: str | None = None,
        beyond_budget: bool = False,
        key: str | None = None,
    ) -> tuple[Trial, ...]:
        """``q`` trials to run at once. The request has a key, your own or a random one, and is repeated once if the
        connection breaks: the trials are handed out once all the same.
        """
        q = whole_number("q", q, of="trials")
        if context is not None:
            self.spec.pool.checked(context)
        body = {"q": q, "context": sent_case(context), "beyond_budget": beyond_budget, "author": author}
        under = _sent_key(key)

        def asked() -> Answer:
            return self._call("POST", "/trials", body, key=under)

        return tuple(read_record(Trial, one) for one in _twice(asked, asked).found["trials"])

    def run(
        self,
        function: Callable[..., Any],
        n: int | None = None,
        *,
        context: Cases | None = None,
        author: str | None = None,
        progress: Ran | None = None,
    ) -> tuple[TrialRow, ...]:
        """Ask, call ``function`` here with the levels, tell what it gives back: ``n`` times, or until the budget is
        used.
        """
        return run(cast(Recording, self), function, n, context=context, author=author, progress=progress)

    # -- tell

    def tell(
        self,
        trial: Trial | int,
        outcome: Outcome,
        *,
        of: int | None = None,
        author: str | None = None,
        note: str | None = None,
    ) -> TrialRow:
        """The outcome of a trial. A second one is a :class:`~sureshot.errors.Conflict`."""
        return self._put_outcome(self._number(trial), self._outcome(outcome, of, author, note), "told")

    def tell_new(
        self,
        alternative: int | str | Mapping[str, object],
        outcome: Outcome,
        *,
        of: int | None = None,
        context: Context | None = None,
        author: str | None = None,
        note: str | None = None,
        key: str | None = None,
    ) -> TrialRow:
        """An experiment that was never asked. The request has a key, as in :meth:`ask_batch`, and is repeated once."""
        levels = alternative if isinstance(alternative, Mapping) else None
        body = {
            "alternative": sent_cell(alternative) if levels is None else sent_case(levels),
            "context": sent_case(context),
            **self._outcome(outcome, of, author, note),
        }
        under = _sent_key(key)

        def recorded() -> Answer:
            return self._call("POST", "/experiments", body, key=under)

        return _row(_twice(recorded, recorded))

    def import_table(
        self,
        table: Any,
        *,
        outcome: str = "outcome",
        of: str | None = None,
        author: str | None = None,
        blank: Blank = "skip",
        repeated: Repeated = "refuse",
    ) -> Imported:
        """Outcomes of many experiments that were never asked, from a file here, a DataFrame, columns or rows; all or
        none.
        """
        rows = sent_table(table)
        body = {"table": rows, "outcome": outcome, "of": of, "author": author, "blank": blank, "repeated": repeated}
        return read_record(Imported, self._call("POST", "/imports", body).found)

    def tell_table(
        self, table: Any, *, outcome: str | None = None, of: str | None = None, author: str | None = None
    ) -> Told:
        """The outcomes of many trials that were asked, by their numbers; all or none."""
        rows = sent_table(table)
        body = {"table": rows, "outcome": outcome, "of": of, "author": author}
        return read_record(Told, self._call("POST", "/outcomes", body).found)

    def correct(
        self,
        trial: Trial | int,
        outcome: Outcome,
        *,
        of: int | None = None,
        author: str | None = None,
        note: str | None = None,
        told_event: int | None = None,
    ) -> TrialRow:
        """Another outcome in place of the one told; what was told stays in the log."""
        number, body = self._number(trial), self._outcome(outcome, of, author, note)
        for _ in range(ATTEMPTS):
            seen = self._get(f"/trials/{number}")
            if told_event is not None:
                refuse_another_outcome(number, _row(seen).told_event, told_event)
            try:
                return self._put_outcome(number, body, "corrected", seen=seen.tag)
            except OutOfDate:
                continue
        raise OutOfDate(f"others changed the trial {ATTEMPTS} times while it was being corrected: try again.")

    def withdraw(self, trial: Trial | int, *, author: str | None = None, note: str | None = None) -> TrialRow:
        """A trial that was not run, or whose outcome must not count."""
        number = self._number(trial)

        def abandoned() -> Answer:
            return self._call("POST", f"/trials/{number}/abandon", {"author": author, "note": note})

        def still() -> Answer:
            found = self._get(f"/trials/{number}")
            return found if found.found["state"] == "withdrawn" else abandoned()

        return _row(_twice(abandoned, still))

    def note(self, text: str, *, trial: Trial | int | None = None, author: str | None = None) -> None:
        """A remark about a trial, or about the campaign. It is not repeated if the connection breaks."""
        about = None if trial is None else self._number(trial)
        self._call("POST", "/notes", {"text": text, "trial": about, "author": author})

    def asked_under(self, key: str) -> NoReturn:
        """Not needed over a network: ``ask`` with the same key gives the trials again, and records nothing."""
        raise _not_here("asked_under()", f"ask again with key={key!r}, which gives the same trials")

    def note_simulated(self, world: str, *, seed: int, author: str | None = None) -> NoReturn:  # noqa: ARG002
        """For demonstrations on the server's own machine."""
        raise _not_here("note_simulated()", "make the simulated campaign where the server is")

    # -- kept

    def rename(self, name: str) -> None:
        """Give it another name."""
        self._called(self._call("PATCH", "", {"name": name_text(name)}).found["name"])

    def archive(self, *, undo: bool = False) -> None:
        """Leave it out of lists until this is undone."""
        self._call("PATCH", "", {"archived": not undo})

    def delete(self, *, expected_last: int | None = None) -> dict[str, Any]:
        """Remove it from the server for ever, and give back the last copy: what :meth:`export` gives."""
        seen = self._get("")
        refuse_out_of_date(f"campaign {self.name!r}", expected_last, seen.found["events"])
        return self._call("DELETE", "", if_match=seen.tag).found  # type: ignore[no-any-return]

    def _outcome(self, outcome: Outcome, of: int | None, author: str | None, note: str | None) -> dict[str, Any]:
        self.spec.words.counts(outcome, of)  # what is no outcome is refused here
        return {"outcome": sent_cell(outcome), "of": sent_cell(of), "author": author, "note": note}

    def _put_outcome(self, number: int, body: dict[str, Any], kind: str, *, seen: str | None = None) -> TrialRow:
        """Told or corrected; if the connection breaks, sent again without the kind, for it may be there already."""

        def put(**more: str) -> Answer:
            return self._call("PUT", f"/trials/{number}/outcome", {**body, **more}, if_match=seen)

        return _row(_twice(lambda: put(kind=kind), put))


def _not_here(what: str, fix: str) -> InvalidInput:
    return InvalidInput(f"{what} is not for a campaign on a server", fix=fix)


def _sent_key(key: str | None) -> str:
    """The key of a request, as a header holds it."""
    under = secrets.token_urlsafe(18) if key is None else checked_key(key)
    if not under.isascii() or under != under.strip():  # a header loses spaces at its ends: it would be another key
        raise InvalidInput(
            "`key` must be plain ASCII without spaces at its ends on its way to a server", got=key, fix="choose another"
        )
    return under


def _twice(first: Callable[[], Answer], again: Callable[[], Answer]) -> Answer:
    """A request, and if the connection breaks, what asks for the same once more."""
    try:
        return first()
    except Broken:
        return again()


def _row(found: Answer) -> TrialRow:
    return read_record(TrialRow, found.found)
