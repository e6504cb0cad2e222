"""Cases, and settings to predict, as JSON."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from fuzz.nested import inside as mutated  # noqa: F401  # what the frame looks for

if TYPE_CHECKING:
    from sureshot import Campaign


@cache
def _campaigns() -> tuple[Campaign, Campaign]:
    from fuzz.stored import campaigns
    from sureshot import Campaign

    exports = ({k: v for k, v in campaigns()[name].items() if k != "posterior"} for name in ("desk", "tubes"))
    desk, tubes = (Campaign.import_export(one, storage=":memory:") for one in exports)
    return desk, tubes


def target(data: bytes) -> None:
    """What to choose in the case, or what is believed of the settings."""
    from sureshot.documents import read_json

    desk, tubes = _campaigns()
    found = read_json(data)
    if isinstance(found, dict) and "rows" in found:
        str(tubes.predictions(found["rows"]))
    elif isinstance(found, list):
        str(desk.choices(found))
    else:
        str(desk.best(found))
        str(desk.preview(context=found))
