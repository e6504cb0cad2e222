"""The four tables from real benches: where they come from, and the digest by which one that is not meant is refused.

They are read from the folder ``benches`` under ``SURESHOT_DATA``; they are not part of sureshot, and it does not
download them.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

from sureshot.errors import InvalidInput
from sureshot.lab.worlds.real.uci_data import FOLDER

__all__ = ["DEOXYFLUORINATION", "DIRECT_ARYLATION", "PEROVSKITES", "VAPOUR_DIFFUSION", "BenchTable"]


@dataclass(frozen=True)
class BenchTable:
    """What is known of one table."""

    title: str
    file: str
    source: str
    licence: str
    rows: int
    sha256: str

    def read(self) -> Any:
        """The table as a DataFrame, or an error that says what differs."""
        import pandas as pd

        folder = os.environ.get(FOLDER)
        if not folder:
            raise self._missing(f"{FOLDER} is not set")
        path = Path(folder) / "benches" / self.file
        try:
            content = path.read_bytes()
        except OSError as error:
            raise self._missing(f"{FOLDER} is {folder!r}, where it can't be read ({error.strerror})") from error
        if sha256(content).hexdigest() != self.sha256:
            lines = len(content.splitlines())
            raise InvalidInput(
                f"{path} is not the table of {self.title} that this world is made of: it has {lines} lines and another "
                f"digest. Put the right {self.file} there ({self.rows + 1} lines, SHA-256 {self.sha256[:12]}...; from "
                f"{self.source})."
            )
        return pd.read_csv(BytesIO(content))

    def _missing(self, why: str) -> InvalidInput:
        return InvalidInput(
            f"the table benches/{self.file} must be in the folder named by {FOLDER}, and {why}. sureshot can't "
            f"download it: it comes from {self.source} ({self.licence}); put it there, or leave this world out."
        )


PEROVSKITES = BenchTable(
    title="metal halide perovskites by inverse temperature crystallisation",
    file="perovskite_crystals.csv",
    source="darkreactions/rapid",
    licence="MIT",
    rows=4182,
    sha256="37dc87f36a9ac3ea89fcf4903e4a985a4bda158ccfbafa024108e0b508a90f59",
)
VAPOUR_DIFFUSION = BenchTable(
    title="metal halide perovskites by vapour diffusion",
    file="vapour_diffusion.csv",
    source="aspuru-guzik-group/olympus",
    licence="MIT",
    rows=918,
    sha256="92694ed54a4eeb1c69a4fce97194b3cb5c04e97df66b657811a8f81852d2c49a",
)
DIRECT_ARYLATION = BenchTable(
    title="direct arylation (Shields et al., Nature 2021)",
    file="direct_arylation.csv",
    source="b-shields/edbo",
    licence="MIT",
    rows=1728,
    sha256="74acae7b4d11b8f55babd1a542734226150140bba5b65838ccbe3986f2a3d3aa",
)
DEOXYFLUORINATION = BenchTable(
    title="deoxyfluorination (Nielsen et al., JACS 2018)",
    file="deoxyfluorination.csv",
    source="beef-broccoli/ochem-data",
    licence="CC BY 4.0",
    rows=740,
    sha256="54f9939c3169e18f3419002bc54001cc1c7f441cdee69e35bd7e19d37867eafa",
)
