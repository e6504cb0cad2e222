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
from sureshot.lab.worlds.real.ridge import Fitted, Fitting, fit_ridge, standardised
from sureshot.lab.worlds.real.uci_data import Facts, load
from sureshot.lab.worlds.synthetic import with_constant

__all__ = ["UCI", "Climate", "Glass", "Haberman", "PlanningRelax", "Sonar", "Transfusion", "UciPool", "Wpbc"]

#: What is measured of the nuclei in WPBC.
_MEASURES = (
    *("radius", "texture", "perimeter", "area", "smoothness"),
    *("compactness", "concavity", "concave_points", "symmetry", "fractal_dimension"),
)


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
    facts: ClassVar[Facts] = Facts(
        title="Connectionist Bench (Sonar, Mines vs. Rocks)",
        file="sonar.csv",
        openml=40,
        counts={"M": 111, "R": 97},
        success=("M",),
        columns=tuple(f"Attribute{i}" for i in range(1, 61)),
        digest="8ddc39c575b1b8179b4db2bfc3a5412d",
        prints=(
            "7497 d52e 7810 82e2 d05c 864d 22cc 69ac e5b3 2b8d 11cc 8055 ce4d f2c5 46af 32b7 305e 0287 1f9d 39d0 "
            "c665 8fbd 4411 f471 63e3 31e1 6508 bb42 94ee d7a6 a1ff bcdb 15c5 c126 e758 9ccd c501 2e14 680f be92 "
            "af78 51fe f9d1 f9ac b5c4 e6b2 5237 022b 09f6 de1d 8348 92b3 2b68 10c4 aec4 1eed 2b11 99c4 1178 a633"
        ),
    )


@dataclass(frozen=True)
class Glass(UciPool):
    """214 pieces of glass, 9 measures; a success: window glass (types 1 to 4), or the one ``kind`` given.

    >>> Glass(kind="7").label
    'glass-kind-7'
    """

    name: ClassVar[str] = "glass"
    facts: ClassVar[Facts] = Facts(
        title="Glass Identification",
        file="glass.csv",
        openml=41,
        counts={"1": 70, "2": 76, "3": 17, "5": 13, "6": 9, "7": 29},
        success=("1", "2", "3", "4"),
        columns=("RI", "Na", "Mg", "Al", "Si", "K", "Ca", "Ba", "Fe"),
        digest="8dd86dc0b6630202689b29e7d0e49243",
        prints="34d6 e7bc 50f1 3d4d 02ae ee35 853e ff3d e092",
    )
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
    facts: ClassVar[Facts] = Facts(
        title="Blood Transfusion Service Center",
        file="transfusion.csv",
        openml=1464,
        counts={"0": 570, "1": 178},
        success=("1",),
        columns=("Recency", "Frequency", "Monetary", "Time"),
        digest="1f1c4bb67f462d04ecb1d95dc9bbfea7",
        prints="53a7 cc1c c53b 31e4",
    )


@dataclass(frozen=True)
class Haberman(UciPool):
    """306 operations, 3 measures; a success: the patient lived five years or longer."""

    name: ClassVar[str] = "haberman"
    facts: ClassVar[Facts] = Facts(
        title="Haberman's Survival",
        file="haberman.csv",
        openml=43,
        counts={"1": 225, "2": 81},
        success=("1",),
        columns=("age", "operation_year", "positive_axillary_nodes"),
        digest="276df9473aa641b58c4a126b3d6ef0d0",
        prints="3e52 22d5 01dc",
    )


@dataclass(frozen=True)
class Wpbc(UciPool):
    """198 breast cancers, 33 measures; a success: no recurrence.

    Four patients lack the lymph-node status: ``missing="median"`` fills it in, ``"drop"`` leaves them out (194 rows).
    ``follow_up=False`` leaves out the time of follow-up, which is known only afterwards (32 measures).

    >>> Wpbc(missing="drop", follow_up=False).label
    'wpbc-missing-drop-no-follow_up'
    """

    name: ClassVar[str] = "wpbc"
    facts: ClassVar[Facts] = Facts(
        title="Breast Cancer Wisconsin (Prognostic)",
        file="wpbc.csv",
        openml=43757,
        counts={"N": 151, "R": 47},
        success=("N",),
        columns=(
            "time",
            *(f"{measure}_{part}" for part in ("mean", "se", "worst") for measure in _MEASURES),
            "tumor_size",
            "lymph_node_status",
        ),
        digest="8f7111741190e3738805e977c0a469e6",
        prints=(
            "a259 6d19 57bc 1c96 d3e8 7f42 55d5 659d 6fde a82f 88f5 c424 8bc0 569e e4d1 a4b8 493e 77f2 aec0 bd61 "
            "b915 1d50 0bc3 fd99 8482 41a0 0e40 a17e 222f c8c8 ae4e 9be7 75f8"
        ),
    )
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
    facts: ClassVar[Facts] = Facts(
        title="Planning Relax",
        file="planning_relax.csv",
        openml=1490,
        counts={"1": 130, "2": 52},
        success=("2",),
        columns=tuple(f"V{i}" for i in range(1, 13)),
        digest="8fe4f7310dc93add3fcf4acde14c0266",
        prints="afed f622 1352 429b fcfd e357 a9b6 e7ae 5e6c dec3 f042 b9bd",
        decimals=3,  # OpenML's copy is rounded to 6 places; no number lies that close to half a thousandth
    )


@dataclass(frozen=True)
class Climate(UciPool):
    """540 runs of a climate model, 18 parameters; a success: the run did not crash."""

    name: ClassVar[str] = "climate"
    facts: ClassVar[Facts] = Facts(
        title="Climate Model Simulation Crashes",
        file="climate.csv",
        openml=40994,  # not 1467, where one column holds the ranks of another
        counts={"0": 46, "1": 494},
        success=("1",),
        columns=(
            *("vconst_corr", "vconst_2", "vconst_3", "vconst_4", "vconst_5", "vconst_7"),
            *("ah_corr", "ah_bolus", "slm_corr", "efficiency_factor", "tidal_mix_max", "vertical_decay_scale"),
            *("convect_corr", "bckgrnd_vdc1", "bckgrnd_vdc_ban", "bckgrnd_vdc_eq", "bckgrnd_vdc_psim", "Prandtl"),
        ),
        digest="7d01ebb55f830275ff06bcf5a5357bf2",
        prints="6956 ed43 6eba a663 7372 e88d f9c9 837b 3788 2489 3bcf 85d3 dfb3 d510 725f 8cc7 a6b3 6775",
    )


#: In the order of the paper's Figure 4.
UCI: tuple[type[UciPool], ...] = (Sonar, Glass, Transfusion, Haberman, Wpbc, PlanningRelax, Climate)
