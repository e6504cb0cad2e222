"""A campaign on a server, with the methods of a local one: each is one request, and records once though it is repeated.

If a connection breaks, nobody knows whether the request was carried out. So each has a key, which the log keeps, and
is sent again until there is an answer. Tables have none: sent again, their rows are found to be recorded already. What
says how the campaign is to be (its name, archived, deleted) needs none: said twice, it is so all the same.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from time import monotonic, sleep
from typing import Any, NoReturn, cast

from sureshot.campaign import Imported, Outcome, Told, Trial, TrialRow
from sureshot.campaign.importing import Blank, Repeated
from sureshot.campaign.log.requests import checked_key
from sureshot.campaign.model.pool import Context
from sureshot.campaign.recording import Recording
from sureshot.campaign.running import Cases, Ran, run
from sureshot.client.answering import RemoteView, sent_case
from sureshot.client.connection import Answer, Broken
from sureshot.client.records import read_record, sent_cell, sent_table
from sureshot.errors import InvalidInput, OutOfDate, UnknownName, whole_number
from sureshot.said import Record, Setting
from sureshot.storage.fields import name_text
from sureshot.storage.rules import refuse_out_of_date

__all__ = ["RemoteCampaign"]

#: How often a correction is decided again when others change the trial meanwhile.
ATTEMPTS = 20
#: Seconds that a server which stopped before it answered is waited for, and between two looks whether it is there.
PATIENCE, PAUSE = 20.0, 0.2


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
        """``q`` trials to run at once. The request has a key, your own or a random one, and is repeated if the
        connection breaks: the trials are handed out once all the same.
        """
        q = whole_number("q", q, of="trials")
        if context is not None:
            self.spec.pool.checked(context)
        body = {"q": q, "context": sent_case(context), "beyond_budget": beyond_budget, "author": author}
        return tuple(read_record(Trial, one) for one in self._once("POST", "/trials", body, key).found["trials"])

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
        key: str | None = None,
    ) -> TrialRow:
        """The outcome of a trial. A second one is a :class:`~sureshot.errors.Conflict`. The request has a key, as in
        :meth:`ask_batch`, and is repeated if need be.
        """
        return self._put_outcome(self._number(trial), self._outcome(outcome, of, author, note), "told", key=key)

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
        """An experiment that was never asked. The request has a key, as in :meth:`ask_batch`."""
        levels = alternative if isinstance(alternative, Mapping) else None
        body = {
            "alternative": sent_cell(alternative) if levels is None else sent_case(levels),
            "context": sent_case(context),
            **self._outcome(outcome, of, author, note),
        }
        return _row(self._once("POST", "/experiments", body, key))

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
        none. If the answer is lost, nothing is sent again: the error says how to find out.
        """
        rows = sent_table(table)
        body = {"table": rows, "outcome": outcome, "of": of, "author": author, "blank": blank, "repeated": repeated}
        safe = "refuse" if repeated == "record" else repeated
        with _finding_out(
            "import it once more with ", Setting("repeated", safe), ": no row is recorded twice by that."
        ):
            return read_record(Imported, self._call("POST", "/imports", body).found)

    def tell_table(
        self, table: Any, *, outcome: str | None = None, of: str | None = None, author: str | None = None
    ) -> Told:
        """The outcomes of many trials that were asked, by their numbers; all or none. If the answer is lost, tell it
        once more: what is recorded is passed over.
        """
        rows = sent_table(table)
        body = {"table": rows, "outcome": outcome, "of": of, "author": author}
        with _finding_out("tell it once more: what is recorded already is passed over."):
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
        key: str | None = None,
    ) -> TrialRow:
        """Another outcome in place of the one told; what was told stays in the log. The request has a key, as in
        :meth:`ask_batch`, and is repeated if need be.
        """
        number, body = self._number(trial), self._outcome(outcome, of, author, note)
        if told_event is not None:  # the server looks whether it is recorded under the key, and then at this
            return self._put_outcome(number, {**body, "told_event": told_event}, "corrected", key=key)
        for _ in range(ATTEMPTS):
            seen = self._get(f"/trials/{number}")
            try:
                return self._put_outcome(number, body, "corrected", key=key, seen=seen.tag)
            except OutOfDate:
                continue
        raise OutOfDate(f"others changed the trial {ATTEMPTS} times while it was being corrected: try again.")

    def withdraw(
        self, trial: Trial | int, *, author: str | None = None, note: str | None = None, key: str | None = None
    ) -> TrialRow:
        """A trial that was not run, or whose outcome must not count. The request has a key, as above."""
        body = {"author": author, "note": note}
        return _row(self._once("POST", f"/trials/{self._number(trial)}/abandon", body, key))

    def note(
        self, text: str, *, trial: Trial | int | None = None, author: str | None = None, key: str | None = None
    ) -> None:
        """A remark about a trial, or about the campaign. The request has a key, as above."""
        about = None if trial is None else self._number(trial)
        self._once("POST", "/notes", {"text": text, "trial": about, "author": author}, key)

    def recorded_under(self, key: str) -> NoReturn:
        """Not needed over a network: a call with the same key records nothing more, and gives what it gave."""
        raise _not_here("recorded_under()", f"call again with key={key!r}, which records nothing more")

    def note_simulated(self, world: str, *, seed: int, author: str | None = None) -> NoReturn:  # noqa: ARG002
        """For demonstrations on the server's own machine."""
        raise _not_here("note_simulated()", "make the simulated campaign where the server is")

    # -- kept

    def rename(self, name: str) -> None:
        """Give it another name."""
        body = {"name": name_text(name)}
        self._called(_answered(lambda: self._call("PATCH", "", body)).found["name"])

    def archive(self, *, undo: bool = False) -> None:
        """Leave it out of lists until this is undone."""
        _answered(lambda: self._call("PATCH", "", {"archived": not undo}))

    def delete(self, *, expected_last: int | None = None) -> dict[str, Any]:
        """Remove it from the server for ever, and give back the last copy: what :meth:`export` gives.

        The copy is fetched first, and nothing is deleted that is not in it. If a connection breaks, the request is sent
        again; if the server stays away, the copy is in the error, a :class:`~sureshot.client.Broken`, as its ``copy``.
        """
        seen = self._get("")
        refuse_out_of_date(f"campaign {self.name!r}", expected_last, seen.found["events"])
        copy = self.export()
        lost = False

        def send() -> Answer:
            nonlocal lost
            try:
                return self._call("DELETE", "", if_match=seen.tag)
            except Broken:
                lost = True
                raise

        try:
            _answered(send)
        except Broken as error:
            error.copy = copy
            raise
        except UnknownName:
            if not lost:  # somebody else deleted it
                raise
        return copy

    def _outcome(self, outcome: Outcome, of: int | None, author: str | None, note: str | None) -> dict[str, Any]:
        self.spec.words.counts(outcome, of)  # what is no outcome is refused here
        return {"outcome": sent_cell(outcome), "of": sent_cell(of), "author": author, "note": note}

    def _put_outcome(
        self, number: int, body: dict[str, Any], kind: str, *, key: str | None, seen: str | None = None
    ) -> TrialRow:
        return _row(self._once("PUT", f"/trials/{number}/outcome", {**body, "kind": kind}, key, if_match=seen))

    def _once(
        self, method: str, path: str, body: dict[str, Any], key: str | None, *, if_match: str | None = None
    ) -> Answer:
        """A request that records something, under a key; sent again if the connection breaks, it is recorded once."""
        under = _sent_key(key)
        again = (" Or repeat it with ", Setting("key", under), ": then it is recorded once.")
        return _answered(lambda: self._call(method, path, body, key=under, if_match=if_match), *again)


def _answered(send: Callable[[], Answer], *otherwise: str | Record) -> Answer:
    """What the server answers to a request that may be sent again: it is, while no answer comes and there is patience.
    The error says what to do ``otherwise``.
    """
    until = 0.0
    while True:
        try:
            return send()
        except Broken as error:
            if not error.sent and not until:
                raise
            until = until or monotonic() + PATIENCE
            if monotonic() > until:
                raise Broken(error.sentence, *otherwise) from error
        sleep(PAUSE)


@contextmanager
def _finding_out(*how: str | Record) -> Iterator[None]:
    """If the answer from within is lost, say how to find out whether it is recorded."""
    try:
        yield
    except Broken as error:
        if not error.sent:
            raise
        raise Broken(error.sentence, " Or ", *how) from error


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


def _row(found: Answer) -> TrialRow:
    return read_record(TrialRow, found.found)
