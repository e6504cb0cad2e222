"""Numbers, chances and cases as a person reads them: the same words in Python and on the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = [
    "case",
    "chance",
    "count",
    "in_case",
    "joined",
    "narrowed",
    "noted",
    "percent",
    "percents",
    "points",
    "rounded",
    "sentence",
    "times",
    "turn",
    "unturned",
]


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


def case(context: Mapping[str, object]) -> str:
    """A context as a person reads it.

    >>> case({"age": 61.0, "ward": "A"})
    'age 61, ward A'
    """
    from sureshot.space.tables.column import show  # loads NumPy, which the help of a command has no use for

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


def times(factor: float) -> str:
    """A ratio of probabilities as one would say it.

    >>> times(1.26), times(12.4), times(2300.0), times(3e9)
    ('1.3 times', '12 times', '2,300 times', 'more than a million times')
    """
    if factor > 1e6:
        return "more than a million times"
    return f"{factor:.1f} times" if factor < 9.95 else f"{rounded(factor)} times"


def rounded(number: float) -> str:
    """A large number to two digits.

    >>> rounded(3333.3)
    '3,300'
    """
    return f"{float(f'{number:.2g}'):,.0f}"


def _digits(p: float) -> str:
    edge = min(p, 1.0 - p)
    text = f"{100.0 * p:.{0 if edge >= 0.01 else 1 if edge >= 0.001 else 2}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
