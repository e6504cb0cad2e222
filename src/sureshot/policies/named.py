"""What is known by a name and has parameters: policies, and stopping rules. It is written down in one way everywhere:
``{"name": "ucb", "alpha": 2.0}``, as in a study file and in a campaign's specification, or, where there is one line for
it, ``ucb alpha=2``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar, Generic, Protocol, TypeVar, cast

from sureshot.documents import NotReadable, read_toml
from sureshot.errors import InvalidInput, about, unknown_name
from sureshot.plugins import looked_up
from sureshot.schema import LARGEST, shown

__all__ = ["AUTO", "Named", "Registry", "parameters"]

#: What stands for whatever is usual where something is made.
AUTO = "auto"


class Named(Protocol):
    """What is known by a name: what it is called in a sentence, a policy for example, and its own name."""

    called: ClassVar[str]
    name: ClassVar[str]


T = TypeVar("T", bound=Named)


@dataclass(frozen=True)
class Registry(Generic[T]):
    """All of one kind by name; one of your own is one more entry."""

    base: Any  # their base class
    known: dict[str, type[T]]
    field: str  # the input that names one
    example: str  # one of the names
    in_a_line: str  # one with a parameter

    def of(self, given: str | Mapping[str, Any] | T, *, default: str | None = None) -> T:
        """The one that somebody means: made already, its name, its name and parameters in one line, or a mapping of
        both. With a ``default``, ``"auto"`` stands for it.
        """
        with about(self.field, whole=True):
            return self._of(given, default)

    def made(self, name: str, given: Mapping[str, Any], also: Sequence[str] = ()) -> T:
        """The one of that name with these parameters; ``also`` are other words that would have been understood."""
        what = self.base.called
        found = looked_up(what, name, self.known, also=also, field=self.field)
        known = parameters(found)
        for key in given:
            if key not in known:
                if not known:
                    raise InvalidInput(f"{what} {name!r} has no parameters, got {key!r}", value=key, fix="leave it out")
                raise unknown_name(f"parameter of {what} {name!r}", key, known)
        try:
            return found(**given)
        except TypeError as error:
            said = ", ".join(f"{key} = {value!r}" for key, value in given.items())
            rule = f"{what} {name!r} can't be made with {said or 'no parameters'} ({error})"
            raise InvalidInput(rule, value=said, fix="fix its parameters") from error

    def written(self, one: T) -> dict[str, Any]:
        """As JSON and TOML hold it: its name and all its parameters. :meth:`of` reads it."""
        found = {"name": one.name, **{name: getattr(one, name) for name in parameters(type(one))}}
        for key, value in found.items():
            fits = not isinstance(value, int | float) or -LARGEST <= value <= LARGEST
            if not (value is None or (isinstance(value, bool | int | float | str) and fits)):
                whose = f"{one.called} {one.name!r}"
                raise InvalidInput(
                    f"parameter {key!r} of {whose} must be a number or text to be kept, a number at most {LARGEST:g}, "
                    f"got {shown(value)}",
                    field=self.field,
                    value=shown(value),
                    fix="give another value",
                )
        return found

    def register(self, one: type[T]) -> type[T]:
        """Make one of your own known by its name."""
        if one.name in self.known:
            raise InvalidInput(f"a {one.called} named {one.name!r} is already known", fix="choose another name")
        self.known[one.name] = one
        return one

    def _of(self, given: str | Mapping[str, Any] | T, default: str | None) -> T:
        what, field = self.base.called, self.field
        if isinstance(given, self.base):
            if self.known.get(given.name) is not type(given):
                raise InvalidInput(
                    f"{what} {given.name!r} must be known by its name, got {given!r}",
                    fix=f"register its class first, register_{field}({type(given).__name__})",
                )
            return given
        if isinstance(given, str):
            first, *words = given.split() or [given]
            found: dict[str, Any] = {"name": first}
            for key, value in map(self._said, words):
                if key in found:
                    rule = f"the name of a {what} stands first" if key == "name" else "a parameter must be given once"
                    raise InvalidInput(f"{rule}, got {key!r} again in {given!r}", value=key, fix="remove one")
                found[key] = value
        elif isinstance(given, Mapping) and isinstance(given.get("name"), str):
            found = dict(given)
        else:
            raise InvalidInput(
                f"`{field}` must be a name, a mapping with a name, or a {what}",
                got=given,
                fix=f"write {self.example!r}, for example",
            )
        name = found.pop("name")
        if default is not None and name == AUTO:
            if found:
                raise InvalidInput(
                    f"{what} {AUTO!r} has no parameters",
                    got=next(iter(found)),
                    fix=f"name the {what}, {default!r} here",
                )
            name = default
        return self.made(name, found, also=() if default is None else (AUTO,))

    def _said(self, word: str) -> tuple[str, Any]:
        """A parameter as it is written in a line: ``alpha=2``, ``repeats=false``, ``best=all``."""
        key, equals, value = word.partition("=")
        if not equals or not key.isidentifier():
            raise InvalidInput(
                f"a parameter of a {self.base.called} must be written name=value, got {word!r}",
                value=word,
                fix=f"as in {self.in_a_line!r}",
            )
        try:
            return key, read_toml(f"it = {value}", key)["it"]
        except NotReadable:
            return key, value


def parameters(kind: type[Named]) -> Mapping[str, object]:
    """The parameters of a class of these and their defaults.

    >>> from sureshot.policies import POLICIES
    >>> parameters(POLICIES["thompson"])
    {'scale': 1.0}
    """
    return {one.name: None if one.default is MISSING else one.default for one in fields(cast(Any, kind))}
