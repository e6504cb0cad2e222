"""The seven UCI pools of the paper's section 6: real features, and true weights fitted to the real outcomes.

All rows of a table are alternatives, with a constant. The true weights are a ridge logistic fit to the real outcomes
(:mod:`~sureshot.lab.worlds.real.ridge`), perturbed anew in each run; labels are then drawn from them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sureshot.core.numerics.stable import Array
from sureshot.lab.worlds.parameters import choice, flag, settle
from sureshot.lab.worlds.real import uci_facts
from sureshot.lab.worlds.real.ridge import Fitted, Fitting, fit_ridge, standardised
from sureshot.lab.worlds.real.uci_data import load
from sureshot.lab.worlds.real.uci_facts import Facts
from sureshot.lab.worlds.synthetic import with_constant

__all__ = ["UCI", "Climate", "Glass", "Haberman", "PlanningRelax", "Sonar", "Transfusion", "UciPool", "Wpbc"]


@dataclass(frozen=True)
class UciPool(Fitting):
    """One of the seven tables. Nothing is read until the first draw, then once per process."""

    facts: ClassVar[Facts]

    def rows(self) -> tuple[Array, NDArray[np.int8]]:
        """Attributes as they are, (n, k), and the real outcomes, (n,)."""
        rows, classes = load(self.facts)
        return rows, np.isin(classes, self._success).astype(np.int8)

    @property
    def _success(self) -> tuple[str, ...]:
        """The classes that count as a success."""
        return self.facts.success

    def fitted(self) -> Fitted:
        """Kept for the process, whatever the noise."""
        return _fitted(replace(self, noise=0.0, redraw=True))


@lru_cache(maxsize=64)
def _fitted(world: UciPool) -> Fitted:
    rows, outcomes = world.rows()
    shown = standardised(rows) if world.scaling == "standard" else rows
    return fit_ridge(with_constant(shown, world.intercept), outcomes, intercept=world.intercept)


@dataclass(frozen=True)
class Sonar(UciPool):
    """208 sonar echoes, 60 frequency bands; a success: a mine."""

    name: ClassVar[str] = "sonar"
    facts: ClassVar[Facts] = uci_facts.SONAR


@dataclass(frozen=True)
class Glass(UciPool):
    """214 pieces of glass, 9 measures; a success: window glass (types 1 to 4), or the one ``kind`` given.

    >>> Glass(kind="7").label
    'glass-kind-7'
    """

    name: ClassVar[str] = "glass"
    facts: ClassVar[Facts] = uci_facts.GLASS
    kind: str = "window"

    def __post_init__(self) -> None:
        super().__post_init__()
        settle(self, kind=str(self.kind))
        choice(self, "kind", ("window", *self.facts.counts))

    @property
    def _success(self) -> tuple[str, ...]:
        return self.facts.success if self.kind == "window" else (self.kind,)


@dataclass(frozen=True)
class Transfusion(UciPool):
    """748 blood donors, 4 measures of when and how often they gave; a success: gave again."""

    name: ClassVar[str] = "transfusion"
    facts: ClassVar[Facts] = uci_facts.TRANSFUSION


@dataclass(frozen=True)
class Haberman(UciPool):
    """306 operations, 3 measures; a success: the patient lived five years or longer."""

    name: ClassVar[str] = "haberman"
    facts: ClassVar[Facts] = uci_facts.HABERMAN


@dataclass(frozen=True)
class Wpbc(UciPool):
    """198 breast cancers, 33 measures; a success: no recurrence.

    Four patients lack the lymph-node status: ``missing="median"`` fills it in, ``"drop"`` leaves them out (194 rows).
    ``follow_up=False`` leaves out the time of follow-up, which is known only afterwards (32 measures).

    >>> Wpbc(missing="drop", follow_up=False).label
    'wpbc-missing-drop-no-follow_up'
    """

    name: ClassVar[str] = "wpbc"
    facts: ClassVar[Facts] = uci_facts.WPBC
    missing: str = "median"
    follow_up: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        choice(self, "missing", ("median", "drop"))
        flag(self, "follow_up")

    def rows(self) -> tuple[Array, NDArray[np.int8]]:
        """Without gaps."""
        rows, outcomes = super().rows()
        if self.missing == "median":
            rows = np.where(np.isnan(rows), np.nanmedian(rows, axis=0), rows)
        whole = ~np.isnan(rows).any(axis=1)
        return rows[whole, 0 if self.follow_up else 1 :], outcomes[whole]


@dataclass(frozen=True)
class PlanningRelax(UciPool):
    """182 pieces of EEG, 12 wavelet coefficients; a success: class 2 (which class is planning, is not said)."""

    name: ClassVar[str] = "planning-relax"
    facts: ClassVar[Facts] = uci_facts.PLANNING_RELAX


@dataclass(frozen=True)
class Climate(UciPool):
    """540 runs of a climate model, 18 parameters; a success: the run did not crash."""

    name: ClassVar[str] = "climate"
    facts: ClassVar[Facts] = uci_facts.CLIMATE


#: In the order of the paper's Figure 4.
UCI: tuple[type[UciPool], ...] = (Sonar, Glass, Transfusion, Haberman, Wpbc, PlanningRelax, Climate)
