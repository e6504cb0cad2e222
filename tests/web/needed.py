"""Programs of the machine that some tests run: where one is missing they say so, and CI, which must have it, fails."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def missing(told: str) -> NoReturn:
    """Skip a test, and say why; fail it where the programs must be there."""
    if os.environ.get("SURESHOT_BROWSER") == "required":
        pytest.fail(told)
    pytest.skip(told)
