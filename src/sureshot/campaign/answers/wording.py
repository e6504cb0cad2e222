"""Numbers, chances and cases as a person reads them: the same words in Python and on the command line."""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping, Sequence

from sureshot.said import Call, Text
from sureshot.space.tables.column import show

__all__ = [
    "NO_BETTER",
    "another_model",
    "bends_near",
    "better_shape",
    "case",
    "chance",
    "columns_passed_over",
    "count",
    "detailed",
    "in_case",
    "joined",
    "narrowed",
    "not_as_expected",
    "noted",
    "only_failed",
    "other_level",
    "percent",
    "percents",
    "points",
    "sentence",
    "turn",
    "undo",
    "unturned",
]


#: Columns, or trials to take back, that are named, at most.
_NAMED = 5


def percent(p: float) -> str:
    """A probability as a person reads it.

    >>> percent(0.5), percent(0.004), percent(0.9996)
    ('50 %', '0.4 %', '99.96 %')
    """
    return f"{_digits(p)} %"


def percents(low: float, high: float) -> str:
    """The ends of an interval of probabilities.

    >>> percents(0.0612, 0.938)
    '6-94 %'
    """
    return f"{_digits(low)}-{_digits(high)} %"


def chance(probability: float) -> str:
    """A chance that was counted over draws, which never prove that it is none or certain.

    >>> chance(0.38), chance(0.0), chance(1.0)
    ('38 %', '<1 %', '>99 %')
    """
    if probability > 0.995:
        return ">99 %"
    return "<1 %" if probability < 0.005 else f"{100 * probability:.0f} %"


def points(gain: float) -> str:
    """A difference of probabilities in percentage points.

    >>> points(0.071), points(0.00012)
    ('+7.1 points', '+0.012 points')
    """
    size = abs(100.0 * gain)
    digits = 1 if size >= 0.1 or size < 0.0005 else 3
    return f"{100.0 * gain:+.{digits}f} points"


def unturned(label: str, alternatives: int) -> str:
    """What a trial means for the choice, if neither outcome changes it.

    >>> unturned("treat", 1)
    'There is nothing but treat to choose.'
    """
    if alternatives == 1:
        return f"There is nothing but {label} to choose."
    return f"Neither outcome alone would turn us from {label}; several may."


def turn(stays: bool) -> str:
    """What an outcome does to the choice."""
    return "keep us with" if stays else "turn us to"


def narrowed(looked_at: int, alternatives: int) -> str:
    """That a huge pool was narrowed before a trial was chosen.

    >>> narrowed(64, 20000)
    'Of 20,000 alternatives, the 64 most promising by a quick look were compared in full.'
    """
    return f"Of {alternatives:,} alternatives, the {looked_at:,} most promising by a quick look were compared in full."


def count(number: int, noun: str) -> str:
    """A number with its noun.

    >>> count(1, "trial"), count(30, "trial"), count(1200, "alternative")
    ('1 trial', '30 trials', '1,200 alternatives')
    """
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def joined(items: Sequence[object]) -> str:
    """A short list.

    >>> joined([2]), joined([2, 3, 5])
    ('2', '2, 3 and 5')
    """
    *most, last = map(str, items)
    return f"{', '.join(most)} and {last}" if most else last


def detailed(label: str, details: str) -> str:
    """An alternative that has a name, with its levels.

    >>> detailed("sample A12", "power 14 W"), detailed("power 14 W", "")
    ('sample A12 (power 14 W)', 'power 14 W')
    """
    return f"{label} ({details})" if details else label


def columns_passed_over(names: Sequence[str]) -> str:
    """Which columns of a table were not read.

    >>> columns_passed_over(["operator"]), columns_passed_over(["a", "b"])
    ('column operator was passed over', 'columns a and b were passed over')
    """
    if len(names) == 1:
        return f"column {names[0]} was passed over"
    few = names if len(names) <= _NAMED else [*names[:_NAMED], f"{len(names) - _NAMED} more"]
    return f"columns {joined(few)} were passed over"


def undo(*trials: int) -> Text:
    """How to take back what was mistyped.

    >>> str(undo(3))
    'if that is mistyped, take it back with withdraw(3)'
    """
    calls: list[str | Call] = []
    for trial in trials[:_NAMED]:
        calls += [", " if calls else "if that is mistyped, take it back with ", Call("withdraw", trial)]
    return Text(*calls, " and so on" if len(trials) > _NAMED else "")


def case(context: Mapping[str, object]) -> str:
    """A context as a person reads it.

    >>> case({"age": 61.0, "ward": "A"})
    'age 61, ward A'
    """
    return ", ".join(f"{name} {show(value)}" for name, value in context.items())


def in_case(context: Mapping[str, object] | None) -> str:
    """The same after what is done in it; nothing where there is no context.

    >>> in_case({"age": 61.0}), in_case(None)
    (' in the case age 61', '')
    """
    return f" in the case {case(context)}" if context else ""


def noted(cautions: Sequence[str]) -> str:
    """What to beware of, as sentences after another; nothing where there is nothing.

    >>> noted(["power 11 W lies between the levels 10 and 12"])
    ' Note: power 11 W lies between the levels 10 and 12.'
    """
    return "".join(f" Note: {caution}." for caution in cautions)


def sentence(words: str) -> str:
    """Words as a sentence by themselves.

    >>> sentence("time bends: best near 10 min")
    'Time bends: best near 10 min.'
    """
    return f"{words[:1].upper()}{words[1:]}."


def bends_near(name: str, low: str, high: str, unit: str) -> str:
    """That a number is best inside its range, and where.

    >>> bends_near("temperature", "150", "150", "C"), bends_near("time", "10", "20", "min")
    ('temperature bends: best near 150 C', 'time bends: best between 10 and 20 min')
    """
    where = f"near {low}" if low == high else f"between {low} and {high}"
    return f"{name} bends: best {where} {unit}".rstrip()


#: What a model of each shape says.
_SHAPES = {
    "straight": "chances only rise or fall with each number (straight)",
    "curved": "a number may be best inside its range (curved)",
    "pairs": "parameters depend on each other (pairs)",
}

NO_BETTER = "this model predicts your outcomes no better than their average"


def another_model(name: str, *, shapes: bool) -> str:
    """What to do where a model does not fit: other shapes, or where it has all of them, another look at the bench.

    >>> another_model("oven", shapes=True)
    'Try `sureshot new oven-2 --from oven --shape auto`, which keeps all outcomes, or see `sureshot compare`'
    """
    if not shapes:
        return (
            "Perhaps something else decides: repeat a setting or two and see whether they come out the same, and look "
            "for what else changed between trials"
        )
    return (
        f"Try `sureshot new {shlex.quote(f'{name}-2')} --from {shlex.quote(name)} --shape auto`, which keeps all "
        "outcomes, or see `sureshot compare`"
    )


def better_shape(shape: str, log_ratio: float) -> str:
    """That other shapes predict better, which of them most, and by how much all of them together.

    >>> better_shape("curved", 5.0)
    'a model that may take any shape predicts your outcomes 150 times better, mostly because a number may be best inside
    its range (curved)'
    """
    times = "over a million" if log_ratio > math.log(1e6) else f"{_rounded(math.exp(log_ratio)):,}"
    better = f"a model that may take any shape predicts your outcomes {times} times better"
    return f"{better}, mostly because {_SHAPES[shape]}"


def not_as_expected(worked: int, expected: float, tries: int) -> tuple[str, str]:
    """What was recommended works more or less often than was said, and what to do.

    >>> not_as_expected(1, 4.31, 6)[0]
    'what was recommended worked in 1 of 6 tries, where 4.3 were expected'
    """
    said = f"what was recommended worked in {worked} of {tries} tries, where {expected:.1f} were expected"
    if worked < expected:
        return said, "The chances shown are too high: repeat the recommended setting before you rely on it"
    return said, "The chances shown are too low: other settings may be better than they look, so try some of them"


def only_failed(label: str, tries: int, others_worked: int, others: int, probability: float) -> str:
    """That a level which is recommended never worked, while others did.

    >>> only_failed("power 14 W", 6, 9, 14, 0.0003)
    'power 14 W is recommended, and failed in all 6 tries, while 9 of 14 without it worked: 1 in 3,300 by this model'
    """
    return (
        f"{label} is recommended, and failed in all {tries} tries, while {others_worked} of {others} without it "
        f"worked: 1 in {_rounded(1.0 / probability):,} by this model"
    )


def other_level(name: str) -> str:
    """What to do about a level that never worked.

    >>> other_level("power")
    'Choose a setting that worked, with another power, until you know why'
    """
    return f"Choose a setting that worked, with another {name}, until you know why"


def _rounded(number: float) -> int:
    """To two digits."""
    return int(float(f"{number:.2g}"))


def _digits(p: float) -> str:
    edge = min(p, 1.0 - p)
    text = f"{100.0 * p:.{0 if edge >= 0.01 else 1 if edge >= 0.001 else 2}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
