"""``sureshot new`` without anything: one question after another, each answer checked at once.

A step is a question and what checks its answer. One may go back to the step before; what was typed stays, and is taken
again by pressing Enter.
"""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import typer

from sureshot.campaign.model.options import MIDDLE, option
from sureshot.cli.screen.output import tell
from sureshot.cli.screen.visible import visible
from sureshot.cli.words import pairs, typed
from sureshot.errors import InvalidInput, SureshotError
from sureshot.said import Field, Record

__all__ = ["asked", "asked_again"]

#: What goes back to the question before.
BACK = ("<", "back")
#: Trials that are offered as a budget.
BUDGET = "30"

Said = dict[str, Any]


class _Back(Exception):
    """The person wants the question before."""


class _Step(NamedTuple):
    """One question. ``ask`` is given what was said so far and gives what it adds; ``needed``, whether it is asked."""

    name: str
    ask: Callable[[Said], Said]
    needed: Callable[[Said], bool] = lambda _: True


def asked(given: Mapping[str, Any]) -> Said:
    """Everything, step by step; what was ``given`` by options is not asked."""
    _tell("A new campaign. What is in [brackets] is taken when you press Enter; < goes back to the question before.")
    steps = [step for step in _STEPS if step.name not in given]
    said, at, done = dict(given), 0, list[int]()
    while at < len(steps):
        if not steps[at].needed(said):
            at += 1
            continue
        try:
            said |= steps[at].ask(said)
            done.append(at)
            at += 1
        except _Back:
            if not done:
                _tell("  This is the first question.")
            else:
                at = done.pop()
    return _without_nothing(said)


def asked_again(said: Mapping[str, Any], error: SureshotError, given: Mapping[str, Any]) -> Said:
    """What was said, with the one answer that an error is about asked again; the error itself if none was asked."""
    step = next((one for one in _STEPS if one.name == error.field and one.name not in given), None)
    if step is None:
        raise error
    _tell(f"  {error.said(_as_asked)}")
    while True:
        try:
            return _without_nothing({**said, **step.ask(dict(said))})
        except _Back:
            _tell("  Only this answer is asked again: all others are kept.")


def _without_nothing(said: Mapping[str, Any]) -> Said:
    return {name: value for name, value in said.items() if value is not None}


def _tell(text: str) -> None:
    """A line that fits the terminal."""
    width = shutil.get_terminal_size().columns
    tell(textwrap.fill(visible(text), width, subsequent_indent="  ", break_on_hyphens=False))


def _as_asked(record: Record) -> str:
    """An input by its question; all else as it is typed."""
    if isinstance(record, Field) and record.name in {step.name for step in _STEPS}:
        return f"'{option(record.name).label}'"
    return typed(record)


def _answer(question: str, default: str | None, *, shown: bool = True) -> str:
    offered = f" [{visible(default)}]" if default and shown else ""
    text = str(typer.prompt(question + offered, default=default, show_default=False, err=True)).strip()
    if text.casefold() in BACK:
        raise _Back
    return text


def _until_right(question: str, default: str | None, check: Callable[[str], Any]) -> Any:
    """The answer to a question once it is right; what is wrong is said, and the question asked again."""
    while True:
        text = _answer(question, default)
        try:
            return check(text)
        except SureshotError as error:
            _tell(f"  {error.said(_as_asked)}")


# -- the questions


def _name(said: Said) -> Said:
    def check(text: str) -> str:
        from sureshot.storage.fields import name_text
        from sureshot.storage.rules import name_taken

        name = name_text(text)
        if name in _held(said.get("storage")):
            raise name_taken(name)
        if name.lower().endswith(".toml"):
            raise InvalidInput(f"the name of a campaign must not end like a file, got {name!r}: leave '.toml' out.")
        return name

    return {"name": _until_right(option("name").label, said.get("name", "experiment"), check)}


def _held(storage: str | None) -> set[str]:
    """The names that are taken; none where there is no store yet."""
    from contextlib import closing

    from sureshot.errors import StorageError
    from sureshot.storage import open_storage

    try:
        with closing(open_storage(storage, create=False)) as store:
            return {one.name for one in store.campaigns()}
    except StorageError:
        return set()


def _parameters(said: Said) -> Said:
    from sureshot.space import Space

    _tell("What can be varied? Write power=8,10,12,14 W or flow=10:40:10 or catalyst=Fe,Co")
    texts = [f"{name}={levels}" for name, levels in said.get("parameters", {}).items()]
    for text in texts:
        _tell(f"  {text}  (< takes the last one back)")
    while True:
        question = f"Parameter {len(texts) + 1}" + (" (Enter: no more)" if texts else "")
        try:
            text = _answer(question, "" if texts else None, shown=False)
        except _Back:
            if not texts:
                said.pop("parameters", None)
                raise
            _tell(f"  {texts.pop()} is taken back.")
            continue
        if not text:
            return {"parameters": pairs(texts, "a parameter", levels=True)}
        try:
            Space.grid(pairs([*texts, text], "a parameter", levels=True))
            texts.append(text)
        except SureshotError as error:
            _tell(f"  {error.said(_as_asked)}")


def _success(said: Said) -> Said:
    return _word("success", said, {})


def _failure(said: Said) -> Said:
    return _word("failure", said, {"success": said["success"]})


def _word(name: str, said: Said, other: Mapping[str, str]) -> Said:
    def check(text: str) -> str:
        from sureshot.campaign.model.words import checked_words

        unlike = {"success": "failure", "failure": "success"}[name]
        checked_words(**{unlike: "something else", **other, name: text})
        return text

    one = option(name)
    return {name: _until_right(one.label, said.get(name, one.default), check)}


def _budget(said: Said) -> Said:
    def check(text: str) -> int | None:
        if not text.isdecimal():
            raise InvalidInput(f"a budget must be a whole number of trials, got {text!r}: 0 for an open end.")
        return int(text) or None

    before = str(said["budget"] or 0) if "budget" in said else BUDGET
    return {"budget": _until_right(f"{option('budget').label} (0: open end)", before, check)}


def _may_bend(said: Said) -> Said:
    def check(text: str) -> str | None:
        if text.casefold() in ("y", "yes"):
            return None
        if text.casefold() in ("n", "no"):
            return "straight"
        raise InvalidInput(f"the answer must be yes or no, got {text!r}: yes if you are not sure.")

    before = "no" if said.get("shape") == "straight" else "yes"
    question = f"{MIDDLE} (yes or no)"
    return {"shape": _until_right(question, before, check)}


def _has_a_middle(said: Said) -> bool:
    """Whether there is a number with three levels or more."""
    from sureshot.space import Space

    columns = Space.grid(said["parameters"]).columns
    return any(one.kind == "number" and len(set(one.numbers().tolist())) > 2 for one in columns)


_STEPS = (
    _Step("name", _name),
    _Step("parameters", _parameters),
    _Step("success", _success),
    _Step("failure", _failure),
    _Step("budget", _budget),
    _Step("shape", _may_bend, lambda said: "formula" not in said and _has_a_middle(said)),
)
