"""perovskites, vapour-diffusion, direct-arylation, deoxyfluorination: tables from real benches.

An alternative is a distinct setting, its true chance the mean of its real outcomes: nothing is fitted or perturbed, and
the truth is the same in all runs. Where a setting was tried once, its chance is 0 or 1.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, ClassVar

import numpy as np

from sureshot.core import check
from sureshot.core.numerics.stable import Array
from sureshot.errors import InvalidInput
from sureshot.lab.play.world import Truth, World, spelled, truth
from sureshot.lab.worlds.parameters import choice, number, settle
from sureshot.lab.worlds.real.benches_data import DEOXYFLUORINATION, DIRECT_ARYLATION, PEROVSKITES, VAPOUR_DIFFUSION
from sureshot.space import ContextualDesign, Space

__all__ = [
    "AMINES",
    "BENCHES",
    "ORGANICS",
    "Deoxyfluorination",
    "DirectArylation",
    "Perovskites",
    "VapourDiffusion",
    "real_benches",
]

#: The 13 amines of the perovskite table, by the first block of their InChIKey.
AMINES = (
    *("CQWGDVVCKBJLNX", "FCTHQYIDLRRROX", "GGYGJCFIYJVWIP", "JBOIAZWJIACNJF", "JMXLWMIFDJCGBV", "KOAGKPNEVYEZDU"),
    *("LLWRXQXPJMPHLR", "NOHLSFNWSBZSBW", "QHJPGANWSLEMTI", "UMDDLGMCNFAZDX", "VAWHFUNJDMQUSB", "VNAAUNTYIONOHR"),
    "XFYICZOIWSBQSK",
)
#: The organics of the vapour diffusion table with at least 40 settings.
ORGANICS = (
    "14-Benzene diammonium iodide",
    "2-Pyrrolidin-1-ium-1-ylethylammonium iodide",
    "2-Thiophenemethylammonium iodide",
    "4-Methoxy-Phenylammonium iodide",
    "4-Trifluoromethyl-Benzylammonium iodide",
    "4-methoxy-phenethylammonium-iodide",
    "Acetamidinium iodide",
    "Morpholinium Iodide",
    "NN-Dimethylethane-12-diammonium iodide",
    "Phenethylammonium iodide",
)


@dataclass(frozen=True)
class _Settings(World):
    """A world whose alternatives are the settings of a table. Nothing is read until the first draw."""

    @abstractmethod
    def tried(self) -> tuple[Any, Any]:
        """The settings that were tried, a row for each time, and the outcome (or the chance) of each."""

    def draw(self, rng: np.random.Generator, budget: int) -> Truth:  # noqa: ARG002  (the table is what it is)
        """The same settings and chances in each run."""
        space, X, chance = _pool(self)
        return truth(X.copy(), chance, budget=budget, space=space)


@lru_cache(maxsize=64)
def _pool(world: _Settings) -> tuple[Space, Array, Array]:
    """The settings, their features, (M, d), and their chances, (M,)."""
    settings, outcomes = world.tried()
    varied = [name for name in settings.columns if settings[name].nunique() > 1]
    means = outcomes.groupby([settings[name] for name in varied], sort=True).mean()
    space = Space.from_frame(means.index.to_frame(index=False))
    return space, check.frozen(space.design().matrix(space)), check.frozen(means.to_numpy())


@dataclass(frozen=True)
class Perovskites(_Settings):
    """Crystals of one ``amine``, by a robot; a success: a large crystal. 81 to 1,649 settings.

    ``amine`` is an InChIKey, or its first block. Parameters: acid, lead iodide and amine iodide in mol/l; where they
    vary, temperature and stirring. Settings were run up to several times; the chance is the mean.

    >>> Perovskites("XFYICZOIWSBQSK-UHFFFAOYSA-N").label
    'perovskites-XFYICZOIWSBQSK'
    """

    name: ClassVar[str] = "perovskites"
    amine: str

    def __post_init__(self) -> None:
        settle(self, amine=str(self.amine).split("-")[0])
        choice(self, "amine", AMINES)

    @property
    def label(self) -> str:
        """The name and the amine."""
        return f"{self.name}-{self.amine}"

    def tried(self) -> tuple[Any, Any]:
        """The runs of this amine."""
        table = PEROVSKITES.read()
        mine = table[table["amine"].str.startswith(self.amine)]
        return mine.drop(columns=["amine", "crystal_score", "success"]), mine["success"]


@dataclass(frozen=True)
class VapourDiffusion(_Settings):
    """Crystals by vapour diffusion; a success: large crystallites. All 918 settings, or those of one ``organic``.

    With ``organic="all"`` the organic (17) and the solvent (3) are categories beside eight numbers: what works, with
    whatever? With one of the organics that have at least 40 settings: how do I get crystals of this one?

    >>> VapourDiffusion().label, VapourDiffusion("Morpholinium Iodide").label
    ('vapour-diffusion', 'vapour-diffusion-Morpholinium-Iodide')
    """

    name: ClassVar[str] = "vapour-diffusion"
    organic: str = "all"

    def __post_init__(self) -> None:
        choice(self, "organic", ("all", *ORGANICS))

    @property
    def label(self) -> str:
        """The name, and the organic if it is one."""
        return self.name if self.organic == "all" else f"{self.name}-{spelled(self.organic)}"

    def tried(self) -> tuple[Any, Any]:
        """The settings of the table, or of one organic."""
        table = VAPOUR_DIFFUSION.read()
        mine = table if self.organic == "all" else table[table["organic"] == self.organic]
        return mine.drop(columns=["crystal", "success"]), mine["success"]


@dataclass(frozen=True)
class DirectArylation(_Settings):
    """4 bases x 12 ligands x 4 solvents x 3 concentrations x 3 temperatures, each tried once: 1,728 alternatives.

    The chance is the yield (100 % is 1); or, with ``threshold=80``, 1 where the yield is at least 80 % (67 settings),
    else 0.

    >>> DirectArylation().label, DirectArylation(threshold=80).label
    ('direct-arylation', 'direct-arylation-threshold80')
    """

    name: ClassVar[str] = "direct-arylation"
    threshold: float | None = None

    def __post_init__(self) -> None:
        _check_threshold(self)

    def tried(self) -> tuple[Any, Any]:
        """The table, with short names."""
        table = DIRECT_ARYLATION.read()
        names = {"Base_SMILES": "base", "Ligand_SMILES": "ligand", "Solvent_SMILES": "solvent"}
        settings = table.drop(columns=["entry", "yield"]).rename(
            columns={**names, "Concentration": "concentration", "Temp_C": "temperature"}
        )
        got = table["yield"]
        return settings, got / 100.0 if self.threshold is None else (got >= self.threshold).astype(float)


def _check_threshold(world: DirectArylation | Deoxyfluorination) -> None:
    if world.threshold is None:
        return
    number(world, "threshold", above=0.0)
    if world.threshold > 100.0:
        raise InvalidInput(f"world {world.name!r}: `threshold` must be a yield in %, at most 100", got=world.threshold)


@dataclass(frozen=True)
class Deoxyfluorination(World):
    """37 substrates (cases) x 4 bases and 5 fluorides (20 actions); a success: a yield of at least ``threshold`` %.

    A random substrate arrives at each trial; a choice is judged over all 37. Every action is known for every case, so
    the regret is exact. A belief sees of a substrate what can be counted in its SMILES: carbons, nitrogens, oxygens
    and double bonds.

    >>> Deoxyfluorination().label
    'deoxyfluorination'
    """

    name: ClassVar[str] = "deoxyfluorination"
    threshold: float = 60.0

    def __post_init__(self) -> None:
        _check_threshold(self)

    def draw(self, rng: np.random.Generator, budget: int) -> Truth:
        """The same table in each run; the substrates arrive in another order."""
        X, yields = _cases()
        return truth(
            X.copy(),
            (yields >= self.threshold).astype(float)[None],
            budget=budget,
            arrivals=rng.integers(len(X), size=budget),
            judged=np.arange(len(X)),
            contextual=True,
        )


@cache
def _cases() -> tuple[Array, Array]:
    """The features of every action in every case, (37, 20, d), and the yields in %, (37, 20)."""
    import pandas as pd

    table = DEOXYFLUORINATION.read()
    yields = table.pivot(index="substrate_smiles", columns=["base_name", "fluoride_name"], values="yield")
    yields = yields.sort_index(axis=1)
    actions = Space.from_frame(yields.columns.to_frame(index=False))
    cases = pd.DataFrame([_counted(smiles) for smiles in yields.index])
    design = ContextualDesign.fit(cases, actions)
    X = np.stack([design.matrix(case, actions) for case in cases.to_dict("records")])
    return check.frozen(X), check.frozen(yields.to_numpy())


def _counted(smiles: str) -> dict[str, int]:
    """What a SMILES says at a glance.

    >>> _counted("OCCCl")
    {'carbons': 2, 'nitrogens': 0, 'oxygens': 1, 'double_bonds': 0}
    """
    return {
        "carbons": smiles.count("C") - smiles.count("Cl"),
        "nitrogens": smiles.count("N"),
        "oxygens": smiles.count("O"),
        "double_bonds": smiles.count("="),
    }


#: In the order of the docs.
BENCHES: tuple[type[World], ...] = (Perovskites, VapourDiffusion, DirectArylation, Deoxyfluorination)


def real_benches() -> tuple[World, ...]:
    """All pools of the real tables: 13 amines, vapour diffusion whole and by organic, arylation, deoxyfluorination.

    >>> len(real_benches()), real_benches()[-1].label
    (27, 'deoxyfluorination')
    """
    return (
        *(Perovskites(amine) for amine in AMINES),
        *(VapourDiffusion(organic) for organic in ("all", *ORGANICS)),
        DirectArylation(),
        DirectArylation(threshold=80.0),
        Deoxyfluorination(),
    )
