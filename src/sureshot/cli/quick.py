"""Libraries at the speed of a bench: what they would load without need.

Typer would build every command, and load Pydantic to check even what was not given: a third of the time that a command
takes which only reads or records. So it builds only the command that is called, and takes text for text. Numba would
load SciPy, whose linear algebra our code never calls, and YAML for a file that nobody wrote: a sixth of the time of
``ask``.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from copy import copy
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast, get_args, get_origin

import typer
from typer.core import TyperCommand, TyperGroup

from sureshot.cli.groups import group_of, in_order

__all__ = ["Command", "Group", "called", "load_numba"]


class _Plain:
    """Values are given to Typer's checks only where they must become something else, and help names no Python types."""

    def get_params(self, ctx: Any) -> list[Any]:
        """All parameters, each with a word in capitals for what is written after it."""
        found = cast(list[Any], super().get_params(ctx))  # type: ignore[misc]
        for one in found:
            shown = None if one.param_type_name == "argument" else one.metavar or _written(one)
            one.display_type_rich = partial(_shown, shown)
        return found

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        for one in self.get_params(ctx):
            one._runtime_param = _AsTyped()  # a Typer that does not know this checks as it always did
        return cast(list[str], super().parse_args(ctx, args))  # type: ignore[misc]


class Command(_Plain, TyperCommand):
    """A command with plain values, which says what to do with a word too many."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """As Typer does, but for words that are left over."""
        ctx.allow_extra_args = True
        left = super().parse_args(ctx, args)
        if left and not ctx.resilient_parsing:
            known = self.get_params(ctx)
            named = any("--campaign" in one.opts for one in known)
            words = any(one.param_type_name == "argument" for one in known)  # then a name is not what is one too many
            hint = f" A campaign is named with --campaign {shlex.quote(left[0])}." if named and not words else ""
            ctx.fail(f"{left[0]!r} is one word too many.{hint}")
        return left


class Group(_Plain, TyperGroup):
    """A group of such commands, in the order of :data:`~sureshot.cli.groups.GROUPS`."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Their names, those first that most people need."""
        return in_order(super().list_commands(ctx))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of that name; in the help it stands in its group."""
        found: Any = super().get_command(ctx, cmd_name)
        if found is not None and ctx.parent is None:
            found.rich_help_panel = group_of(cmd_name)
        return found


def _shown(word: str | None, **_: Any) -> str | None:
    return word


def _written(option: Any) -> str | None:
    """What is written after an option, in a word; nothing after a switch."""
    if option.is_flag or option.count:
        return None
    wanted = option.type_descriptor.annotation
    wanted = (get_args(wanted) or (wanted,))[0] if get_origin(wanted) is list else wanted
    return _WRITTEN.get(wanted, "TEXT")


_WRITTEN: dict[Any, str] = {int: "N", float: "NUMBER", Path: "FILE"}
_NUMBERS: dict[Any, str] = {int: "a whole number", float: "a number"}


class _AsTyped:
    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        wanted, several = param.type_descriptor.annotation, param.multiple or param.nargs == -1
        if value is None:
            return () if several else None
        if type(value) is wanted:
            return value
        if wanted is Path and isinstance(value, str):
            return Path(value)
        if several and wanted == list[str]:
            return list(value)
        if wanted in _NUMBERS and isinstance(value, str):
            try:
                return wanted(value)
            except ValueError:
                raise typer.BadParameter(f"it must be {_NUMBERS[wanted]}, got {value!r}", ctx, param) from None
        param._runtime_param = None
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)


def called(app: typer.Typer, words: Sequence[str]) -> typer.Typer:
    """The app with nothing but the command that the first word names; all of it where that is none."""
    only = [one for one in app.registered_commands if words and _name(one) == words[0]]
    if not only:
        return app
    short = copy(app)
    short.registered_commands, short.registered_groups = only, []
    return short


def _name(command: Any) -> str:
    return str(command.name or command.callback.__name__)


#: Numba's settings may be in this file, in the working directory.
_SETTINGS = ".numba_config.yaml"


def load_numba() -> None:
    """Load Numba as this process needs it, which is the command's own: nobody else imports anything meanwhile.

    While it loads, Numba is told that there is no SciPy, which it asks for its version and its BLAS, and no YAML where
    there is no file of settings; afterwards that compiled code may multiply matrices, as it would have found.
    """
    from sureshot.core.numerics.twins import available

    if "numba" in sys.modules or "scipy" in sys.modules or not available() or find_spec("scipy") is None:
        return
    hidden = ["scipy"] if "yaml" in sys.modules or Path(_SETTINGS).exists() else ["scipy", "yaml"]
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]  # None: it can't be imported
    try:
        import_module("numba.np.arraymath")._HAVE_BLAS = True  # type: ignore[attr-defined]
    finally:
        for name in hidden:
            del sys.modules[name]
