"""Specifications in a store, with digests that are right."""

from __future__ import annotations

from fuzz.nested import inside as mutated  # noqa: F401  # what the frame looks for


def target(data: bytes) -> None:
    """The campaign of the specification, opened and asked."""
    from fuzz.stored import held, looked_at
    from sureshot import Campaign
    from sureshot.documents import read_json

    looked_at(Campaign.open("it", held(read_json(data), [])))
