"""Numbers, chances and cases as a person reads them: the same words in Python and on the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from sureshot.said import Call, Text

__all__ = [
    "EXPLAINED",
    "INTERVAL",
    "LOOK_AROUND",
    "POINT",
    "VALUE",
    "added",
    "case",
    "chance",
    "columns_passed_over",
    "count",
    "detailed",
    "expected",
    "gained",
    "hardly_matters",
    "in_case",
    "joined",
    "narrowed",
    "no_values",
    "not_clear",
    "noted",
    "percent",
    "percents",
    "points",
    "rounded",
    "sentence",
    "succeeded",
    "times",
    "told_meanwhile",
    "turn",
    "undo",
    "unturned",
    "waiting",
    "when",
]

#: What a newcomer must know to read a chance, and a gain.
INTERVAL = "In brackets: where the true chance lies, with 95 % certainty."
VALUE = "Value: what this trial is expected to add to the chance of your final choice, in percentage points."
POINT = "A point is one percentage point."
#: What a newcomer is told before the first outcome.
LOOK_AROUND = "Nothing is known yet: the first trials look around."
#: Up to so many outcomes, a person may be new to these words.
EXPLAINED = 3

#: Points that are nothing but rounding.
_NOTHING = 0.0005
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


#: Columns, or trials to take back, that are named, at most.
_NAMED = 5


def percent(p: float) -> str:
    """A probability as a person reads it, with one decimal at most.

    >>> percent(0.5), percent(0.004), percent(0.9991), percent(0.9996)
    ('50 %', '0.4 %', '99.9 %', '>99.9 %')
    """
    text = _digits(p)
    if text == "0" and p > 0.0:
        return "<0.1 %"
    return ">99.9 %" if text == "100" and p < 1.0 else f"{text} %"


def percents(low: float, high: float) -> str:
    """The ends of an interval of probabilities; one that goes on to the very end is rounded to it.

    >>> percents(0.0612, 0.938), percents(0.15, 0.9996)
    ('6-94 %', '15-100 %')
    """
    return f"{_digits(low)}-{_digits(high)} %"


def expected(probability: float, low: float, high: float) -> str:
    """A chance with its interval as people say it at the bench: in runs of a hundred.

    >>> expected(0.714, 0.48, 0.88)
    'We expect it to work in 71 of 100 runs (48 to 88).'
    >>> expected(0.003, 0.0, 0.04), expected(0.998, 0.95, 1.0)
    ('We expect it to work in fewer than 1 of 100 runs (0 to 4).', 'We expect it to work in more than 99 of 100 ...')
    """
    runs = f"{100.0 * probability:.0f}"
    runs = "fewer than 1" if runs == "0" else "more than 99" if runs == "100" else runs
    return f"We expect it to work in {runs} of 100 runs ({100.0 * low:.0f} to {100.0 * high:.0f})."


def chance(probability: float) -> str:
    """A chance that was counted over draws, which never prove that it is none or certain.

    >>> chance(0.38), chance(0.0), chance(1.0)
    ('38 %', '<1 %', '>99 %')
    """
    if probability > 0.995:
        return ">99 %"
    return "<1 %" if probability < 0.005 else f"{100 * probability:.0f} %"


def points(gain: float) -> str:
    """A difference of probabilities in percentage points, with one decimal.

    >>> points(0.071), points(0.00012), points(0.0)
    ('+7.1 points', '<0.1 points', '0 points')
    """
    size = abs(100.0 * gain)
    if size < _NOTHING:
        return "0 points"
    if size < 0.05:
        return "<0.1 points" if gain > 0.0 else ">-0.1 points"
    return f"{100.0 * gain:+.1f} points"


def added(least: float, most: float) -> str:
    """What trials are expected to add, at least and at most, in a sentence.

    >>> added(0.042, 0.139), added(0.0001, 0.004), added(0.0001, 0.0002), added(0.0, 0.0)
    ('4.2 to 13.9 points', 'up to 0.4 points', 'less than 0.1 points', 'nothing')
    """
    if 100.0 * most < _NOTHING:
        return "nothing"
    if most < 0.0005:
        return "less than 0.1 points"
    low, high = (f"{100.0 * one:.1f}" for one in (least, most))
    if low == high:
        return f"{high} points"
    return f"up to {high} points" if low == "0.0" else f"{low} to {high} points"


def succeeded(success: str, successes: int, of: int) -> str:
    """How often something came out as a success, in a form that fits any word for it.

    >>> succeeded("single-walled", 7, 10), succeeded("it works", 1, 1)
    ('single-walled in 7 of 10', 'it works in 1 of 1')
    """
    return f"{success} in {successes:,} of {of:,}"


def when(moment: str, now: datetime | None = None) -> str:
    """A recorded moment as people write it: by the clock on this machine's wall, with the year if it is another.

    >>> from datetime import timedelta
    >>> here = datetime(2026, 11, 18, 9, 30).astimezone()
    >>> [when((here - timedelta(days=days)).isoformat(), here) for days in (0, 1, 3, 365)]
    ['today 09:30', 'yesterday 09:30', '15 Nov 09:30', '18 Nov 2025']
    """
    then = datetime.fromisoformat(moment).astimezone()
    today = (datetime.now() if now is None else now).astimezone()
    days = (today.date() - then.date()).days
    clock = f"{then:%H:%M}"
    if days in (0, 1):
        return f"{('today', 'yesterday')[days]} {clock}"
    month = f"{then.day} {_MONTHS[then.month - 1]}"
    return f"{month} {clock}" if then.year == today.year else f"{month} {then.year}"


def told_meanwhile(trial: int, outcome: str, by: str | None, at: str, reader: str | None = None) -> str:
    """That a trial was told by the time that somebody else wanted to.

    >>> print(told_meanwhile(3, "single", "Ann", "2020-11-18T09:30:00", "Bo"))
    Somebody else told trial 3 meanwhile: single, by Ann, 18 Nov 2020.
    >>> print(told_meanwhile(3, "single", "Bo", "2020-11-18T09:30:00", "Bo"))
    Trial 3 was told already: single, by Bo, 18 Nov 2020.
    """
    who = f", by {by}" if by else ""
    first = f"Trial {trial} was told already" if by == reader else f"Somebody else told trial {trial} meanwhile"
    return f"{first}: {outcome}{who}, {when(at)}."


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


def no_values(known: int, of: int) -> str:
    """That the value of a trial is told of some alternatives only.

    >>> no_values(500, 10_000)
    'the value of a trial is told of 500 of these 10,000: for all, it would take minutes'
    """
    if not known:
        return "no value of a trial is told while so many trials are pending"
    return f"the value of a trial is told of {known:,} of these {of:,}: for all, it would take minutes"


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


def waiting(trials: Sequence[int]) -> str:
    """Which trials have no outcome yet, as a sentence; nothing where all have one.

    >>> waiting([3]), waiting([3, 5]), waiting(range(1, 21))
    ('Trial 3 waits for its outcome.', 'Trials 3 and 5 wait for their outcomes.', '20 trials wait for their outcomes.')
    """
    if not trials:
        return ""
    if len(trials) == 1:
        return f"Trial {trials[0]} waits for its outcome."
    which = f"Trials {joined(trials)}" if len(trials) <= _NAMED else f"{len(trials):,} trials"
    return f"{which} wait for their outcomes."


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


def bends_near(name: str, low: str, high: str, unit: str) -> str:
    """That a number is best inside its range, and where.

    >>> bends_near("temperature", "150", "150", "C"), bends_near("time", "10", "20", "min")
    ('temperature bends: best near 150 C', 'time bends: best between 10 and 20 min')
    """
    where = f"near {low}" if low == high else f"between {low} and {high}"
    return f"{name} bends: best {where} {unit}".rstrip()


def gained(gain: float, low: float, high: float, over: str = "") -> str:
    """A difference of chances, over what it is, and the 95 % interval of it.

    >>> gained(0.221, 0.05, 0.4), gained(0.31, 0.06, 0.52, "from 8 to 14 W"), gained(0.002, -0.001, 0.004)
    ('+22 points, 5 to 40', '+31 points from 8 to 14 W, 6 to 52', '+0.2 points, -0.1 to 0.4')
    """
    digits = _point_digits(gain, low, high)
    about = f"{_in_points(gain, digits, sign=True)} points {over}".rstrip()
    return f"{about}, {_in_points(low, digits)} to {_in_points(high, digits)}"


def hardly_matters(name: str, low: float, high: float) -> str:
    """That no level of a parameter makes a difference that counts, and what it may be at most.

    >>> hardly_matters("time", -0.031, 0.04)
    'time hardly matters (-3 to +4 points)'
    """
    return f"{name} hardly matters ({_between(low, high)} points)"


def not_clear(name: str, low: float, high: float) -> str:
    """That a parameter may help or hurt, and by how much.

    >>> not_clear("pressure", -0.2, 0.35)
    'pressure: not clear yet (-20 to +35 points)'
    """
    return f"{name}: not clear yet ({_between(low, high)} points)"


def _between(low: float, high: float) -> str:
    digits = _point_digits(low, high)
    return f"{_in_points(low, digits, sign=True)} to {_in_points(high, digits, sign=True)}"


def _point_digits(*differences: float) -> int:
    """Whole points, unless all is less than one."""
    return 1 if max(map(abs, differences)) < 0.00995 else 0


def _in_points(difference: float, digits: int, *, sign: bool = False) -> str:
    number = round(100.0 * difference, digits) + 0.0  # -0.0 is 0.0
    return f"{number:{'+' if sign and number else ''}.{digits}f}"


def rounded(number: float) -> str:
    """A large number to two digits.

    >>> rounded(3333.3)
    '3,300'
    """
    return f"{float(f'{number:.2g}'):,.0f}"


def _digits(p: float) -> str:
    text = f"{100.0 * p:.{0 if min(p, 1.0 - p) >= 0.01 else 1}f}"
    return text.removesuffix(".0")
