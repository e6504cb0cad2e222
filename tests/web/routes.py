"""All that the app answers to, whoever added it: so that a new page is held to the rules without being named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from fastapi import FastAPI


class Way(NamedTuple):
    method: str
    path: str  # as it is asked for: campaign 1, trial 1

    @property
    def is_api(self) -> bool:
        return self.path.startswith("/api/")

    @property
    def is_safe(self) -> bool:
        return self.method in ("GET", "HEAD")


def every_way(app: FastAPI) -> list[Way]:
    """Every method at every address, with 1 for each number or name in it."""
    found = {
        Way(method, re.sub(r"\{[^}]*\}", "1", path))
        for path, methods in _routes(app.routes)
        for method in methods
        if method != "HEAD"
    }
    assert len(found) > 4  # an app whose routes are not found here would pass every test
    return sorted(found)


def _routes(routes: Any) -> Iterator[tuple[str, set[str]]]:
    for one in routes:
        if hasattr(one, "effective_route_contexts"):  # a router that was included, in this FastAPI
            yield from _routes(one.effective_route_contexts())
        elif getattr(one, "methods", None):
            yield one.path, one.methods
