"""What a campaign is made of: every option once, with its sentence, kind, example and default.

What :meth:`~sureshot.campaign.Campaign.create` takes and :meth:`~sureshot.campaign.Campaign.create_from` may change,
the keys of a TOML file, the options and questions of ``sureshot new``: all come from here. A form on a page can too.
"""

# ruff: noqa: RUF009  # the function in the defaults makes fields

from __future__ import annotations

import dataclasses
import inspect
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, TypeVar

if TYPE_CHECKING:
    from sureshot.campaign.model.prior import PriorGiven
    from sureshot.policies import Objective, Policy
    from sureshot.policies.stopping import StoppingRule
    from sureshot.space import Shape

__all__ = [
    "MIDDLE",
    "Cost",
    "Kind",
    "Option",
    "Options",
    "Part",
    "PolicyGiven",
    "StoppingGiven",
    "ValueOver",
    "explained",
    "explanations",
    "fields",
    "option",
]

F = TypeVar("F", bound=Callable[..., Any])

#: What an option is about. The model and the aim may be changed in a campaign made from another; the rest comes along.
Part = Literal["name", "alternatives", "cases", "words", "model", "aim", "keeping"]

#: In which cases the final choice will be made, for the value of a trial: in the same one, or in any like those seen.
ValueOver = Literal["same context", "seen contexts"]
#: What a person is asked about the shape, who need not know what a shape is.
MIDDLE = "May the best lie in the middle of a range"
Cost = float | str | Sequence[float] | None
PolicyGiven: TypeAlias = "str | Mapping[str, Any] | Policy"
StoppingGiven: TypeAlias = "str | Mapping[str, Any] | StoppingRule | None"


class Kind(NamedTuple):
    """What a person may write for an option, in words and as the types that TOML and JSON have."""

    says: str
    types: tuple[type, ...]

    def holds(self, value: object) -> bool:
        """Whether the value is of this kind. True is not a number here."""
        right = isinstance(value, self.types) and isinstance(value, bool) == (bool in self.types)
        return right and (not isinstance(value, list) or all(isinstance(one, str) for one in value))


TEXT = Kind("text", (str,))
TEXTS = Kind("a list of texts", (list,))
TABLE = Kind("a table", (dict,))
WHOLE = Kind("a whole number", (int,))
NUMBER = Kind("a number", (int, float))
FLAG = Kind("true or false", (bool,))
COST = Kind("a number or the name of a column", (str, int, float))
PRIOR = Kind('"auto", a number or a file', (str, int, float))
POLICY = Kind("a name or a table", (str, dict))


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One option of a campaign, as a person meets it."""

    name: str
    says: str  # what it is, in a sentence
    kind: Kind
    example: Any
    default: Any  # when nothing is said
    part: Part
    choices: tuple[str, ...]  # all there are; empty: anything of its kind

    @property
    def label(self) -> str:
        """The sentence without its details: a question, or what a form writes beside a field."""
        return re.split(r"[:;.,](?:\s|$)", self.says)[0]

    @property
    def details(self) -> str:
        """The rest of the sentence, after its label; empty if that says it all.

        >>> option("budget").details, option("name").details
        ('an open end if not said.', '')
        """
        return self.says[len(self.label) + 1 :].strip()

    @property
    def meanings(self) -> dict[str, str]:
        """What each choice is, as the sentence says it in brackets; empty where it says nothing.

        >>> option("objective").meanings
        {'offline': 'the best final choice, the default', 'online': 'the most successes on the way'}
        """
        found = {one: re.search(rf"\b{re.escape(one)}'? \(([^)]*)\)", self.says) for one in self.choices}
        return {one: "" if match is None else match[1] for one, match in found.items()}

    @property
    def usual(self) -> str | None:
        """The choice that is taken when nothing is said, if there are choices."""
        said = next((one for one, meaning in self.meanings.items() if "the default" in meaning), None)
        return said if self.default is None else str(self.default) if self.choices else None

    @property
    def changeable(self) -> bool:
        """Whether a campaign made from another may say it anew."""
        return self.part in ("model", "aim")

    @property
    def toml(self) -> str:
        """The example as a line of a TOML file."""
        if self.kind is TABLE:
            ((key, value),) = self.example.items()
            return f"{key} = {json.dumps(value)} under [{self.name}]"
        return f"{self.name} = {json.dumps(self.example)}"


def _is(says: str, kind: Kind, example: Any, part: Part, default: Any = None, choices: tuple[str, ...] = ()) -> Any:
    """A field of :class:`Options`."""
    about = {"says": says, "kind": kind, "example": example, "part": part, "choices": choices}
    return dataclasses.field(default=default, metadata=about)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Everything that a campaign is made of. :func:`fields` tells of each what it is."""

    name: str | None = _is("What the campaign is called.", TEXT, "nanotubes", "name")
    parameters: Mapping[str, Any] | None = _is(
        "A parameter and its levels, as in power=8,10,12, flow=10:40:10 or catalyst=Fe,Co; a unit may follow numbers.",
        TABLE,
        {"power": [8, 10, 12, 14]},
        "alternatives",
    )
    candidates: str | None = _is(
        "A file of alternatives in place of parameters: .csv, .parquet or .xlsx.",
        TEXT,
        "candidates.csv",
        "alternatives",
    )
    where: Sequence[str] | None = _is(
        "A constraint that every alternative must meet: power * time <= 40.",
        TEXTS,
        ["power * time <= 40"],
        "alternatives",
    )
    without: Sequence[str] | None = _is(
        "A column of the file that is not a parameter.", TEXTS, ["sample"], "alternatives"
    )
    names: Sequence[str] | None = _is(
        "A column of the file that holds names, not numbers.", TEXTS, ["batch"], "alternatives"
    )
    id: str | None = _is(
        "The column of the file that names the rows, to be shown instead of their levels.",
        TEXT,
        "sample",
        "alternatives",
    )
    merge: bool = _is("Merge equal rows of the file instead of refusing them.", FLAG, True, "alternatives", False)
    context: Any = _is(
        "A column of the cases to decide in: age=18:90, ward=A,B or diabetic=bool.", TABLE, {"age": "18:90"}, "cases"
    )
    interactions: bool = _is(
        "Whether the best action may depend on the case; if not, the model is a formula.", FLAG, True, "model", True
    )
    shape: Shape | None = _is(
        "What may bend: auto (outcomes decide, the default), straight (each number only raises or lowers the chance), "
        "curved (the best may lie inside a range) or pairs (parameters may depend on each other).",
        TEXT,
        "auto",
        "model",
        choices=("auto", "straight", "curved", "pairs"),
    )
    formula: str | None = _is(
        "The features in place of a shape, exactly as written: power * flow + C(catalyst).",
        TEXT,
        "power * ethylene + catalyst",
        "model",
    )
    context_formula: str | None = _is(
        "The features of the cases in place of a shape, exactly as written: age + C(ward).", TEXT, "age + ward", "model"
    )
    success: str = _is("What a success is called.", TEXT, "single-walled", "words", "success")
    failure: str = _is("What a failure is called.", TEXT, "double-walled", "words", "failure")
    objective: Objective = _is(
        "What counts: offline (the best final choice, the default) or online (the most successes on the way).",
        TEXT,
        "offline",
        "aim",
        "offline",
        choices=("offline", "online"),
    )
    budget: int | None = _is("How many trials may be asked; an open end if not said.", WHOLE, 30, "aim")
    discount: float | None = _is(
        "What a success in the next trial counts against one now, online with an open end; 0.99 if not said.",
        NUMBER,
        0.99,
        "aim",
    )
    cost: Cost = _is(
        "What trials cost: the column with the cost of each alternative, or one number: what a trial must add to the "
        "chance of success to be worth it (0.002), or its price if you say a worth.",
        COST,
        "price",
        "aim",
    )
    worth: float | None = _is(
        "What it is worth to you that the final choice works, in the unit of the costs: 20000, where a trial costs 50.",
        NUMBER,
        20000,
        "aim",
    )
    prior: PriorGiven = _is(
        "What is believed at first: auto (outcomes choose how strongly, the default), a precision such as 1.0 for "
        "every weight of a formula, or what an earlier campaign learned (its posterior; as a file, made by sureshot "
        "export --posterior).",
        PRIOR,
        "auto",
        "model",
        "auto",
    )
    link: str | None = _is(
        "How a score becomes a chance: logit (the default), probit, cloglog or loglog.",
        TEXT,
        "logit",
        "model",
        choices=("logit", "probit", "cloglog", "loglog"),
    )
    value: ValueOver | None = _is(
        "What a trial in a case is to teach about: the 'seen contexts' (the default: cases to come are like those so "
        "far), or the 'same context' alone.",
        TEXT,
        "seen contexts",
        "aim",
        choices=("same context", "seen contexts"),
    )
    policy: PolicyGiven = _is(
        'What chooses the trials: the name of a policy, with parameters as in "ucb alpha=2"; auto: what measured best.',
        POLICY,
        "thompson",
        "aim",
        "auto",
    )
    stopping: StoppingGiven = _is(
        'When to hand out no more trials: the name of a stopping rule, with parameters as in "sure chance=0.8"; if not '
        "said, or none, you are advised and decide yourself.",
        POLICY,
        "little-gain",
        "aim",
    )
    seed: int | None = _is(
        "What all randomness derives from: the same seed and outcomes give the same suggestions.", WHOLE, 7, "keeping"
    )
    storage: Any = _is(
        "Where campaigns are kept: a file or a postgresql:// URL; sureshot.db here if not said.",
        TEXT,
        "sureshot.db",
        "keeping",
    )


def fields(*parts: Part) -> tuple[Option, ...]:
    """Every option of a campaign in order, or those of these parts.

    >>> [one.name for one in fields("words")]
    ['success', 'failure']
    >>> one = option("budget")
    >>> one.label, one.kind.says, one.toml, one.default
    ('How many trials may be asked', 'a whole number', 'budget = 30', None)
    """
    return tuple(one for one in _FIELDS.values() if not parts or one.part in parts)


def explanations(names: Iterable[str]) -> str:
    """The sentences of these options, as a list in a docstring; what is not an option is passed over."""
    return "\n".join(f"- ``{name}``: {_FIELDS[name].says}" for name in names if name in _FIELDS)


def explained(method: F) -> F:
    """The method with its options explained at the end of its docstring: for :func:`help`."""
    method.__doc__ = f"{inspect.cleandoc(method.__doc__ or '')}\n\n{explanations(inspect.signature(method).parameters)}"
    return method


def option(name: str) -> Option:
    """The option of that name."""
    return _FIELDS[name]


_FIELDS = {one.name: Option(name=one.name, default=one.default, **one.metadata) for one in dataclasses.fields(Options)}
