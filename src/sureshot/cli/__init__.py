"""The command line: parse, call, show. Nothing is computed here."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sureshot.cli.screen.streams import streams

__all__ = ["CONFLICT", "OK", "REFUSED", "STOPPED", "UNPRINTED", "USAGE", "Stopped", "main"]

OK = 0
REFUSED = 1  # the input was understood and refused: an unknown trial, an outcome "maybe", a store that can't be opened
USAGE = 2  # no such command or option
CONFLICT = 3  # it contradicts what is recorded: a second outcome, a name that is taken
UNPRINTED = 4  # it is done, but what it says can't be written: the disk behind standard output is full
STOPPED = 130  # Ctrl-C

#: Objects made before Python looks for garbage: more than loading the libraries makes, which is 230,000 for ``ask`` and
#: 290,000 for a picture. To look through them all takes as long as a tenth of ``ask``, and finds nothing.
GARBAGE = 500_000


class Stopped(Exception):
    """A command was stopped, and says itself what is kept and how to go on."""


def main(arguments: Sequence[str] | None = None) -> None:
    """The ``sureshot`` command. An error that sureshot raises on purpose is one line, not a traceback.

    To be terminated is to be stopped, as by Ctrl-C: a study keeps what is finished and ends its processes. What
    joblib's threads have to say of that, perhaps after the study is let go, is said better here.
    """
    if arguments is not None:
        with _signals():
            sys.exit(_shown(list(arguments)))
    gc.set_threshold(GARBAGE)  # of a process of our own
    code = STOPPED

    def leave(*_: object) -> None:
        os._exit(code)

    with _signals(after=leave):
        try:
            code = _shown(sys.argv[1:])
            sys.exit(code)
        finally:
            gc.freeze()  # what is left goes with the process


@contextmanager
def _signals(*, after: Callable[..., None] | None = None) -> Iterator[None]:
    """SIGTERM is as Ctrl-C while the command runs. A process of our own has said all then: what comes ``after`` ends it
    at once.
    """
    if threading.current_thread() is not threading.main_thread():  # where Python lets nobody listen to signals
        yield
        return
    before = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if before[signal.SIGINT] is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler if after is None or handler is signal.SIG_IGN else after)


def _shown(arguments: list[str]) -> int:
    """The command, its answer written as far as it can be; its exit code."""
    try:
        with streams() as (out, _):
            code = _run(arguments)
    except KeyboardInterrupt:  # while its last words are written
        return STOPPED
    if code != OK or out.failed is None:
        return code
    with streams():
        return _say(
            f"Error: what this command says can't be written ({out.failed}), but it is done: what it records is "
            "recorded. Don't run it again, look with sureshot history.",
            UNPRINTED,
            None,
        )


def _run(arguments: list[str]) -> int:
    as_json = "--json" in arguments
    try:
        return _done(arguments, as_json=as_json)
    except KeyboardInterrupt:
        return _stopped("nothing more was recorded.", as_json=as_json)
    except RuntimeError as error:
        if not isinstance(error.__cause__, KeyboardInterrupt):  # which Python 3.11 wraps while a class is made
            raise
        return _stopped("nothing more was recorded.", as_json=as_json)


def _stopped(words: str, *, as_json: bool) -> int:
    if threading.current_thread() is threading.main_thread():
        for one in (signal.SIGINT, signal.SIGTERM):  # who presses Ctrl-C twice is still told
            signal.signal(one, signal.SIG_IGN)
    told = f"Stopped: {words}"
    return _say(f"\n{told}", STOPPED, {**_NO_DATA, "kind": "Stopped", "message": told} if as_json else None)


def _quietened() -> None:
    """What libraries have to say is shown as notes; what takes long, in plain words, never on standard output."""
    import logging

    from sureshot.cli.screen.visible import visible
    from sureshot.errors import Notice
    from sureshot.passwords import hidden

    class Visible(logging.Formatter):
        def format(self, record: logging.LogRecord) -> str:
            return visible(hidden(super().format(record)))

    warnings.filterwarnings("ignore", module=r"joblib\.")
    warnings.filterwarnings("ignore", category=Notice)
    log, handler = logging.getLogger("sureshot"), logging.StreamHandler(sys.stderr)
    handler.setFormatter(Visible())
    log.setLevel(logging.INFO)
    log.handlers = [handler]
    if logging.lastResort is not None:  # what other libraries warn of
        logging.lastResort.setFormatter(Visible())


def _done(arguments: list[str], *, as_json: bool) -> int:
    _quietened()
    import typer

    from sureshot.cli.app import app
    from sureshot.cli.quick import called
    from sureshot.cli.words import typed
    from sureshot.errors import Conflict, SureshotError
    from sureshot.files import refuse_without_folder
    from sureshot.passwords import hidden

    try:
        done = called(app, arguments)(arguments, prog_name="sureshot", standalone_mode=False)
    except SureshotError as error:
        return _refused(error, CONFLICT if isinstance(error, Conflict) else REFUSED, typed, as_json=as_json)
    except Stopped as stop:
        return _stopped(str(stop), as_json=as_json)
    except (typer.Abort, EOFError):
        return _stopped("nothing more was recorded.", as_json=as_json)
    except Exception as error:
        if isinstance(error, FileNotFoundError):
            try:
                refuse_without_folder()
            except SureshotError as gone:
                return _refused(gone, REFUSED, typed, as_json=as_json)
        if not hasattr(error, "format_message"):  # Typer's usage errors have it, whichever click they come from
            raise
        if type(error).__name__ == "NoArgsIsHelpError":  # a group without a command: its help was shown, or is this
            sys.stdout.write(error.format_message())
            return OK
        context = getattr(error, "ctx", None)
        help_at = f"See {'sureshot' if context is None else context.command_path} --help."
        words, field = hidden(_sentence(error)), hidden(_option_of(error) or "") or None
        about = {**_NO_DATA, "kind": "UsageError", "message": words, "field": field, "fix": help_at}
        return _say(f"Error: {words} {help_at}", USAGE, about if as_json else None)
    if done == STOPPED:  # what Typer makes of a Ctrl-C
        raise KeyboardInterrupt
    return done if isinstance(done, int) else OK


def _refused(error: Any, code: int, dialect: Any, *, as_json: bool) -> int:
    line = " ".join(f"Error: {error.said(dialect)}".split())
    return _say(line, code, error.as_dict(dialect) if as_json else None)


#: What an error has as JSON, see :meth:`~sureshot.errors.SureshotError.as_dict`.
_NO_DATA: dict[str, Any] = {"kind": None, "message": None, "field": None, "value": None, "fix": None, "place": None}


def _option_of(error: Any) -> str | None:
    """The input that a usage error is about, if it names one."""
    param = getattr(error, "param", None)
    return str(param.name) if param is not None else getattr(error, "option_name", None)


def _sentence(error: Any) -> str:
    """A usage error as a sentence. Typer keeps the nearest options beside the message."""
    of_an_option = getattr(error, "param", None) or getattr(error, "param_hint", None)
    line = " ".join((error.format_message() if of_an_option else error.message).split())
    line = line if line.endswith((".", "?")) else f"{line}."
    near = getattr(error, "possibilities", None) or ()  # the nearest first
    return f"{line} Did you mean {near[0]}?" if near and not line.endswith("?") else line


def _say(text: str, code: int, document: dict[str, Any] | None) -> int:
    """A line for people on standard error, and where a machine reads, its document on standard output."""
    from sureshot.cli.screen.output import print_json, tell

    tell(text)
    if document is not None:
        print_json({"error": document, "code": code})
    return code
