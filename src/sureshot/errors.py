"""Every error that sureshot raises on purpose.

Each states the rule, the value that broke it and the fix, and is raised before anything is changed.
There are few, with one base; each is also the builtin that fits, so ``except ValueError`` works too.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = [
    "Conflict",
    "CorruptLog",
    "InvalidInput",
    "OutOfDate",
    "StorageError",
    "SureshotError",
    "UnknownName",
    "unknown_name",
]


class SureshotError(Exception):
    """Base of all errors that sureshot raises on purpose."""


class InvalidInput(SureshotError, ValueError):
    """A value breaks a rule: a NaN feature, an outcome of 2, a negative precision."""


class UnknownName(SureshotError, LookupError):
    """A name that is not known: a link, a policy, a covariance form, a campaign, a trial."""


class Conflict(SureshotError, RuntimeError):
    """What is to be recorded contradicts what already is: a name that is taken, a second outcome for one trial."""


class OutOfDate(Conflict):
    """Somebody else recorded something since you read: read the new events, decide again and append again."""


class StorageError(SureshotError, OSError):
    """The store can't be opened or used: no permission, not a database, no server, a newer schema, no driver."""


class CorruptLog(StorageError):
    """A stored campaign is not what was once recorded: a row was changed, lost or put in from outside."""


def unknown_name(kind: str, name: object, choices: Iterable[str]) -> UnknownName:
    """The error for a name that is not among the choices, with the nearest one.

    >>> print(unknown_name("link", "logitt", ["logit", "probit"]))
    unknown link 'logitt': choose one of 'logit', 'probit'. Did you mean 'logit'?
    """
    known = sorted(choices)
    message = f"unknown {kind} {name!r}: choose one of {', '.join(map(repr, known))}."
    near = get_close_matches(str(name), known, n=1)
    return UnknownName(message + (f" Did you mean {near[0]!r}?" if near else ""))
