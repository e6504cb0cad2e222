"""Policies, links and worlds of your own, by name: where a name is not known, the modules that bring more are loaded.

There are two ways to say which modules these are: an installed package names them in its entry points, in the group
``sureshot.plugins``; and the environment variable ``SURESHOT_PLUGINS`` holds names of modules, or paths of files that
end in ``.py``, with commas between them. Nothing is loaded as long as all names are known.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from importlib import import_module, invalidate_caches
from pathlib import Path
from typing import Any, TypeVar

from sureshot.errors import PluginError, unknown_name

__all__ = ["GROUP", "VARIABLE", "load", "looked_up"]

#: The group of entry points that a package names its modules in.
GROUP = "sureshot.plugins"
#: The environment variable that names modules or files.
VARIABLE = "SURESHOT_PLUGINS"

T = TypeVar("T")


def looked_up(
    kind: str, name: object, table: Mapping[str, T], *, also: Iterable[str] = (), field: str | None = None
) -> T:
    """What the table holds under that name, once what is missing was loaded; ``also`` are other words to choose from.

    >>> looked_up("link", "logit", {"logit": 1})
    1
    """
    if isinstance(name, str):
        if name not in table:
            load()
        if name in table:
            return table[name]
    own = f"If it is your own, name the module that registers it in {VARIABLE}"
    raise unknown_name(kind, name, [*also, *table], field=field, otherwise=own)


def load() -> None:
    """Load all modules that are named; one that is loaded already is left as it is."""
    from importlib.metadata import entry_points  # takes a while to load

    for entry in os.environ.get(VARIABLE, "").split(","):
        if entry.strip():
            _named(entry.strip())
    for point in entry_points(group=GROUP):
        try:
            point.load()
        except Exception as error:
            package = point.dist.name if point.dist else "a package"
            raise _failed(
                f"the plugin {point.name!r} of {package} must be a module that can be imported",
                point.value,
                error,
                "fix that package, or uninstall it",
            ) from error


def _named(entry: str) -> None:
    """Load a module by its name, or a file by its path."""
    path = Path(entry).expanduser().resolve() if entry.endswith(".py") else None
    if path is not None and not path.is_file():
        raise _refused("must name files that exist", entry, fix="check the path")
    if path is not None and _is_of(sys.modules.get("__main__"), path):
        return  # it is the program that runs
    name = entry if path is None else path.stem
    if path is not None and str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))  # at the end; and the processes of a study find it there too
        invalidate_caches()
    try:
        found = import_module(name)
    except Exception as error:
        missing = error.name if isinstance(error, ModuleNotFoundError) else None
        if missing is not None and f"{name}.".startswith(f"{missing}."):
            fix = "install it, fix the name, or give the path of its file, as in my_policies.py"
            raise _refused("must name modules that can be found", entry, fix=fix) from error
        rule = f"what {VARIABLE} names must be a module that can be imported"
        raise _failed(rule, entry, error, "fix that module, or leave it out") from error
    if path is not None and not _is_of(found, path):
        rule = f"must name files whose names are their own, and there is another module {name!r}"
        raise _refused(rule, entry, fix="rename the file")


def _is_of(module: Any, path: Path) -> bool:
    """Whether a module comes from that file."""
    file = getattr(module, "__file__", None)
    return file is not None and Path(file).resolve() == path


def _refused(rule: str, entry: str, *, fix: str) -> PluginError:
    return PluginError(f"{VARIABLE} {rule}", field=VARIABLE, got=entry, fix=fix)


def _failed(rule: str, entry: str, error: Exception, fix: str) -> PluginError:
    return PluginError(f"{rule}, got {entry!r} ({type(error).__name__}: {error})", field=VARIABLE, value=entry, fix=fix)
