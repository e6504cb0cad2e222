"""Studies as TOML files."""

from __future__ import annotations

import tempfile
from pathlib import Path

WORDS = [
    b"[[world]]\n", b"[[policy]]\n", b"[[belief]]\n", b"[[stopping]]\n", b"name = ", b"runs = ", b"budget = ",
    b"seed = ", b"objective = ", b"label = ", b"beliefs = [", b"d = ", b"n = ", b"link = ", b"prior = ", b"method = ",
    b"synthetic", b"kg", b"ucb", b"alpha = ", b"table", b"source = ", b"probit", b"adf", b"scale = ", b"noise = ",
    b"inf", b"nan", b"true", b"[", b"]", b"{", b"}", b'"', b"sure", b"chance = ",
]  # fmt: skip


def target(data: bytes) -> None:
    """The study that the file describes; nothing of it is run."""
    from sureshot.lab import read_study

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "study.toml"
        file.write_bytes(data)
        read_study(file)
