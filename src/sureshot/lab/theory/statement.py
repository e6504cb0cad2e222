"""A statement of the paper with what was measured of it, and the verdicts that are not about one side of a number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sureshot.lab.report.verdicts import Estimate, Verdict, share_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Finding", "Section", "equals", "never", "small"]


@dataclass(frozen=True)
class Finding:
    """One line of the page."""

    where: str  # in the paper
    says: str  # as a statement that can be true or false
    measured: str
    verdict: Verdict
    found: Estimate | None = None  # the number behind it, where it is one number


@dataclass(frozen=True, eq=False)
class Section:
    """A group of statements: in words, with what was measured, and its pictures."""

    title: str
    findings: Sequence[Finding]
    before: Sequence[str]  # lines above the pictures
    pictures: Mapping[str, tuple[str, Figure]] = field(default_factory=dict)  # by file: what it shows, and it
    after: Sequence[str] = ()  # lines below them


def equals(found: Estimate, *, to: float = 0.0, within: float) -> Verdict:
    """Whether a number equals another, but for a difference of no account.

    It does if the whole interval lies closer than ``within``; it does not if the whole interval lies farther away.

    >>> equals(Estimate(0.001, -0.002, 0.004), within=0.01), equals(Estimate(0.05, 0.04, 0.06), within=0.01)
    ('holds', 'does not hold')
    >>> equals(Estimate(0.001, -0.012, 0.014), within=0.01)
    "can't be told"
    """
    if to - within < found.low and found.high < to + within:
        return "holds"
    return "does not hold" if found.high < to - within or found.low > to + within else "can't be told"


def never(times: int, of: int) -> tuple[Verdict, Estimate]:
    """Whether something never happens, and Wilson's interval of how often it does: one case is enough against it, and
    none says only how rare it is.

    >>> never(0, 1000)
    ('holds', Estimate(value=0.0, low=0.0, high=0.003..., p=None))
    """
    return ("does not hold" if times else "holds"), share_of(times, of)


def small(value: float) -> str:
    """A probability in points, small ones as powers of ten.

    >>> small(0.0123), small(-8e-16)
    ('1.23 points', '-8e-14 points')
    """
    points = 100.0 * float(value)
    return f"{points:.2f} points" if abs(points) >= 0.005 or not points else f"{points:.0e} points"
