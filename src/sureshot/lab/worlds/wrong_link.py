"""wrong-link: the truth follows another link than the belief, which is logit unless a study says otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import special

from sureshot.core import LINKS
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput
from sureshot.lab.worlds.parameters import choice, number, settle
from sureshot.lab.worlds.synthetic import Synthetic

__all__ = ["WrongLink", "t_probability"]


def t_probability(score: Array, df: float) -> Array:
    """The distribution function of Student's t: like probit, but with surprises far out.

    >>> t_probability(np.array([0.0, 4.0]), 1.0).round(3)
    array([0.5 , 0.922])
    """
    return np.asarray(special.stdtr(df, score))


@dataclass(frozen=True)
class WrongLink(Synthetic):
    """As ``synthetic``, but ``p`` by cloglog, probit, loglog, or ``t``: the distribution function of Student's t.

    cloglog rises slowly and saturates at once; ``t`` (with ``df`` degrees of freedom) fails now and then even where
    success seems sure, so one odd outcome misleads a belief that trusts its tails.

    >>> WrongLink().label, WrongLink(link="t", df=1).label
    ('wrong-link-d10', 'wrong-link-d10-link-t-df1')
    """

    name: ClassVar[str] = "wrong-link"
    link: str = "cloglog"
    df: float = 3.0

    def __post_init__(self) -> None:
        super().__post_init__()
        settle(self, df=number(self, "df", above=0.0))
        if self.link != "t" and self.df != type(self).df:
            raise InvalidInput(
                f"world {self.name!r}: `df` belongs to link 't', got link {self.link!r}", fix="leave it out"
            )

    def _check_link(self) -> None:
        choice(self, "link", [*(name for name in LINKS if name != "logit"), "t"])

    def probability(self, score: Array) -> Array:
        """By the true link."""
        return t_probability(score, self.df) if self.link == "t" else super().probability(score)
