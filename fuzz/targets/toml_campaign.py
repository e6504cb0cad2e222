"""Campaigns as TOML files."""

from __future__ import annotations

import tempfile
from pathlib import Path

WORDS = [
    b"name = ", b"budget = ", b"[parameters]\n", b"[context]\n", b"where = [", b"policy = ", b"prior = ", b"cost = ",
    b"worth = ", b"objective = \"online\"\n", b"discount = ", b"shape = ", b"formula = ", b"context_formula = ",
    b"link = ", b"stopping = ", b"value = ", b"interactions = false\n", b"success = ", b"seed = ", b'"""', b"'''",
    b"{", b"}", b"[", b"]", b"[[", b"]]", b"a.b.c", b" = ", b"2026-01-01", b"inf", b"nan", b"true", b"0x10", b"1_0",
    b"#", b"kg", b"ucb alpha=2", b"8:90",
]  # fmt: skip
#: More alternatives than this make no campaign here: a large grid takes the time that it takes.
_MANY = 2_000


def target(data: bytes) -> None:
    """The campaign that the file describes, in memory."""
    from sureshot import Campaign
    from sureshot.campaign.recipe import read_recipe, space_of, understood

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "campaign.toml"
        file.write_bytes(data)
        said = read_recipe(file)
        options = understood(said)
        space = space_of(said)
    if len(space) <= _MANY:
        Campaign.create(said.get("name", "it"), space, **options | {"storage": ":memory:"})
