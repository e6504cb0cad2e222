"""The command line: parse, call, show. Nothing is computed here."""

from __future__ import annotations

import gc
import logging
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

__all__ = ["CONFLICT", "OK", "REFUSED", "STOPPED", "USAGE", "main"]

OK = 0
REFUSED = 1  # the input was understood and refused: an unknown trial, an outcome "maybe", a store that can't be opened
USAGE = 2  # no such command or option
CONFLICT = 3  # it contradicts what is recorded: a second outcome, a name that is taken
STOPPED = 130  # Ctrl-C

#: Objects made before Python looks for garbage: more than loading the libraries makes, which is 230,000 for ``ask`` and
#: 290,000 for a picture. To look through them all takes as long as a tenth of ``ask``, and finds nothing.
GARBAGE = 500_000


def main(arguments: Sequence[str] | None = None) -> None:
    """The ``sureshot`` command. An error that sureshot raises on purpose is one line, not a traceback.

    To be terminated is to be stopped, as by Ctrl-C: a study keeps what is finished and ends its processes. What
    joblib's threads have to say of that, perhaps after the study is let go, is said better here.
    """
    from sureshot.errors import Notice

    warnings.filterwarnings("ignore", module=r"joblib\.")
    warnings.filterwarnings("ignore", category=Notice)  # they are shown as notes
    log = logging.getLogger("sureshot")
    log.setLevel(logging.INFO)
    log.handlers = [logging.StreamHandler(sys.stderr)]  # what takes long, in plain words: never on standard output
    with _terminated_as_interrupted():
        if arguments is not None:
            sys.exit(_run(list(arguments)))
        gc.set_threshold(GARBAGE)  # of a process of our own
        try:
            sys.exit(_run(sys.argv[1:]))
        finally:
            gc.freeze()  # what is left goes with the process


@contextmanager
def _terminated_as_interrupted() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():  # where Python lets nobody listen to signals
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _run(arguments: list[str]) -> int:
    import typer

    from sureshot.cli.app import app
    from sureshot.cli.quick import called
    from sureshot.cli.words import typed
    from sureshot.errors import Conflict, SureshotError

    as_json = "--json" in arguments
    try:
        done = called(app, arguments)(arguments, prog_name="sureshot", standalone_mode=False)
    except SureshotError as error:
        code = CONFLICT if isinstance(error, Conflict) else REFUSED
        return _say(" ".join(f"Error: {error.said(typed)}".split()), code, error.as_dict(typed) if as_json else None)
    except (typer.Abort, KeyboardInterrupt, EOFError):
        words = "Stopped: nothing more was recorded."
        return _say(f"\n{words}", STOPPED, {**_NO_DATA, "kind": "Stopped", "message": words} if as_json else None)
    except Exception as error:
        if not hasattr(error, "format_message"):  # Typer's usage errors have it, whichever click they come from
            raise
        if type(error).__name__ == "NoArgsIsHelpError":  # a group without a command: its help was shown, or is this
            sys.stdout.write(error.format_message())
            return OK
        context = getattr(error, "ctx", None)
        help_at = f"See {'sureshot' if context is None else context.command_path} --help."
        words = _sentence(error)
        about = {**_NO_DATA, "kind": "UsageError", "message": words, "field": _option_of(error), "fix": help_at}
        return _say(f"Error: {words} {help_at}", USAGE, about if as_json else None)
    return done if isinstance(done, int) else OK


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
    sys.stderr.write(text + "\n")
    if document is not None:
        from sureshot.cli.output import print_json

        print_json({"error": document, "code": code})
    return code
