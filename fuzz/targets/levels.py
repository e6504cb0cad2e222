"""Levels and ranges as they are typed: ``--param power=8,10,12 W``, ``--context age=18:90``."""

from __future__ import annotations

WORDS = [
    b",", b":", b"-", b" to ", b"..", " – ".encode(), b" W", b" C", b"bool", b"true,false", b'"', b"1e3", b"e", b".",
    b"0.5", b"10:40:10", b"1,000", b"1.000,5", b"power=", b"nan", b"inf", " °C".encode(), b"%", "٣".encode(),
    "½".encode(), "２".encode(), b"e999999999", b"1e-999999",
]  # fmt: skip
#: More levels than this make no campaign here: a large grid takes the time that it takes.
_MANY = 200


def target(data: bytes) -> None:
    """A campaign with a parameter of these levels, a context of this kind, and a number with this unit."""
    from sureshot import Campaign
    from sureshot.campaign.recipe import context_value
    from sureshot.errors import SureshotError
    from sureshot.space import Contexts, Space
    from sureshot.space.tables.levels import bare_number

    text = data.decode("utf-8", "replace")
    refused: SureshotError | None = None
    try:
        Contexts(age=context_value("age", text))
        bare_number(text, name="power", unit="W")
    except SureshotError as error:
        refused = error
    space = Space.grid({"power": text, "flow": [1, 2]})
    if len(space) <= _MANY:
        campaign = Campaign.create("levels", space, storage=":memory:", policy="random", shape="straight")
        campaign.tell_new(space.row(0), 1)
        str(campaign.best())
    if refused is not None:
        raise refused
