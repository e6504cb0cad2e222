"""The app of the tests has the routes of a server's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sureshot.storage import Storage
from sureshot.web import Settings, create_app
from sureshot.web.security.token_file import add_token
from tests.web.app import app_over
from tests.web.routes import every_way


@pytest.mark.parametrize("more", [{}, {"behind_proxy": True, "names": ("bench.example.org",)}, {"read_only": True}])
def test_routes_are_those_of_a_server_whatever_its_settings(
    store: Storage, tmp_path: Path, more: dict[str, Any]
) -> None:
    add_token(tmp_path / "tokens.json", "Ann", "admin", made="today")
    settings = Settings(tokens=tmp_path / "tokens.json", **more)
    app_over(Settings(), store)  # whose routes serve the next
    shared, served = app_over(settings, store), create_app(settings, store)
    assert every_way(shared) == every_way(served)
    assert shared.openapi() == served.openapi()
    assert shared.state.settings is settings
