"""What is known of the four tables from real benches: where they come from, columns, rows, successes, and a digest.

The tables are not part of sureshot, and it does not download them.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["DEOXYFLUORINATION", "DIRECT_ARYLATION", "FACTS", "PEROVSKITES", "VAPOUR_DIFFUSION", "Facts"]


@dataclass(frozen=True, eq=False)
class Facts:
    """One table. A row is a success if ``outcome`` is at least ``least``."""

    title: str
    file: str  # in the folder `benches` of the one named by SURESHOT_DATA
    source: str
    licence: str
    columns: tuple[str, ...]
    rows: int
    outcome: str
    least: float
    successes: int
    sha256: str


PEROVSKITES = Facts(
    title="metal halide perovskites by inverse temperature crystallisation",
    file="perovskite_crystals.csv",
    source="darkreactions/rapid",
    licence="MIT",
    columns=(
        *("amine", "acid_M", "inorganic_M", "organic_M", "temperature_C", "stir_rpm"),
        *("crystal_score", "success"),
    ),
    rows=4182,
    outcome="success",
    least=1,
    successes=1143,
    sha256="37dc87f36a9ac3ea89fcf4903e4a985a4bda158ccfbafa024108e0b508a90f59",
)
VAPOUR_DIFFUSION = Facts(
    title="metal halide perovskites by vapour diffusion",
    file="vapour_diffusion.csv",
    source="aspuru-guzik-group/olympus",
    licence="MIT",
    columns=(
        *("organic", "organic_M", "solvent", "solvent_M", "inorganic_M", "acid_M"),
        *("alpha_vial_L", "beta_vial_L", "reaction_time_s", "temperature_C", "crystal", "success"),
    ),
    rows=918,
    outcome="success",
    least=1,
    successes=357,
    sha256="92694ed54a4eeb1c69a4fce97194b3cb5c04e97df66b657811a8f81852d2c49a",
)
DIRECT_ARYLATION = Facts(
    title="direct arylation (Shields et al., Nature 2021)",
    file="direct_arylation.csv",
    source="b-shields/edbo",
    licence="MIT",
    columns=("entry", "Base_SMILES", "Ligand_SMILES", "Solvent_SMILES", "Concentration", "Temp_C", "yield"),
    rows=1728,
    outcome="yield",
    least=80,
    successes=67,
    sha256="74acae7b4d11b8f55babd1a542734226150140bba5b65838ccbe3986f2a3d3aa",
)
DEOXYFLUORINATION = Facts(
    title="deoxyfluorination (Nielsen et al., JACS 2018)",
    file="deoxyfluorination.csv",
    source="beef-broccoli/ochem-data",
    licence="CC BY 4.0",
    columns=(
        *("base_name", "fluoride_name", "substrate_name"),
        *("base_smiles", "fluoride_smiles", "substrate_smiles", "yield", "success"),
    ),
    rows=740,
    outcome="yield",
    least=60,
    successes=199,
    sha256="54f9939c3169e18f3419002bc54001cc1c7f441cdee69e35bd7e19d37867eafa",
)

FACTS = (PEROVSKITES, VAPOUR_DIFFUSION, DIRECT_ARYLATION, DEOXYFLUORINATION)
